#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "results/compare/comparison.hpp"
#include "results/report/text_table.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/terminal.hpp"

namespace schedrig {

namespace {

struct CompareArguments {
  std::filesystem::path store;
  std::string run, width, metrics;
};

/// Keeps the columns that were asked for. Throws BadInput for a metric that no table has.
void choose_columns(std::vector<Comparison>& comparisons, const std::string& wanted) {
  if (wanted == "all")
    return;
  const auto names = list_parts(wanted);
  std::set<std::string> there;
  for (const auto& comparison : comparisons)
    for (auto& name : metric_names(comparison))
      there.insert(std::move(name));
  for (const auto& name : names)
    if (!wanted.empty() && !there.empty() && !there.contains(name))
      throw BadInput(fmt::format("--metrics: '{}' was not measured in this run; there is: {}", name,
                                 fmt::join(there, ", ")));
  for (auto& comparison : comparisons)
    keep_columns(comparison, wanted.empty() ? usual_columns(comparison) : names);
}

Exit compare(const CompareArguments& given) {
  const int width = given.width.empty() ? 0 : parse_number<int>(given.width, "--width", 40, 1000);
  const auto wanted =
      given.run.empty()
          ? std::nullopt
          : std::optional(parse_number<std::int64_t>(given.run, "--run", 1, INT64_MAX));
  const Store store(given.store, Store::Access::read);
  const auto run = wanted ? wanted : store.latest_run();
  if (!run)
    throw BadInput(
        fmt::format("{} holds no run yet; 'schedrig run' makes one", given.store.native()));

  auto comparisons = compare_cells(store, *run);
  choose_columns(comparisons, given.metrics);
  fmt::print("{}", text_table(comparisons, output_width(width)));
  const bool measured =
      std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison& comparison) {
        return std::all_of(comparison.rows.begin(), comparison.rows.end(),
                           [](const ComparisonRow& row) { return row.trials.valid > 0; });
      });
  return measured ? Exit::fine : Exit::invalid;
}

} // namespace

void add_compare(CLI::App& program, Action& action) {
  auto* command =
      program.add_subcommand("compare", "print a run's cells side by side, each against the first");
  auto given = std::make_shared<CompareArguments>();
  command->add_option("--run", given->run, "a run's number in the store (usual: the latest)")
      ->type_name("N");
  command
      ->add_option("--width", given->width, "columns to print for (usual: the terminal's, else 80)")
      ->type_name("N");
  command
      ->add_option(
          "--metrics", given->metrics,
          "what to show (usual: the events asked for, times, switches, migrations, and how "
          "evenly tasks were served where they are told apart: rounds), or all")
      ->type_name("NAME,...");
  add_store_option(*command, given->store);
  command->callback([given, &action] { action = [given] { return compare(*given); }; });
}

} // namespace schedrig
