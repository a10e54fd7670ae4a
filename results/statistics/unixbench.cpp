#include "results/statistics/unixbench.hpp"

#include <algorithm>

namespace schedrig {

double classic_result(std::vector<UnixbenchPass> passes, std::chrono::seconds per) {
  std::sort(passes.begin(), passes.end(),
            [](const auto& a, const auto& b) { return a.work < b.work; });
  return unbiased_result(std::span(passes).subspan(passes.size() / 3), per).value();
}

GeometricMean unbiased_result(std::span<const UnixbenchPass> passes, std::chrono::seconds per) {
  std::vector<double> rates;
  for (const auto& pass : passes)
    rates.push_back(pass.work * (per / pass.time));
  return GeometricMean(rates);
}

double unixbench_index(double result, double baseline) {
  return 10 * result / baseline;
}

GeometricMean unixbench_index(const GeometricMean& result, double baseline) {
  return result.times(10 / baseline);
}

double unixbench_total(std::span<const double> indices) {
  return GeometricMean(indices).value();
}

} // namespace schedrig
