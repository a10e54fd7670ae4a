#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "workloads/parameter.hpp"

namespace schedrig {

/// How far a workload goes: so many units, or until its time is up.
///
///     extent.begin();
///     for (done = 0; extent.goes_on(done); ++done) ...
///     elapsed = extent.elapsed();
class Extent {
public:
  /// `units` above 0 rule, whatever the time. With 0 it is `time`, and the clock is looked at once
  /// in `units_a_look` units, a power of two: where a unit takes less than a microsecond the look
  /// would be a part of what is measured. At least one unit is done.
  Extent(std::int64_t units, std::chrono::nanoseconds time, std::int64_t units_a_look = 1)
      : units_(units), time_(time), between_looks_(units_a_look - 1) {}
  /// From the two parameters below.
  Extent(const ParameterValues& values, const std::string& units, std::int64_t units_a_look = 1);

  /// "seconds", 1 to 86,400: for how long, unless a number of `units` is given.
  static Parameter seconds(std::int64_t usual, const std::string& units);
  /// `name`, such as "loops": how many, whatever the time; 0, the usual, for as many as fit in it.
  static Parameter units(const std::string& name);
  /// How long a workload with these parameters runs by its own clock; 0 where `units` rule.
  static std::chrono::milliseconds time_of(const ParameterValues& values, const std::string& units);

  void begin() { begin_ = Clock::now(); }
  bool goes_on(std::int64_t done) const {
    if (units_ > 0)
      return done < units_;
    return (done & between_looks_) != 0 || done == 0 || elapsed() < time_;
  }
  std::chrono::nanoseconds elapsed() const { return Clock::now() - begin_; } ///< since `begin`

  std::int64_t units() const noexcept { return units_; } ///< 0 where the time rules
  std::chrono::nanoseconds time() const noexcept { return time_; }

private:
  using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

  std::int64_t units_;
  std::chrono::nanoseconds time_;
  std::int64_t between_looks_; ///< a mask
  Clock::time_point begin_;
};

} // namespace schedrig
