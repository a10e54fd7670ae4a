#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// What this machine and this user can count.
struct CountingAbility {
  bool task = false;     ///< user mode of one's own tasks can be counted
  bool kernel = false;   ///< kernel mode too
  bool cpu_wide = false; ///< so can whole CPUs
  bool hardware = false; ///< cycles open, run and read
  /// One sentence for each thing that is not there: what, why, what is measured instead, and on a
  /// line of its own what would change it.
  std::vector<std::string> missing;

  /// The counting to choose when nobody asked for one, in a cell's words: "cpu" where it is allowed
  /// (it adds nothing to a context switch), else "task", else "off".
  std::string_view default_counting() const noexcept {
    return cpu_wide ? "cpu" : task ? "task" : "off";
  }

  /// Tries it on the calling thread and on `cpu`: opens, enables, works for a moment, reads; an
  /// open that succeeds proves nothing. Takes a few milliseconds. Throws nothing of the kernel's
  /// refusals: they are what it reports.
  static CountingAbility probe(PerfPort& perf, int cpu);
};

} // namespace schedrig
