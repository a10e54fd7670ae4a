#include "suite/doctor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suite/version.hpp"

namespace schedrig {

namespace {

/// A sentence with its remedy on a line of its own, as Unavailable and CountingAbility write them.
Finding missing(std::string what, const std::string& text) {
  const std::string mark = "\n  to change it: ";
  const auto split = text.find(mark);
  if (split == std::string::npos)
    return {std::move(what), false, text, ""};
  return {std::move(what), false, text.substr(0, split), text.substr(split + mark.size())};
}

Finding build() {
  const auto& info = build_info();
  if (info.may_measure())
    return {"build", true, fmt::format("{} {}, {}", info.build_type, info.version, info.compiler),
            ""};
  return {"build", false,
          fmt::format("this is a {} build; 'run' refuses to measure with it", info.build_type),
          "cmake --workflow --preset release"};
}

Finding cpus(const Machine& machine) {
  return {"CPUs", true,
          fmt::format("{}; allowed: {}{}", machine.topology.summary(), machine.allowed.text(),
                      machine.isolated.empty() ? "" : "; isolated: " + machine.isolated.text()),
          ""};
}

Finding groups(const Machine& machine) {
  if (!machine.groups)
    return {"control groups", false, machine.no_groups->why(), machine.no_groups->remedy()};
  const auto version = machine.groups->version() == CgroupMount::Version::v1 ? "v1" : "v2";
  return {"control groups", true,
          fmt::format("{} cpu controller, below {}", version, machine.groups->parent().native()),
          ""};
}

} // namespace

std::vector<Finding> examine(const Machine& machine) {
  std::vector<Finding> findings{build(), cpus(machine), groups(machine)};
  if (machine.counting.hardware)
    findings.push_back({"hardware PMU", true, "cycles count, on their own and whole", ""});
  if (machine.counting.cpu_wide)
    findings.push_back({"counting CPUs", true, "adds nothing to a context switch", ""});
  for (const auto& sentence : machine.counting.missing)
    findings.push_back(missing("counting", sentence));
  return findings;
}

} // namespace schedrig
