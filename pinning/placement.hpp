#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "pinning/topology.hpp"

namespace schedrig {

/// The CPUs that a workload's tasks run on, and whether each task has one of its own.
///
/// | name         | CPUs                                                  | tasks            |
/// | `same-cpu`   | one                                                   | all on it        |
/// | `smt-pair`   | two PUs of one core                                   | one each in turn |
/// | `same-llc`   | two cores that share a last-level cache, one PU each  | one each in turn |
/// | `cross-llc`  | two last-level caches of one node                     | one each in turn |
/// | `cross-node` | two NUMA nodes                                        | one each in turn |
/// | `all`        | every allowed CPU                                     | free within them |
/// | `0-3,8`      | as listed                                             | free within them |
///
/// The two CPUs of a pair are of one core kind, the most performant that has such a pair.
///
/// Chosen from the end of the machine backwards: the first CPUs take most interrupts and
/// housekeeping. Isolated CPUs come first of all.
class Placement {
public:
  enum class Tasks { free_within, each_on_one };

  /// Chooses for `name` among the PUs of `topology` that are also in `allowed`; `isolated` are
  /// preferred. Throws BadInput for a name that is none of the above or a listed CPU that is not
  /// allowed, Unavailable for what this topology cannot give.
  static Placement choose(std::string_view name, const Topology& topology, const CpuSet& allowed,
                          const CpuSet& isolated = {});
  /// One already chosen, as `name`, `cpus` and `tasks` were recorded; for the workload's own
  /// process.
  Placement(std::string name, std::vector<int> cpus, Tasks tasks);

  /// The names above except the list, in that order.
  static const std::vector<std::string>& names();

  const std::string& name() const noexcept { return name_; }
  CpuSet cpus() const { return CpuSet(order_); }
  /// Task i's CPU is order[i % size] where each has its own.
  const std::vector<int>& order() const noexcept { return order_; }
  Tasks tasks() const noexcept { return tasks_; }
  /// Whether no task can ever migrate: each is bound to one CPU.
  bool pinned() const noexcept { return tasks_ == Tasks::each_on_one || order_.size() == 1; }
  CpuSet for_task(std::size_t index) const; ///< what task number `index`, from 0, is bound to

private:
  std::string name_;
  std::vector<int> order_;
  Tasks tasks_;
};

} // namespace schedrig
