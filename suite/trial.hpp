#pragma once

#include <cstdint>

#include "pinning/cgroup/subtree.hpp"
#include "pinning/task.hpp"
#include "results/record/trial.hpp"
#include "suite/machine.hpp"
#include "suite/preparation.hpp"
#include "suite/profile/symbols.hpp"

namespace schedrig {

/// Where trials take place: all of it outlives them.
struct Site {
  const Machine& machine;
  const CgroupSubtree* subtree; ///< null: cells with a group cannot run here
  Symbols* symbols = nullptr;   ///< what samples are named by; null: no cell is sampled here
};

/// Executes `cell` once and says what came of it; `preparation` is the cell's own. What goes wrong
/// within the trial is told in the record (failed, invalid), not thrown; nothing of it is left
/// behind. The caller fills block, position and purpose. Throws Interrupted; BadInput for a cell
/// that no Plan would make.
TrialRecord run_trial(const Cell& cell, const Preparation& preparation, const Site& site,
                      const Patience& patience);

/// The same for a cell whose `command` the trial executes itself: its counters begin with its exec,
/// as perf stat's do. What the command prints goes where ours does.
TrialRecord run_launched_trial(const Cell& cell, const std::vector<std::string>& command,
                               const Preparation& preparation, const Site& site,
                               const Patience& patience);

/// CLOCK_REALTIME as records keep it: ns since 1970.
std::int64_t now_ns();

} // namespace schedrig
