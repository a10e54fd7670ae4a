#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// One process that calls into the kernel and back, again and again, for next to nothing.
///
/// Stands for the price of entering the kernel at all: entry, exit, and the mitigations on the way.
/// It is a control. Of the scheduler it meets the tick and the charging of time to its group, so a
/// change to the scheduler must not move it; when it does move, the kernels differ in something
/// else, and so may every other workload's figures. It says nothing of sleeping, waking and
/// switching.
///
/// A round of kind `mix` is five raw system calls: close(dup(fd)), getpid, getuid, umask; of
/// `getpid` that one; of `exec` the start of the least program there is (see execl-loop): fork,
/// exec, wait. With `exec` the children's use of the CPU is in the report, as with fork-loop.
WorkloadEntry syscall_loop();

/// The sentence for system calls that did not give what they must; nothing when there were none.
std::optional<std::string> wrong_answers(std::int64_t wrong, std::int64_t rounds);

} // namespace schedrig
