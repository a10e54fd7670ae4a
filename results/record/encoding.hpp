#pragma once

#include <cstdint>
#include <string>

namespace schedrig {

/// What an event's name was resolved to in a run, so that a count can be traced to what was
/// counted.
struct EventEncoding {
  std::string name;       ///< as asked for: "cycles:k"; unique in a run
  std::string full_name;  ///< as resolved: "perf::PERF_COUNT_HW_CPU_CYCLES:k"
  std::string pmu;        ///< the PMU's name
  std::uint32_t type = 0; ///< perf_event_attr.type
  std::uint64_t config = 0, config1 = 0, config2 = 0;

  bool operator==(const EventEncoding&) const = default;
};

} // namespace schedrig
