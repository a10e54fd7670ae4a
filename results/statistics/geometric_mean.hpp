#pragma once

#include <optional>
#include <span>

#include "results/statistics/difference.hpp"

namespace schedrig {

/// A geometric mean with its error, both kept as logarithms, of which it is the plain mean.
class GeometricMean {
public:
  /// Of a sample. Throws std::invalid_argument for no values and for one that is not above 0.
  explicit GeometricMean(std::span<const double> values);
  /// Of means that are independent of each other; its error is theirs. Throws
  /// std::invalid_argument for none.
  static GeometricMean of(std::span<const GeometricMean> means);

  GeometricMean times(double factor) const; ///< `factor` above 0, known exactly
  double value() const;
  /// Where the true value is with `confidence` (above 0, below 1), by Student's t on the
  /// logarithms, with Satterthwaite's degrees of freedom for a mean of means. Nothing where a
  /// single value shows no spread.
  std::optional<Interval> interval(double confidence = 0.95) const;

private:
  /// Of the mean of the logarithms.
  struct Error {
    double squared;
    double degrees_of_freedom; ///< 0 where `squared` is 0
  };
  GeometricMean() = default;

  double mean_log_ = 0;
  std::optional<Error> error_;
};

} // namespace schedrig
