#pragma once

#include <string>
#include <vector>

#include "suite/machine.hpp"

namespace schedrig {

/// One thing that a full measurement wants, and whether it is here.
struct Finding {
  std::string what; ///< "control groups"
  bool there;
  std::string sentence; ///< what is there, or what is missing and what that costs
  std::string remedy;   ///< the line that would change it; empty when it is there or nothing would
};

/// Looks at everything that decides what can be measured here, in the order in which it matters.
/// Changes nothing.
std::vector<Finding> examine(const Machine& machine);

} // namespace schedrig
