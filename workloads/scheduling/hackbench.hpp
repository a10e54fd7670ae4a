#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Groups of senders and receivers: each sender writes messages to every receiver of its group.
///
/// Stands for a chat server or a queue with far more tasks than CPUs, most of them ready to run.
/// Nearly all of it is wakeup, placement of the woken, preemption, balancing between CPUs and the
/// copy of small messages; group scheduling and bandwidth accounting are charged at each enqueue.
/// A better scheduler shortens the time by fewer switches (senders that run on until their
/// receivers have a full buffer) and by woken tasks that find an idle CPU. It measures no single
/// wakeup's latency, and the time depends on how many of the messages meet a sleeping receiver: it
/// varies more than pipe-ping-pong's.
///
/// All tasks report ready; one byte that nobody reads wakes them all. The time runs from that byte
/// to the last reap, or join of a thread: the end of 2 * fan * groups tasks is part of it. CPU time
/// and switches are those of each task from its wakeup to its last message, and of the first task
/// throughout: the tasks' own ends are not in them. How often
/// they migrated is left open: a task could find out only at its end, within the measured time.
///
/// Bytes go by write and read, one call a message as a rule; sockets and pipes have the kernel's
/// own sizes, TCP its own options. (perf bench sched messaging and rt-tests' hackbench do the same
/// over sockets and pipes.)
WorkloadEntry hackbench();

/// The sentence for messages that were not all sent, or not all received; nothing when they were.
std::optional<std::string> missing_messages(std::int64_t sent, std::int64_t received,
                                            std::int64_t expected);

} // namespace schedrig
