#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace schedrig {

/// Mean and variance of a sample.
struct Moments {
  std::size_t n = 0;
  double mean = 0;     ///< 0 for no values
  double variance = 0; ///< with n - 1; 0 for fewer than two values, exactly 0 for equal ones
};

/// The moments of finite `values` by Welford's recurrence: no large squares are subtracted, so that
/// a deviation of 1 in values of 1e12 survives.
inline Moments moments_of(std::span<const double> values) noexcept {
  Moments moments;
  double squares = 0;
  for (const double value : values) {
    const double step = value - moments.mean;
    moments.mean += step / static_cast<double>(++moments.n);
    squares += step * (value - moments.mean);
  }
  if (moments.n > 1)
    moments.variance = squares / static_cast<double>(moments.n - 1);
  return moments;
}

/// The natural logarithms of `values`, all of them above 0.
inline std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values)
    logs.push_back(std::log(value));
  return logs;
}

} // namespace schedrig
