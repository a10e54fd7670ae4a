#pragma once

#include <cstdint>
#include <vector>

#include "results/record/boot.hpp"
#include "results/record/cell.hpp"
#include "results/record/run.hpp"
#include "results/record/trial.hpp"

namespace schedrig {

/// A boot with its number in the store.
struct StoredBoot {
  std::int64_t id = 0;
  Boot boot;
};

/// How many trials, by what became of them. Warm-up trials are counted only as such.
struct TrialCounts {
  std::int64_t valid = 0, invalid = 0, failed = 0, warm_up = 0;

  void add(const TrialRecord& trial);
  bool operator==(const TrialCounts&) const = default;
};

/// A run with its number in the store and what is in it so far.
struct StoredRun {
  std::int64_t id = 0;
  std::int64_t boot = 0; ///< StoredBoot::id
  RunRecord record;
  TrialCounts trials;
  std::int64_t first_trial_at_ns = 0; ///< CLOCK_REALTIME, ns since 1970; 0 without a trial
  std::int64_t last_trial_at_ns = 0;  ///< when the last one started, likewise
};

/// A trial with its number in the store.
struct StoredTrial {
  std::int64_t id = 0;
  std::int64_t run = 0; ///< StoredRun::id
  TrialRecord record;
};

} // namespace schedrig
