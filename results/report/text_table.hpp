#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/compare/comparison.hpp"

namespace schedrig {

/// The comparisons as text to be read and mailed: UTF-8, lines ended by '\n', no line longer than
/// `width` columns (at least 40) unless a single word is.
///
/// A row a cell, a column a metric; metrics that do not fit go into further blocks below. Tables
/// are separated by an empty line; what they must be read with stands once, at the end.
std::string text_table(std::span<const Comparison> comparisons, int width);

} // namespace schedrig
