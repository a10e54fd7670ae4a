#pragma once

#include <cstdint>
#include <filesystem>
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
  std::string pmu;       ///< the PMU's name: "perf", "skl", "software", "tracepoint", "msr"
  Kind kind = Kind::hardware;
  std::uint32_t type = 0;                             ///< perf_event_attr.type
  std::uint64_t config = 0, config1 = 0, config2 = 0; ///< perf_event_attr's
  bool exclude_user = false, exclude_kernel = false;

  /// What the kernel would have a count multiplied with, and the unit it then has ("Joules"). Empty
  /// where it says nothing. Kept as facts: no count is ever scaled.
  std::string scale = {}, unit = {};

  /// Resolves `name`, by the first that knows it:
  /// - perf's own names: cycles, instructions, context-switches, L1-dcache-load-misses, ...
  /// - `rNNN`, a raw code of the cores' PMU, hexadecimal: "r01c0"
  /// - "pmu/event/" and "pmu/config=0x1,umask=2/", from the kernel's description of that PMU
  /// - tracepoints from tracefs: "sched:sched_switch"
  /// - libpfm4's names (which switches its own generic names off under LIBPFM_FORCE_PMU)
  /// - an event of any PMU that the kernel names, where one PMU only has it
  ///
  /// `root` stands before /sys. May be called from several threads.
  ///
  /// `:u` and `:k` restrict it to user or kernel mode, as "/u" and "/k" do behind a PMU's slashes;
  /// `:uk` is both, as without. Throws BadInput for a name that none knows, with the nearest one;
  /// for any other modifier that would change how it is counted; and for a restriction that the
  /// kernel takes but does not mean: `:u` of what happens in the kernel (context-switches:u is
  /// always 0), either of a clock (not heeded). Throws Unavailable for a tracepoint whose number
  /// may not be read.
  static Event resolve(std::string_view name, const std::filesystem::path& root = "/");

  bool operator==(const Event&) const = default;
};

/// The names in a list by commas, blanks around each dropped: "cycles, cpu/event=0xc0,umask=1/". A
/// comma between the slashes of a PMU is part of the name. A text of nothing but blanks gives none.
/// Throws BadInput for an empty name, and for a name given twice.
std::vector<std::string> names_in_pass(std::string_view list);

/// The events of one pass from such a list. Throws as `names_in_pass` and `Event::resolve` do.
std::vector<Event> resolve_pass(std::string_view list, const std::filesystem::path& root = "/");

} // namespace schedrig
