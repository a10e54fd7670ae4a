#include "results/report/fairness_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/columns.hpp"
#include "results/report/figures.hpp"
#include "results/report/layout.hpp"

namespace schedrig {
namespace {

using Rows = std::vector<FairnessRow>;
using Conclusion = SpreadDifference::Conclusion;
using Test = SpreadDifference::Test;

constexpr auto as_it_is = 1.0;
constexpr auto in_percent = 100.0;
constexpr int jain_decimals = 5; // four CPUs that are not balanced still give .997

bool has_several_trials(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const FairnessRow& row) { return row.trials.size() > 1; });
}

bool is_whole(double value) {
  return value == std::round(value);
}

/// Decimals for values of which 1 % must show, and none where all of them are whole.
int decimals_for(const std::vector<Summary>& summaries) {
  if (std::all_of(summaries.begin(), summaries.end(),
                  [](const Summary& summary) { return is_whole(summary.mean); }))
    return 0;
  std::vector<ComparisonFigure> figures;
  for (const Summary& summary : summaries)
    figures.push_back({summary, {}});
  return value_decimals({.name = "", .unit = ""}, figures);
}

Summary scaled(Summary summary, double factor) {
  summary.mean *= factor;
  if (summary.standard_deviation)
    *summary.standard_deviation *= factor;
  return summary;
}

int decimals_of_column(const Rows& rows, std::optional<FairnessFigure> FairnessRow::*figure,
                       double factor) {
  std::vector<Summary> summaries;
  for (const FairnessRow& row : rows)
    if (row.*figure)
      summaries.push_back(scaled((row.*figure)->summary, factor));
  return decimals_for(summaries);
}

/// "±0.3": half of the interval, never printed as none where there is one; nothing without it.
std::string reach_text(const FairnessFigure& figure, double factor, int decimals) {
  if (!figure.interval)
    return {};
  const double reach = factor * figure.interval->half_width();
  if (reach == 0)
    return "±0";
  return "±" + value_text(std::max(reach, std::pow(10, -decimals)), decimals);
}

Column figure_column(std::string title, const Rows& rows,
                     std::optional<FairnessFigure> FairnessRow::*figure, double factor,
                     int decimals) {
  std::vector<std::string> entries, reaches;
  int reach_width = 0;
  for (const FairnessRow& row : rows) {
    reaches.push_back(row.*figure ? reach_text(*(row.*figure), factor, decimals) : "");
    reach_width = std::max(reach_width, display_width(reaches.back()));
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto& shown = rows[row].*figure;
    const double value = shown ? factor * shown->summary.mean : 0;
    entries.push_back(!shown ? "-" : value_text(value, value == 0 ? 0 : decimals));
    if (shown && reach_width > 0)
      entries.back() += " " + padded_right(reaches[row], reach_width);
  }
  return {std::move(title), std::move(entries)};
}

Column column_of(std::string title, const Rows& rows,
                 std::optional<FairnessFigure> FairnessRow::*figure, double factor) {
  return figure_column(std::move(title), rows, figure, factor,
                       decimals_of_column(rows, figure, factor));
}

/// A whole number of each trial: "20", or "1 to 4" where trials differ.
template <typename CountOf>
Column count_column(std::string title, const Rows& rows, CountOf count_of) {
  std::vector<std::string> entries;
  for (const FairnessRow& row : rows) {
    std::set<std::size_t> counts;
    for (const Fairness& trial : row.trials)
      counts.insert(count_of(trial));
    if (counts.empty())
      entries.emplace_back("-");
    else if (counts.size() == 1)
      entries.push_back(fmt::format("{}", *counts.begin()));
    else
      entries.push_back(fmt::format("{} to {}", *counts.begin(), *counts.rbegin()));
  }
  return {std::move(title), std::move(entries)};
}

std::vector<Column> columns_of(const Rows& rows) {
  return {count_column("tasks", rows, [](const Fairness& trial) { return trial.tasks; }),
          column_of("mean", rows, &FairnessRow::mean, as_it_is),
          column_of("std dev", rows, &FairnessRow::standard_deviation, as_it_is),
          column_of("CV %", rows, &FairnessRow::coefficient_of_variation, in_percent),
          column_of("range", rows, &FairnessRow::range, as_it_is),
          figure_column("Jain", rows, &FairnessRow::jain_index, as_it_is, jain_decimals),
          count_column("modes", rows, [](const Fairness& trial) { return trial.modes.size(); })};
}

/// "CPU 3", "CPUs 0-2,5"; `cpus` ascending, at least one.
std::string cpus_text(const std::vector<int>& cpus) {
  std::vector<std::string> ranges;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto last = first;
    while (last + 1 != cpus.end() && *(last + 1) == *last + 1)
      ++last;
    ranges.push_back(first == last ? fmt::format("{}", *first)
                                   : fmt::format("{}-{}", *first, *last));
    first = last + 1;
  }
  return fmt::format("CPU{} {}", cpus.size() == 1 ? "" : "s", fmt::join(ranges, ","));
}

/// "694 (54 tasks, 53 on CPU 3)".
std::string mode_text(const Fairness::Group& mode, int decimals) {
  std::string tasks = fmt::format("{} task{}", mode.tasks, mode.tasks == 1 ? "" : "s");
  if (!mode.cpus.empty())
    tasks += mode.on_cpus == mode.tasks
                 ? fmt::format(", {}", cpus_text(mode.cpus))
                 : fmt::format(", {} on {}", mode.on_cpus, cpus_text(mode.cpus));
  return fmt::format("{} ({})", value_text(mode.mean, decimals), tasks);
}

std::string modes_text(const Fairness& trial) {
  std::vector<Summary> means;
  for (const Fairness::Group& mode : trial.modes)
    means.push_back(*summarize(std::span(&mode.mean, 1)));
  const int decimals = decimals_for(means);
  std::vector<std::string> modes;
  for (const Fairness::Group& mode : trial.modes)
    modes.push_back(mode_text(mode, decimals));
  return fmt::format("{}", fmt::join(modes, ", "));
}

void append_modes(std::string& text, const Comparison& comparison, const FairnessTable& table,
                  int width) {
  append_wrapped(text,
                 has_several_trials(table.rows)
                     ? "modes, of the trial in the middle by standard deviation:"
                     : "modes:",
                 width);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const Fairness* trial = table.rows[row].middle_trial())
      append_wrapped(text, fmt::format("{}: {}", comparison.rows[row].label, modes_text(*trial)),
                     width);
}

std::string p_text(double p) {
  return p < 1e-4 ? "p < 0.0001" : fmt::format("p {:.3g}", p);
}

/// "+278.2 %", "+12.1 % (-8.2 to +37.0)", "+1.82 percentage points (+1.51 to +2.13)". The ends
/// stand there rather than a half width, because a ratio of spreads reaches much further up than
/// down.
std::string spread_text(const Difference& difference) {
  const bool in_points = difference.unit == Difference::Unit::plain;
  const auto number = [in_points](double value) {
    const std::string text = value_text(in_points ? in_percent * value : value, in_points ? 2 : 1);
    return text.front() == '-' ? text : "+" + text;
  };
  std::string text = number(*difference.estimate) + (in_points ? " percentage points" : " %");
  if (difference.kind == Difference::Kind::estimated)
    text += fmt::format(" ({} to {})", number(difference.interval->lower),
                        number(difference.interval->upper));
  return text;
}

std::string conclusion_text(const SpreadDifference& spread, const std::string& base) {
  switch (spread.conclusion) {
  case Conclusion::within_noise:
    return spread.difference.kind == Difference::Kind::exact
               ? fmt::format("as even as \"{}\", in every trial", base)
               : fmt::format("within noise, no difference from \"{}\" is shown", base);
  case Conclusion::more_even:
    return fmt::format("more even than \"{}\"", base);
  case Conclusion::less_even:
    return fmt::format("less even than \"{}\"", base);
  case Conclusion::unknown:
    break;
  }
  return "not tested: " + spread.difference.caveat;
}

/// What each row's spread came to; a paragraph for each, and for what they must be read with.
std::vector<std::string> spread_sentences(const Comparison& comparison,
                                          const FairnessTable& table) {
  std::vector<std::string> sentences;
  std::string tasks_caveat;
  const std::string& base = comparison.rows.front().label;
  for (std::size_t row = 1; row < table.rows.size(); ++row) {
    const auto& spread = table.rows[row].spread;
    if (!spread || !spread->difference.estimate)
      continue;
    const std::string p = spread->difference.p ? ", " + p_text(*spread->difference.p) : "";
    sentences.push_back(fmt::format("{}: CV {}{}: {}", comparison.rows[row].label,
                                    spread_text(spread->difference), p,
                                    conclusion_text(*spread, base)));
    if (spread->test == Test::tasks)
      tasks_caveat = spread->difference.caveat.empty() ? tasks_caveat : spread->difference.caveat;
  }
  if (!tasks_caveat.empty())
    sentences.push_back(tasks_caveat);
  return sentences;
}

/// Why an entry stands as "-", or says nothing.
std::vector<std::string> gap_sentences(const Comparison& comparison, const FairnessTable& table) {
  std::vector<std::string> sentences;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& label = comparison.rows[row].label;
    if (!table.rows[row].caveat.empty())
      sentences.push_back(fmt::format("{}: {}", label, table.rows[row].caveat));
    const Fairness* trial = table.rows[row].middle_trial();
    if (trial && std::all_of(trial->modes.begin(), trial->modes.end(),
                             [](const Fairness::Group& mode) { return mode.cpus.empty(); }))
      sentences.push_back(fmt::format("{}: on which CPUs its tasks were is not known", label));
  }
  if (table.rows.size() > 1 && !table.rows.front().caveat.empty())
    sentences.push_back(
        fmt::format("no row's CV is compared, since \"{}\" has none to compare with",
                    comparison.rows.front().label));
  return sentences;
}

} // namespace

void append_fairness(std::string& text, const Comparison& comparison, const FairnessTable& table,
                     int width) {
  Metric of_a_task = table.metric;
  of_a_task.extent = Metric::Extent::whole;
  text += '\n';
  append_wrapped(text,
                 fmt::format("fairness: {} of each task{}",
                             metric_title(of_a_task, comparison.work_unit),
                             has_several_trials(table.rows)
                                 ? fmt::format("; figures of each trial, their mean over a row's "
                                               "trials ± half of its {:g} % interval",
                                               100 * comparison.confidence)
                                 : ""),
                 width);
  std::vector<RowHead> heads;
  for (const ComparisonRow& row : comparison.rows)
    heads.push_back({row.label});
  append_columns(text, heads, columns_of(table.rows), width);

  text += '\n';
  append_modes(text, comparison, table, width);
  auto sentences = spread_sentences(comparison, table);
  std::ranges::move(gap_sentences(comparison, table), std::back_inserter(sentences));
  if (!sentences.empty())
    text += '\n';
  for (const std::string& sentence : sentences)
    append_wrapped(text, sentence, width);
}

} // namespace schedrig
