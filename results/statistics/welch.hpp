#pragma once

#include <span>

#include "results/statistics/difference.hpp"
#include "results/statistics/moments.hpp"

namespace schedrig {

/// Welch's difference of the means of two independent samples, in their own unit, with its interval
/// at `confidence` (above 0, below 1) and Satterthwaite's degrees of freedom.
///
/// `Difference::Kind` says what samples of none, of one, or without any variation came to.
Difference welch_difference(std::span<const double> base, std::span<const double> candidate,
                            double confidence = 0.95);

/// The same of samples that are known by their moments alone.
Difference welch_of_moments(const Moments& base, const Moments& candidate,
                            double confidence = 0.95);

/// The same on logarithms: how much more the candidate is, in percent of the base, by the ratio of
/// geometric means. A value of 0 or below has no logarithm: then there is no estimate.
Difference welch_ratio(std::span<const double> base, std::span<const double> candidate,
                       double confidence = 0.95);

} // namespace schedrig
