#include "results/statistics/welch.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

#include "results/statistics/moments.hpp"

namespace schedrig {
namespace {

Difference without_estimate(Difference::Unit unit, std::string caveat) {
  return {.unit = unit, .kind = Difference::Kind::none, .caveat = std::move(caveat)};
}

Difference exact_difference(Difference::Unit unit, double estimate) {
  return {.unit = unit,
          .kind = Difference::Kind::exact,
          .estimate = estimate,
          .interval = Interval{estimate, estimate}};
}

constexpr auto too_wide = "the values vary too much for an interval";

/// What keeps samples of these sizes, at least one of them below two, from having an interval.
std::string sizes_caveat(std::size_t base, std::size_t candidate) {
  const char* side = base == candidate  ? "either side"
                     : base < candidate ? "the base"
                                        : "the other side";
  return std::min(base, candidate) == 0
             ? fmt::format("there is no value on {}", side)
             : fmt::format("a single value on {} shows no spread, so there is no interval", side);
}

/// The difference of two means, in the values' own unit.
Difference welch(const Moments& base, const Moments& candidate, double confidence,
                 Difference::Unit unit) {
  Difference difference{.unit = unit};
  if (base.n == 0 || candidate.n == 0)
    return without_estimate(unit, sizes_caveat(base.n, candidate.n));
  const double estimate = candidate.mean - base.mean;
  difference.estimate = estimate;
  if (base.n == 1 || candidate.n == 1) {
    difference.kind = Difference::Kind::without_error;
    difference.caveat = sizes_caveat(base.n, candidate.n);
    return difference;
  }
  const double base_part = base.variance / static_cast<double>(base.n);
  const double candidate_part = candidate.variance / static_cast<double>(candidate.n);
  const double squared_error = base_part + candidate_part;
  if (squared_error == 0)
    return exact_difference(unit, estimate);
  if (!std::isfinite(squared_error)) {
    difference.kind = Difference::Kind::without_error;
    difference.caveat = too_wide;
    return difference;
  }
  // Satterthwaite, by shares: their squares cannot vanish where the parts' own squares would.
  const double base_share = base_part / squared_error;
  const double candidate_share = candidate_part / squared_error;
  const double degrees_of_freedom =
      1 / (base_share * base_share / static_cast<double>(base.n - 1) +
           candidate_share * candidate_share / static_cast<double>(candidate.n - 1));
  const boost::math::students_t distribution(degrees_of_freedom);
  const double standard_error = std::sqrt(squared_error);
  const double reach =
      boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2)) *
      standard_error;
  difference.kind = Difference::Kind::estimated;
  difference.interval = Interval{estimate - reach, estimate + reach};
  difference.degrees_of_freedom = degrees_of_freedom;
  difference.p = 2 * boost::math::cdf(boost::math::complement(distribution,
                                                              std::abs(estimate) / standard_error));
  return difference;
}

bool all_positive(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

/// Takes out what overflowed, as values of 1e-300 and 1e300 side by side can make it do.
Difference all_finite(Difference difference) {
  if (difference.estimate && !std::isfinite(*difference.estimate))
    return without_estimate(difference.unit, "the values are too far apart for a difference");
  if (difference.interval &&
      !(std::isfinite(difference.interval->lower) && std::isfinite(difference.interval->upper)))
    return {.unit = difference.unit,
            .kind = Difference::Kind::without_error,
            .estimate = difference.estimate,
            .caveat = too_wide};
  return difference;
}

double percent_of_log(double difference) {
  return 100 * std::expm1(difference);
}

} // namespace

Difference welch_difference(std::span<const double> base, std::span<const double> candidate,
                            double confidence) {
  return welch_of_moments(moments_of(base), moments_of(candidate), confidence);
}

Difference welch_of_moments(const Moments& base, const Moments& candidate, double confidence) {
  return all_finite(welch(base, candidate, confidence, Difference::Unit::plain));
}

Difference welch_ratio(std::span<const double> base, std::span<const double> candidate,
                       double confidence) {
  constexpr auto unit = Difference::Unit::percent;
  if (!all_positive(base) || !all_positive(candidate))
    return without_estimate(unit, fmt::format("{} has a value of 0 or below, which has no ratio",
                                              all_positive(base) ? "the candidate" : "the base"));
  Difference difference =
      welch(moments_of(logarithms(base)), moments_of(logarithms(candidate)), confidence, unit);
  if (difference.kind == Difference::Kind::exact)
    // Without the detour of rounded logarithms 110 is exactly 10 % above 100.
    difference = exact_difference(unit, 100 * (candidate.front() - base.front()) / base.front());
  else if (difference.estimate)
    difference.estimate = percent_of_log(*difference.estimate);
  if (difference.kind == Difference::Kind::estimated)
    difference.interval = Interval{percent_of_log(difference.interval->lower),
                                   percent_of_log(difference.interval->upper)};
  return all_finite(std::move(difference));
}

} // namespace schedrig
