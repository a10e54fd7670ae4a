#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "suite/calibration.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/progress.hpp"
#include "suite/cli/terminal.hpp"
#include "suite/doctor.hpp"
#include "suite/machine_lock.hpp"
#include "suite/runner.hpp"
#include "suite/version.hpp"

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

/// Measures what counting costs here, in trials that the store keeps.
Exit calibrate(const std::filesystem::path& store_path) {
  require_a_measuring_build();
  const auto machine = Machine::here();
  const StopSignals signals;
  ProgressLine line;
  const auto outcome = Runner(machine).run(calibration_plan(machine), store_path,
                                           {.on_begin = {},
                                            .on_trial =
                                                [&](const Progress& progress) {
                                                  if (progress_can_be_redrawn())
                                                    line.show(progress);
                                                },
                                            .interrupted = StopSignals::asked});
  line.clear();
  if (outcome.ending == RunRecord::Ending::interrupted)
    return Exit::interrupted;
  const Store store(store_path, Store::Access::read);
  const MachineLock lock; // empty regions are no trials of the run, which has let go of it
  fmt::print("{}\nrun {} in {}\n",
             calibration_text(counting_costs(store, outcome.run), empty_regions(machine)),
             outcome.run, store_path.native());
  return outcome.without_result.empty() ? Exit::fine : Exit::invalid;
}

} // namespace

void add_doctor(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "doctor", "tell what can be measured here, what is missing, and what would change it");
  auto parent = std::make_shared<std::string>();
  auto store = std::make_shared<std::filesystem::path>();
  auto wants_costs = std::make_shared<bool>(false);
  command->add_option("--cgroup-parent", *parent, "look at this group instead of the one found")
      ->type_name("PATH");
  command->add_flag("--calibrate", *wants_costs,
                    "measure what counting costs here, by each way of it (some 20 s)");
  add_store_option(*command, *store);
  command->footer("\nExit status 0 when everything can be measured, 4 when something is missing.");
  command->callback([=, &action] {
    action = [=] { return *wants_costs ? calibrate(*store) : doctor(*parent); };
  });
}

} // namespace schedrig
