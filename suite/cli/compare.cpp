#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "results/compare/comparison.hpp"
#include "results/compare/index_table.hpp"
#include "results/compare/profile_comparison.hpp"
#include "results/report/index_text.hpp"
#include "results/report/profile_table.hpp"
#include "results/report/text_table.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/terminal.hpp"
#include "workloads/unixbench.hpp"

namespace schedrig {

namespace {

struct CompareArguments {
  std::filesystem::path store;
  std::string run, width, metrics, base, top;
  bool profile = false;
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

/// What all tests of a set have in common: placement, bandwidth, counting, pass, and copies.
using Circumstances = std::tuple<std::string, std::string, std::string, std::string, std::int64_t>;

/// The whole sets of UnixBench's tests among the cells of a run, in plan order. A test that a set
/// has already is of the next one.
std::vector<IndexedSet> unixbench_of(const std::vector<Cell>& cells) {
  using Tests = std::map<std::size_t, IndexedCell>;
  std::vector<std::pair<Circumstances, Tests>> candidates;
  for (const auto& cell : cells) {
    const auto found = unixbench_cell(cell.workload, cell.parameters);
    if (!found)
      continue;
    const Circumstances here(cell.placement, cell.bandwidth, cell.counting, cell.pass,
                             found->copies);
    auto candidate = std::find_if(candidates.begin(), candidates.end(), [&](const auto& other) {
      return other.first == here && !other.second.contains(found->test);
    });
    if (candidate == candidates.end())
      candidate = candidates.insert(candidate, {here, {}});
    const auto& test = unixbench_tests()[found->test];
    candidate->second[found->test] = {cell,        test.name,     test.unit,
                                      test.per,    test.baseline, found->copies,
                                      found->time, test.time,     test.passes};
  }
  std::vector<IndexedSet> sets;
  for (const auto& [here, tests] : candidates)
    if (tests.size() == unixbench_tests().size()) {
      sets.emplace_back();
      for (const auto& [number, test] : tests)
        sets.back().push_back(test);
    }
  return sets;
}

/// Leaves out what the tables of UnixBench tell.
void leave_out(std::vector<Comparison>& comparisons, const std::vector<IndexedSet>& sets) {
  std::set<Cell> told;
  for (const auto& set : sets)
    for (const auto& indexed : set)
      told.insert(indexed.cell);
  std::erase_if(comparisons, [&](const Comparison& comparison) {
    return std::all_of(comparison.rows.begin(), comparison.rows.end(),
                       [&](const ComparisonRow& row) { return told.contains(row.cell); });
  });
}

bool all_measured(const std::vector<Comparison>& comparisons) {
  return std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison& comparison) {
    return std::all_of(comparison.rows.begin(), comparison.rows.end(),
                       [](const ComparisonRow& row) { return row.trials.valid > 0; });
  });
}

/// A number that only means something beside --profile. Throws BadInput where it stands alone.
void require_profile(const CompareArguments& given, const std::string& value, const char* option) {
  if (!value.empty() && !given.profile)
    throw BadInput(fmt::format("{} goes with --profile", option));
}

Exit compare_profile(const CompareArguments& given, const Store& store, std::int64_t run,
                     int width) {
  const auto most = given.top.empty() ? std::size_t{20}
                                      : parse_number<std::size_t>(given.top, "--top", 1, 10'000);
  const auto comparisons =
      given.base.empty()
          ? compare_profiles(store, run, most)
          : compare_profiles_of_runs(
                store, parse_number<std::int64_t>(given.base, "--base", 1, INT64_MAX), run, most);
  if (comparisons.empty())
    throw BadInput(
        given.base.empty()
            ? fmt::format("run {} was not sampled; 'schedrig run --profile' does", run)
            : fmt::format("runs {} and {} have no sampled cell in common", given.base, run));
  fmt::print("{}", profile_table(comparisons, width));
  const bool measured =
      std::all_of(comparisons.begin(), comparisons.end(), [](const ProfileComparison& comparison) {
        return comparison.base.trials.valid > 0 &&
               (!comparison.other || comparison.other->trials.valid > 0);
      });
  return measured ? Exit::fine : Exit::invalid;
}

Exit compare(const CompareArguments& given) {
  require_profile(given, given.base, "--base");
  require_profile(given, given.top, "--top");
  if (given.profile && !given.metrics.empty())
    throw BadInput("--metrics does not go with --profile: samples are of one event");
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

  if (given.profile)
    return compare_profile(given, store, *run, output_width(width));
  auto comparisons = compare_cells(store, *run);
  const bool measured = all_measured(comparisons);
  const int columns = output_width(width);
  if (const auto sets = unixbench_of(store.cells(*run)); !sets.empty() && given.metrics.empty()) {
    leave_out(comparisons, sets);
    fmt::print("{}{}", index_text(index_tables(store, *run, sets), columns),
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
  command->add_flag("--profile", given->profile,
                    "which functions ran, by the change of their share of the samples");
  command
      ->add_option("--base", given->base,
                   "with --profile: compare with the same cells of this run instead of the first "
                   "row")
      ->type_name("RUN");
  command
      ->add_option("--top", given->top,
                   "with --profile: functions to list beside those that differ (usual: 20)")
      ->type_name("N");
  add_store_option(*command, given->store);
  command->callback([given, &action] { action = [given] { return compare(*given); }; });
}

} // namespace schedrig
