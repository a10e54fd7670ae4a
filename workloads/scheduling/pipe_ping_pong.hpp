#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Two tasks that wake each other in turn through two pipes, with one 4-byte token between them.
///
/// Stands for request and answer between two processes, the shortest way through the scheduler: a
/// wakeup, a sleep and a context switch for each half of a loop. On one CPU nearly all of its time
/// is system call, wakeup, enqueue and dequeue, pick and switch, so a cost added to any of these
/// (group scheduling, bandwidth accounting) shows as nanoseconds a loop. A better scheduler makes
/// the loop shorter. It says nothing of load balancing, of fairness, or of more tasks than two.
///
/// The first task writes then reads, the second reads then writes: one token in flight, never two,
/// so that on one CPU a loop is exactly two context switches. (`perf bench sched pipe` has two
/// tokens, 1.68 switches a loop, and is another benchmark.)
WorkloadEntry pipe_ping_pong();

/// The sentence for a number of context switches that two tasks on one CPU cannot have had in
/// `loops`: it must be 2.00 a loop within 1 %, where a short run may be preempted a few times.
/// Nothing when it holds.
std::optional<std::string> wrong_switches(std::int64_t switches, double loops);

} // namespace schedrig
