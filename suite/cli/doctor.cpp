#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "suite/cli/command.hpp"
#include "suite/doctor.hpp"

namespace schedrig {

namespace {

Exit doctor(const std::string& cgroup_parent) {
  const auto machine = Machine::here(
      cgroup_parent.empty() ? std::nullopt : std::optional<std::filesystem::path>(cgroup_parent));
  const auto findings = examine(machine);
  for (const auto& finding : findings) {
    fmt::print("{:<4} {:<16} {}\n", finding.there ? "ok" : "--", finding.what, finding.sentence);
    if (!finding.remedy.empty())
      fmt::print("{:21} to change it: {}\n", "", finding.remedy);
  }
  const auto missing = std::count_if(findings.begin(), findings.end(),
                                     [](const Finding& finding) { return !finding.there; });
  fmt::print("\n{}\n",
             missing == 0
                 ? "everything can be measured here"
                 : fmt::format("{} of {} things are missing; what is left is measured, and marked",
                               missing, findings.size()));
  return missing == 0 ? Exit::fine : Exit::invalid;
}

} // namespace

void add_doctor(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "doctor", "tell what can be measured here, what is missing, and what would change it");
  auto parent = std::make_shared<std::string>();
  command->add_option("--cgroup-parent", *parent, "look at this group instead of the one found")
      ->type_name("PATH");
  command->footer("\nExit status 0 when everything can be measured, 4 when something is missing.");
  command->callback([parent, &action] { action = [parent] { return doctor(*parent); }; });
}

} // namespace schedrig
