#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// A place in the kernel's code that counts how often it is passed: "sched:sched_switch".
struct Tracepoint {
  std::string name;     ///< "sched:sched_switch"
  std::uint64_t id = 0; ///< perf_event_attr.config

  /// Whether `name` is spelled as one: two words with one colon between them.
  static bool is_spelled(std::string_view name);
  /// Looks it up in tracefs, below `root`; nothing where there is none of that name, or tracefs is
  /// not there. Throws Unavailable when it is there and may not be read.
  static std::optional<Tracepoint> find(std::string_view name,
                                        const std::filesystem::path& root = "/");
  /// The names of all, in order; none where tracefs is not there or may not be read.
  static std::vector<std::string> names(const std::filesystem::path& root = "/");
  /// Where tracefs has its events; nothing where it is not mounted.
  static std::optional<std::filesystem::path> folder(const std::filesystem::path& root = "/");
  /// Why there are none here, with the line that would change it; empty where there are.
  static std::string why_none(const std::filesystem::path& root = "/");
};

} // namespace schedrig
