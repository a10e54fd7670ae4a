#pragma once

#include <span>
#include <vector>

namespace schedrig {

/// p of many tests, adjusted after Benjamini and Hochberg, in the same order: where those up to 5 %
/// are called different, 5 % of what is called so is wrongly so, on average. Holds for tests that
/// are independent, and for those that depend on each other positively.
std::vector<double> adjusted_for_false_discovery(std::span<const double> p);

} // namespace schedrig
