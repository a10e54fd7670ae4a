#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace schedrig {

/// Someone who holds counters of the PMU, so that fewer are left for us.
struct PmuUser {
  std::string sentence; ///< "the NMI watchdog holds a counter of each CPU for cycles"
  std::string remedy;   ///< the line that would end it

  /// Those that can be seen below `root`: the NMI watchdog, the other thread of a core, processes
  /// of which this user may see that they have counters open (for root: all), our own left out.
  /// Reads the names of all open files, which takes some milliseconds.
  static std::vector<PmuUser> find(const std::filesystem::path& root = "/");
};

} // namespace schedrig
