#pragma once

#include <cstdint>
#include <map>

#include "results/record/cell.hpp"
#include "results/record/trial.hpp"
#include "results/store/database.hpp"

namespace schedrig {

/// The numbers by which the store knows cells and metrics. Kept as they come when they are new; all
/// of it within the caller's transaction.
std::int64_t cell_id(const Database& database, const Cell& cell);
Cell cell_of(const Database& database, std::int64_t id);

/// Throws StoreError EINVAL when the store knows the name with another unit or meaning.
std::int64_t metric_id(const Database& database, const Metric& metric);
std::map<std::int64_t, Metric> all_metrics(const Database& database);

} // namespace schedrig
