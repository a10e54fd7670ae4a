#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedrig {

/// What one of several equal tasks got: its rounds, its CPU time.
struct TaskShare {
  double amount = 0; ///< finite, 0 or above
  int cpu = -1;      ///< the CPU it was bound to, else last seen on; -1 where that is not known
};

/// How evenly equal tasks were served. The tasks are all that there were, not a sample of more:
/// deviations are divided by their number, not by one fewer.
struct Fairness {
  /// Tasks that got about the same, as often those of one CPU that was not balanced with the rest.
  struct Group {
    double lower = 0, upper = 0; ///< the least and the most that one of them got
    double mean = 0;
    std::size_t tasks = 0;
    /// The CPUs it belongs to, ascending: the fewest that nine in ten of its tasks were on. Empty
    /// where no task's CPU is known; tasks whose CPU is not are left out of the nine in ten.
    std::vector<int> cpus = {};
    std::size_t on_cpus = 0; ///< how many of its tasks were on these
  };

  std::size_t tasks = 0; ///< at least 1
  double mean = 0;
  double standard_deviation = 0;
  double range = 0; ///< the most less the least
  /// Jain's index, (sum x)^2 / (n * sum x^2): 1 when all got the same, 1/n when one got all;
  /// nothing when nobody got anything.
  std::optional<double> jain_index = {};
  /// Of the deviation to the mean; nothing when nobody got anything.
  std::optional<double> coefficient_of_variation = {};
  std::vector<Group> modes = {}; ///< ascending; see `modes_of` for the rule
};

/// Nothing for no tasks.
std::optional<Fairness> fairness_of(std::span<const TaskShare> shares);

/// Whether the tasks of one trial were served more evenly than those of another.
struct SpreadTest {
  double base_deviation = 0, candidate_deviation = 0; ///< as Fairness has them
  double p = 1; ///< two-sided, of no difference; at least 1 / (permutations + 1)
};

/// A permutation test of the standard deviations of two lists of amounts, each taken from its own
/// mean: those distances are dealt out to the two at random, `permutations` times, and `p` is the
/// share of deals, with the real one, whose deviations differ at least as much. The same input
/// gives the same `p`. Nothing for fewer than two amounts on a side.
///
/// It tells two trials apart, task by task. Tasks that share a CPU are not independent, and a patch
/// is judged by trials and boots: give the spreads of several trials to a test of means for that.
std::optional<SpreadTest> spread_test(std::span<const double> base,
                                      std::span<const double> candidate, int permutations = 9'999,
                                      std::uint64_t seed = 1);

} // namespace schedrig
