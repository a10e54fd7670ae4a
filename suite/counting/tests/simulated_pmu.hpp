#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "suite/counting/tests/fake_perf.hpp"

namespace schedrig {

/// The counters of an Intel core, simulated: which events fit together, nothing else.
///
/// As on Skylake: a fixed counter for each of instructions, cycles and reference cycles, the first
/// two of which may take a general counter instead, and some codes that count on few counters only.
/// As the kernel does it: a group that would not fit on the empty PMU is refused when it is opened;
/// one that fits there but not beside the NMI watchdog is opened and never counted.
class SimulatedPmu {
public:
  enum class Watchdog { off, on };

  /// `general` counters: 4 with SMT, 8 without. Scripts `perf`, which must live as long.
  SimulatedPmu(FakePerf& perf, int general, Watchdog watchdog);
  SimulatedPmu(const SimulatedPmu&) = delete;

private:
  using Counters = std::bitset<64>; ///< general ones from bit 0, fixed ones from bit 32
  Counters allowed(const FakePerf::Open& event) const;
  /// Whether each can have a counter of its own.
  bool fits(const std::vector<Counters>& events) const;
  bool fits(const std::vector<FakePerf::Open>& group, Watchdog watchdog) const;

  int general_;
  Watchdog watchdog_;
};

} // namespace schedrig
