#pragma once

#include <span>
#include <string>

#include "results/compare/profile_comparison.hpp"

namespace schedrig {

/// The comparisons as text to be read and mailed: UTF-8, lines ended by '\n', none longer than
/// `width` columns (at least 40) unless a single word is. A row a function, and one for all others;
/// then what the samples say, and what they must be read with.
std::string profile_table(std::span<const ProfileComparison> comparisons, int width);

} // namespace schedrig
