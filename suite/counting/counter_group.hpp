#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "pinning/cpu_set.hpp"
#include "pinning/fd.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// What one pass counted over a trial, whole or not at all.
struct Counted {
  struct Value {
    Event event;
    std::uint64_t count; ///< summed over the CPUs, or over the task and what it forked
  };
  std::vector<Value> values;        ///< in the order asked for; empty when `refusal` is set
  std::uint64_t tsc_ticks = 0;      ///< from just before `start` enabled to just after `stop` disabled
  std::chrono::nanoseconds enabled{0}, running{0}; ///< of the group; equal, unless refused
  std::string refusal;              ///< why these are no counts: the group shared the PMU, or lost it (a read of 0 bytes)
};

/// The counters of one pass: on each CPU, or attached to a task, one pinned group that is on the PMU whole or not at all.
///
/// Opened disabled. Nothing is ever scaled: a group that did not run for all of the time it was enabled is refused, with both times.
class CounterGroup {
public:
  /// Counts whatever runs on `cpus`, by no overhead on any context switch. Wants CAP_PERFMON or perf_event_paranoid <= 0.
  static CounterGroup on_cpus(PerfPort& perf, const std::vector<Event>& events, const CpuSet& cpus);
  /// Counts `process` and every task it forks from now on (inherit). Costs work in each context switch of these.
  static CounterGroup on_task(PerfPort& perf, const std::vector<Event>& events, pid_t process);

  // Both throw Unavailable naming the event, with the reason and the remedy: ENOENT, EOPNOTSUPP, ENODEV (this machine does not have it), EACCES and EPERM
  // (perf_event_paranoid, CAP_PERFMON), EINVAL (more events than the PMU has counters for), EBUSY (another user holds the PMU); OsError for EMFILE,
  // ENFILE, ESRCH (the task is gone) and anything else.

  void start();   ///< enables all groups. Throws OsError; a group of no events only reads the TSC
  void stop();    ///< disables them
  Counted read(); ///< after `stop`. Throws OsError; what was shared or lost comes as a refusal, not as an exception

private:
  struct Member { Fd fd; std::uint64_t id; };
  struct Group { std::vector<Member> members; std::uint64_t enabled_before = 0, running_before = 0; }; ///< leader first
  CounterGroup(PerfPort& perf, std::vector<Event> events) : perf_(&perf), events_(std::move(events)) {}
  void open(pid_t process, int cpu);
  PerfPort* perf_;
  std::vector<Event> events_;
  std::vector<Group> groups_;
  std::uint64_t tsc_started_ = 0, tsc_stopped_ = 0;
};

/// What this machine and this user can count.
struct CountingAbility {
  bool hardware = false;  ///< cycles open, run and read
  bool cpu_wide = false;  ///< software events on a CPU open
  bool kernel = false;    ///< kernel mode may be counted
  std::vector<std::string> missing; ///< one sentence for each thing that is not there, with the line that would change it
  /// Tries it: opens, enables, reads; an open that succeeds proves nothing.
  static CountingAbility probe(PerfPort& perf, int cpu);
};

} // namespace schedrig
