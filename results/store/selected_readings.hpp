#pragma once

#include "results/store/database.hpp"
#include "results/store/readings.hpp"

namespace schedrig {

/// Reads the selection out of `database`, within the caller's transaction.
ReadingColumns selected_readings(const Database& database, const Selection& selection);

} // namespace schedrig
