#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "results/record/cell.hpp"
#include "results/record/encoding.hpp"
#include "suite/counting/pass.hpp"
#include "suite/machine.hpp"
#include "suite/profile/sampling.hpp"

namespace schedrig {

/// What a run finds out about a cell once, before its first trial.
struct Preparation {
  Pass pass;              ///< the events that are there; none of a cell that is sampled
  std::string parameters; ///< for the workload's process: the cell's, with what was calibrated
  Sampling sampling = {}; ///< of a cell that is sampled; nothing of any other
};

/// Replaces each cell whose pass does not fit on the PMU by one for each pass that does; `marks`
/// gets a sentence for each such pass. Counts for a moment. Throws as FittedPasses::probe and
/// Machine::place do.
std::vector<Cell> in_passes_that_fit(const Machine& machine, const std::vector<Cell>& cells,
                                     std::vector<std::string>& marks);

/// The preparations of a plan's cells. What several cells have in common is found out once.
class Preparations {
public:
  /// Probes passes and calibrates workloads, outside every group. Loads the CPUs for some 50 ms
  /// for each workload that calibrates. Throws as Pass::probe, calibrated and Machine::place do.
  Preparations(const Machine& machine, const std::vector<Cell>& cells);

  const Preparation& of(const Cell& cell) const { return preparations_.at(cell); }
  const CpuSet& measured_cpus() const noexcept { return measured_cpus_; } ///< of all cells
  /// What each event's name came to, for each cell.
  std::map<Cell, std::vector<EventEncoding>> encodings() const;

private:
  std::map<Cell, Preparation> preparations_;
  CpuSet measured_cpus_;
};

} // namespace schedrig
