#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pinning/cgroup/cgroup.hpp"
#include "results/record/trial.hpp"
#include "workloads/workload.hpp"

namespace schedrig {

/// The kernel's grains, by which a group may use more than its quota.
struct BandwidthGrains {
  std::chrono::nanoseconds
      tick; ///< running tasks are charged at each tick: one a CPU and period may be overrun
  std::chrono::nanoseconds
      slice; ///< each CPU takes runtime from the group in slices, and may keep one

  /// Of this kernel: the tick from the resolution of CLOCK_REALTIME_COARSE, the slice from
  /// /proc/sys/kernel/sched_cfs_bandwidth_slice_us.
  static BandwidthGrains of_this_kernel();
};

/// The most CPUs that `bandwidth` lets a group have on `cpus` CPUs, in the long run: each period
/// gives quota, and each CPU may overrun it by a tick; what a CPU kept of its slice is not given
/// twice. Nothing when no level is limited.
std::optional<double> most_cpus(const Bandwidth& bandwidth, std::size_t cpus,
                                const BandwidthGrains& grains);

/// Proves that a group's limit was in force over the measured part, with cpu.stat's own figures.
class LimitProof {
public:
  /// Takes cpu.stat now. `group` (none: nothing to prove) outlives the proof.
  LimitProof(const Cgroup* group, const Bandwidth& bandwidth, std::size_t cpus);
  /// Takes cpu.stat and the limits again. Throws OsError.
  void close();

  /// Periods, throttling, delivered and allowed CPUs; none without a group.
  std::vector<Reading> readings(const WorkReport& work) const;
  /// A sentence for each thing that shows the limit was not in force: it reads back as another, or
  /// more CPU time was delivered than it allows.
  std::vector<std::string> broken(const WorkReport& work) const;

private:
  const Cgroup* group_;
  Bandwidth bandwidth_;
  std::size_t cpus_;
  BandwidthGrains grains_{}; ///< unread without a group, where nothing asks for them
  std::vector<CpuStat> before_;
  CpuStat used_; ///< of all levels together
  Bandwidth found_;
};

} // namespace schedrig
