#include "results/statistics/modes.hpp"

#include <algorithm>
#include <cmath>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "results/statistics/moments.hpp"

namespace schedrig {
namespace {

using Random = boost::random::mt19937_64;

/// Places between the modes of a Gaussian kernel density of `values`, ascending: one fewer than it
/// has modes.
///
/// The density stands on a grid of an eighth of the bandwidth, and a value counts at its nearest
/// point, so that the cost hardly grows with the number of values.
std::vector<double> valleys_of(std::span<const double> values, double bandwidth) {
  constexpr std::size_t points_a_bandwidth = 8;
  constexpr std::size_t reach = 7 * points_a_bandwidth; // beyond it a kernel is below 1e-10
  constexpr double flat = 1e-9;                         // of a single value's peak
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double step = bandwidth / points_a_bandwidth;
  const double origin = *least - reach * step;
  const auto index_of = [&](double value) {
    return static_cast<std::size_t>(std::lround((value - origin) / step));
  };

  std::vector<double> kernel(reach + 1);
  for (std::size_t distance = 0; distance <= reach; ++distance) {
    const double deviations = static_cast<double>(distance) / points_a_bandwidth;
    kernel[distance] = std::exp(-deviations * deviations / 2);
  }
  std::vector<double> weights(index_of(*greatest) + reach + 1);
  for (const double value : values)
    weights[index_of(value)] += 1;
  std::vector<double> density(weights.size());
  for (std::size_t center = reach; center + reach < weights.size(); ++center)
    if (weights[center] > 0)
      for (std::size_t point = center - reach; point <= center + reach; ++point)
        density[point] +=
            weights[center] * kernel[point < center ? center - point : point - center];

  std::vector<double> valleys;
  bool falling = false;
  std::size_t lowest = 0; // since the last mode
  for (std::size_t point = 1; point < density.size(); ++point) {
    if (density[point] < density[lowest])
      lowest = point;
    if (density[point] < density[point - 1] - flat) {
      if (!falling)
        lowest = point;
      falling = true;
    } else if (density[point] > density[point - 1] + flat) {
      if (falling)
        valleys.push_back(origin + step * static_cast<double>(lowest));
      falling = false;
    }
  }
  return valleys;
}

std::size_t count_modes(std::span<const double> values, double bandwidth) {
  return valleys_of(values, bandwidth).size() + 1;
}

/// The smallest bandwidth, of those above a thousandth of the range, that shows no more than `most`
/// modes: with a Gaussian kernel their number only falls as the bandwidth grows.
double critical_bandwidth(std::span<const double> values, double range, std::size_t most) {
  double lower = range / 1000, upper = range;
  for (int halving = 0; halving < 20; ++halving) {
    const double middle = std::sqrt(lower * upper);
    (count_modes(values, middle) > most ? lower : upper) = middle;
  }
  return upper;
}

/// Whether values drawn from the density of `bandwidth`, which has `most` modes, would show more
/// of them too rarely for it to be where `values` come from.
bool contradicts(std::span<const double> values, double bandwidth, std::size_t most,
                 Random& random) {
  constexpr int samples = 200;
  constexpr double level = 0.05;
  const auto moments = moments_of(values);
  const double shrink = 1 / std::sqrt(1 + bandwidth * bandwidth / moments.variance);
  boost::random::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
  boost::random::normal_distribution<double> noise(0, bandwidth);
  // Numbers of rounds are whole: the steps between them would look like valleys.
  const bool whole = std::all_of(values.begin(), values.end(),
                                 [](double value) { return value == std::floor(value); });
  std::vector<double> drawn(values.size());
  int more = 0;
  for (int sample = 0; sample < samples; ++sample) {
    for (double& value : drawn) {
      value = moments.mean + shrink * (values[any(random)] - moments.mean + noise(random));
      value = whole ? std::round(value) : value;
    }
    more += count_modes(drawn, bandwidth) > most;
  }
  return more <= level * samples;
}

/// The valleys of the density with the fewest modes that the values do not contradict.
std::vector<double> valleys_between_modes(std::span<const double> sorted, std::uint64_t seed) {
  const double range = sorted.back() - sorted.front();
  if (range == 0)
    return {};
  Random random(seed);
  for (std::size_t modes = 1;; ++modes) {
    const double bandwidth = critical_bandwidth(sorted, range, modes);
    if (modes == sorted.size() || !contradicts(sorted, bandwidth, modes, random))
      return valleys_of(sorted, bandwidth);
  }
}

} // namespace

std::vector<Mode> modes_of(std::span<const double> values, std::uint64_t seed) {
  if (values.empty())
    return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  auto bounds = valleys_between_modes(sorted, seed);
  bounds.push_back(sorted.back());

  std::vector<Mode> modes;
  auto begin = sorted.begin();
  for (const double bound : bounds) {
    const auto end = std::upper_bound(begin, sorted.end(), bound);
    if (begin == end)
      continue;
    modes.push_back({.lower = *begin,
                     .upper = *(end - 1),
                     .mean = moments_of({begin, end}).mean,
                     .count = static_cast<std::size_t>(end - begin)});
    begin = end;
  }
  return modes;
}

} // namespace schedrig
