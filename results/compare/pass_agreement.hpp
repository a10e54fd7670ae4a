#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/record/cell.hpp"
#include "results/statistics/difference.hpp"
#include "results/store/stored.hpp"

namespace schedrig {

/// Two passes of one cell that counted cycles differently, beyond noise. What they counted beside
/// cycles cannot be put side by side: it did not happen under the same conditions.
struct PassDisagreement {
  Cell cell;              ///< of the first pass
  std::string other_pass; ///< the pass that is held against it
  std::string metric;     ///< "cycles", or "cycles:u" where that is all that may be counted
  Difference difference;  ///< of the other pass against the first, in percent

  std::string sentence() const; ///< without its full stop
};

/// The passes of each cell against its first one, by Welch's interval on the logarithms of cycles
/// per unit of work. The intervals are widened (Bonferroni) so that a run of which all passes agree
/// has one such report in at most one of 20 runs. Only measured, valid trials are used; passes
/// without cycles, or with a single trial, are passed over: they can neither agree nor disagree.
std::vector<PassDisagreement> passes_that_disagree(std::span<const StoredTrial> trials);

} // namespace schedrig
