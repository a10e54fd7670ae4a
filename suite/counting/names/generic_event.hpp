#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// An event that the kernel itself names, the same on every machine; its PMU decides what it comes
/// to.
struct GenericEvent {
  std::string name;     ///< as perf writes it: "cycles", "L1-dcache-load-misses"
  std::string constant; ///< as linux/perf_event.h or libpfm4 does: "PERF_COUNT_HW_CPU_CYCLES"
  std::uint32_t type;   ///< PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE or PERF_TYPE_HW_CACHE
  std::uint64_t config;
  std::string meaning; ///< half a line for people

  /// All of them: hardware, software, caches.
  static const std::vector<GenericEvent>& all();
  /// Null: no such name. One event may have several.
  static const GenericEvent* find(std::string_view name);
};

} // namespace schedrig
