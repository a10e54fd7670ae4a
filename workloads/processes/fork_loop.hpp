#pragma once

#include "workloads/catalogue.hpp"

namespace schedrig {

/// A process that forks, whose child exits at once, and that waits for it, again and again.
///
/// Stands for servers and shells that start a process for each request. It exercises the birth and
/// the death of tasks: copying a process, choosing a CPU for it (fork balancing), its first place
/// in the queue, whether child or parent runs first, its exit, the wakeup of the waiting parent,
/// and entering and leaving the group's accounts. A better scheduler makes the loop shorter, above
/// all by the choice of CPU. Much of its time is the copying of page tables, which is not the
/// scheduler's; it says nothing of exec, nor of many tasks.
///
/// The children run where their parent is bound: they are not bound anew, which would be measured
/// too. Their use of the CPU is in the report, from birth to death. Whether one of them was moved
/// nobody can tell afterwards, so there is no number of migrations unless none can move.
WorkloadEntry fork_loop();

} // namespace schedrig
