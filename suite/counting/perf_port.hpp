#pragma once

#include <cstddef>
#include <cstdint>

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
  virtual int open(perf_event_attr& attributes, pid_t process, int cpu, int group, unsigned long flags) = 0;
  /// One of PERF_EVENT_IOC_ENABLE, DISABLE, RESET; `argument` is 0 or PERF_IOC_FLAG_GROUP.
  virtual int control(int event, unsigned long request, unsigned long argument) = 0;
  /// PERF_EVENT_IOC_ID: the event's own id, into `id`.
  virtual int identify(int event, std::uint64_t& id) = 0;
  virtual ssize_t read(int event, void* into, std::size_t bytes) = 0;
};

/// The kernel itself; lives as long as the program.
PerfPort& kernel_perf();

} // namespace schedrig
