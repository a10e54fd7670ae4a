#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/compare/comparison.hpp"

namespace schedrig {

/// The most decimals in which all `figures` of one metric may be printed: none finer than the
/// uncertainty of its mean, but enough to show a deviation of 1 %; between 0 and 4.
int value_decimals(const Metric& metric, std::span<const ComparisonFigure> figures);

/// `value` with thousands separators and a fixed number of decimals: "19,263", "2.0003".
std::string value_text(double value, int decimals);

/// A difference as it stands in a table's parentheses: "+2.3 ±0.2" in percent, "+0.03 ±0.02" of a
/// plain one, "+2.3 ±0" or
/// "+3" of an exact one, "-" where there is no interval.
///
/// At least one decimal in percent, and none finer than the interval warrants.
std::string difference_text(const Difference& difference);

/// A metric as a table's heading: "wall time/loop", "CPU time/loop", "switches/loop", "migrations".
std::string metric_title(const Metric& metric, std::string_view work_unit);

} // namespace schedrig
