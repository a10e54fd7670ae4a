#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "suite/counting/ability.hpp"
#include "suite/counting/counter_group.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// A set of events that are on the PMU together: those of a cell's pass that this machine has, and
/// software events that ride along, as they cost next to nothing.
///
/// Found before anything starts, by counting with them: what an event is missing for is told once,
/// and a trial opens only what is there.
class Pass {
public:
  /// Tries `asked` ("cycles,instructions"; empty: only the riders), with `counting` "cpu" on
  /// `cpus`, "task" on ourselves; "off" gives a pass of no events. An event that the machine does
  /// not have becomes a note. A user who may not count kernel mode gets the user mode of each, as
  /// `:u`, and a note. Throws BadInput for a name nobody knows; Unavailable when this user may not
  /// count so, or when the events that are there do not fit on the PMU together; OsError.
  static Pass probe(PerfPort& perf, const CountingAbility& ability, std::string_view asked,
                    std::string_view counting, const CpuSet& cpus);

  const std::vector<Event>& events() const noexcept { return events_; }
  const std::vector<std::string>& notes() const noexcept {
    return notes_;
  } ///< "cycles, branches: <not supported>: this machine has no ..."

  /// The counters of this pass for one trial, opened and not started. Throws as CounterGroup does.
  CounterGroup open(PerfPort& perf, const CpuSet& cpus, pid_t process,
                    CounterGroup::Begin begin = CounterGroup::Begin::at_start) const;

private:
  enum class Target { none, cpus, task };
  CounterGroup open(PerfPort& perf, const std::vector<Event>& events, const CpuSet& cpus,
                    pid_t process, CounterGroup::Begin begin) const;
  Target target_ = Target::none;
  std::vector<Event> events_;
  std::vector<std::string> notes_;
};

} // namespace schedrig
