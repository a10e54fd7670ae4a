#pragma once

#include <chrono>
#include <cstdint>

#include "pinning/cgroup/bandwidth.hpp"
#include "suite/limit_proof.hpp"

namespace schedrig {

// What the kernel promises of a limited group, as Documentation/scheduler/sched-bwc.rst describes
// it and kernel/sched/fair.c keeps it. The group has a pool that each period refills to one quota.
// A CPU takes runtime from it in slices, and keeps what it does not use. A running task is charged
// at the tick, so a CPU may run into debt for as long as a tick; a debt is paid from the CPU's next
// runtime before it runs again, so debts do not add up from period to period.

/// The most CPU time a group can use in `elapsed`: the pool that it finds, a refill for each end of
/// a period, what the CPUs had kept of their slices before, and the debts they end with.
std::chrono::nanoseconds most_delivered(const CpuBandwidth& limit, std::size_t cpus,
                                        std::chrono::nanoseconds elapsed,
                                        const BandwidthGrains& grains);

/// The least CPU time of a group of which cpu.stat says that `throttled` periods ended with it
/// throttled: only a group that has used up its pool is. Without the last refill, which may not
/// have been used yet, what the CPUs have kept of their slices, and the debts they began with.
///
/// Holds however little of the CPUs the group was given besides, with one exception: where the
/// period's timer came late by whole periods (a virtual machine stood still), cpu.stat counts each
/// of them, but the pool was refilled once.
std::chrono::nanoseconds least_delivered(const CpuBandwidth& limit, std::size_t cpus,
                                         std::int64_t throttled, const BandwidthGrains& grains);

} // namespace schedrig
