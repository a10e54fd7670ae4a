#include "results/compare/comparison.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "results/compare/labels.hpp"
#include "results/compare/pass_agreement.hpp"
#include "results/statistics/welch.hpp"

namespace schedrig {
namespace {

using Trials = std::vector<const TrialRecord*>;

bool counts(const TrialRecord& trial) {
  return trial.purpose == TrialRecord::Purpose::measured &&
         trial.validity == TrialRecord::Validity::valid;
}

/// What ThrottleFigures tells; a column of its own would tell it twice.
bool is_throttle_figure(const Metric& metric) {
  constexpr std::array<std::string_view, 6> names{"periods",        "throttled_periods",
                                                  "throttled_time", "delivered_cpus",
                                                  "allowed_cpus",   "delivered_cpus_bound"};
  return std::find(names.begin(), names.end(), metric.name) != names.end();
}

/// The values of `metric` in the trials that count, per work where it is.
std::vector<double> values_of(const Trials& trials, std::string_view metric) {
  std::vector<double> values;
  for (const TrialRecord* trial : trials)
    for (const Reading& reading : trial->readings)
      if (counts(*trial) && reading.metric.name == metric)
        values.push_back(reading.metric.extent == Metric::Extent::per_work
                             ? reading.value / trial->work
                             : reading.value);
  return values;
}

std::optional<double> mean_of(const Trials& trials, std::string_view metric) {
  const auto summary = summarize(values_of(trials, metric));
  return summary ? std::optional(summary->mean) : std::nullopt;
}

std::optional<ThrottleFigures> throttle_of(const Trials& trials) {
  const auto periods = summarize(values_of(trials, "periods"));
  const auto throttled = summarize(values_of(trials, "throttled_periods"));
  if (!periods || !throttled)
    return std::nullopt;
  const auto total = [](const Summary& summary) {
    return summary.mean * static_cast<double>(summary.n);
  };
  return ThrottleFigures{.periods = total(*periods),
                         .throttled_periods = total(*throttled),
                         .delivered_cpus = mean_of(trials, "delivered_cpus"),
                         .allowed_cpus = mean_of(trials, "allowed_cpus"),
                         .bound_cpus = mean_of(trials, "delivered_cpus_bound")};
}

void count(const TrialRecord& trial, ComparisonRow& row) {
  row.trials.add(trial);
  if (trial.purpose == TrialRecord::Purpose::measured && !trial.reason.empty())
    ++row.reasons[trial.reason];
}

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(value);
}

std::optional<std::string> ending_mark(RunRecord::Ending ending) {
  switch (ending) {
  case RunRecord::Ending::unfinished:
    return "the run has not ended, or was killed: trials are missing";
  case RunRecord::Ending::interrupted:
    return "the run was interrupted: trials are missing";
  case RunRecord::Ending::failed:
    return "the run failed before its end: trials are missing";
  case RunRecord::Ending::finished:
    break;
  }
  return std::nullopt;
}

/// The CPUs of all rows that have run; empty where they differ.
std::string shared_cpus(const std::vector<ComparisonRow>& rows) {
  std::string shared;
  for (const ComparisonRow& row : rows) {
    if (!shared.empty() && !row.cpus.empty() && row.cpus != shared)
      return {};
    if (!row.cpus.empty())
      shared = row.cpus;
  }
  return shared;
}

/// Fills in the rows and columns that `cells` make; `trials_of_cell` goes along with them.
void fill(Comparison& comparison, const std::vector<Cell>& cells,
          const std::vector<Trials>& trials_of_cell) {
  comparison.shared = shared_by(cells);
  const auto labels = labels_of(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ComparisonRow row;
    row.cell = cells[i];
    row.label = labels[i];
    for (const TrialRecord* trial : trials_of_cell[i]) {
      count(*trial, row);
      if (row.cpus.empty())
        row.cpus = trial->cpus;
      if (comparison.work_unit.empty())
        comparison.work_unit = trial->work_unit;
      for (const std::string& note : trial->notes)
        add_once(comparison.notes, note);
      if (counts(*trial))
        for (const Reading& reading : trial->readings)
          if (!is_throttle_figure(reading.metric))
            add_once(comparison.columns, reading.metric);
    }
    row.throttle = throttle_of(trials_of_cell[i]);
    comparison.rows.push_back(std::move(row));
  }
  comparison.cpus = shared_cpus(comparison.rows);

  std::vector<ValidTrials> valid_trials;
  for (const Trials& trials : trials_of_cell)
    std::copy_if(trials.begin(), trials.end(), std::back_inserter(valid_trials.emplace_back()),
                 [](const TrialRecord* trial) { return counts(*trial); });
  comparison.fairness = fairness_tables(valid_trials, comparison.confidence);

  for (const Metric& metric : comparison.columns) {
    const auto base = values_of(trials_of_cell.front(), metric.name);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto values = values_of(trials_of_cell[i], metric.name);
      ComparisonFigure figure;
      figure.summary = summarize(values);
      if (i > 0)
        figure.difference = metric.scale == Metric::Scale::ratio
                                ? welch_ratio(base, values, comparison.confidence)
                                : welch_difference(base, values, comparison.confidence);
      comparison.rows[i].figures.push_back(std::move(figure));
    }
  }
}

/// The events of a pass; a comma between the slashes of a PMU is part of an event's name.
std::vector<std::string> events_of(std::string_view pass) {
  std::vector<std::string> events(1);
  bool in_slashes = false;
  for (const char c : pass) {
    in_slashes ^= c == '/';
    if (c == ',' && !in_slashes)
      events.emplace_back();
    else
      events.back() += c;
  }
  return events;
}

/// Only cells that share these can be compared.
bool comparable(const Cell& a, const Cell& b) {
  return a.workload == b.workload && a.counting == b.counting && a.pass == b.pass;
}

} // namespace

std::vector<Comparison> compare_cells(const Store& store, std::int64_t run) {
  const StoredRun stored = store.run(run);
  Comparison frame;
  frame.run = run;
  frame.run_label = stored.record.label;
  frame.boot = store.boot(stored.boot).boot;
  frame.marks = marks_of(stored.record);

  const std::vector<StoredTrial> trials = store.trials(run);
  for (const PassDisagreement& disagreement : passes_that_disagree(trials))
    frame.marks.push_back(disagreement.sentence());
  std::map<Cell, Trials> trials_by_cell;
  for (const StoredTrial& trial : trials)
    trials_by_cell[trial.record.cell].push_back(&trial.record);

  std::vector<std::vector<Cell>> groups;
  for (const Cell& cell : store.cells(run)) {
    if (cell.is_profiled())
      continue; // no figures: see compare_profiles
    const auto group = std::find_if(groups.begin(), groups.end(), [&cell](const auto& cells) {
      return comparable(cells.front(), cell);
    });
    if (group == groups.end())
      groups.push_back({cell});
    else
      group->push_back(cell);
  }

  std::vector<Comparison> comparisons;
  for (const auto& cells : groups) {
    std::vector<Trials> trials_of_cell;
    for (const Cell& cell : cells)
      trials_of_cell.push_back(trials_by_cell[cell]);
    fill(comparisons.emplace_back(frame), cells, trials_of_cell);
  }
  return comparisons;
}

std::vector<std::string> marks_of(const RunRecord& run) {
  auto marks = run.marks;
  if (const auto mark = ending_mark(run.ending))
    marks.push_back(*mark);
  return marks;
}

std::vector<std::string> usual_columns(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::string& event : events_of(comparison.shared.pass))
    for (const Metric& column : comparison.columns)
      // In user mode where that is all that the user may count.
      if (column.name == event || column.name == event + (event.ends_with('/') ? "u" : ":u"))
        names.push_back(column.name);
  names.insert(names.end(), {"wall_time", "cpu_time", "context_switches", "migrations"});
  for (const FairnessTable& table : comparison.fairness)
    names.push_back(table.metric.name);
  return names;
}

std::vector<std::string> metric_names(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const Metric& column : comparison.columns)
    add_once(names, column.name);
  for (const FairnessTable& table : comparison.fairness)
    add_once(names, table.metric.name);
  return names;
}

void keep_columns(Comparison& comparison, const std::vector<std::string>& metrics) {
  const auto places_of = [&metrics](const auto& candidates, auto name_of) {
    std::vector<std::size_t> places;
    for (const std::string& name : metrics)
      for (std::size_t place = 0; place < candidates.size(); ++place)
        if (name_of(candidates[place]) == name)
          add_once(places, place);
    return places;
  };
  const auto keep = [](const std::vector<std::size_t>& kept, auto& values) {
    std::remove_reference_t<decltype(values)> chosen;
    for (const std::size_t index : kept)
      chosen.push_back(values[index]);
    values = std::move(chosen);
  };
  const auto columns =
      places_of(comparison.columns, [](const Metric& metric) { return metric.name; });
  keep(columns, comparison.columns);
  for (ComparisonRow& row : comparison.rows)
    keep(columns, row.figures);
  keep(places_of(comparison.fairness, [](const FairnessTable& table) { return table.metric.name; }),
       comparison.fairness);
}

} // namespace schedrig
