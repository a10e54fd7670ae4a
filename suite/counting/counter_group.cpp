#include "suite/counting/counter_group.hpp"

#include <algorithm>
#include <cerrno>
#include <numeric>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "suite/counting/open_refusal.hpp"
#include "suite/counting/tsc.hpp"

namespace schedrig {
namespace {

constexpr std::uint64_t times_and_id =
    PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;

/// Calls again for as long as a signal comes in between.
template <typename Call>
auto retried(Call call) {
  for (;;)
    if (const auto result = call(); result != -1 || errno != EINTR)
      return result;
}

perf_event_attr attributes_of(const Event& event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.config1 = event.config1;
  attributes.config2 = event.config2;
  attributes.exclude_user = event.exclude_user;
  attributes.exclude_kernel = event.exclude_kernel;
  attributes.read_format = times_and_id;
  return attributes;
}

/// The order in which events join their group: hardware first, each kind as asked for.
std::vector<std::size_t> joining_order(const std::vector<Event>& events) {
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Not of std::ranges: clang-tidy's clang 14 cannot read that of this standard library.
  std::stable_partition(order.begin(), order.end(), [&](std::size_t event) {
    return events[event].kind == Event::Kind::hardware;
  });
  return order;
}

/// Reads `words` whole. Why not, when the kernel gave less; empty when it did.
std::string fill(PerfPort& perf, int fd, std::vector<std::uint64_t>& words,
                 const std::string& where) {
  const auto bytes = words.size() * sizeof words[0];
  const auto got = retried([&] { return perf.read(fd, words.data(), bytes); });
  if (got == -1 && errno == ENODEV)
    return fmt::format("{}: its PMU went away in the middle", where);
  checked(got, "read counters", where);
  if (got == 0)
    return fmt::format("{}: the group lost the PMU, or never got onto it: another user "
                       "holds its counters, or they are too few",
                       where);
  if (static_cast<std::size_t>(got) != bytes)
    return fmt::format("{}: the counters came in {} of {} bytes", where, got, bytes);
  return {};
}

} // namespace

CounterGroup CounterGroup::on_cpus(PerfPort& perf, const std::vector<Event>& events,
                                   const CpuSet& cpus) {
  if (cpus.empty() && !events.empty())
    throw BadInput("counters: no CPU to count on");
  CounterGroup counters(perf, events, cpus.size());
  for (const int cpu : cpus.cpus())
    counters.open({Scope::cpu, -1, cpu});
  return counters;
}

CounterGroup CounterGroup::on_task(PerfPort& perf, const std::vector<Event>& events, pid_t process,
                                   Begin begin) {
  CounterGroup counters(perf, events, 1, begin);
  counters.open({Scope::task, process, -1});
  return counters;
}

CounterGroup CounterGroup::on_cgroup(PerfPort& perf, const std::vector<Event>& events,
                                     const std::filesystem::path& folder, const CpuSet& cpus) {
  if (cpus.empty() && !events.empty())
    throw BadInput("counters: no CPU to count on");
  // The kernel looks the group up at each open and holds it from then on.
  const Fd group = Fd::open(folder, O_RDONLY | O_DIRECTORY);
  CounterGroup counters(perf, events, cpus.size());
  for (const int cpu : cpus.cpus())
    counters.open({Scope::control_group, group.number(), cpu, folder.native()});
  return counters;
}

void CounterGroup::open(const Target& target) {
  if (events_.empty())
    return;
  Group group;
  group.where = place_counted(target.process, target.cpu);
  group.scope = target.scope;
  for (const auto event : joining_order(events_))
    open_member(group, event, target);
  group.before.samples.resize(group.members.size());
  groups_.push_back(std::move(group));
}

void CounterGroup::open_member(Group& group, std::size_t event, const Target& target) {
  const bool leads = group.members.empty(), on_task = target.scope == Scope::task;
  const auto flags =
      PERF_FLAG_FD_CLOEXEC | (target.scope == Scope::control_group ? PERF_FLAG_PID_CGROUP : 0UL);
  auto attributes = attributes_of(events_[event]);
  attributes.disabled = leads; // members follow their leader
  attributes.enable_on_exec = leads && begin_ == Begin::at_exec;
  attributes.pinned = leads && !on_task;
  attributes.inherit = on_task;
  const auto try_open = [&] {
    attributes.read_format =
        times_and_id | (group.layout == Layout::whole ? std::uint64_t{PERF_FORMAT_GROUP} : 0);
    const int leader = leads ? -1 : group.members.front().fd.number();
    return retried(
        [&] { return perf_->open(attributes, target.process, target.cpu, leader, flags); });
  };

  int opened = try_open();
  if (opened == -1 && errno == EINVAL && leads && on_task) {
    group.layout = Layout::one_by_one;
    opened = try_open();
  }
  if (opened == -1)
    throw_refusal(*perf_, {errno, events_[event], target.process, target.cpu, group.members.size(),
                           events_.size() * places_, target.control_group});

  Member member{event, Fd(opened), 0};
  checked(retried([&] { return perf_->identify(opened, member.id); }), "identify counter",
          group.where);
  group.members.push_back(std::move(member));
}

void CounterGroup::start() {
  // PERF_EVENT_IOC_RESET would leave the two times as they are.
  for (auto& group : groups_)
    group.before = read_group(group);
  tsc_started_ = read_tsc();
  if (begin_ == Begin::at_start)
    control_leaders(PERF_EVENT_IOC_ENABLE, "enable counters");
  all_enabled_ = perf_->now();
}

void CounterGroup::stop() {
  first_disabled_ = perf_->now();
  control_leaders(PERF_EVENT_IOC_DISABLE, "disable counters");
  tsc_stopped_ = read_tsc();
}

void CounterGroup::control_leaders(unsigned long request, const char* operation) {
  for (const auto& group : groups_) {
    const int leader = group.members.front().fd.number();
    checked(retried([&] { return perf_->control(leader, request, 0); }), operation, group.where);
  }
}

Counted CounterGroup::read() {
  Counted counted;
  counted.tsc_ticks = tsc_stopped_ - tsc_started_;
  std::vector<std::uint64_t> sums(events_.size());
  std::uint64_t enabled_ns = 0, running_ns = 0;
  for (const auto& group : groups_) {
    const auto since_start = read_since_start(group);
    if (counted.refusal.empty())
      counted.refusal = since_start.refusal;
    for (std::size_t i = 0; i < since_start.samples.size(); ++i)
      sums[group.members[i].event] += since_start.samples[i].count;
    if (counted.refusal.empty())
      counted.refusal = cut_short(group, since_start);
    if (!since_start.samples.empty()) {
      enabled_ns += since_start.samples.front().enabled_ns;
      running_ns += since_start.samples.front().running_ns;
    }
  }
  counted.enabled = std::chrono::nanoseconds(enabled_ns);
  counted.running = std::chrono::nanoseconds(running_ns);
  if (counted.refusal.empty() && !groups_.empty() && enabled_ns == 0)
    counted.refusal = fmt::format("{}: nothing ran between start and stop", groups_.front().where);
  if (counted.refusal.empty())
    for (std::size_t event = 0; event < events_.size(); ++event)
      counted.values.push_back({events_[event], sums[event]});
  return counted;
}

/// The kernel takes the events of a CPU that goes offline away from it and stops their clocks; a
/// read still gives the counts up to then, as if nothing were amiss.
std::string CounterGroup::cut_short(const Group& group, const Reading& reading) const {
  constexpr std::chrono::milliseconds clocks_differ{1};
  if (group.scope != Scope::cpu || reading.samples.empty())
    return {};
  const auto whole = first_disabled_ - all_enabled_;
  const std::chrono::nanoseconds enabled(reading.samples.front().enabled_ns);
  if (enabled + clocks_differ + whole / 100 >= whole)
    return {};
  return fmt::format("{}: it was counted for {} of {} ns: it went offline in the middle, or its "
                     "PMU went away",
                     group.where, enabled.count(), whole.count());
}

CounterGroup::Reading CounterGroup::read_since_start(const Group& group) {
  auto reading = read_group(group);
  if (!group.before.refusal.empty())
    return group.before;
  for (std::size_t i = 0; i < reading.samples.size(); ++i) {
    auto& sample = reading.samples[i];
    const auto& before = group.before.samples[i];
    sample.count -= before.count;
    sample.enabled_ns -= before.enabled_ns;
    sample.running_ns -= before.running_ns;
    if (!reading.refusal.empty())
      continue;
    // A control group may well have run on other CPUs only.
    if (sample.enabled_ns == 0 && group.scope != Scope::control_group)
      reading.refusal = fmt::format("{}: nothing ran between start and stop", group.where);
    else if (sample.running_ns != sample.enabled_ns)
      reading.refusal = fmt::format(
          "{}: {} was on the PMU for {} of {} ns: others share it, or its group does not fit",
          group.where, events_[group.members[i].event].name, sample.running_ns, sample.enabled_ns);
  }
  return reading;
}

CounterGroup::Reading CounterGroup::read_group(const Group& group) {
  return group.layout == Layout::whole ? read_whole_group(group) : read_one_by_one(group);
}

CounterGroup::Reading CounterGroup::read_whole_group(const Group& group) {
  // nr, time_enabled, time_running, then value and id of each
  constexpr std::size_t head = 3;
  std::vector<std::uint64_t> words(head + 2 * group.members.size());
  if (auto why_not = fill(*perf_, group.members.front().fd.number(), words, group.where);
      !why_not.empty())
    return {{}, std::move(why_not)};

  Reading reading;
  for (const auto& member : group.members) {
    std::size_t at = head;
    while (at < words.size() && words[at + 1] != member.id)
      at += 2;
    if (at == words.size())
      return {{},
              fmt::format("{}: {} is missing from its group's counters", group.where,
                          events_[member.event].name)};
    reading.samples.push_back({words[at], words[1], words[2]});
  }
  return reading;
}

CounterGroup::Reading CounterGroup::read_one_by_one(const Group& group) {
  Reading reading;
  for (const auto& member : group.members) {
    std::vector<std::uint64_t> words(4); // value, time_enabled, time_running, id
    if (auto why_not = fill(*perf_, member.fd.number(), words, group.where); !why_not.empty())
      return {{}, std::move(why_not)};
    reading.samples.push_back({words[0], words[1], words[2]});
  }
  return reading;
}

} // namespace schedrig
