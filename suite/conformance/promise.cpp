#include "suite/conformance/promise.hpp"

#include <algorithm>

namespace schedrig {

namespace {

using std::chrono::nanoseconds;

/// What the CPUs may have kept of their slices and owe for their last ticks, together.
nanoseconds kept_and_owed(const CpuBandwidth& limit, std::size_t cpus,
                          const BandwidthGrains& grains) {
  const auto kept = std::min<nanoseconds>(grains.slice, limit.quota);
  return (kept + grains.tick) * static_cast<std::int64_t>(cpus);
}

} // namespace

nanoseconds most_delivered(const CpuBandwidth& limit, std::size_t cpus, nanoseconds elapsed,
                           const BandwidthGrains& grains) {
  const auto ends_of_periods = elapsed / nanoseconds(limit.period) + 1;
  return (1 + ends_of_periods) * nanoseconds(limit.quota) + kept_and_owed(limit, cpus, grains);
}

nanoseconds least_delivered(const CpuBandwidth& limit, std::size_t cpus, std::int64_t throttled,
                            const BandwidthGrains& grains) {
  return (throttled - 1) * nanoseconds(limit.quota) - kept_and_owed(limit, cpus, grains);
}

} // namespace schedrig
