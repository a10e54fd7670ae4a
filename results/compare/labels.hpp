#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/record/cell.hpp"

namespace schedrig {

/// What cells have in common: a part that differs is empty, of the parameters those that differ are
/// left out.
Cell shared_by(std::span<const Cell> cells);

/// A label for each cell, of the parts that set it apart: "no group", "group without limit",
/// "20000/100000", "same-cpu, 20000/100000, loops=1000". Its bandwidth where nothing does.
std::vector<std::string> labels_of(std::span<const Cell> cells);

/// A bandwidth as the tables call it: "none" is "no group", "group" is "group without limit".
std::string bandwidth_label(const std::string& bandwidth);

} // namespace schedrig
