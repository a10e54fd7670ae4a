#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// An event's name, resolved to what the kernel counts. The store keeps all of it, so that a number can be traced to its encoding.
struct Event {
  enum class Kind { hardware, software, tracepoint };

  std::string name;      ///< as asked for: "cycles:k", "context-switches"
  std::string full_name; ///< as resolved: "perf::PERF_COUNT_HW_CPU_CYCLES:k", with the PMU that libpfm4 chose
  std::string pmu;       ///< the PMU's name: "perf", "skl", "software"
  Kind kind = Kind::hardware;
  std::uint32_t type = 0; ///< perf_event_attr.type
  std::uint64_t config = 0, config1 = 0, config2 = 0;
  bool exclude_user = false, exclude_kernel = false;

  /// Resolves `name`: perf's own names (cycles, instructions, branches, branch-misses, context-switches, cpu-migrations, page-faults, task-clock,
  /// cpu-clock, ...), else libpfm4's. `:u` and `:k` restrict it. Throws BadInput for a name that neither knows, with the nearest one.
  static Event resolve(std::string_view name);
};

/// The events of one pass from a list by commas: "cycles,instructions,branches:u". Empty text gives none. Throws BadInput as `Event::resolve` does, and
/// for a name given twice.
std::vector<Event> resolve_pass(std::string_view list);

} // namespace schedrig
