#pragma once

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Threads that compute, each by itself: all the time, or in bursts with sleeps between them.
///
/// Stands for compute jobs in containers, one or several to a CPU. Its code never enters the kernel
/// of its own will, except to sleep between bursts: what is left of the scheduler is the tick, the
/// charging of CPU time to groups, throttling and unthrottling, and preemption. What it wants is
/// known (all the CPU time there is, or a stated share), so that what it gets is what the kernel
/// delivers. A better scheduler delivers the same quota with more rounds to a second of CPU time.
/// It says nothing of wakeup latency, nor of memory: the computation stays in registers.
///
/// A round is a fixed number of instructions, the same work whoever limits it: one found by timing
/// inside a throttled group would silently be smaller. A burst is measured in the task's own CPU
/// time, which stands still while the task is throttled.
///
/// The tasks begin together. Each ends when the time has passed on the monotonic clock since then,
/// or when it has done its rounds. It looks after each round, so one that is throttled at that
/// moment ends only when its group may run again.
WorkloadEntry cpu_burn();

} // namespace schedrig
