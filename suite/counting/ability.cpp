#include "suite/counting/ability.hpp"

#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/counter_group.hpp"

namespace schedrig {
namespace {

void work_for_a_moment() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Why something could not be counted; false when it could.
struct Trouble {
  std::string why, remedy;
  explicit operator bool() const { return !why.empty(); }
};

/// `open` gives the counters of one event that grows whenever time passes.
template <typename Open>
Trouble try_out(Open open) {
  try {
    CounterGroup counters = open();
    counters.start();
    work_for_a_moment();
    counters.stop();
    const auto counted = counters.read();
    if (!counted.refusal.empty())
      return {counted.refusal, "end other users of the PMU; sysctl -w kernel.nmi_watchdog=0"};
    const auto& [event, count] = counted.values.front();
    if (count == 0)
      return {fmt::format("{}: it opens and is enabled, but stays 0", event.name), {}};
    return {};
  } catch (const Unavailable& unavailable) {
    return {unavailable.why(), unavailable.remedy()};
  } catch (const OsError& error) {
    return {error.what(), {}};
  }
}

} // namespace

CountingAbility CountingAbility::probe(PerfPort& perf, int cpu) {
  CountingAbility ability;
  const auto missing = [&](const char* what, const Trouble& trouble, const char* instead) {
    auto sentence = fmt::format("{}: {}; {}", what, trouble.why, instead);
    if (!trouble.remedy.empty())
      sentence += fmt::format("\n  to change it: {}", trouble.remedy);
    ability.missing.push_back(std::move(sentence));
  };
  const auto on_self = [&](const Event& event) {
    return try_out([&] { return CounterGroup::on_task(perf, {event}, gettid()); });
  };

  const auto kernel_clock = Event::resolve("task-clock");
  auto user_clock = kernel_clock;
  user_clock.exclude_kernel = true; // a clock does not heed it, but the permission does
  auto cycles = Event::resolve("cycles");

  const auto task_trouble = on_self(user_clock);
  ability.task = !task_trouble;
  if (task_trouble) {
    missing("no counters", task_trouble, "times are measured without them");
    return ability;
  }

  const auto kernel_trouble = on_self(kernel_clock);
  ability.kernel = !kernel_trouble;
  if (kernel_trouble)
    missing("kernel mode is not counted", kernel_trouble, "user mode is");

  const auto cpu_trouble = try_out(
      [&] { return CounterGroup::on_cpus(perf, {Event::resolve("cpu-clock")}, CpuSet({cpu})); });
  ability.cpu_wide = !cpu_trouble;
  if (cpu_trouble)
    missing("whole CPUs are not counted", cpu_trouble,
            "the workload's tasks are, at a cost in each of their context switches");

  cycles.exclude_kernel = !ability.kernel;
  const auto hardware_trouble = on_self(cycles);
  ability.hardware = !hardware_trouble;
  if (hardware_trouble)
    missing("no cycles, instructions or branches", hardware_trouble,
            "times, context switches, migrations and faults are measured without them");
  return ability;
}

} // namespace schedrig
