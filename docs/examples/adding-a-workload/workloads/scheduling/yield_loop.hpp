#pragma once

#include "workloads/catalogue.hpp"

namespace schedrig {

/// One task that gives the CPU up again and again: sched_yield in a loop.
///
/// Stands for spinning code that yields while it waits. Where nothing else wants the CPU, what is
/// left is the way into the scheduler and back: the system call, the update of the task's runtime,
/// the pick of the same task. A better scheduler makes the yield shorter. It says nothing of
/// wakeups, and nothing of context switches.
WorkloadEntry yield_loop();

} // namespace schedrig
