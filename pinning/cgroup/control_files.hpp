#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "pinning/cgroup/bandwidth.hpp"
#include "pinning/cgroup/cgroup.hpp"
#include "pinning/cgroup/mount.hpp"

// The control files of one group, v1 and v2, for Cgroup and CgroupSubtree. Every function throws
// OsError naming the file unless it says otherwise.

namespace schedrig {

/// A group's limit as its files hold it: the period and the burst stand there also while no quota
/// limits it.
struct LimitFiles {
  std::optional<std::chrono::microseconds> quota;
  std::chrono::microseconds period{100'000};
  std::chrono::microseconds burst{0}; ///< 0 where the kernel has no burst

  std::optional<CpuBandwidth> limit() const;
};

/// Throws Unavailable when the kernel has no CPU bandwidth control, BadInput when a file holds no
/// such number.
LimitFiles read_limit(CgroupMount::Version version, const std::filesystem::path& group);

/// Replaces the limit. At no moment in between is less allowed than by the stricter of the old and
/// the new limit. Throws OsError: EINVAL when the kernel refuses the limit; Unavailable when it has
/// no bandwidth control or no burst.
void write_limit(CgroupMount::Version version, const std::filesystem::path& group,
                 const std::optional<CpuBandwidth>& limit);

/// cpu.stat, with the usage from cpuacct.usage where v1 mounts both controllers together.
CpuStat read_stat(CgroupMount::Version version, const std::filesystem::path& group);

/// The processes in the group itself, not below it; 0 stands for each that this pid namespace
/// cannot see.
std::vector<pid_t> read_processes(const std::filesystem::path& group);

/// The processes of all `groups`; one that was removed meanwhile holds none.
std::set<pid_t> processes_in(const std::vector<std::filesystem::path>& groups);

/// Moves a process with all its threads. ESRCH: it is gone. EBUSY: a v2 group that hands
/// controllers down.
void write_process(const std::filesystem::path& group, pid_t process);

/// Whether a v2 group lets its children be limited.
bool hands_cpu_down(const std::filesystem::path& group);
/// Whether a v2 group could let them: its own parent hands it `cpu`.
bool is_handed_cpu(const std::filesystem::path& group);

/// Lets the children of a v2 group be limited: "+cpu", or takes it back: "-cpu".
void write_subtree_control(const std::filesystem::path& group, std::string_view change);

/// Frees `groups`, a tree outermost first, from their limits and kills what is in them, again until
/// nothing is left or `patience` is over. Without the lift a throttled task would die only in its
/// next period. Returns whether nothing is left. Never kills the calling process.
bool kill_processes(CgroupMount::Version version, const std::vector<std::filesystem::path>& groups,
                    std::chrono::milliseconds patience) noexcept;

/// Removes an empty group; a group whose last task is just exiting is tried again for `patience`.
/// Returns 0, or the errno.
int remove_group(const std::filesystem::path& group, std::chrono::milliseconds patience) noexcept;

} // namespace schedrig
