#include "suite/machine.hpp"

#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "results/record/digest.hpp"
#include "suite/version.hpp"

namespace schedrig {

namespace {

namespace fs = std::filesystem;

/// CPUs named by `isolcpus=`; the file is empty, or missing on old kernels, when there are none.
CpuSet isolated_cpus() {
  const fs::path path = "/sys/devices/system/cpu/isolated";
  return fs::exists(path) ? CpuSet::parse(read_whole(path), path.native()) : CpuSet{};
}

/// schedrig-workload: where SCHEDRIG_WORKLOAD says, beside this program, or where it was installed.
fs::path find_workload_program() {
  if (const char* named = std::getenv("SCHEDRIG_WORKLOAD"))
    return named;
  const fs::path own_folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& candidate :
       {own_folder / "schedrig-workload", own_folder / "../libexec/schedrig/schedrig-workload",
        fs::path(SCHEDRIG_LIBEXEC) / "schedrig-workload",
        fs::path(SCHEDRIG_BUILT_PROGRAMS) / "schedrig-workload"})
    if (::access(candidate.c_str(), X_OK) == 0)
      return candidate;
  throw Unavailable("the program schedrig-workload is not beside schedrig nor in " SCHEDRIG_LIBEXEC,
                    "cmake --install, or SCHEDRIG_WORKLOAD=PATH");
}

} // namespace

Machine Machine::here(const std::optional<fs::path>& cgroup_parent) {
  Machine machine{.topology = Topology::this_machine(),
                  .allowed = own_affinity(),
                  .isolated = isolated_cpus(),
                  .groups = std::nullopt,
                  .no_groups = std::nullopt,
                  .perf = &kernel_perf(),
                  .counting = {},
                  .workload_program = find_workload_program()};
  if (!machine.topology.is_this_machine())
    throw Unavailable("hwloc describes another machine than this one",
                      "unset HWLOC_XMLFILE and HWLOC_SYNTHETIC");
  machine.isolated = machine.isolated & machine.allowed;
  try {
    machine.groups = CgroupMount::find("/", cgroup_parent);
  } catch (const Unavailable& reason) {
    machine.no_groups = reason;
  }
  machine.counting = CountingAbility::probe(*machine.perf, machine.allowed.cpus().back());
  return machine;
}

Placement Machine::place(std::string_view placement) const {
  return Placement::choose(placement, topology, allowed, isolated);
}

Boot this_boot(const Machine& machine) {
  Boot boot = Boot::read();
  const auto& build = build_info();
  auto& facts = boot.environment;
  facts["topology"] = machine.topology.summary();
  facts["topology.digest"] = sha256_hex(machine.topology.description()).substr(0, 16);
  facts["tool.version"] = build.version;
  facts["tool.commit"] = build.commit;
  facts["tool.build_type"] = build.build_type;
  facts["tool.compiler"] = build.compiler;
  facts["tool.flags"] = build.flags;
  facts["tool.workloads"] = build.workloads;
  return boot;
}

} // namespace schedrig
