#include "results/compare/index_table.hpp"

#include <algorithm>

#include "results/compare/comparison.hpp"
#include "results/statistics/unixbench.hpp"

namespace schedrig {
namespace {

/// The trial's work and the time it took; nothing for a trial that does not count.
std::optional<UnixbenchPass> pass_of(const TrialRecord& trial) {
  if (trial.purpose != TrialRecord::Purpose::measured ||
      trial.validity != TrialRecord::Validity::valid || !(trial.work > 0))
    return std::nullopt;
  for (const Reading& reading : trial.readings)
    if (reading.metric.name == "wall_time" && reading.value > 0)
      return UnixbenchPass{trial.work, std::chrono::duration<double, std::nano>(reading.value)};
  return std::nullopt;
}

IndexEstimate estimate_of(const GeometricMean& mean, double confidence) {
  return {mean.value(), mean.interval(confidence)};
}

/// Adds the test with its `trials` to the table; its index, nothing without a pass.
std::optional<GeometricMean> add_row(IndexTable& table, const IndexedCell& indexed,
                                     const std::vector<TrialRecord>& trials) {
  IndexRow row;
  row.indexed = indexed;
  std::vector<UnixbenchPass> passes;
  for (const TrialRecord& trial : trials) {
    row.trials.add(trial);
    if (trial.purpose == TrialRecord::Purpose::measured && !trial.reason.empty())
      ++row.reasons[trial.reason];
    if (table.cpus.empty())
      table.cpus = trial.cpus;
    for (const std::string& note : trial.notes)
      if (std::find(table.notes.begin(), table.notes.end(), note) == table.notes.end())
        table.notes.push_back(note);
    if (const auto pass = pass_of(trial))
      passes.push_back(*pass);
  }
  std::optional<GeometricMean> index;
  if (!passes.empty()) {
    index = unixbench_index(unbiased_result(passes, indexed.per), indexed.baseline);
    row.result = classic_result(passes, indexed.per);
    row.index = unixbench_index(*row.result, indexed.baseline);
    row.unbiased = estimate_of(*index, table.confidence);
  }
  table.rows.push_back(std::move(row));
  return index;
}

} // namespace

std::vector<IndexTable> index_tables(const Store& store, std::int64_t run,
                                     const std::vector<IndexedSet>& sets) {
  const StoredRun stored = store.run(run);
  std::map<Cell, std::vector<TrialRecord>> trials;
  for (auto& trial : store.trials(run))
    trials[trial.record.cell].push_back(std::move(trial.record));

  std::vector<IndexTable> tables;
  for (const IndexedSet& set : sets) {
    IndexTable& table = tables.emplace_back();
    table.run = run;
    table.boot = store.boot(stored.boot).boot;
    table.marks = marks_of(stored.record);
    table.copies = set.front().copies;
    table.shared = set.front().cell;
    table.shared.workload.clear();
    table.shared.parameters.clear();

    std::vector<double> classic;
    std::vector<GeometricMean> unbiased;
    for (const IndexedCell& indexed : set)
      if (const auto index = add_row(table, indexed, trials[indexed.cell])) {
        classic.push_back(*table.rows.back().index);
        unbiased.push_back(*index);
      }
    if (classic.size() == set.size()) {
      table.total = unixbench_total(classic);
      table.unbiased_total = estimate_of(GeometricMean::of(unbiased), table.confidence);
    }
  }
  return tables;
}

} // namespace schedrig
