#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/progress.hpp"
#include "suite/cli/terminal.hpp"
#include "suite/plan_file.hpp"
#include "suite/runner.hpp"
#include "suite/version.hpp"

namespace schedrig {

namespace {

struct RunArguments {
  std::vector<std::string> words, workloads, placements, bandwidths, countings, passes;
  std::string plan_file, repeat, warm_up, seed, deadline, label, cgroup_parent;
  std::filesystem::path store;
  bool profile = false, print_plan = false, allow_debug = false;
};

/// Lists by commas become one list of their parts.
std::vector<std::string> parts(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (const auto& list : lists)
    std::ranges::move(list_parts(list), std::back_inserter(parts));
  return parts;
}

/// Placements by commas, but a CPU list, which has commas of its own, is one placement.
std::vector<std::string> placement_parts(const std::vector<std::string>& lists) {
  std::vector<std::string> placements;
  for (const auto& list : lists)
    if (!list.empty() && list.find_first_not_of("0123456789,-") == std::string::npos)
      placements.push_back(list);
    else
      std::ranges::move(list_parts(list), std::back_inserter(placements));
  return placements;
}

Plan::Wish wish_of(const RunArguments& given) {
  Plan::Wish wish;
  if (!given.plan_file.empty())
    try {
      wish = read_plan_file(given.plan_file);
    } catch (const OsError& error) {
      throw BadInput(fmt::format("--plan: {}", error.what()));
    }

  // What the command line says replaces what the file says.
  if (!given.words.empty() || !given.workloads.empty())
    wish.workloads = given.workloads;
  if (!given.words.empty())
    wish.workloads.push_back(phrase_of(given.words));
  const auto replace = [](auto& list, const auto& with) {
    if (!with.empty())
      list = with;
  };
  replace(wish.placements, placement_parts(given.placements));
  replace(wish.bandwidths, parts(given.bandwidths));
  replace(wish.countings, parts(given.countings));
  replace(wish.passes, given.passes);
  if (!given.repeat.empty())
    wish.repeat = parse_number<int>(given.repeat, "--repeat", 1, Plan::most_repeats);
  if (!given.warm_up.empty())
    wish.warm_up = parse_number<int>(given.warm_up, "--warm-up", 0, Plan::most_warm_ups);
  if (!given.seed.empty())
    wish.seed = parse_number<std::uint64_t>(given.seed, "--seed", 0, UINT64_MAX);
  if (!given.deadline.empty())
    wish.deadline = std::chrono::seconds(
        parse_number<std::int64_t>(given.deadline, "--deadline", 1, Plan::most_deadline.count()));
  if (!given.label.empty())
    wish.label = given.label;
  if (given.profile)
    wish.profile = true;
  return wish;
}

void print_outcome(const RunOutcome& outcome, const std::filesystem::path& store,
                   std::chrono::seconds took) {
  const auto& trials = outcome.trials;
  fmt::print("run {} in {}: {} valid, {} invalid, {} failed, {} warm-up trials in {}{}\n",
             outcome.run, store.native(), trials.valid, trials.invalid, trials.failed,
             trials.warm_up, duration_text(took),
             outcome.ending == RunRecord::Ending::interrupted ? "; interrupted" : "");
  for (const auto& cell : outcome.without_result)
    fmt::print("no valid trial: {} {} {}\n", cell.workload, cell.placement, cell.bandwidth);
}

Exit run(const RunArguments& given) {
  const Plan plan(wish_of(given));
  if (given.print_plan) {
    fmt::print("{}", plan.toml());
    return Exit::fine;
  }
  if (!given.allow_debug)
    require_a_measuring_build();

  const Machine machine = Machine::here(
      given.cgroup_parent.empty() ? std::nullopt
                                  : std::optional<std::filesystem::path>(given.cgroup_parent));
  Runner runner(machine);

  const StopSignals signals;
  ProgressLine line;
  const auto began = std::chrono::steady_clock::now();
  const auto outcome =
      runner.run(plan, given.store,
                 {.on_begin =
                      [](const auto& marks) {
                        for (const auto& mark : marks)
                          fmt::print(stderr, "schedrig: {}\n", mark);
                      },
                  .on_trial = [&](const Progress& progress) { line.show(progress); },
                  .interrupted = StopSignals::asked});
  line.clear();
  print_outcome(outcome, given.store,
                std::chrono::round<std::chrono::seconds>(std::chrono::steady_clock::now() - began));
  if (outcome.ending == RunRecord::Ending::interrupted)
    return Exit::interrupted;
  return outcome.without_result.empty() ? Exit::fine : Exit::invalid;
}

} // namespace

void add_run(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "run", "measure a plan: workloads x placements x bandwidths, into the store");
  auto given = std::make_shared<RunArguments>();
  command
      ->add_option("workload", given->words,
                   "a workload and its parameters: pipe-ping-pong loops=1000,100000")
      ->type_name("WORKLOAD [NAME=VALUE,...]...");
  command
      ->add_option("--workload", given->workloads,
                   "one more workload, as one word: 'pipe-ping-pong loops=10'")
      ->type_name("PHRASE");
  command
      ->add_option("--plan", given->plan_file,
                   "read the plan from a TOML file; options given here replace its parts")
      ->type_name("FILE");
  command
      ->add_option(
          "--placement", given->placements,
          "same-cpu (usual), smt-pair, same-llc, cross-llc, cross-node, all (usual for unixbench), "
          "or a CPU list 0-3,8")
      ->type_name("NAME,...");
  command
      ->add_option("--bandwidth", given->bandwidths,
                   "none (usual: no group), group (without a limit), QUOTA/PERIOD[+BURST] in us; "
                   "nested by ':', outermost first")
      ->type_name("LIMIT,...");
  command
      ->add_option(
          "--counting", given->countings,
          "cpu, task, cgroup, system, off, or auto (usual: cpu where permitted, else task)")
      ->type_name("HOW,...");
  command
      ->add_option(
          "--events", given->passes,
          "one pass of events; again for further passes (usual: cycles,instructions,branches)")
      ->type_name("EVENT,...");
  command
      ->add_option(
          "--repeat", given->repeat,
          "measured trials of each cell (usual: 10; not for unixbench, which has passes=N)")
      ->type_name("N");
  command
      ->add_option("--warm-up", given->warm_up,
                   "trials of each cell before these, kept and marked (usual: 1; 0 for unixbench)")
      ->type_name("N");
  command
      ->add_option("--seed", given->seed,
                   "of the order of trials (usual: chosen at random, and recorded)")
      ->type_name("N");
  command
      ->add_option("--deadline", given->deadline, "seconds for each step of a trial (usual: 300)")
      ->type_name("SECONDS");
  command->add_option("--label", given->label, "your name for this run")->type_name("TEXT");
  command
      ->add_option("--cgroup-parent", given->cgroup_parent,
                   "make groups below this one instead of the one found")
      ->type_name("PATH");
  command->add_flag("--profile", given->profile,
                    "sample each cell too, in trials of its own: which functions run? see "
                    "'schedrig compare --profile'");
  command->add_flag("--print-plan", given->print_plan, "print the plan as a TOML file and stop");
  command->add_flag("--allow-debug", given->allow_debug,
                    "measure with a debug or sanitized build; every result is marked");
  add_store_option(*command, given->store);
  command->footer("\n'schedrig list workloads' shows every workload with its parameters.");
  command->callback([given, &action] { action = [given] { return run(*given); }; });
}

} // namespace schedrig
