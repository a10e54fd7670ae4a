#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/statistics/difference.hpp"
#include "results/statistics/summary.hpp"
#include "results/store/store.hpp"
#include "suite/machine.hpp"
#include "suite/plan.hpp"

namespace schedrig {

/// What one way of counting costs a pipe ping-pong: two context switches a loop, the path that
/// counting disturbs most.
struct CountingCost {
  std::string counting;   ///< in a cell's words; "off" first
  Summary loop_ns;        ///< wall time a loop, of each valid trial
  Difference against_off; ///< in percent of counting "off"; nothing for that itself
  std::string events;     ///< that were counted: "cpu-migrations, page-faults, task-clock"
};

/// What is counted between a start and a stop with nothing in between.
struct EmptyRegion {
  std::string counting;
  Summary tsc_ticks;
  std::vector<std::pair<std::string, Summary>> counts; ///< of each event
};

/// The plan that finds these costs: each way of counting that this user has, in turn, in randomised
/// blocks on one CPU.
Plan calibration_plan(const Machine& machine);

/// The costs that a run of that plan found. A way of counting without a valid trial is left out.
std::vector<CountingCost> counting_costs(const Store& store, std::int64_t run);

/// Measures empty regions on the CPU of placement same-cpu, and on ourselves. Throws as Pass::probe
/// and CounterGroup do.
std::vector<EmptyRegion> empty_regions(const Machine& machine);

/// Both as text of at most 80 columns.
std::string calibration_text(const std::vector<CountingCost>& costs,
                             const std::vector<EmptyRegion>& regions);

} // namespace schedrig
