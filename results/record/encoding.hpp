#pragma once

#include <cstdint>
#include <string>

namespace schedrig {

/// What an event's name was resolved to for a cell of a run, so that a count can be traced to what
/// was counted. One name may come to different encodings where cores are of several types.
struct EventEncoding {
  std::string name;       ///< as asked for: "cycles:k"; unique in a cell of a run
  std::string full_name;  ///< as resolved: "perf::PERF_COUNT_HW_CPU_CYCLES:k"
  std::string pmu;        ///< the PMU's name
  std::uint32_t type = 0; ///< perf_event_attr.type
  std::uint64_t config = 0, config1 = 0, config2 = 0;
  /// What the kernel would have the count multiplied with, and its unit then: facts, never applied.
  std::string scale = {}, unit = {};

  bool operator==(const EventEncoding&) const = default;
};

} // namespace schedrig
