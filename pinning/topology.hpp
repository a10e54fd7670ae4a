#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pinning/cpu_set.hpp"

struct hwloc_topology;

namespace schedrig {

/// One processing unit (a logical CPU) and what it shares with others. Every number but `cpu`
/// and `core_kind` counts from 0 in hwloc's logical order: equal numbers mean shared.
struct Pu {
  int cpu;       ///< the kernel's number
  int core;      ///< PUs of one core are SMT siblings
  int llc;       ///< the last-level cache; where the machine tells of none, its package
  int node;      ///< the NUMA node
  int package;   ///< the socket
  int core_kind; ///< hwloc's CPU kind, 0 for the least performant; -1 where all are alike
};

/// The machine's CPUs and what they share, as hwloc sees them.
class Topology {
public:
  /// The machine we run on, without offline PUs and those that a cpuset forbids. Throws OsError
  /// when hwloc cannot load it.
  static Topology this_machine();
  /// A machine that does not exist, for tests and for planning: hwloc's synthetic text, such as
  /// "pack:2 core:4 pu:2". Throws BadInput when hwloc does not take it.
  static Topology synthetic(const std::string& description);

  Topology(Topology&&) noexcept;
  Topology& operator=(Topology&&) noexcept;
  ~Topology();

  const std::vector<Pu>& pus() const noexcept { return pus_; } ///< in hwloc's logical order
  CpuSet cpus() const;                                         ///< of all PUs
  bool is_this_machine() const noexcept; ///< false for a synthetic one: nothing can be bound to it
  /// One line: "1 package, 1 node, 1 last-level cache, 2 cores, 2 PUs".
  std::string summary() const;
  /// hwloc's XML without what changes from boot to boot; equal texts mean equal machines.
  std::string description() const;

private:
  explicit Topology(hwloc_topology* loaded);
  struct Destroy {
    void operator()(hwloc_topology* topology) const noexcept;
  };
  std::unique_ptr<hwloc_topology, Destroy> topology_;
  std::vector<Pu> pus_;
};

} // namespace schedrig
