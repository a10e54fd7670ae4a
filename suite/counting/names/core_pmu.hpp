#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "suite/counting/event.hpp"

namespace schedrig {

/// The PMU of one type of core, on a machine with several: "cpu_core" and "cpu_atom".
struct CorePmu {
  std::string name;
  std::uint32_t type = 0; ///< perf_event_attr.type
  CpuSet cpus;

  /// Those of this machine, below `root`, by their first CPU. One or none where all cores are
  /// alike.
  static std::vector<CorePmu> all(const std::filesystem::path& root = "/");
};

/// `event` as the cores `cpus` count it. On a hybrid machine a generic event says nothing of the
/// core type and would be counted on one of them only; the PMU's type goes into the upper 32 bits
/// of its config, or into a raw event's type. Elsewhere, and for events of a PMU of their own,
/// `event` itself. Throws Unavailable when `cpus` are of several types: what they count are
/// different things, and their sum is none; or when the event is of a type that `cpus` are not.
Event on_cores(Event event, const CpuSet& cpus, const std::vector<CorePmu>& pmus);

} // namespace schedrig
