#include "results/statistics/geometric_mean.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/students_t.hpp>

#include "results/statistics/moments.hpp"

namespace schedrig {

GeometricMean::GeometricMean(std::span<const double> values) {
  if (values.empty())
    throw std::invalid_argument("a geometric mean of nothing");
  if (!std::all_of(values.begin(), values.end(), [](double value) { return value > 0; }))
    throw std::invalid_argument("a geometric mean of what is not positive");
  const auto moments = moments_of(logarithms(values));
  mean_log_ = moments.mean;
  if (moments.n > 1)
    error_ = {moments.variance / static_cast<double>(moments.n),
              moments.variance > 0 ? static_cast<double>(moments.n - 1) : 0};
}

GeometricMean GeometricMean::of(std::span<const GeometricMean> means) {
  if (means.empty())
    throw std::invalid_argument("a geometric mean of nothing");
  const auto n = static_cast<double>(means.size());
  GeometricMean whole;
  double squared = 0, squares_by_freedom = 0;
  bool known = true;
  for (const auto& mean : means) {
    whole.mean_log_ += mean.mean_log_ / n;
    known = known && mean.error_;
    if (!mean.error_ || mean.error_->squared == 0)
      continue;
    const double part = mean.error_->squared / (n * n);
    squared += part;
    squares_by_freedom += part * part / mean.error_->degrees_of_freedom;
  }
  if (known)
    whole.error_ = {squared, squared > 0 ? squared * squared / squares_by_freedom : 0};
  return whole;
}

GeometricMean GeometricMean::times(double factor) const {
  auto product = *this;
  product.mean_log_ += std::log(factor);
  return product;
}

double GeometricMean::value() const {
  return std::exp(mean_log_);
}

std::optional<Interval> GeometricMean::interval(double confidence) const {
  if (!error_)
    return std::nullopt;
  if (error_->squared == 0)
    return Interval{value(), value()};
  const boost::math::students_t distribution(error_->degrees_of_freedom);
  const double reach =
      boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2)) *
      std::sqrt(error_->squared);
  return Interval{std::exp(mean_log_ - reach), std::exp(mean_log_ + reach)};
}

} // namespace schedrig
