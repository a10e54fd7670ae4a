#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "pinning/cpu_set.hpp"
#include "pinning/fd.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// What one pass counted between a start and a stop, whole or not at all.
struct Counted {
  struct Value {
    Event event;
    std::uint64_t count; ///< summed over the CPUs, or over the task and what it forked
  };
  std::vector<Value> values;   ///< in the order asked for; empty when `refusal` is set
  std::uint64_t tsc_ticks = 0; ///< from just before `start` enabled to just after `stop` disabled
  /// How long the group was enabled and on the PMU, summed over the CPUs, or over the tasks while
  /// they ran. Equal, unless refused.
  std::chrono::nanoseconds enabled{0}, running{0};
  /// Why these are no counts ("not counted"): on a CPU it names, or for the task, the group shared
  /// the PMU, lost it (a read of 0 bytes), was not read whole, or nothing ever ran; or the CPU went
  /// offline in the middle. Empty when they are.
  std::string refusal;
};

/// The counters of one pass: on each CPU, or attached to a task, one group that is on the PMU whole
/// or not at all.
///
/// Opened disabled. Nothing is ever scaled: a group that did not run for all of the time it was
/// enabled is refused, with both times. A hardware event leads its group where there is one, so
/// that the group's times are the PMU's.
///
/// A group on CPUs is pinned: it goes before whoever shares the PMU with it. A group on a task is
/// not: the copies that its children inherit would be pinned too, and the kernel stops the clock of
/// a pinned copy that does not fit (PERF_EVENT_STATE_ERROR) and tells nobody, which would be counts
/// lost in silence. One that is not pinned stays enabled without running, and that shows.
///
/// Guests and the hypervisor count as well, where the PMU sees them (exclude_guest and exclude_hv
/// are 0): what a CPU does on behalf of the workload is part of its cost, and excluding a guest
/// costs work on each of its entries.
///
/// Not to be shared between threads.
class CounterGroup {
public:
  /// Counts whatever runs on `cpus`, by no overhead on any context switch. Wants CAP_PERFMON or
  /// perf_event_paranoid <= 0. Throws BadInput when there are events but no CPUs.
  static CounterGroup on_cpus(PerfPort& perf, const std::vector<Event>& events, const CpuSet& cpus);
  /// Counts the thread `process` (a process's id is its main thread's) and all that it forks or
  /// starts from now on, across exec. Costs work in each context switch of these. Kernels before
  /// 4.13 (ba5213ae6b88) do not read inherited counters as a group; there they are read one by one.
  /// With `Begin::at_exec` it counts from the task's next exec on, which `start` then only awaits.
  enum class Begin { at_start, at_exec };
  static CounterGroup on_task(PerfPort& perf, const std::vector<Event>& events, pid_t process,
                              Begin begin = Begin::at_start);

  /// Counts the tasks of one control group, and of the groups in it, on `cpus`; whatever else runs
  /// there is left out. `folder` is the group's, of cgroup v2 or of v1's perf_event hierarchy.
  /// Costs work whenever a CPU switches between groups. Wants the same rights as whole CPUs. A CPU
  /// on which the group never ran counts 0. Throws OsError when `folder` cannot be opened.
  static CounterGroup on_cgroup(PerfPort& perf, const std::vector<Event>& events,
                                const std::filesystem::path& folder, const CpuSet& cpus);

  // All throw Unavailable naming the event, with the reason and the remedy: ENOENT, EOPNOTSUPP
  // (this machine does not have it: "not supported"), ENODEV (the CPU is offline), EACCES and EPERM
  // (perf_event_paranoid, CAP_PERFMON, a container's filter), EINVAL (more events than the PMU has
  // counters for, or an encoding that it does not know), EBUSY (another user holds the PMU), ENOSYS
  // (no perf events at all), EMFILE and ENFILE (with how many descriptors it takes), EBADF (the
  // group's hierarchy has no perf_event controller); OsError for ESRCH (the task is gone) and
  // anything else. An open that succeeds proves nothing: see `Counted::refusal`.

  /// Enables all groups. May follow a `stop`: each start begins at 0. Throws OsError. A group of no
  /// events only reads the TSC.
  void start();
  void stop();    ///< Disables them. Throws OsError
  Counted read(); ///< Since the last `start`; after `stop`. Throws OsError

private:
  struct Member {
    std::size_t event; ///< its place in `events_`
    Fd fd;
    std::uint64_t id;
  };
  struct Sample {
    std::uint64_t count = 0, enabled_ns = 0, running_ns = 0;
  };
  /// One look at all members of a group, in their order.
  struct Reading {
    std::vector<Sample> samples; ///< empty when it could not be read whole
    std::string refusal;         ///< why the samples are none, or no counts
  };
  enum class Layout { whole, one_by_one };
  enum class Scope { cpu, task, control_group };
  struct Group {
    std::string where; ///< "CPU 3", "process 4711"
    Scope scope;
    Layout layout = Layout::whole;
    std::vector<Member> members; ///< leader first
    Reading before;              ///< at the last start: what to subtract
  };

  /// What is counted: a thread, or a control group on a CPU, or all of a CPU.
  struct Target {
    Scope scope;
    pid_t process;               ///< the group's descriptor where it is one; -1 for all of a CPU
    int cpu;                     ///< -1: wherever the task runs
    std::string control_group{}; ///< its path
  };

  CounterGroup(PerfPort& perf, std::vector<Event> events, std::size_t places,
               Begin begin = Begin::at_start)
      : perf_(&perf), events_(std::move(events)), places_(places), begin_(begin) {}
  void open(const Target& target);
  void open_member(Group& group, std::size_t event, const Target& target);
  void control_leaders(unsigned long request, const char* operation);
  std::string cut_short(const Group& group, const Reading& reading) const;
  Reading read_since_start(const Group& group);
  Reading read_group(const Group& group);
  Reading read_whole_group(const Group& group);
  Reading read_one_by_one(const Group& group);

  PerfPort* perf_;
  std::vector<Event> events_;
  std::size_t places_; ///< how many groups are opened
  Begin begin_;
  std::vector<Group> groups_;
  std::uint64_t tsc_started_ = 0, tsc_stopped_ = 0;
  std::chrono::nanoseconds all_enabled_{0}, first_disabled_{0}; ///< of the port's clock
};

} // namespace schedrig
