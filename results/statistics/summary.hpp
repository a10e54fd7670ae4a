#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "results/statistics/difference.hpp"

namespace schedrig {

/// A sample in a few numbers, all finite.
struct Summary {
  std::size_t n = 0; ///< at least 1
  double mean = 0;
  double median = 0; ///< the mean of the two middle values where `n` is even
  double minimum = 0;
  double maximum = 0;
  std::optional<double>
      standard_deviation; ///< with n - 1; nothing for n = 1, exactly 0 for equal values
  std::optional<double> geometric_mean; ///< nothing unless every value is above 0
};

/// Sums up finite `values`; nothing for no values.
std::optional<Summary> summarize(std::span<const double> values);

/// Student's interval of the mean at `confidence` (above 0, below 1); nothing for a single value,
/// the mean alone for equal ones.
std::optional<Interval> interval_of_mean(const Summary& summary, double confidence = 0.95);

} // namespace schedrig
