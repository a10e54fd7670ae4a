#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "results/compare/comparison.hpp"
#include "results/report/text_table.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/terminal.hpp"

namespace schedrig {

namespace {

struct CompareArguments {
  std::filesystem::path store;
  std::string run, width;
};

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

  const auto comparisons = compare_cells(store, *run);
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
  add_store_option(*command, given->store);
  command->callback([given, &action] { action = [given] { return compare(*given); }; });
}

} // namespace schedrig
