#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pinning/cgroup/subtree.hpp"
#include "results/record/run.hpp"
#include "results/record/trial.hpp"
#include "results/store/store.hpp"
#include "suite/machine.hpp"
#include "suite/plan.hpp"
#include "suite/preparation.hpp"

namespace schedrig {

/// How far a run has come: told after each trial, when that trial is in the store for good.
struct Progress {
  std::int64_t run;          ///< its number in the store
  const TrialRecord& trial;  ///< the one that has just ended
  std::int64_t done, total;  ///< trials, warm-up ones too
  std::chrono::seconds left; ///< about; from each cell's own trials so far
};

/// What came of a run.
struct RunOutcome {
  std::int64_t run; ///< its number in the store
  RunRecord::Ending ending;
  TrialCounts trials;
  std::vector<Cell> without_result; ///< cells of which no measured trial is valid
};

/// Carries out plans: complete blocks of all cells, each in an order of its own drawn from the
/// plan's seed, warm-up blocks first. A cell that has had all its trials is in no further block.
class Runner {
public:
  struct Listener {
    /// Told what every result will be marked with, before the first trial.
    std::function<void(const std::vector<std::string>& marks)> on_begin;
    std::function<void(const Progress&)> on_trial;
    /// Asked often, also while a trial runs; true ends the run cleanly.
    std::function<bool()> interrupted;
    /// How long trials may wait to go to the store, and to be told, together. 0: each goes at once.
    /// For trials that take less time than the disk does.
    std::chrono::milliseconds delivery{0};
  };

  /// `machine` outlives the runner.
  explicit Runner(const Machine& machine) : machine_(machine) {}

  /// The cells of `plan` that can run here, in plan order, and a mark for what cannot. A user who
  /// is not root gets the smaller mode: cells with a group are left out where no group can be made.
  /// Throws Unavailable when root asks for a group where there is no cpu controller, when no cell
  /// is left, or when a placement is not to be had; BadInput for a CPU that is not allowed.
  struct Feasible {
    std::vector<Cell> cells;
    std::vector<std::string> marks;
  };
  Feasible feasible(const Plan& plan) const;

  /// Runs all of it into the store at `store`, which is opened, or made, once nothing else stands
  /// in the way. The run takes the machine's lock; this thread keeps off the CPUs that are
  /// measured, where others are allowed. Throws as `feasible` does, Unavailable when another run
  /// holds the lock or an event cannot be counted, StoreError, OsError.
  RunOutcome run(const Plan& plan, const std::filesystem::path& store, const Listener& listener);

private:
  void carry_out(const Plan& plan, const std::vector<Cell>& cells, const Preparations& preparations,
                 const CgroupSubtree* subtree, Store& store, const Listener& listener,
                 RunOutcome& outcome);
  const Machine& machine_;
};

} // namespace schedrig
