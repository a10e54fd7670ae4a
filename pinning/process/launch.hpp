#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "pinning/cgroup/cgroup.hpp"
#include "pinning/cpu_set.hpp"
#include "pinning/task.hpp"

namespace schedrig {

/// What a launched command's end leaves behind.
struct Ending {
  int status;                       ///< as wait(2) has it
  std::chrono::nanoseconds elapsed; ///< from just before its exec until it was reaped
  /// Of it and of all that it waited for, as getrusage(2) has it: the sum is exact, the shares are
  /// by ticks.
  std::chrono::nanoseconds user, system;
  std::int64_t voluntary_switches, involuntary_switches;
};

/// Executes `command`, program first, inside `group` (null: where we are), bound to `cpus`, and
/// waits for its end. A program without '/' is looked for in PATH.
///
/// It has our streams, folder and environment and stays in our process group, so that it can read
/// from the terminal and Ctrl-C reaches it as well; no signal is ignored or blocked in it. It dies
/// when the calling thread ends (PR_SET_PDEATHSIG). It is cloned with our memory shared, as vfork
/// does, so that a large process launches as fast as a small one; counters of the calling thread
/// that are inherited and begin at the exec count it alone.
///
/// Throws OsError: of execvp (ENOENT: no such program, EACCES: not to be executed), of binding
/// (EINVAL: CPUs offline), of joining the group, EAGAIN (process limit); TaskFailed at the
/// deadline; Interrupted; BadInput for no command. When it returns or throws, the command has ended
/// and is reaped; what it left running is still in `group`.
Ending launch(const std::vector<std::string>& command, const CpuSet& cpus, const Cgroup* group,
              const Patience& patience = {});

} // namespace schedrig
