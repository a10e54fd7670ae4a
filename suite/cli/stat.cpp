#include <algorithm>
#include <cstdio>
#include <fstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "results/compare/profile_comparison.hpp"
#include "results/compare/stat_table.hpp"
#include "results/report/profile_table.hpp"
#include "results/report/stat_text.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/progress.hpp"
#include "suite/cli/terminal.hpp"
#include "suite/counting/passes/detail.hpp"
#include "suite/plan.hpp"
#include "suite/runner.hpp"
#include "suite/version.hpp"
#include "workloads/processes/command.hpp"

namespace schedrig {

namespace {

constexpr std::size_t most_functions = 20;

struct StatArguments {
  std::vector<std::string> command, passes;
  std::string repeat = "1", warm_up = "0", bandwidth = "none", placement = "all", deadline, label,
              output, width;
  std::filesystem::path store;
  int detail = 0;
  bool all_cpus = false, per_run = false, profile = false, allow_debug = false;
};

Plan::Wish wish_of(const StatArguments& given) {
  Plan::Wish wish;
  wish.workloads = {phrase_of({"command", "line=" + quoted(given.command), "start=exec"})};
  wish.placements = {given.placement};
  wish.bandwidths = {given.bandwidth};
  wish.countings = {given.all_cpus ? "system" : "task"};
  wish.passes = given.passes;
  wish.profile = given.profile;
  if (wish.passes.empty())
    wish.passes = {fmt::format("{}", fmt::join(detail_events(given.detail), ","))};
  else if (given.detail > 0)
    throw BadInput("-d chooses the events, and so does --event: give one of them");
  wish.repeat = parse_number<int>(given.repeat, "--repeat", 1, Plan::most_repeats);
  wish.warm_up = parse_number<int>(given.warm_up, "--warm-up", 0, Plan::most_warm_ups);
  if (!given.deadline.empty())
    wish.deadline = std::chrono::seconds(
        parse_number<std::int64_t>(given.deadline, "--deadline", 1, Plan::most_deadline.count()));
  wish.label = given.label;
  return wish;
}

void write_report(const std::string& text, const std::string& file) {
  if (file.empty()) {
    fmt::print(stderr, "{}", text);
    return;
  }
  std::ofstream output(file);
  output << text;
  output.flush();
  if (!output)
    throw OsError(errno, "write", file);
}

Exit stat(const StatArguments& given) {
  if (given.command.empty())
    throw BadInput("stat: no command; allowed is schedrig stat [OPTIONS] [--] COMMAND "
                   "[ARGUMENT...]");
  const Plan plan(wish_of(given));
  const int width = given.width.empty() ? 0 : parse_number<int>(given.width, "--width", 40, 1000);
  if (!given.allow_debug)
    require_a_measuring_build();
  const Machine machine = Machine::here();
  Runner runner(machine);

  const StopSignals signals;
  ProgressLine line;
  const auto outcome = runner.run(plan, given.store,
                                  {.on_begin =
                                       [](const auto& marks) {
                                         for (const auto& mark : marks)
                                           fmt::print(stderr, "schedrig: {}\n", mark);
                                       },
                                   .on_trial =
                                       [&](const Progress& progress) {
                                         if (progress.total > 1 && progress_can_be_redrawn())
                                           line.show(progress);
                                       },
                                   .interrupted = StopSignals::asked,
                                   .delivery = std::chrono::milliseconds(100)});
  line.clear();

  const Store store(given.store, Store::Access::read);
  const auto table = stat_table(store, outcome.run);
  auto text = stat_text(table, quoted(given.command), output_width(width));
  if (given.per_run)
    text += "\n" + stat_runs_text(table);
  if (given.profile)
    text += "\n" + profile_table(compare_profiles(store, outcome.run, most_functions),
                                 output_width(width));
  write_report(text, given.output);
  if (outcome.ending == RunRecord::Ending::interrupted)
    return Exit::interrupted;
  return outcome.without_result.empty() ? Exit::fine : Exit::invalid;
}

} // namespace

void add_stat(CLI::App& program, Action& action, const std::vector<std::string>& launched) {
  auto* command = program.add_subcommand(
      "stat", "count events of a command, as perf stat does, into the store");
  auto given = std::make_shared<StatArguments>();
  command->add_option("-r,--repeat", given->repeat, "how often it runs, in each pass (usual: 1)")
      ->type_name("N");
  command
      ->add_option("-e,--event,--events", given->passes,
                   "a list of events by commas; each further list is a pass of its own")
      ->type_name("EVENT,...")
      ->allow_extra_args(false);
  command->add_flag("-d,--detailed", given->detail,
                    "more events, in as many passes as they take: -d, -dd, -ddd");
  command->add_flag("-a,--all-cpus", given->all_cpus,
                    "count all that runs on any CPU meanwhile, not only the command");
  command->add_flag("--profile", given->profile,
                    "sample it too, in runs of its own: which functions did it spend its time in?");
  command
      ->add_option("--bandwidth", given->bandwidth,
                   "none, group, QUOTA/PERIOD[+BURST] in us, or nested by ':' (usual: none)")
      ->type_name("LIMIT");
  command
      ->add_option("--place,--placement", given->placement,
                   "where it runs: same-cpu, all, ..., or a CPU list (usual: all)")
      ->type_name("PLACE");
  command->add_option("--warm-up", given->warm_up, "runs before these, not counted (usual: 0)")
      ->type_name("N");
  command->add_option("--deadline", given->deadline, "seconds until a run is killed (usual: 300)")
      ->type_name("SECONDS");
  command->add_flag("--per-run", given->per_run, "print the values of each run as well");
  command->add_option("-o,--output", given->output, "write the report there, not to stderr")
      ->type_name("FILE");
  command->add_option("--label", given->label, "your name for these runs")->type_name("TEXT");
  command
      ->add_option("--width", given->width, "columns to print for (usual: the terminal's, else 80)")
      ->type_name("N");
  command->add_flag("--allow-debug", given->allow_debug,
                    "measure with a debug or sanitized build; every result is marked");
  add_store_option(*command, given->store);
  command->footer(
      "\nEverything from COMMAND on is the command and its arguments: schedrig stat -r 5 -- ls -l\n"
      "The command's output is its own. 'schedrig list events' shows the events.");
  command->callback([given, &launched, &action] {
    given->command = launched;
    action = [given] { return stat(*given); };
  });
}

std::vector<std::string> split_off_command(const CLI::App& stat, std::vector<std::string>& words) {
  const auto takes_the_next = [&](const std::string& word) {
    const bool is_long = word.starts_with("--");
    if (is_long ? word.find('=') != word.npos : word.size() > 2) // --repeat=5, -r5, -dd
      return false;
    const auto* option = stat.get_option_no_throw(word);
    return option && option->get_items_expected_min() > 0;
  };
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-') && words[at] != "--")
    at += takes_the_next(words[at]) ? 2 : 1;
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size()));
  std::vector<std::string> command(end, words.end());
  words.erase(end, words.end());
  if (!command.empty() && command.front() == "--")
    command.erase(command.begin());
  return command;
}

} // namespace schedrig
