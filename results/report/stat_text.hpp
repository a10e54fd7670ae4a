#pragma once

#include <string>

#include "results/compare/stat_table.hpp"

namespace schedrig {

/// The table as a person who knows perf stat reads it: a line an event with its mean, the 95 %
/// interval of that mean, and what it comes to (a rate, a share, instructions a cycle); then the
/// times. At most `width` columns, but never fewer than 60; `command` is its title.
std::string stat_text(const StatTable& table, const std::string& command, int width);

/// The values of each run: a line a run, a column an event.
std::string stat_runs_text(const StatTable& table);

} // namespace schedrig
