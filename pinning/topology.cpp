#include "pinning/topology.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <hwloc.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

/// Numbers objects from 0 in the order in which they are met.
class Numbering {
public:
  int of(hwloc_obj_t object) {
    return numbers_.try_emplace(object, static_cast<int>(numbers_.size())).first->second;
  }

private:
  std::map<hwloc_obj_t, int> numbers_;
};

hwloc_obj_t ancestor_or(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu,
                        hwloc_obj_t otherwise) {
  const auto found = hwloc_get_ancestor_obj_by_type(topology, type, pu);
  return found ? found : otherwise;
}

/// The data cache furthest from the PU; `otherwise` where hwloc found none.
hwloc_obj_t last_level_cache(hwloc_obj_t pu, hwloc_obj_t otherwise) {
  auto last = otherwise;
  for (auto object = pu->parent; object; object = object->parent)
    if (hwloc_obj_type_is_dcache(object->type))
      last = object;
  return last;
}

/// The first node in logical order that the PU is local to: a PU with two (DRAM and high-bandwidth
/// memory) counts to one.
hwloc_obj_t node_of(hwloc_topology_t topology, hwloc_obj_t pu, hwloc_obj_t otherwise) {
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node));)
    if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
      return node;
  return otherwise;
}

int core_kind_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  if (hwloc_cpukinds_get_nr(topology, 0) < 2)
    return -1;
  return hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
}

hwloc_topology_t new_topology() {
  hwloc_topology_t topology = nullptr;
  checked(hwloc_topology_init(&topology), "hwloc_topology_init", "topology");
  return topology;
}

std::size_t distinct(const std::vector<Pu>& pus, int Pu::*number) {
  std::set<int> numbers;
  for (const auto& pu : pus)
    numbers.insert(pu.*number);
  return numbers.size();
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// Whether a line of hwloc's XML tells of the boot and not of the machine: names and versions of
/// the system and of this program, and memory in pages, of which each kernel keeps another share
/// for itself.
bool changes_from_boot_to_boot(std::string_view line) {
  const auto tag = trimmed(line);
  return tag.starts_with("<info ") || tag.starts_with("<page_type ");
}

void erase_attribute(std::string& line, std::string_view name) {
  const auto start = line.find(fmt::format(" {}=\"", name));
  if (start == std::string::npos)
    return;
  const auto value = line.find('"', start) + 1;
  line.erase(start, line.find('"', value) + 1 - start);
}

} // namespace

Topology::Topology(hwloc_topology* loaded) : topology_(loaded) {
  Numbering cores, caches, nodes, packages;
  const auto machine = hwloc_get_root_obj(loaded);
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(loaded, HWLOC_OBJ_PU, pu));) {
    const auto package = ancestor_or(loaded, HWLOC_OBJ_PACKAGE, pu, machine);
    pus_.push_back({.cpu = static_cast<int>(pu->os_index),
                    .core = cores.of(ancestor_or(loaded, HWLOC_OBJ_CORE, pu, pu)),
                    .llc = caches.of(last_level_cache(pu, package)),
                    .node = nodes.of(node_of(loaded, pu, machine)),
                    .package = packages.of(package),
                    .core_kind = core_kind_of(loaded, pu)});
  }
}

void Topology::Destroy::operator()(hwloc_topology* topology) const noexcept {
  hwloc_topology_destroy(topology);
}

Topology::Topology(Topology&&) noexcept = default;
Topology& Topology::operator=(Topology&&) noexcept = default;
Topology::~Topology() = default;

Topology Topology::this_machine() {
  std::unique_ptr<hwloc_topology, Destroy> topology(new_topology());
  checked(hwloc_topology_load(topology.get()), "hwloc_topology_load", "this machine");
  return Topology(topology.release());
}

Topology Topology::synthetic(const std::string& description) {
  std::unique_ptr<hwloc_topology, Destroy> topology(new_topology());
  if (hwloc_topology_set_synthetic(topology.get(), description.c_str()) == -1 ||
      hwloc_topology_load(topology.get()) == -1)
    throw BadInput(fmt::format(
        "synthetic topology '{}': hwloc does not take it; allowed is such as 'pack:2 core:4 pu:2'",
        description));
  return Topology(topology.release());
}

CpuSet Topology::cpus() const {
  std::vector<int> cpus;
  for (const auto& pu : pus_)
    cpus.push_back(pu.cpu);
  return CpuSet(std::move(cpus));
}

bool Topology::is_this_machine() const noexcept {
  return hwloc_topology_is_thissystem(topology_.get()) != 0;
}

std::string Topology::summary() const {
  return fmt::format("{}, {}, {}, {}, {}", counted(distinct(pus_, &Pu::package), "package"),
                     counted(distinct(pus_, &Pu::node), "node"),
                     counted(distinct(pus_, &Pu::llc), "last-level cache"),
                     counted(distinct(pus_, &Pu::core), "core"), counted(pus_.size(), "PU"));
}

std::string Topology::description() const {
  char* buffer = nullptr;
  int size = 0;
  checked(hwloc_topology_export_xmlbuffer(topology_.get(), &buffer, &size, 0),
          "hwloc_topology_export_xmlbuffer", "topology");
  const std::string xml(buffer); // `size` counts the terminating 0 as well
  hwloc_free_xmlbuffer(topology_.get(), buffer);

  std::string description;
  for (std::size_t start = 0; start < xml.size();) {
    auto line = xml.substr(start, xml.find('\n', start) - start);
    start += line.size() + 1;
    if (changes_from_boot_to_boot(line))
      continue;
    for (const auto* attribute : {"local_memory", "gp_index"})
      erase_attribute(line, attribute);
    description += line + '\n';
  }
  return description;
}

} // namespace schedrig
