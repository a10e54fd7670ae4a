#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/boot.hpp"
#include "results/record/cell.hpp"
#include "results/record/profile.hpp"
#include "results/statistics/difference.hpp"
#include "results/store/store.hpp"

namespace schedrig {

/// The trials of one side. Only measured, valid ones are in it.
struct ProfileSide {
  std::string label;  ///< "no group", "run 3, before the patch"
  std::string kernel; ///< its release and build, as "6.18.44 (build 85c7e4e2)"
  TrialCounts trials;
  std::int64_t samples = 0, lost = 0; ///< of all its trials
  double unnamed_percent = 0; ///< mean share of samples that no function's name is known for
};

/// The share of one function, or of all that have no row: in percent of a trial's samples, as the
/// mean of the trials.
struct FunctionShare {
  SampledFunction function; ///< its object is a file's name without its folders
  std::optional<double> base_percent, other_percent; ///< nothing on a side without trials
  /// In points, other - base: Welch's on the trials' shares. The spread of a side is the one
  /// between its trials, but never less than so many samples have by chance alone.
  Difference difference;
  std::optional<double> adjusted_p; ///< for all functions tested; nothing where there is no test
  bool differs = false;             ///< adjusted_p <= false_discovery_rate
};

/// Which functions ran, of one cell alone or of two side by side.
struct ProfileComparison {
  static constexpr double false_discovery_rate = 0.05;

  Cell shared;      ///< what both have in common; parts that differ are left out
  std::string cpus; ///< the CPUs they ran on; empty where they differ
  std::string event;
  std::int64_t period = 0;
  double confidence = 0.95; ///< of every interval
  ProfileSide base;
  std::optional<ProfileSide> other; ///< nothing: `base` alone
  /// Those that differ first, and within these and the others most changed first; of one side
  /// alone, those with most samples first.
  std::vector<FunctionShare> functions;
  FunctionShare rest;                    ///< all others together, so that shares add up to 100 %
  std::size_t rest_functions = 0;        ///< how many these are
  std::size_t tested = 0;                ///< functions with enough samples for a test
  std::vector<std::string> marks, notes; ///< what it must be read with
};

/// Compares the profiles of two sides' trials, or lists those of `base` where `other` has none.
/// Labels, kernels and marks are the caller's to fill in.
ProfileComparison compare_profiles(std::span<const ProfileRecord> base,
                                   std::span<const ProfileRecord> other, std::size_t most = 20);

/// Compares the sampled cells of `run` with the first of their workload and counting; one alone is
/// listed alone. `most` functions are listed, and all that differ. Throws StoreError: ENOENT when
/// there is no such run.
std::vector<ProfileComparison> compare_profiles(const Store& store, std::int64_t run,
                                                std::size_t most = 20);

/// Compares the sampled cells of `run` each with the same cell of `base`; a cell that `base` does
/// not have is left out.
std::vector<ProfileComparison> compare_profiles_of_runs(const Store& store, std::int64_t base,
                                                        std::int64_t run, std::size_t most = 20);

} // namespace schedrig
