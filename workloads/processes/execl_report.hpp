#pragma once

#include <cstdint>

namespace schedrig {

/// What the last of a chain of programs writes into the pipe whose descriptor it was given. Both
/// ends are of one build.
///
/// The program's arguments: that descriptor; how many execs there are to be, 0 for until the time
/// is up; when that is, in ns of CLOCK_MONOTONIC; how many execs there were before this one.
/// Without arguments it exits with 0 at once.
struct ExeclReport {
  std::int32_t error;   ///< errno of an execve that failed; 0 when the chain came to its end
  std::int32_t process; ///< its pid
  std::int64_t execs;   ///< that succeeded
  std::int64_t end_ns;  ///< CLOCK_MONOTONIC when the last of them was done
  std::int64_t cpu_time_ns, voluntary_switches, involuntary_switches; ///< of the task so far
};

} // namespace schedrig
