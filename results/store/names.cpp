#include "results/store/names.hpp"

#include <cerrno>

#include <fmt/format.h>

#include "results/store/store_error.hpp"
#include "results/store/words.hpp"

namespace schedrig {
namespace {

Metric metric_of(const Statement& row) {
  return {row.text(1), row.text(2), from_stored_word<Metric::Better>(row.text_view(3)),
          from_stored_word<Metric::Scale>(row.text_view(4)),
          from_stored_word<Metric::Extent>(row.text_view(5))};
}

} // namespace

std::int64_t cell_id(const Database& database, const Cell& cell) {
  const auto bind = [&cell](Statement& statement) -> Statement& {
    return statement.bind(cell.workload, cell.parameters, cell.placement, cell.bandwidth,
                          cell.counting, cell.pass);
  };
  Statement insert = database.statement(
      "INSERT INTO cell (workload, parameters, placement, bandwidth, counting, pass)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING");
  bind(insert).run();
  Statement query =
      database.statement("SELECT id FROM cell WHERE workload = ?1 AND parameters = ?2 AND"
                         " placement = ?3 AND bandwidth = ?4 AND counting = ?5 AND pass = ?6");
  bind(query).step();
  return query.integer(0);
}

Cell cell_of(const Database& database, std::int64_t id) {
  Statement query = database.statement(
      "SELECT workload, parameters, placement, bandwidth, counting, pass FROM cell WHERE id = ?1");
  query.bind(id).step();
  return {query.text(0), query.text(1), query.text(2), query.text(3), query.text(4), query.text(5)};
}

std::int64_t metric_id(const Database& database, const Metric& metric) {
  database
      .statement("INSERT INTO metric (name, unit, better, scale, extent)"
                 " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) DO NOTHING")
      .bind(metric.name, metric.unit, stored_word(metric.better), stored_word(metric.scale),
            stored_word(metric.extent))
      .run();
  Statement query = database.statement(
      "SELECT id, name, unit, better, scale, extent FROM metric WHERE name = ?1");
  query.bind(metric.name).step();
  if (metric_of(query) != metric)
    throw StoreError(EINVAL, database.path(),
                     fmt::format("{}: the metric {} has another unit or meaning in this store",
                                 database.path().string(), metric.name));
  return query.integer(0);
}

std::map<std::int64_t, Metric> all_metrics(const Database& database) {
  std::map<std::int64_t, Metric> metrics;
  Statement query = database.statement("SELECT id, name, unit, better, scale, extent FROM metric");
  while (query.step())
    metrics.emplace(query.integer(0), metric_of(query));
  return metrics;
}

} // namespace schedrig
