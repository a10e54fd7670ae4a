#pragma once

#include <chrono>
#include <cstdint>

#include "pinning/placement.hpp"

namespace schedrig {

/// A computation that stays in registers, `steps` long; its outcome. Each step needs the one
/// before, so that a CPU cannot do two at once: 10,000 take about 15 us at 3 GHz.
std::uint64_t spin(std::uint64_t value, std::int64_t steps) noexcept;

/// A task that spins towards a moment on the monotonic clock, at which it looks every 10,000 steps.
class Spinner {
public:
  using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

  /// Does `steps`. False when `end` came first: it is then at most a look late.
  bool spin_until(Clock::time_point end, std::int64_t steps) noexcept;
  std::int64_t steps() const noexcept { return steps_; } ///< done so far

private:
  std::uint64_t value_ = 1; ///< the outcome is kept, so that no compiler may leave the work out
  std::int64_t steps_ = 0;
};

/// What a Spinner's step costs the calling thread now, in ns of its own CPU time, which stands
/// still while it is throttled or preempted: the median of 20 samples of about a millisecond each.
/// Throws OsError.
double spin_step_ns();

/// The mean of what a step costs on the CPUs of `placement` when the first `tasks` of them all spin
/// at once, as their clock rates, and siblings in a core, depend on it. Bound by a thread each.
/// Throws OsError: EINVAL for a CPU that this process may not use, EAGAIN.
double spin_step_ns(const Placement& placement, std::size_t tasks);

} // namespace schedrig
