#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "pinning/unavailable.hpp"
#include "results/store/store.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/list_events.hpp"
#include "suite/cli/terminal.hpp"
#include "suite/counting/passes/detail.hpp"
#include "suite/machine.hpp"
#include "suite/plan.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace {

struct ListArguments {
  std::filesystem::path store;
  std::string run;
  std::string pattern, width; // of events
  std::vector<std::string> lists;
  std::string detail, counting = "auto", placement = "same-cpu"; // of passes
};

std::string when(std::int64_t realtime_ns) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}",
                     fmt::localtime(static_cast<std::time_t>(realtime_ns / 1'000'000'000)));
}

std::int64_t chosen_run(const Store& store, const ListArguments& given) {
  if (!given.run.empty())
    return parse_number<std::int64_t>(given.run, "--run", 1, INT64_MAX);
  if (const auto latest = store.latest_run())
    return *latest;
  throw BadInput(
      fmt::format("{} holds no run yet; 'schedrig run' makes one", store.path().native()));
}

void list_workloads() {
  for (const auto& entry : catalogue()) {
    fmt::print("{}: {}\n", entry.name, entry.summary);
    for (const auto& [alias, parameters] : entry.aliases)
      fmt::print("    also called {}{}\n", alias,
                 parameters.empty() ? "" : fmt::format(" (with {})", parameters));
    for (const auto& parameter : entry.parameters)
      fmt::print("    {}={}  {} ({}{})\n", parameter.name, parameter.usual(), parameter.meaning,
                 parameter.allowed(),
                 parameter.unit.empty() || parameter.unit == "1" ? "" : " " + parameter.unit);
  }
}

void list_placements() {
  const auto machine = Machine::here();
  fmt::print("{}\n", machine.topology.summary());
  for (const auto& name : Placement::names())
    try {
      const auto placement = machine.place(name);
      fmt::print("{:<11} CPU{} {}\n", name, placement.cpus().size() > 1 ? "s" : "",
                 placement.cpus().text());
    } catch (const Unavailable& reason) {
      fmt::print("{:<11} -- {}\n", name, reason.why());
    }
  fmt::print("{:<11} any of CPUs {}, such as 0-3,8\n", "a CPU list", machine.allowed.text());
}

void list_boots(const ListArguments& given) {
  const Store store(given.store, Store::Access::read);
  for (const auto& [id, boot] : store.boots())
    fmt::print("boot {}: {} (build {}) on {}, boot id {}\n", id, boot.kernel.release,
               boot.kernel.build_id.empty() ? "unknown" : boot.kernel.build_id.substr(0, 8),
               boot.host, boot.boot_id);
}

void list_runs(const ListArguments& given) {
  static constexpr std::string_view endings[] = {"unfinished", "finished", "interrupted", "failed"};
  const Store store(given.store, Store::Access::read);
  for (const auto& run : store.runs())
    fmt::print(
        "run {}: boot {}, {}, {}; {} valid, {} invalid, {} failed, {} warm-up trials; seed {}{}\n",
        run.id, run.boot, when(run.record.started_at_ns),
        endings[static_cast<std::size_t>(run.record.ending)], run.trials.valid, run.trials.invalid,
        run.trials.failed, run.trials.warm_up, run.record.seed,
        run.record.label.empty() ? "" : ", " + run.record.label);
}

void list_cells(const ListArguments& given) {
  const Store store(given.store, Store::Access::read);
  for (const auto& cell : store.cells(chosen_run(store, given)))
    fmt::print("{} {} {} {} counting={} {}\n", cell.workload, cell.parameters, cell.placement,
               cell.bandwidth, cell.counting, cell.pass);
}

void list_trials(const ListArguments& given) {
  const Store store(given.store, Store::Access::read);
  for (const auto& [id, run, trial] :
       store.trials(chosen_run(store, given), Store::Detail::without_readings)) {
    fmt::print("trial {}: block {}.{} {} {} {} on {}: {}\n", id, trial.block, trial.position,
               trial.cell.workload, trial.cell.placement, trial.cell.bandwidth, trial.cpus,
               outcome_text(trial));
  }
}

int width_of(const ListArguments& given) {
  return output_width(given.width.empty() ? 0
                                          : parse_number<int>(given.width, "--width", 40, 1000));
}

void show_events(const ListArguments& given) {
  list_events(given.pattern, width_of(given));
}

void show_passes(const ListArguments& given) {
  auto lists = given.lists;
  if (!given.detail.empty())
    lists.push_back(fmt::format(
        "{}", fmt::join(detail_events(parse_number<int>(given.detail, "--detail", 0, 3)), ",")));
  if (lists.empty())
    lists.emplace_back(Plan::usual_pass);
  // A plan checks the words.
  Plan::Wish wish;
  wish.workloads = {"empty"};
  wish.passes = lists;
  wish.countings = {given.counting};
  wish.placements = {given.placement};
  if (given.counting == "cgroup")
    wish.bandwidths = {"group"};
  const Plan plan(wish);
  list_passes(lists, given.counting, plan.placements().front(), width_of(given));
}

} // namespace

void add_list(CLI::App& program, Action& action) {
  auto* list =
      program.add_subcommand("list", "show workloads, placements, events, or what the store holds");
  list->require_subcommand(1);
  auto given = std::make_shared<ListArguments>();
  const auto add = [&](const char* name, const char* what, auto show) {
    auto* command = list->add_subcommand(name, what);
    command->callback([&action, show] {
      action = [show] {
        show();
        return Exit::fine;
      };
    });
    return command;
  };
  const auto add_stored = [&](const char* name, const char* what, auto show) {
    auto* command = add(name, what, [given, show] { show(*given); });
    add_store_option(*command, given->store);
    return command;
  };
  add("workloads", "every workload with its parameters", list_workloads);
  add("placements", "what each placement comes to on this machine", list_placements);
  const auto add_shown = [&](const char* name, const char* what, auto show) {
    return add(name, what, [given, show] { show(*given); });
  };
  auto* events =
      add_shown("events", "events by name or meaning, and which this machine has", show_events);
  events->add_option("pattern", given->pattern, "what a name or a meaning must hold: dtlb, sched:")
      ->type_name("PATTERN");
  auto* passes =
      add_shown("passes", "how a request for events is cut into passes here", show_passes);
  passes->add_option("--events", given->lists, "a request; again for further ones")
      ->type_name("EVENT,...");
  passes
      ->add_option("--detail", given->detail,
                   "also the events of perf stat with so many -d (0 to 3)")
      ->type_name("N");
  passes
      ->add_option("--counting", given->counting,
                   "cpu, task, cgroup, system, or auto (usual: cpu where permitted, else task)")
      ->type_name("HOW");
  passes->add_option("--placement", given->placement, "whose CPUs to count on (usual: same-cpu)")
      ->type_name("NAME");
  for (auto* command : {events, passes})
    command
        ->add_option("--width", given->width,
                     "columns to print for (usual: the terminal's, else 80)")
        ->type_name("N");
  add_stored("boots", "boots and kernel builds in the store", list_boots);
  add_stored("runs", "runs in the store", list_runs);
  for (auto* command :
       {add_stored("cells", "a run's cells in plan order", list_cells),
        add_stored("trials", "a run's trials in the order in which they ran", list_trials)})
    command->add_option("--run", given->run, "a run's number in the store (usual: the latest)")
        ->type_name("N");
}

} // namespace schedrig
