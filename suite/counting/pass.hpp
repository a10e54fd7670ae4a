#pragma once

#include <filesystem>
#include <optional>
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
  /// Tries `asked` ("cycles,instructions"; empty: only the riders), with `counting` in a cell's
  /// words: "cpu" on `cpus`, "task" on ourselves, "system" on all CPUs that are online, "cgroup" as
  /// "cpu" does, because the group is not there yet; "off" gives a pass of no events. An event that
  /// the machine does not have becomes a note. A user who may not count kernel mode gets the user
  /// mode of each, as `:u`, and a note. On a hybrid machine the events become those of the core
  /// type of `cpus`. `root` stands before /sys and /proc.
  ///
  /// Throws BadInput for a name nobody knows; Unavailable when this user may not count so, when the
  /// events that are there do not fit on the PMU together, naming what else uses it where that is
  /// known, or when `cpus` are of several core types; OsError.
  static Pass probe(PerfPort& perf, const CountingAbility& ability, std::string_view asked,
                    std::string_view counting, const CpuSet& cpus,
                    const std::filesystem::path& root = "/");

  /// Whether `events` can be counted whole together so: the reason when not, as
  /// `Counted::refusal`. Opens, enables, works for a moment, reads: an open that succeeds proves
  /// nothing. Throws as CounterGroup does.
  static std::string why_not(PerfPort& perf, const std::vector<Event>& events,
                             std::string_view counting, const CpuSet& cpus,
                             const std::filesystem::path& root = "/");

  /// `event` as this user may count it on `cpus`: of their core type, and in user mode only where
  /// the kernel's is not allowed; nothing where that would always be 0. Throws as `on_cores` does.
  static std::optional<Event> permitted(const Event& event, const CountingAbility& ability,
                                        const CpuSet& cpus,
                                        const std::filesystem::path& root = "/");

  const std::vector<Event>& events() const noexcept { return events_; }
  const std::vector<std::string>& notes() const noexcept {
    return notes_;
  } ///< "cycles, branches: <not supported>: this machine has no ..."

  /// The counters of this pass for one trial, opened and not started. Throws as CounterGroup does.
  /// `begin` is heeded where a task is counted; `group` is the folder of the trial's control group,
  /// for counting "cgroup".
  CounterGroup open(PerfPort& perf, const CpuSet& cpus, pid_t process,
                    CounterGroup::Begin begin = CounterGroup::Begin::at_start,
                    const std::filesystem::path& group = {}) const;

private:
  std::string counting_ = "off";
  CpuSet online_; ///< for counting "system"
  std::vector<Event> events_;
  std::vector<std::string> notes_;
};

} // namespace schedrig
