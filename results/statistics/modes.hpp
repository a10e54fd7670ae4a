#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedrig {

/// Where values gather, and which are counted to it.
struct Mode {
  double lower = 0, upper = 0; ///< the least and the greatest value that belong to it
  double mean = 0;             ///< of the values that belong to it
  std::size_t count = 0;       ///< how many do; at least 1
};

/// The modes of finite `values`, ascending; none for no values.
///
/// Their number is Silverman's (1981): the smallest k for which a Gaussian kernel density with k
/// modes does not contradict the values. The critical bandwidth of k is the smallest that shows no
/// more than k modes; of 200 samples drawn from the density smoothed so, with the values' own
/// variance, more than 5 % must show more than k modes at that bandwidth. Where all values are
/// whole numbers, so are those drawn. Values belong to the same mode between two minima of that
/// density.
///
/// The test is known to be cautious: modes that few values hold, or that lie within each other's
/// spread, are not told apart. The same `values` and `seed` give the same modes everywhere.
std::vector<Mode> modes_of(std::span<const double> values, std::uint64_t seed = 1);

} // namespace schedrig
