#include "results/statistics/false_discovery.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace schedrig {

std::vector<double> adjusted_for_false_discovery(std::span<const double> p) {
  std::vector<std::size_t> descending(p.size());
  std::iota(descending.begin(), descending.end(), std::size_t{0});
  std::sort(descending.begin(), descending.end(),
            [p](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::vector<double> adjusted(p.size());
  double least = 1;
  auto rank = static_cast<double>(p.size());
  for (const std::size_t place : descending) {
    least = std::min(least, p[place] * static_cast<double>(p.size()) / rank);
    adjusted[place] = least;
    --rank;
  }
  return adjusted;
}

} // namespace schedrig
