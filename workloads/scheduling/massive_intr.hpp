#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Many processes that each compute for some milliseconds, sleep for one, and count their rounds.
///
/// Stands for many interactive jobs that together want more CPUs than there are. It exercises
/// fairness: how pick, wakeup placement and balancing share the CPUs out over a long time. The sum
/// of all rounds is fixed by arithmetic (CPUs x time / work); a better scheduler makes the spread
/// of the tasks' rounds smaller. CPUs between which it does not balance show as modes: groups of
/// tasks with about the same number. It says nothing of latency, nor of what a switch costs.
///
/// The unit of work is a number of steps of `spin`, found outside every limited group and the same
/// in all trials of a run: one that was timed in a throttled group could be smaller without
/// anybody's notice. It is timed again after the run, on as many CPUs at once, by CPU time.
///
/// All tasks begin together. Each looks at the clock every 10,000 steps, about 15 us, and ends at
/// the first look that finds the time up. Of a task's own rounds only those count whose work was
/// done by then; in the work of all, from which time a round is reckoned, the last ones count by
/// their steps.
WorkloadEntry massive_intr();

/// What it does, in the units that it needs.
struct MassiveIntrLoad {
  std::size_t tasks = 200;
  std::chrono::nanoseconds time = std::chrono::seconds(300);
  std::chrono::nanoseconds work = std::chrono::milliseconds(8);
  std::chrono::nanoseconds sleep = std::chrono::milliseconds(1);
  std::int64_t calibration = 0; ///< steps that make `work`; 0: found while it prepares
};
std::unique_ptr<Workload> massive_intr_of(const MassiveIntrLoad& load);

/// The sentence for a step of the work that took `retimed_ns` after the run, more than 5 % off the
/// `calibrated_ns` that it was to take; nothing within that.
std::optional<std::string> wrong_unit_of_work(double calibrated_ns, double retimed_ns);

} // namespace schedrig
