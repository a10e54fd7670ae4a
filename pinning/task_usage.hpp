#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace schedrig {

/// What a thread has used so far, as the scheduler accounts it; a difference of two is what a
/// stretch of work used.
struct TaskUsage {
  std::chrono::nanoseconds cpu_time{0};  ///< CLOCK_THREAD_CPUTIME_ID: exact run time, not ticks
  std::int64_t voluntary_switches = 0;   ///< it slept
  std::int64_t involuntary_switches = 0; ///< it was preempted

  std::int64_t switches() const noexcept { return voluntary_switches + involuntary_switches; }

  /// Two system calls, about a microsecond. Throws OsError.
  static TaskUsage of_this_thread();
  friend TaskUsage operator-(const TaskUsage& after, const TaskUsage& before);
  TaskUsage& operator+=(const TaskUsage& other);
};

/// How often the calling thread has moved to another CPU so far, from /proc/thread-self/sched;
/// nothing where the kernel does not tell (CONFIG_SCHED_DEBUG before 6.15). Opens a file: call it
/// outside the measured part.
std::optional<std::int64_t> own_migrations();

/// The same of another process's main thread, also when it is dead but not yet reaped.
std::optional<std::int64_t> migrations_of(pid_t process);

} // namespace schedrig
