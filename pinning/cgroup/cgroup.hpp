#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "pinning/cgroup/bandwidth.hpp"
#include "pinning/cgroup/subtree.hpp"
#include "pinning/fd.hpp"

namespace schedrig {

/// What cpu.stat tells, in one unit for v1 (throttled_time and burst_time in ns) and v2 (in us).
struct CpuStat {
  std::int64_t periods = 0;   ///< periods that passed while the group had something to run
  std::int64_t throttled = 0; ///< of these, how many ended with the group throttled
  std::chrono::nanoseconds throttled_time{0}; ///< summed over CPUs
  std::int64_t bursts = 0; ///< periods that used burst; 0 where the kernel has none
  std::chrono::nanoseconds burst_time{0};
  /// CPU time of the group; nothing on v1 without cpuacct in the same hierarchy.
  std::optional<std::chrono::nanoseconds> usage;

  static CpuStat parse(std::string_view text); ///< either version; throws BadInput naming the line
  friend CpuStat operator-(const CpuStat& after, const CpuStat& before);
  CpuStat& operator+=(const CpuStat& other);
};

/// The nested control groups of one trial, limited as a Bandwidth says; tasks join the innermost.
///
/// Hides the difference between cgroup v1 (`cpu.cfs_quota_us`, throttled time in ns) and v2
/// (`cpu.max`, in us).
class Cgroup {
public:
  /// Makes the groups below `subtree`, outermost first, limits them and reads the limits back.
  /// `bandwidth` must have a group. Throws OsError naming the path: EEXIST if a trial of this run
  /// left it behind, EACCES if it is not ours, EINVAL if the kernel refuses the limit (v1: a child
  /// may not be allowed more than its parent); Unavailable when the kernel has no burst.
  Cgroup(const CgroupSubtree& subtree, const Bandwidth& bandwidth);
  Cgroup(Cgroup&&) noexcept;
  ~Cgroup(); ///< removes the groups; one still occupied stays in place and is named on stderr

  /// Replaces the limits while tasks run; `bandwidth` must have as many levels. Raising is safe at
  /// any time.
  void limit(const Bandwidth& bandwidth);
  /// The limits as the kernel has them now.
  Bandwidth read_back() const;
  /// cpu.stat of each level, outermost first.
  std::vector<CpuStat> stats() const;
  /// Moves a process, with all its threads, into the innermost group. Throws OsError: ESRCH if it
  /// is gone.
  void join(pid_t process) const;
  /// The processes in any level.
  std::vector<pid_t> processes() const;
  /// Frees every level from its limit and kills all processes, again until none is left or
  /// `patience` is over. Returns whether none is left.
  bool kill_all(std::chrono::milliseconds patience = std::chrono::seconds(2)) const noexcept;

  const std::filesystem::path& path() const noexcept { return paths_.back(); } ///< of the innermost
  /// The innermost folder opened for CLONE_INTO_CGROUP; owns nothing on v1, where the kernel has no
  /// such way.
  const Fd& folder() const noexcept { return folder_; }

private:
  explicit Cgroup(CgroupMount::Version version); ///< no group yet
  CgroupMount::Version version_;
  std::vector<std::filesystem::path> paths_; ///< outermost first
  Fd folder_;
};

} // namespace schedrig
