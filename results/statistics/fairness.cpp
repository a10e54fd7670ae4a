#include "results/statistics/fairness.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "results/statistics/modes.hpp"
#include "results/statistics/moments.hpp"

namespace schedrig {
namespace {

/// The deviation of values that are all there are.
double deviation_of(std::span<const double> values) {
  const auto moments = moments_of(values);
  const auto n = static_cast<double>(moments.n);
  return std::sqrt(moments.variance * (n - 1) / n);
}

/// Sets the CPUs that `group` belongs to; of CPUs with equally many of its tasks, the lowest first.
void find_cpus(Fairness::Group& group, std::span<const TaskShare> shares) {
  std::map<int, std::size_t> tasks_on;
  std::size_t known = 0;
  for (const auto& share : shares)
    if (share.cpu >= 0 && group.lower <= share.amount && share.amount <= group.upper) {
      ++tasks_on[share.cpu];
      ++known;
    }
  std::vector<std::pair<int, std::size_t>> cpus(tasks_on.begin(), tasks_on.end());
  std::stable_sort(cpus.begin(), cpus.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [cpu, tasks] : cpus) {
    if (10 * group.on_cpus >= 9 * known)
      break;
    group.cpus.push_back(cpu);
    group.on_cpus += tasks;
  }
  std::sort(group.cpus.begin(), group.cpus.end());
}

std::vector<double> distances_from_mean(std::span<const double> values) {
  const double mean = moments_of(values).mean;
  std::vector<double> distances;
  for (const double value : values)
    distances.push_back(value - mean);
  return distances;
}

} // namespace

std::optional<Fairness> fairness_of(std::span<const TaskShare> shares) {
  if (shares.empty())
    return std::nullopt;
  std::vector<double> amounts;
  for (const auto& share : shares)
    amounts.push_back(share.amount);
  const auto [least, most] = std::minmax_element(amounts.begin(), amounts.end());

  Fairness fairness;
  fairness.tasks = amounts.size();
  fairness.mean = moments_of(amounts).mean;
  fairness.standard_deviation = deviation_of(amounts);
  fairness.range = *most - *least;
  if (fairness.mean > 0) {
    const double variation = fairness.standard_deviation / fairness.mean;
    fairness.coefficient_of_variation = variation;
    fairness.jain_index = 1 / (1 + variation * variation);
  }
  for (const auto& mode : modes_of(amounts)) {
    auto& group =
        fairness.modes.emplace_back(Fairness::Group{mode.lower, mode.upper, mode.mean, mode.count});
    find_cpus(group, shares);
  }
  return fairness;
}

std::optional<SpreadTest> spread_test(std::span<const double> base,
                                      std::span<const double> candidate, int permutations,
                                      std::uint64_t seed) {
  if (base.size() < 2 || candidate.size() < 2)
    return std::nullopt;
  SpreadTest test{deviation_of(base), deviation_of(candidate)};
  auto pool = distances_from_mean(base);
  const auto others = distances_from_mean(candidate);
  pool.insert(pool.end(), others.begin(), others.end());

  const auto difference = [&] {
    const std::span<const double> all(pool);
    return std::abs(deviation_of(all.first(base.size())) - deviation_of(all.subspan(base.size())));
  };
  // A deal that only puts the same values in another order must not be lost to rounding.
  const double real = difference() * (1 - 1e-12);
  boost::random::mt19937_64 random(seed);
  int as_far = 1;
  for (int permutation = 0; permutation < permutations; ++permutation) {
    for (std::size_t place = 0; place < base.size(); ++place) {
      boost::random::uniform_int_distribution<std::size_t> any(place, pool.size() - 1);
      std::swap(pool[place], pool[any(random)]);
    }
    as_far += difference() >= real;
  }
  test.p = static_cast<double>(as_far) / (permutations + 1);
  return test;
}

} // namespace schedrig
