#include <algorithm>
#include <map>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "results/compare/comparison.hpp"
#include "results/compare/index_table.hpp"
#include "results/report/index_text.hpp"
#include "results/report/text_table.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/terminal.hpp"
#include "workloads/unixbench.hpp"

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

/// The cells of the run that are tests of UnixBench; none unless there is a whole set.
std::vector<IndexedCell> unixbench_of(const std::vector<Cell>& cells) {
  std::vector<IndexedCell> indexed;
  std::map<std::int64_t, std::set<std::size_t>> tests; // by copies
  for (const auto& cell : cells)
    if (const auto found = unixbench_cell(cell.workload, cell.parameters)) {
      const auto& test = unixbench_tests()[found->test];
      tests[found->copies].insert(found->test);
      indexed.push_back({cell, test.name, test.unit, test.per, test.baseline, found->copies,
                         found->time, test.time, test.passes});
    }
  std::erase_if(indexed, [&](const IndexedCell& cell) {
    return tests[cell.copies].size() < unixbench_tests().size();
  });
  return indexed;
}

/// Leaves out what the tables of UnixBench tell.
void leave_out(std::vector<Comparison>& comparisons, const std::vector<IndexedCell>& indexed) {
  std::erase_if(comparisons, [&](const Comparison& comparison) {
    return std::all_of(
        comparison.rows.begin(), comparison.rows.end(), [&](const ComparisonRow& row) {
          return std::any_of(indexed.begin(), indexed.end(),
                             [&](const IndexedCell& cell) { return cell.cell == row.cell; });
        });
  });
}

bool all_measured(const std::vector<Comparison>& comparisons) {
  return std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison& comparison) {
    return std::all_of(comparison.rows.begin(), comparison.rows.end(),
                       [](const ComparisonRow& row) { return row.trials.valid > 0; });
  });
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
  const bool measured = all_measured(comparisons);
  const int columns = output_width(width);
  if (const auto indexed = unixbench_of(store.cells(*run));
      !indexed.empty() && given.metrics.empty()) {
    leave_out(comparisons, indexed);
    fmt::print("{}{}", index_text(index_tables(store, *run, indexed), columns),
               comparisons.empty() ? "" : "\n");
  }
  choose_columns(comparisons, given.metrics);
  fmt::print("{}", text_table(comparisons, columns));
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
          "evenly tasks were served where they are told apart: rounds), or all; "
          "for a UnixBench run instead of its index tables")
      ->type_name("NAME,...");
  add_store_option(*command, given->store);
  command->callback([given, &action] { action = [given] { return compare(*given); }; });
}

} // namespace schedrig
