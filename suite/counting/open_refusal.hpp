#pragma once

#include <cstddef>
#include <string>

#include <sys/types.h>

#include "suite/counting/event.hpp"
#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// A perf_event_open that the kernel refused, and what was asked of it.
struct OpenRefusal {
  int error; ///< errno
  const Event& event;
  pid_t process;               ///< -1 for a whole CPU
  int cpu;                     ///< -1 for a task
  std::size_t before;          ///< how many members the group had already
  std::size_t needed = 1;      ///< how many counters are opened at a time, this one among them
  std::string control_group{}; ///< path of the group that is counted on `cpu`; empty: all of it
};

/// Where it was to count: "CPU 3", "process 4711".
std::string place_counted(pid_t process, int cpu);

/// Throws what `refusal` means: Unavailable where it is a fact about this machine or this user, as
/// CounterGroup lists them, else OsError. Asks `perf` for perf_event_paranoid and, to tell a
/// missing event from a missing PMU, opens cycles once.
[[noreturn]] void throw_refusal(PerfPort& perf, const OpenRefusal& refusal);

} // namespace schedrig
