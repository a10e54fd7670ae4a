#include "results/compare/pass_agreement.hpp"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "results/statistics/welch.hpp"

namespace schedrig {
namespace {

/// The cycles of each pass of one cell, in the order in which passes first ran.
using Passes = std::vector<std::pair<std::string, std::vector<double>>>;

Cell without_pass(Cell cell) {
  cell.pass.clear();
  return cell;
}

bool is_cycles(const Metric& metric) {
  return metric.name == "cycles" || metric.name == "cycles:u";
}

void add(Passes& passes, const std::string& pass, double value) {
  for (auto& [name, values] : passes)
    if (name == pass) {
      values.push_back(value);
      return;
    }
  passes.push_back({pass, {value}});
}

bool disagree(const Difference& difference) {
  return difference.interval && !difference.interval->contains(0);
}

} // namespace

std::string PassDisagreement::sentence() const {
  return fmt::format("passes disagree: {} {} {}: {} of the pass {} differ by {:+.2f} % ({:+.2f} to "
                     "{:+.2f}) from those of {}; their other events cannot be put side by side",
                     cell.workload, cell.placement, cell.bandwidth, metric, other_pass,
                     difference.estimate.value_or(0), difference.interval->lower,
                     difference.interval->upper, cell.pass);
}

std::vector<PassDisagreement> passes_that_disagree(std::span<const StoredTrial> trials) {
  std::map<std::pair<Cell, std::string>, Passes> passes; // of a cell and its name for cycles
  for (const StoredTrial& stored : trials) {
    const TrialRecord& trial = stored.record;
    if (trial.purpose != TrialRecord::Purpose::measured ||
        trial.validity != TrialRecord::Validity::valid)
      continue;
    for (const auto& [metric, value] : trial.readings)
      if (is_cycles(metric))
        add(passes[{without_pass(trial.cell), metric.name}], trial.cell.pass, value / trial.work);
  }

  std::size_t comparisons = 0;
  for (const auto& [cell, of_cell] : passes)
    comparisons += of_cell.size() - 1;
  const double confidence = 1 - 0.05 / static_cast<double>(comparisons == 0 ? 1 : comparisons);

  std::vector<PassDisagreement> disagreements;
  for (const auto& [key, of_cell] : passes)
    for (std::size_t other = 1; other < of_cell.size(); ++other) {
      auto difference = welch_ratio(of_cell.front().second, of_cell[other].second, confidence);
      if (!disagree(difference))
        continue;
      auto cell = key.first;
      cell.pass = of_cell.front().first;
      disagreements.push_back(
          {std::move(cell), of_cell[other].first, key.second, std::move(difference)});
    }
  return disagreements;
}

} // namespace schedrig
