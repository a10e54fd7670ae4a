#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// An event's name, resolved to what the kernel counts. The store keeps all of it, so that a number
/// can be traced to its encoding.
struct Event {
  enum class Kind { hardware, software, tracepoint };

  std::string name;      ///< as asked for: "cycles:k", "context-switches"
  std::string full_name; ///< as resolved: "perf::PERF_COUNT_HW_CPU_CYCLES:k", or as libpfm4 puts it
  std::string pmu;       ///< the PMU's name: "perf", "skl", "software"
  Kind kind = Kind::hardware;
  std::uint32_t type = 0;                             ///< perf_event_attr.type
  std::uint64_t config = 0, config1 = 0, config2 = 0; ///< perf_event_attr's
  bool exclude_user = false, exclude_kernel = false;

  /// Resolves `name`: perf's own names (cycles, instructions, branches, branch-misses,
  /// context-switches, cpu-migrations, page-faults, task-clock, cpu-clock, ...), else libpfm4's
  /// (which switches its own generic names off under LIBPFM_FORCE_PMU, not these). May be called
  /// from several threads.
  ///
  /// `:u` and `:k` restrict it to user or kernel mode; `:uk` is both, as without. Throws BadInput
  /// for a name that neither knows, with the nearest one; for any other modifier that would change
  /// how it is counted; and for a restriction that the kernel takes but does not mean: `:u` of what
  /// happens in the kernel (context-switches:u is always 0), either of a clock (not heeded).
  static Event resolve(std::string_view name);

  bool operator==(const Event&) const = default;
};

/// The events of one pass from a list by commas, blanks allowed around each: "cycles,
/// instructions,branches:u". A text of nothing but blanks gives none. Throws BadInput as
/// `Event::resolve` does, for an empty name, and for a name given twice.
std::vector<Event> resolve_pass(std::string_view list);

} // namespace schedrig
