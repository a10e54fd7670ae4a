#include "suite/counting/pass.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/names/core_pmu.hpp"
#include "suite/counting/not_supported.hpp"
#include "suite/counting/passes/pmu_user.hpp"

namespace schedrig {

namespace {

/// They count in the kernel's own code, cost next to nothing, and tell what else happened. Not
/// context-switches: counting them adds some 4 % to a pipe ping-pong, and the workload's own
/// account has them.
constexpr std::string_view riders = "cpu-migrations,page-faults,task-clock";

/// Nothing of it is left for a user who may count user mode only: it would stay 0.
bool happens_in_kernel_only(const Event& event) {
  return event.exclude_user || (event.kind != Event::Kind::hardware &&
                                !event.name.ends_with("faults") && !event.name.ends_with("-clock"));
}

/// A clock goes on in both modes, but a user may open it only as if it did not.
Event in_user_mode(Event event) {
  event.exclude_kernel = true;
  if (event.name.ends_with("-clock"))
    return event;
  event.name += event.name.ends_with('/') ? "u" : ":u";
  event.full_name += event.full_name.ends_with('/') ? "u" : ":u";
  return event;
}

/// Something to be counted while a probe runs.
void burn() {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 100'000; ++i)
    sum = sum + i;
}

CpuSet online_cpus(const std::filesystem::path& root) {
  const auto path = root / "sys/devices/system/cpu/online";
  return CpuSet::parse(trimmed(read_whole(path)), path.native());
}

/// What a probe counts: a control group that is still to come is stood in for by its CPUs.
CounterGroup open_probe(PerfPort& perf, const std::vector<Event>& events, std::string_view counting,
                        const CpuSet& cpus, const std::filesystem::path& root) {
  if (counting == "task")
    return CounterGroup::on_task(perf, events, ::gettid());
  return CounterGroup::on_cpus(perf, events, counting == "system" ? online_cpus(root) : cpus);
}

/// "...; the NMI watchdog ..." for each that may be in the way.
std::string who_else(const std::vector<PmuUser>& users) {
  std::string sentences;
  for (const auto& user : users)
    sentences += "; " + user.sentence;
  return sentences;
}

std::string remedies(const std::vector<PmuUser>& users, std::string_view otherwise) {
  std::vector<std::string> lines;
  for (const auto& user : users)
    lines.push_back(user.remedy);
  if (lines.empty())
    lines.emplace_back(otherwise);
  return fmt::format("{}", fmt::join(lines, "; "));
}

bool has(const std::vector<Event>& events, std::string_view name) {
  return std::any_of(events.begin(), events.end(),
                     [&](const Event& event) { return event.name == name; });
}

} // namespace

std::string Pass::why_not(PerfPort& perf, const std::vector<Event>& events,
                          std::string_view counting, const CpuSet& cpus,
                          const std::filesystem::path& root) {
  CounterGroup counters = open_probe(perf, events, counting, cpus, root);
  counters.start();
  burn();
  counters.stop();
  return counters.read().refusal;
}

std::optional<Event> Pass::permitted(const Event& event, const CountingAbility& ability,
                                     const CpuSet& cpus, const std::filesystem::path& root) {
  const bool in_part = !ability.kernel && !event.exclude_kernel;
  if (in_part && happens_in_kernel_only(event))
    return {};
  auto counted = in_part ? in_user_mode(event) : event;
  return counted.kind == Event::Kind::hardware ? on_cores(counted, cpus, CorePmu::all(root))
                                               : counted;
}

Pass Pass::probe(PerfPort& perf, const CountingAbility& ability, std::string_view asked,
                 std::string_view counting, const CpuSet& cpus, const std::filesystem::path& root) {
  Pass pass;
  if (counting == "off")
    return pass;
  pass.counting_ = counting;
  if (counting == "system")
    pass.online_ = online_cpus(root);
  const auto& counted_cpus = counting == "system" ? pass.online_ : cpus;

  auto wanted = resolve_pass(asked, root);
  const auto last_asked = wanted.size();
  for (auto& rider : resolve_pass(riders))
    if (!has(wanted, rider.name))
      wanted.push_back(std::move(rider));

  std::map<std::string, std::vector<std::string>> missing; // reason -> events
  for (std::size_t place = 0; place < wanted.size(); ++place) {
    const bool rides = place >= last_asked;
    const auto event = permitted(wanted[place], ability, counted_cpus, root);
    if (!event) {
      if (!rides)
        missing["<not counted>: it happens in kernel mode, which this user may not count"]
            .push_back(wanted[place].name);
      continue;
    }
    try {
      if (const auto refusal = why_not(perf, {*event}, counting, cpus, root); !refusal.empty()) {
        const auto users = PmuUser::find(root);
        throw Unavailable(
            fmt::format("{} cannot be counted: {}{}", event->name, refusal, who_else(users)),
            remedies(users, "end what else uses the PMU"));
      }
      pass.events_.push_back(*event);
      if (!rides && event->exclude_kernel != wanted[place].exclude_kernel)
        missing["user mode only: this user may not count the kernel"].push_back(wanted[place].name);
    } catch (const NotSupported& lacking) {
      missing[fmt::format("<not supported>: {}", lacking.reason())].push_back(wanted[place].name);
    }
  }
  for (const auto& [reason, names] : missing)
    pass.notes_.push_back(fmt::format("{}: {}", fmt::join(names, ", "), reason));

  if (const auto refusal = why_not(perf, pass.events_, counting, cpus, root); !refusal.empty()) {
    const auto users = PmuUser::find(root);
    throw Unavailable(fmt::format("the events {} do not fit on the PMU together: {}{}", asked,
                                  refusal, who_else(users)),
                      remedies(users, "ask for them in several passes: --events A,B --events C,D"));
  }
  return pass;
}

CounterGroup Pass::open(PerfPort& perf, const CpuSet& cpus, pid_t process,
                        CounterGroup::Begin begin, const std::filesystem::path& group) const {
  if (counting_ == "task")
    return CounterGroup::on_task(perf, events_, process, begin);
  if (counting_ == "cgroup")
    return CounterGroup::on_cgroup(perf, events_, group, cpus);
  return CounterGroup::on_cpus(perf, events_, counting_ == "system" ? online_ : cpus);
}

} // namespace schedrig
