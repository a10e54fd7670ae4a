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

bool alike(const IndexTable& table, const IndexedCell& indexed) {
  const Cell& shared = table.shared;
  const Cell& cell = indexed.cell;
  return table.copies == indexed.copies && shared.placement == cell.placement &&
         shared.bandwidth == cell.bandwidth && shared.counting == cell.counting &&
         shared.pass == cell.pass;
}

IndexEstimate estimate_of(const GeometricMean& mean, double confidence) {
  return {mean.value(), mean.interval(confidence)};
}

} // namespace

std::vector<IndexTable> index_tables(const Store& store, std::int64_t run,
                                     const std::vector<IndexedCell>& cells) {
  const StoredRun stored = store.run(run);
  IndexTable frame;
  frame.run = run;
  frame.boot = store.boot(stored.boot).boot;
  frame.marks = marks_of(stored.record);

  std::map<Cell, std::vector<TrialRecord>> trials;
  for (auto& trial : store.trials(run))
    trials[trial.record.cell].push_back(std::move(trial.record));

  std::vector<IndexTable> tables;
  std::vector<std::vector<GeometricMean>> means; // of each table
  for (const IndexedCell& indexed : cells) {
    auto table = std::find_if(tables.begin(), tables.end(),
                              [&](const auto& other) { return alike(other, indexed); });
    if (table == tables.end()) {
      table = tables.insert(table, frame);
      table->copies = indexed.copies;
      table->shared = indexed.cell;
      table->shared.workload.clear();
      table->shared.parameters.clear();
      means.emplace_back();
    }
    IndexRow row{
        .indexed = indexed, .trials = {}, .reasons = {}, .result = {}, .index = {}, .unbiased = {}};
    std::vector<UnixbenchPass> passes;
    for (const TrialRecord& trial : trials[indexed.cell]) {
      row.trials.add(trial);
      if (trial.purpose == TrialRecord::Purpose::measured && !trial.reason.empty())
        ++row.reasons[trial.reason];
      if (table->cpus.empty())
        table->cpus = trial.cpus;
      for (const std::string& note : trial.notes)
        if (std::find(table->notes.begin(), table->notes.end(), note) == table->notes.end())
          table->notes.push_back(note);
      if (const auto pass = pass_of(trial))
        passes.push_back(*pass);
    }
    if (!passes.empty()) {
      const auto unbiased = unixbench_index(unbiased_result(passes, indexed.per), indexed.baseline);
      row.result = classic_result(passes, indexed.per);
      row.index = unixbench_index(*row.result, indexed.baseline);
      row.unbiased = estimate_of(unbiased, table->confidence);
      means[static_cast<std::size_t>(table - tables.begin())].push_back(unbiased);
    }
    table->rows.push_back(std::move(row));
  }

  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (means[i].size() < tables[i].rows.size())
      continue;
    std::vector<double> indices;
    for (const IndexRow& row : tables[i].rows)
      indices.push_back(*row.index);
    tables[i].total = unixbench_total(indices);
    tables[i].unbiased_total = estimate_of(GeometricMean::of(means[i]), tables[i].confidence);
  }
  return tables;
}

} // namespace schedrig
