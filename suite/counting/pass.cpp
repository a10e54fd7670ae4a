#include "suite/counting/pass.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "pinning/unavailable.hpp"
#include "suite/counting/not_supported.hpp"

namespace schedrig {

namespace {

/// They count in the kernel's own code, cost next to nothing, and tell what else happened. Not
/// context-switches: counting them adds some 4 % to a pipe ping-pong, and the workload's own
/// account has them.
constexpr std::string_view riders = "cpu-migrations,page-faults,task-clock";

/// Nothing of it is left for a user who may count user mode only: it would stay 0.
bool happens_in_kernel_only(const Event& event) {
  return event.kind != Event::Kind::hardware && !event.name.ends_with("-faults") &&
         !event.name.ends_with("-clock");
}

/// A clock goes on in both modes, but a user may open it only as if it did not.
Event in_user_mode(const Event& event) {
  if (!event.name.ends_with("-clock"))
    return Event::resolve(event.name + ":u");
  auto clock = event;
  clock.exclude_kernel = true;
  return clock;
}

/// Something to be counted while a probe runs.
void burn() {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 100'000; ++i)
    sum = sum + i;
}

bool has(const std::vector<Event>& events, std::string_view name) {
  return std::any_of(events.begin(), events.end(),
                     [&](const Event& event) { return event.name == name; });
}

} // namespace

Pass Pass::probe(PerfPort& perf, const CountingAbility& ability, std::string_view asked,
                 std::string_view counting, const CpuSet& cpus) {
  Pass pass;
  if (counting == "off")
    return pass;
  pass.target_ = counting == "cpu" ? Target::cpus : Target::task;

  const auto refusal_of = [&](const std::vector<Event>& events) {
    CounterGroup counters =
        pass.open(perf, events, cpus, ::gettid(), CounterGroup::Begin::at_start);
    counters.start();
    burn();
    counters.stop();
    return counters.read().refusal;
  };

  auto wanted = resolve_pass(asked);
  const auto last_asked = wanted.size();
  for (auto& rider : resolve_pass(riders))
    if (!has(wanted, rider.name))
      wanted.push_back(std::move(rider));

  std::map<std::string, std::vector<std::string>> missing; // reason -> events
  for (std::size_t place = 0; place < wanted.size(); ++place) {
    auto event = wanted[place];
    const bool rides = place >= last_asked;
    const bool in_part = !ability.kernel && !event.exclude_kernel;
    if (in_part && happens_in_kernel_only(event)) {
      if (!rides)
        missing["<not counted>: it happens in kernel mode, which this user may not count"]
            .push_back(event.name);
      continue;
    }
    if (in_part)
      event = in_user_mode(event);
    try {
      if (const auto refusal = refusal_of({event}); !refusal.empty())
        throw Unavailable(fmt::format("{} cannot be counted: {}", event.name, refusal),
                          "end what else uses the PMU");
      pass.events_.push_back(event);
      if (in_part && !rides)
        missing["user mode only: this user may not count the kernel"].push_back(wanted[place].name);
    } catch (const NotSupported& lacking) {
      missing[fmt::format("<not supported>: {}", lacking.reason())].push_back(wanted[place].name);
    }
  }
  for (const auto& [reason, names] : missing)
    pass.notes_.push_back(fmt::format("{}: {}", fmt::join(names, ", "), reason));

  if (const auto refusal = refusal_of(pass.events_); !refusal.empty())
    throw Unavailable(
        fmt::format("the events {} do not fit on the PMU together: {}", asked, refusal),
        "ask for them in several passes: --events A,B --events C,D");
  return pass;
}

CounterGroup Pass::open(PerfPort& perf, const CpuSet& cpus, pid_t process,
                        CounterGroup::Begin begin) const {
  return open(perf, events_, cpus, process, begin);
}

CounterGroup Pass::open(PerfPort& perf, const std::vector<Event>& events, const CpuSet& cpus,
                        pid_t process, CounterGroup::Begin begin) const {
  if (target_ == Target::task)
    return CounterGroup::on_task(perf, events, process, begin);
  return CounterGroup::on_cpus(perf, events, target_ == Target::cpus ? cpus : CpuSet{});
}

} // namespace schedrig
