#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <sys/types.h>

struct perf_event_attr;

namespace schedrig {

/// The few kernel calls that counters make. Production is `kernel_perf()`; tests script a FakePerf.
///
/// Each returns as the system call does: -1 with errno set when refused.
class PerfPort {
public:
  virtual ~PerfPort() = default;
  /// perf_event_open(2). The caller owns the descriptor.
  virtual int open(perf_event_attr& attributes, pid_t process, int cpu, int group,
                   unsigned long flags) = 0;
  /// PERF_EVENT_IOC_ENABLE or DISABLE; `argument` is 0 (a leader takes its members along) or
  /// PERF_IOC_FLAG_GROUP. PERF_EVENT_IOC_SET_OUTPUT; `argument` is the event with the memory.
  virtual int control(int event, unsigned long request, unsigned long argument) = 0;
  /// PERF_EVENT_IOC_ID: the event's own id, into `id`.
  virtual int identify(int event, std::uint64_t& id) = 0;
  virtual ssize_t read(int event, void* into, std::size_t bytes) = 0;
  /// mmap(2) of what an event's records are written to, shared and writable: MAP_FAILED when
  /// refused.
  virtual void* map(int event, std::size_t bytes) = 0;
  virtual void unmap(void* memory, std::size_t bytes) noexcept = 0; ///< what `map` gave
  /// kernel.perf_event_paranoid, which refusals are explained by; empty where it cannot be read.
  virtual std::optional<int> paranoid() = 0;
  /// CLOCK_MONOTONIC: how long counters must have been enabled.
  virtual std::chrono::nanoseconds now();
  /// The most descriptors that this process may have open (RLIMIT_NOFILE).
  virtual std::uint64_t most_descriptors();
};

/// The kernel itself; lives as long as the program. May be used from several threads.
PerfPort& kernel_perf();

} // namespace schedrig
