#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "pinning/cgroup/mount.hpp"
#include "pinning/cpu_set.hpp"
#include "pinning/placement.hpp"
#include "pinning/topology.hpp"
#include "pinning/unavailable.hpp"
#include "results/record/boot.hpp"
#include "suite/counting/ability.hpp"
#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// What the machine in front of us, and our rights on it, allow a run to do. Only looked at, never
/// changed.
struct Machine {
  Topology topology;
  CpuSet allowed;  ///< CPUs that this process may use
  CpuSet isolated; ///< of these, the ones that the boot took out of load balancing
  std::optional<CgroupMount> groups;    ///< where groups can be made; nothing where none can
  std::optional<Unavailable> no_groups; ///< why `groups` is nothing, and what would change it
  PerfPort* perf;                       ///< outlives the machine
  CountingAbility counting;
  std::filesystem::path workload_program; ///< schedrig-workload

  /// Looks at this machine. `cgroup_parent`: work below this group instead of the one found.
  /// Throws OsError; Unavailable when hwloc describes another machine (HWLOC_XMLFILE) or
  /// schedrig-workload is not where it was installed.
  static Machine here(const std::optional<std::filesystem::path>& cgroup_parent = {});

  /// Throws as Placement::choose does.
  Placement place(std::string_view placement) const;
};

/// This boot as it is recorded: what the kernel tells, the topology's digest, and the build of this
/// program.
Boot this_boot(const Machine& machine);

} // namespace schedrig
