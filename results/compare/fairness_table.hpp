#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/trial.hpp"
#include "results/statistics/difference.hpp"
#include "results/statistics/fairness.hpp"
#include "results/statistics/summary.hpp"

namespace schedrig {

/// One figure of each of a row's trials, taken together.
struct FairnessFigure {
  Summary summary;                  ///< of the trials; its mean is what a table shows
  std::optional<Interval> interval; ///< of that mean; nothing for a single trial
};

/// How far a row spreads its tasks otherwise than the first row does.
///
/// It is the coefficient of variation that is compared, since a limit that takes rounds from all
/// makes the deviation smaller without being any fairer.
struct SpreadDifference {
  enum class Test {
    none,   ///< nothing can be tested: `difference.caveat` says why
    trials, ///< the means of several trials, by Welch: with an interval where it has one
    tasks   ///< of a single trial a side, task by task, by permutation: `p`, but no interval
  };
  enum class Conclusion { unknown, within_noise, more_even, less_even };

  Test test = Test::none;
  /// In percent of the first row's; where either is 0 plainly, as coefficients.
  Difference difference;
  Conclusion conclusion = Conclusion::unknown; ///< at the comparison's confidence
};

/// How evenly the tasks of one row were served.
struct FairnessRow {
  /// Of each valid trial that told its tasks apart, in the order in which they ran. Tasks of
  /// several trials are never pooled: what trials differ in is no unfairness.
  std::vector<Fairness> trials;
  std::optional<FairnessFigure> mean, standard_deviation, range; ///< nothing without a trial
  /// Nothing also where no task of a trial got anything.
  std::optional<FairnessFigure> coefficient_of_variation, jain_index;
  std::string caveat; ///< why its spread means nothing, a sentence without its full stop; or empty
  std::optional<SpreadDifference> spread; ///< nothing in the first row itself

  /// The trial that stands for the row where figures have no mean, as modes have none: the middle
  /// one by standard deviation, of two the more even. Null without a trial.
  const Fairness* middle_trial() const;
};

/// How evenly the tasks of each row were served, by one metric: their rounds.
struct FairnessTable {
  Metric metric;
  std::vector<FairnessRow> rows; ///< one for each row of the comparison
};

/// The trials of one row that count: measured and valid.
using ValidTrials = std::vector<const TrialRecord*>;

/// One table for each metric that any of the trials has of its tasks, in the order in which they
/// first occur.
std::vector<FairnessTable> fairness_tables(std::span<const ValidTrials> trials_of_rows,
                                           double confidence);

} // namespace schedrig
