#include "results/statistics/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "results/statistics/moments.hpp"

namespace schedrig {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  // The sum of two large values could overflow.
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

} // namespace

std::optional<Summary> summarize(std::span<const double> values) {
  if (values.empty())
    return std::nullopt;
  const auto [minimum, maximum] = std::minmax_element(values.begin(), values.end());
  const Moments moments = moments_of(values);
  Summary summary;
  summary.n = values.size();
  summary.mean = moments.mean;
  summary.median = median_of({values.begin(), values.end()});
  summary.minimum = *minimum;
  summary.maximum = *maximum;
  if (summary.n > 1)
    summary.standard_deviation = std::sqrt(moments.variance);
  if (*minimum > 0)
    summary.geometric_mean =
        *minimum == *maximum ? *minimum : std::exp(moments_of(logarithms(values)).mean);
  return summary;
}

std::optional<Interval> interval_of_mean(const Summary& summary, double confidence) {
  if (!summary.standard_deviation)
    return std::nullopt;
  const boost::math::students_t distribution(static_cast<double>(summary.n - 1));
  const double reach =
      boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2)) *
      *summary.standard_deviation / std::sqrt(static_cast<double>(summary.n));
  return Interval{summary.mean - reach, summary.mean + reach};
}

} // namespace schedrig
