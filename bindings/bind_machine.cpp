#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl/filesystem.h>

#include "bindings/bindings.hpp"
#include "bindings/record.hpp"
#include "pinning/unavailable.hpp"
#include "suite/doctor.hpp"
#include "suite/machine.hpp"
#include "suite/version.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// What Python is told of a Machine.
struct MachineFacts {
  std::string topology, allowed, isolated, counting;
  std::map<std::string, std::string> placements, refusals;
  std::optional<std::filesystem::path> groups;
  std::filesystem::path workload_program;
  std::vector<Finding> findings;
};

MachineFacts facts_here(const std::optional<std::filesystem::path>& cgroup_parent) {
  const py::gil_scoped_release released;
  const Machine machine = Machine::here(cgroup_parent);
  MachineFacts facts{.topology = machine.topology.summary(),
                     .allowed = machine.allowed.text(),
                     .isolated = machine.isolated.text(),
                     .counting = std::string(machine.counting.default_counting()),
                     .placements = {},
                     .refusals = {},
                     .groups = std::nullopt,
                     .workload_program = machine.workload_program,
                     .findings = examine(machine)};
  if (machine.groups)
    facts.groups = machine.groups->parent();
  for (const auto& name : Placement::names())
    try {
      facts.placements[name] = machine.place(name).cpus().text();
    } catch (const Unavailable& reason) {
      facts.refusals[name] = reason.why();
    }
  return facts;
}

constexpr auto machine_doc =
    R"(What the machine in front of us, and our rights on it, allow. Only looked at, never changed.

cgroup_parent: look at this control group instead of the one found.

Takes a few milliseconds: what can be counted is found by counting. Raises OSError; Unavailable when
hwloc describes another machine (HWLOC_XMLFILE) or the program schedrig-workload is not installed.

>>> here = schedrig.machine()
>>> sorted(here.placements | here.refusals)
['all', 'cross-llc', 'cross-node', 'same-cpu', 'same-llc', 'smt-pair']
)";

constexpr auto workloads_doc =
    R"(Every workload of the catalogue, in the order they are listed.

>>> [entry.work_unit for entry in schedrig.workloads() if entry.name == "pipe-ping-pong"]
['loop']
)";

constexpr auto build_info_doc =
    R"(How this schedrig was built: facts that belong to every result it produces.

>>> schedrig.build_info().version == schedrig.__version__
True
)";

void bind_facts(py::module_& module) {
  Record<Finding>(module, "Finding",
                  "One thing that a full measurement wants, and whether it is here.")
      .field("what", &Finding::what, "'control groups'.")
      .field("there", &Finding::there, "Whether it is.")
      .field("sentence", &Finding::sentence,
             "What is there, or what is missing and what that costs.")
      .field("remedy", &Finding::remedy, "The line that would change it; may be empty.");

  Record<MachineFacts>(module, "Machine", "What a machine, and our rights on it, allow.")
      .field("topology", &MachineFacts::topology, "One line: packages, nodes, caches, cores, PUs.")
      .field("allowed", &MachineFacts::allowed, "CPUs that this process may use: '0-3,8'.")
      .field("isolated", &MachineFacts::isolated, "Of these, those without load balancing.")
      .field("counting", &MachineFacts::counting, "What 'auto' comes to: 'cpu', 'task' or 'off'.")
      .field("placements", &MachineFacts::placements, "Name -> the CPUs it comes to: '0-1'.")
      .field("refusals", &MachineFacts::refusals, "Name -> why this machine cannot give it.")
      .field("groups", &MachineFacts::groups,
             "The control group below which others are made; None where none can be.")
      .field("workload_program", &MachineFacts::workload_program, "schedrig-workload.")
      .field("findings", &MachineFacts::findings,
             "What a full measurement wants, in the order in which it matters.");
}

void bind_catalogue(py::module_& module) {
  Record<Parameter>(module, "Parameter", "One declared parameter of a workload.")
      .field("name", &Parameter::name, "'loops'.")
      .field("unit", &Parameter::unit, "'1', 'B', 's', 'us'; empty for a choice of words.")
      .field("meaning", &Parameter::meaning, "Half a sentence, for people.")
      .field(
          "usual", [](const Parameter& parameter) { return parameter.usual(); },
          "The value it takes when none is given.")
      .field(
          "allowed", [](const Parameter& parameter) { return parameter.allowed(); },
          "'1 to 1000000000', or the words.");

  Record<WorkloadEntry>(module, "WorkloadEntry", "A workload as it stands in the catalogue.")
      .field("name", &WorkloadEntry::name, "'pipe-ping-pong'.")
      .field("summary", &WorkloadEntry::summary, "One line, for people.")
      .field("work_unit", &WorkloadEntry::work_unit, "'loop': what metrics are divided by.")
      .field("parameters", &WorkloadEntry::parameters, "In the order of declaration.")
      .field("positional", &WorkloadEntry::positional,
             "Parameters that may be given as bare numbers, in order.")
      .field("aliases", &WorkloadEntry::aliases,
             "Other names -> the parameters that each stands for.");
}

void bind_build(py::module_& module) {
  Record<BuildInfo>(module, "BuildInfo", "How schedrig was built.")
      .field("version", &BuildInfo::version, "'0.1.0'.")
      .field("commit", &BuildInfo::commit, "'unknown' when built outside a checkout.")
      .field("build_type", &BuildInfo::build_type, "'Release', 'Debug'.")
      .field("compiler", &BuildInfo::compiler, "'GNU 12.2.0'.")
      .field("flags", &BuildInfo::flags, "Of everything but the workloads.")
      .field("workloads", &BuildInfo::workloads, "Compiler and flags of the workloads.")
      .field(
          "may_measure", [](const BuildInfo& build) { return build.may_measure(); },
          "Whether its figures may stand: a release build without a sanitizer.");
}

} // namespace

void bind_machine(py::module_& module) {
  bind_facts(module);
  bind_catalogue(module);
  bind_build(module);
  module.attr("__version__") = build_info().version;
  module.def("machine", &facts_here, machine_doc, "cgroup_parent"_a = py::none());
  module.def("workloads", &catalogue, workloads_doc);
  module.def("build_info", &build_info, build_info_doc);
}

} // namespace schedrig
