#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// The floating-point control load: the synthetic mix of H. J. Curnow and B. A. Wichmann, in double
/// precision, in one task.
///
/// Stands for compute-bound user code that works with floating-point registers. It never enters the
/// kernel of its own will, so its rate must not move when only the scheduler has changed, except by
/// what the tick and the accounting cost; a switch has to save and restore more of it than of an
/// integer load. It says nothing of wakeups, balancing or memory.
///
/// A pass is a million Whetstone instructions: each of the published modules with ten times its
/// published weight (module 2: 12, 3: 14, 4: 345, 6: 210, 7: 32, 8: 899, 9: 616, 11: 93; the others
/// weigh nothing), the constants T = 0.499975, T1 = 0.50025 and T2 = 2. Every pass computes the
/// same: its results are compared with the first pass's, bit by bit, and the last with reference
/// values, so that a register lost in a switch makes the trial invalid. MWIPS is passes a second.
/// No option lets the compiler reorder the arithmetic (no -ffast-math): rates are not comparable
/// with builds that do.
WorkloadEntry whetstone();

/// What the modules leave behind after a pass.
struct WhetstoneResults {
  static constexpr std::size_t count = 20;
  static const std::array<std::string_view, count> names;
  std::array<double, count> values{};
  bool operator==(const WhetstoneResults&) const = default;
};

/// A sentence for each result that is further than 1e-9 of it from the reference value.
std::vector<std::string> wrong_results(const WhetstoneResults& found);

} // namespace schedrig
