#include "suite/counting/pass.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "pinning/unavailable.hpp"

namespace schedrig {

namespace {

/// They count in the kernel's own code, cost next to nothing, and tell what else happened.
constexpr std::string_view riders = "context-switches,cpu-migrations,page-faults,task-clock";

/// Something to be counted while a probe runs.
void burn() {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 100'000; ++i)
    sum = sum + i;
}

} // namespace

Pass Pass::probe(PerfPort& perf, std::string_view asked, std::string_view counting,
                 const CpuSet& cpus) {
  Pass pass;
  if (counting == "off")
    return pass;
  pass.target_ = counting == "cpu" ? Target::cpus : Target::task;

  const auto refusal_of = [&](const std::vector<Event>& events) {
    CounterGroup counters = pass.open(perf, events, cpus, ::getpid());
    counters.start();
    burn();
    counters.stop();
    return counters.read().refusal;
  };

  for (const auto& event : resolve_pass(asked)) {
    try {
      if (const auto refusal = refusal_of({event}); !refusal.empty())
        throw Unavailable(fmt::format("{} cannot be counted alone: {}", event.name, refusal),
                          "stop what else uses the PMU");
      pass.events_.push_back(event);
    } catch (const NotSupported& reason) {
      pass.notes_.push_back(fmt::format("{}: <not supported>: {}", event.name, reason.why()));
    }
  }
  for (auto& rider : resolve_pass(riders))
    if (std::none_of(pass.events_.begin(), pass.events_.end(),
                     [&](const Event& event) { return event.name == rider.name; }))
      pass.events_.push_back(std::move(rider));

  if (const auto refusal = refusal_of(pass.events_); !refusal.empty())
    throw Unavailable(
        fmt::format("the events {} do not fit on the PMU together: {}", asked, refusal),
        "ask for them in several passes: --events A,B --events C,D");
  return pass;
}

CounterGroup Pass::open(PerfPort& perf, const CpuSet& cpus, pid_t process) const {
  return open(perf, events_, cpus, process);
}

CounterGroup Pass::open(PerfPort& perf, const std::vector<Event>& events, const CpuSet& cpus,
                        pid_t process) const {
  if (target_ == Target::task)
    return CounterGroup::on_task(perf, events, process);
  return CounterGroup::on_cpus(perf, events, target_ == Target::cpus ? cpus : CpuSet{});
}

} // namespace schedrig
