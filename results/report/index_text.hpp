#pragma once

#include <span>
#include <string>

#include "results/compare/index_table.hpp"

namespace schedrig {

/// UnixBench's tables as its readers know them, as text to be read and mailed: UTF-8, lines ended
/// by '\n', no line longer than `width` columns (at least 40) unless a single word is.
///
/// A row a test, with its result and index by the classic rule, beside it the index of all passes
/// with its interval; the totals below. That a set was shortened, and so is no UnixBench result,
/// stands under its table; what all must be read with stands once, at the end.
std::string index_text(std::span<const IndexTable> tables, int width);

} // namespace schedrig
