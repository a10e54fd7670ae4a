#pragma once

#include <string>
#include <string_view>

namespace schedrig {

/// The pass of a cell whose trials are sampled instead of counted: they tell which functions ran,
/// and nothing else.
inline constexpr std::string_view profile_pass = "profile";

/// One point of a plan: what is run, where, how limited, how counted. All of it is canonical text,
/// just as the store keeps it and as a trial executes it; two cells are the same cell when all of
/// it is equal.
struct Cell {
  std::string workload;   ///< a name of the catalogue: "pipe-ping-pong"
  std::string parameters; ///< all of them, in the catalogue's order: "loops=100000 tasks=processes"
  std::string placement;  ///< "same-cpu", ..., or a CPU list
  std::string bandwidth;  ///< "none", "group", "20000/100000+5000", nested: "group:20000/100000"
  std::string counting;   ///< "cpu", "task", "cgroup", "system", or "off"
  std::string
      pass; ///< events by commas: "cycles,instructions"; empty with counting "off"; or profile_pass

  bool is_profiled() const { return pass == profile_pass; }
  bool operator==(const Cell&) const = default;
  auto operator<=>(const Cell&) const = default;
};

} // namespace schedrig
