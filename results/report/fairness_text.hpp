#pragma once

#include <string>

#include "results/compare/comparison.hpp"

namespace schedrig {

/// Appends a fairness table of `comparison`, after an empty line: a row a cell, the modes of each,
/// and how far each spreads its tasks otherwise than the first. Lines as in `text_table`.
void append_fairness(std::string& text, const Comparison& comparison, const FairnessTable& table,
                     int width);

} // namespace schedrig
