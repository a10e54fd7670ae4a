#include "results/store/selected_readings.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "results/store/names.hpp"

namespace schedrig {
namespace {

struct TrialKey {
  std::int64_t id, run;
  std::int32_t cell, block;
  double work;
};

/// The selected trials, by number.
std::vector<TrialKey> selected_trials(const Database& database, const Selection& selection) {
  // A range, unlike "?1 = 0 OR ...", lets SQLite use the index for one run among many.
  Statement query =
      database.statement("SELECT id, run, cell, block, work FROM trial WHERE run BETWEEN ?1 AND ?2"
                         " AND (?3 = 0 OR run IN (SELECT id FROM run WHERE boot = ?3))"
                         " AND (?4 = 0 OR cell IN (SELECT id FROM cell WHERE workload = ?5))"
                         " AND (?6 = 0 OR (purpose = 'measured' AND validity = 'valid'))");
  query.bind(selection.run.value_or(0),
             selection.run.value_or(std::numeric_limits<std::int64_t>::max()),
             selection.boot.value_or(0), static_cast<int>(selection.workload.has_value()),
             selection.workload.value_or(""),
             static_cast<int>(selection.trials == Selection::Trials::measured_and_valid));
  std::vector<TrialKey> trials;
  while (query.step())
    trials.push_back({query.integer(0), query.integer(1),
                      static_cast<std::int32_t>(query.integer(2)),
                      static_cast<std::int32_t>(query.integer(3)), query.real(4)});
  std::sort(trials.begin(), trials.end(),
            [](const TrialKey& a, const TrialKey& b) { return a.id < b.id; });
  return trials;
}

/// The store's numbers of cells or metrics that occur -> their place among them.
class Dictionary {
public:
  /// `ids` become their places; those that occur are kept in ascending order.
  explicit Dictionary(std::vector<std::int32_t>& ids) {
    for (const std::int32_t id : ids) {
      if (static_cast<std::size_t>(id) >= place_.size())
        place_.resize(static_cast<std::size_t>(id) + 1, absent);
      place_[static_cast<std::size_t>(id)] = 0;
    }
    for (std::size_t id = 0; id < place_.size(); ++id)
      if (place_[id] != absent) {
        place_[id] = static_cast<std::int32_t>(occurring_.size());
        occurring_.push_back(static_cast<std::int64_t>(id));
      }
    for (std::int32_t& id : ids)
      id = place_[static_cast<std::size_t>(id)];
  }
  const std::vector<std::int64_t>& occurring() const noexcept { return occurring_; }

private:
  static constexpr std::int32_t absent = -1;
  std::vector<std::int32_t> place_;
  std::vector<std::int64_t> occurring_;
};

} // namespace

ReadingColumns selected_readings(const Database& database, const Selection& selection) {
  ReadingColumns columns;
  const std::vector<TrialKey> trials = selected_trials(database, selection);
  if (trials.empty())
    return columns;

  std::vector<bool> per_work; // by the store's number of a metric
  std::map<std::int64_t, Metric> metrics = all_metrics(database);
  for (const auto& [id, metric] : metrics) {
    per_work.resize(static_cast<std::size_t>(id) + 1);
    per_work[static_cast<std::size_t>(id)] = metric.extent == Metric::Extent::per_work;
  }

  // Both sides are ordered by trial, so walking them side by side reads every page once; a join
  // would search the tree again for each trial.
  Statement query = database.statement(
      "SELECT trial, metric, value FROM reading WHERE trial BETWEEN ?1 AND ?2"
      " AND (?3 = 0 OR metric = (SELECT id FROM metric WHERE name = ?4)) ORDER BY trial, metric");
  query.bind(trials.front().id, trials.back().id, static_cast<int>(selection.metric.has_value()),
             selection.metric.value_or(""));
  auto trial = trials.begin();
  while (query.step()) {
    const std::int64_t id = query.integer(0);
    while (trial->id < id)
      ++trial;
    if (trial->id != id)
      continue;
    const auto metric = static_cast<std::int32_t>(query.integer(1));
    const bool divided = per_work[static_cast<std::size_t>(metric)];
    if (divided && trial->work == 0)
      continue; // a trial that failed before its first unit of work has no such value
    columns.trial.push_back(id);
    columns.run.push_back(trial->run);
    columns.cell.push_back(trial->cell);
    columns.metric.push_back(metric);
    columns.block.push_back(trial->block);
    columns.value.push_back(divided ? query.real(2) / trial->work : query.real(2));
  }

  const Dictionary metric_places(columns.metric);
  for (const std::int64_t id : metric_places.occurring())
    columns.metrics.push_back(metrics.at(id));
  const Dictionary cell_places(columns.cell);
  for (const std::int64_t id : cell_places.occurring())
    columns.cells.push_back(cell_of(database, id));
  return columns;
}

} // namespace schedrig
