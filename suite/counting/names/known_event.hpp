#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// An event that can be asked for by name, and what is known of it, for people who look for one.
struct KnownEvent {
  /// here: it opens. not_here: the machine, or the kernel, lacks it. untold: this user may not ask.
  enum class Presence { here, not_here, untold };
  struct Attribute {
    std::string name, meaning;
  };

  std::string source;                ///< "perf", "libpfm4 skl", "sysfs msr", "tracepoint"
  std::string name;                  ///< as `--events` takes it
  std::string meaning;               ///< empty where nobody says
  std::vector<Attribute> attributes; ///< umasks: `name:ATTRIBUTE`
  Presence presence = Presence::untold;

  /// Those whose name, meaning or an attribute's name holds `pattern`, whatever the case; all for
  /// an empty one. By source: the kernel's own, libpfm4's of this machine, sysfs, tracepoints. Each
  /// is opened once and closed, never enabled.
  static std::vector<KnownEvent> search(PerfPort& perf, std::string_view pattern,
                                        const std::filesystem::path& root = "/");
};

} // namespace schedrig
