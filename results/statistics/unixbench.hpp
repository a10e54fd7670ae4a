#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "results/statistics/geometric_mean.hpp"

namespace schedrig {

/// One execution of a test of UnixBench: the work of all copies, and the time it took.
struct UnixbenchPass {
  double work;
  std::chrono::duration<double> time;
};

/// A test's result by the classic rule: of p passes the int(p/3) with the least work are dropped,
/// and the rest's geometric mean is taken, in work per `per`. It is biased upward, the more the
/// more the passes vary: a verdict must not rest on it. Throws std::invalid_argument without
/// passes, or for one whose work or time is not positive.
double classic_result(std::vector<UnixbenchPass> passes, std::chrono::seconds per);
/// The same of all passes: unbiased, as the mean of the logarithms is.
GeometricMean unbiased_result(std::span<const UnixbenchPass> passes, std::chrono::seconds per);

/// 10 where `result` is the baseline.
double unixbench_index(double result, double baseline);
GeometricMean unixbench_index(const GeometricMean& result, double baseline);

/// The geometric mean of the tests' indices. Throws std::invalid_argument where there are none, or
/// one is not positive.
double unixbench_total(std::span<const double> indices);

} // namespace schedrig
