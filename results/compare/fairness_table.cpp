#include "results/compare/fairness_table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "results/statistics/welch.hpp"

namespace schedrig {
namespace {

using Shares = std::vector<TaskShare>;

/// What each task of each trial got; a trial that says nothing of its tasks is not among them.
std::vector<Shares> shares_by_trial(const ValidTrials& trials, const Metric& metric) {
  std::vector<Shares> all;
  for (const TrialRecord* trial : trials) {
    Shares shares;
    for (const TaskReading& reading : trial->task_readings)
      if (reading.metric.name == metric.name)
        shares.push_back({reading.value, reading.cpu});
    if (!shares.empty())
      all.push_back(std::move(shares));
  }
  return all;
}

/// What `value` gives of each trial; nothing without trials, or where one of them has no such
/// value.
template <typename ValueOf>
std::optional<FairnessFigure> figure_of(const std::vector<Fairness>& trials, double confidence,
                                        ValueOf value_of) {
  std::vector<double> values;
  for (const Fairness& trial : trials) {
    const std::optional<double> value = value_of(trial);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  const auto summary = summarize(values);
  if (!summary)
    return std::nullopt;
  return FairnessFigure{*summary, interval_of_mean(*summary, confidence)};
}

std::string caveat_of(const FairnessRow& row) {
  if (row.trials.empty())
    return "no valid trial tells its tasks apart";
  if (std::any_of(row.trials.begin(), row.trials.end(),
                  [](const Fairness& trial) { return trial.tasks < 2; }))
    return "a single task shares with nobody";
  if (!row.coefficient_of_variation)
    return "no task got anything";
  return {};
}

FairnessRow row_of(const std::vector<Shares>& shares, double confidence) {
  FairnessRow row;
  for (const Shares& trial : shares)
    row.trials.push_back(*fairness_of(trial));
  const auto figure = [&](auto member) {
    return figure_of(row.trials, confidence,
                     [member](const Fairness& trial) { return std::optional(trial.*member); });
  };
  row.mean = figure(&Fairness::mean);
  row.standard_deviation = figure(&Fairness::standard_deviation);
  row.range = figure(&Fairness::range);
  const auto ratio = [&](auto member) {
    return figure_of(row.trials, confidence,
                     [member](const Fairness& trial) { return trial.*member; });
  };
  row.coefficient_of_variation = ratio(&Fairness::coefficient_of_variation);
  row.jain_index = ratio(&Fairness::jain_index);
  row.caveat = caveat_of(row);
  return row;
}

std::vector<double> coefficients_of(const FairnessRow& row) {
  std::vector<double> coefficients;
  for (const Fairness& trial : row.trials)
    coefficients.push_back(*trial.coefficient_of_variation);
  return coefficients;
}

/// The amounts in parts of their mean: their deviation is the coefficient of variation.
std::vector<double> relative_amounts(const Shares& shares, double mean) {
  std::vector<double> amounts;
  for (const TaskShare& share : shares)
    amounts.push_back(share.amount / mean);
  return amounts;
}

/// The difference of one coefficient from another, with the `p` that their tasks give it.
Difference difference_by_tasks(double base, double candidate, double p) {
  if (base == 0 && candidate == 0)
    return {.unit = Difference::Unit::plain,
            .kind = Difference::Kind::exact,
            .estimate = 0,
            .interval = Interval{0, 0}};
  const bool has_ratio = base > 0 && candidate > 0;
  return {.unit = has_ratio ? Difference::Unit::percent : Difference::Unit::plain,
          .kind = Difference::Kind::without_error,
          .estimate = has_ratio ? 100 * (candidate - base) / base : candidate - base,
          .p = p,
          .caveat = "a single trial on either side has no interval: its p tells these two trials "
                    "apart, task by task, and takes tasks for independent, which those that share "
                    "a CPU are not"};
}

SpreadDifference::Conclusion conclusion_of(const Difference& difference, double confidence) {
  using Conclusion = SpreadDifference::Conclusion;
  const bool exact = difference.kind == Difference::Kind::exact;
  if (!exact && !difference.p)
    return Conclusion::unknown;
  if (exact ? *difference.estimate == 0 : *difference.p > 1 - confidence)
    return Conclusion::within_noise;
  return *difference.estimate > 0 ? Conclusion::less_even : Conclusion::more_even;
}

SpreadDifference spread_between(const FairnessRow& base, const std::vector<Shares>& base_shares,
                                const FairnessRow& candidate,
                                const std::vector<Shares>& candidate_shares, double confidence) {
  SpreadDifference spread;
  if (!base.caveat.empty() || !candidate.caveat.empty()) {
    spread.difference.caveat =
        candidate.caveat.empty() ? "in the first row, " + base.caveat : candidate.caveat;
    return spread;
  }
  const auto base_values = coefficients_of(base), values = coefficients_of(candidate);
  const auto any_zero = [](const std::vector<double>& of_trials) {
    return std::find(of_trials.begin(), of_trials.end(), 0) != of_trials.end();
  };
  if (base_values.size() == 1 && values.size() == 1) {
    spread.test = SpreadDifference::Test::tasks;
    const auto test =
        spread_test(relative_amounts(base_shares.front(), base.trials.front().mean),
                    relative_amounts(candidate_shares.front(), candidate.trials.front().mean));
    spread.difference = difference_by_tasks(base_values.front(), values.front(), test->p);
  } else {
    spread.test = SpreadDifference::Test::trials;
    spread.difference = any_zero(base_values) || any_zero(values)
                            ? welch_difference(base_values, values, confidence)
                            : welch_ratio(base_values, values, confidence);
  }
  spread.conclusion = conclusion_of(spread.difference, confidence);
  return spread;
}

FairnessTable table_of(const Metric& metric, std::span<const ValidTrials> trials_of_rows,
                       double confidence) {
  FairnessTable table{.metric = metric, .rows = {}};
  const auto base_shares = shares_by_trial(trials_of_rows.front(), metric);
  for (const ValidTrials& trials : trials_of_rows) {
    const auto shares = shares_by_trial(trials, metric);
    FairnessRow row = row_of(shares, confidence);
    if (!table.rows.empty())
      row.spread = spread_between(table.rows.front(), base_shares, row, shares, confidence);
    table.rows.push_back(std::move(row));
  }
  return table;
}

} // namespace

const Fairness* FairnessRow::middle_trial() const {
  if (trials.empty())
    return nullptr;
  std::vector<const Fairness*> by_deviation;
  for (const Fairness& trial : trials)
    by_deviation.push_back(&trial);
  std::stable_sort(by_deviation.begin(), by_deviation.end(),
                   [](const Fairness* a, const Fairness* b) {
                     return a->standard_deviation < b->standard_deviation;
                   });
  return by_deviation[(by_deviation.size() - 1) / 2];
}

std::vector<FairnessTable> fairness_tables(std::span<const ValidTrials> trials_of_rows,
                                           double confidence) {
  std::vector<FairnessTable> tables;
  const auto is_there = [&](const Metric& metric) {
    return std::any_of(tables.begin(), tables.end(), [&](const FairnessTable& table) {
      return table.metric.name == metric.name;
    });
  };
  for (const ValidTrials& trials : trials_of_rows)
    for (const TrialRecord* trial : trials)
      for (const TaskReading& reading : trial->task_readings)
        if (!is_there(reading.metric))
          tables.push_back(table_of(reading.metric, trials_of_rows, confidence));
  return tables;
}

} // namespace schedrig
