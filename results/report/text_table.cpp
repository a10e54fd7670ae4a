#include "results/report/text_table.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "results/compare/labels.hpp"
#include "results/report/columns.hpp"
#include "results/report/fairness_text.hpp"
#include "results/report/figures.hpp"
#include "results/report/layout.hpp"

namespace schedrig {
namespace {

std::string range_text(std::int64_t least, std::int64_t most) {
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

/// The least and the most that `count` gives over the rows, as text.
std::string over_rows(const Comparison& comparison, std::int64_t TrialCounts::*count) {
  const auto [least, most] = std::minmax_element(
      comparison.rows.begin(), comparison.rows.end(),
      [count](const auto& a, const auto& b) { return a.trials.*count < b.trials.*count; });
  return range_text(least->trials.*count, most->trials.*count);
}

std::string cpus_text(const std::string& cpus) {
  return (cpus.find_first_of(",-") == std::string::npos ? "CPU " : "CPUs ") + cpus;
}

std::string counting_text(const std::string& counting) {
  if (counting == "cpu")
    return "counted on the CPU";
  if (counting == "task")
    return "counted on the tasks";
  if (counting == "cgroup")
    return "counted in the group";
  if (counting == "system")
    return "counted on all CPUs";
  return "no events counted";
}

std::string heading(const Comparison& comparison) {
  const Cell& shared = comparison.shared;
  std::vector<std::string> parts;
  parts.push_back(shared.workload + (shared.parameters.empty() ? "" : " " + shared.parameters));
  if (!shared.placement.empty() && !comparison.cpus.empty())
    parts.push_back(shared.placement == comparison.cpus
                        ? cpus_text(comparison.cpus)
                        : fmt::format("{} ({})", shared.placement, cpus_text(comparison.cpus)));
  else if (!shared.placement.empty())
    parts.push_back(shared.placement);
  if (!shared.bandwidth.empty() && comparison.rows.size() > 1)
    parts.push_back(bandwidth_label(shared.bandwidth));
  const std::string valid = over_rows(comparison, &TrialCounts::valid);
  const std::string warm_up = over_rows(comparison, &TrialCounts::warm_up);
  parts.push_back(fmt::format("{} trial{} a row", valid, valid == "1" ? "" : "s") +
                  (warm_up == "0" ? "" : fmt::format(" after {} to warm up", warm_up)));
  parts.push_back(counting_text(shared.counting));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string kernel_line(const Comparison& comparison) {
  const KernelBuild& kernel = comparison.boot.kernel;
  const std::string build =
      kernel.build_id.empty() ? "" : fmt::format(" (build {})", kernel.build_id.substr(0, 8));
  std::string line = fmt::format("kernel {}{}, 1 boot",
                                 kernel.release.empty() ? "unknown" : kernel.release, build);
  if (comparison.rows.size() > 1)
    line += fmt::format("; percent of \"{}\", {:g} % interval", comparison.rows.front().label,
                        100 * comparison.confidence);
  if (std::any_of(comparison.columns.begin(), comparison.columns.end(),
                  [](const Metric& metric) { return metric.unit == "ns"; }))
    line += "; times in ns";
  return line;
}

/// The figures of column `index`: values under values, differences under differences.
Column column_of(const Comparison& comparison, std::size_t index) {
  const Metric& metric = comparison.columns[index];
  std::vector<ComparisonFigure> figures;
  for (const ComparisonRow& row : comparison.rows)
    figures.push_back(row.figures[index]);
  const int decimals = value_decimals(metric, figures);

  std::vector<std::string> differences;
  int difference_width = 0;
  for (const ComparisonFigure& figure : figures) {
    differences.push_back(figure.summary && figure.difference
                              ? fmt::format("({})", difference_text(*figure.difference))
                              : "");
    difference_width = std::max(difference_width, display_width(differences.back()));
  }
  std::vector<std::string> entries;
  for (std::size_t row = 0; row < figures.size(); ++row) {
    std::string entry =
        figures[row].summary ? value_text(figures[row].summary->mean, decimals) : "-";
    if (!differences[row].empty())
      entry += " " + padded_left(differences[row], difference_width);
    entries.push_back(std::move(entry));
  }
  return {metric_title(metric, comparison.work_unit), std::move(entries)};
}

std::string throttle_text(const ThrottleFigures& throttle) {
  std::string text =
      fmt::format("throttled {} of {} periods", value_text(throttle.throttled_periods, 0),
                  value_text(throttle.periods, 0));
  if (!throttle.delivered_cpus)
    return text;
  text += fmt::format("; {:.3f} CPU", *throttle.delivered_cpus);
  if (throttle.allowed_cpus)
    text += fmt::format(" of {:.3f} allowed", *throttle.allowed_cpus);
  if (throttle.bound_cpus)
    text += fmt::format(" (at most {:.3f} by quota and tick)", *throttle.bound_cpus);
  return text;
}

bool is_throttled(const ComparisonRow& row) {
  return row.throttle && row.throttle->throttled_periods > 0;
}

void append_blocks(std::string& text, const Comparison& comparison, int width) {
  std::vector<RowHead> rows;
  for (const ComparisonRow& row : comparison.rows)
    rows.push_back({row.label, is_throttled(row) ? throttle_text(*row.throttle) : ""});
  std::vector<Column> columns;
  for (std::size_t index = 0; index < comparison.columns.size(); ++index)
    columns.push_back(column_of(comparison, index));
  append_columns(text, rows, columns, width);
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end())
    texts.push_back(text);
}

/// Sentences, each once, in the order in which they were first said.
class Notes {
public:
  void add(const std::string& note) { add_once(notes_, note); }
  void append_to(std::string& text, int width) const {
    if (!notes_.empty())
      text += '\n';
    for (const std::string& note : notes_)
      append_wrapped(text, note, width);
  }

private:
  std::vector<std::string> notes_;
};

void note_lost_trials(const ComparisonRow& row, Notes& notes) {
  const std::int64_t lost = row.trials.invalid + row.trials.failed;
  if (lost == 0)
    return;
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : row.reasons)
    reasons.push_back(row.reasons.size() == 1 ? reason : fmt::format("{} ({})", reason, count));
  std::vector<std::string> counts;
  if (row.trials.invalid > 0)
    counts.push_back(fmt::format("{} INVALID", row.trials.invalid));
  if (row.trials.failed > 0)
    counts.push_back(fmt::format("{} failed", row.trials.failed));
  notes.add(fmt::format("{}: {} of {} trials, left out: {}", row.label, fmt::join(counts, " and "),
                        lost + row.trials.valid, fmt::join(reasons, "; ")));
}

/// Why an entry of the table stands as "-" or "(-)".
void note_gaps(const Comparison& comparison, Notes& notes) {
  const ComparisonRow& base = comparison.rows.front();
  std::map<std::string, std::vector<std::string>> titles_by_caveat;
  for (const ComparisonRow& row : comparison.rows) {
    if (row.trials.valid == 0) {
      notes.add(fmt::format("{}: no valid trial", row.label) +
                (&row == &base && comparison.rows.size() > 1
                     ? ", so that there is nothing to compare the other rows with"
                     : ""));
      continue;
    }
    for (std::size_t column = 0; column < comparison.columns.size(); ++column) {
      const std::string title = metric_title(comparison.columns[column], comparison.work_unit);
      const auto& [summary, difference] = row.figures[column];
      if (!summary)
        notes.add(fmt::format("{}: no {} was measured", row.label, title));
      else if (difference && !difference->interval && base.figures[column].summary)
        add_once(titles_by_caveat[difference->caveat], title);
    }
  }
  for (const auto& [caveat, titles] : titles_by_caveat)
    notes.add(fmt::format("(-) {}: {}", fmt::join(titles, ", "), caveat));
}

void note_unthrottled(const Comparison& comparison, Notes& notes) {
  double periods = 0;
  bool other_throttled = false;
  for (const ComparisonRow& row : comparison.rows)
    if (is_throttled(row))
      other_throttled = true;
    else if (row.throttle)
      periods += row.throttle->periods;
  if (periods > 0)
    notes.add(fmt::format("{} throttled: 0 of {} periods",
                          other_throttled ? "the other groups were never" : "no group was ever",
                          value_text(periods, 0)));
}

void note_exact(const Comparison& comparison, Notes& notes) {
  for (const ComparisonRow& row : comparison.rows)
    for (const ComparisonFigure& figure : row.figures)
      if (figure.difference && figure.difference->kind == Difference::Kind::exact &&
          figure.difference->unit == Difference::Unit::percent)
        notes.add("±0: exact, no trial of either row differs from another");
}

} // namespace

std::string text_table(std::span<const Comparison> comparisons, int width) {
  constexpr int least_width = 40;
  width = std::max(width, least_width);
  std::string text;
  Notes shared_notes;
  for (const Comparison& comparison : comparisons) {
    if (!text.empty())
      text += '\n';
    append_wrapped(text, heading(comparison), width);
    append_wrapped(text, kernel_line(comparison), width);
    append_blocks(text, comparison, width);

    Notes notes;
    note_gaps(comparison, notes);
    note_exact(comparison, notes);
    for (const ComparisonRow& row : comparison.rows)
      note_lost_trials(row, notes);
    note_unthrottled(comparison, notes);
    notes.append_to(text, width);

    for (const FairnessTable& table : comparison.fairness)
      append_fairness(text, comparison, table, width);

    for (const std::string& mark : comparison.marks)
      shared_notes.add(mark);
    for (const std::string& note : comparison.notes)
      shared_notes.add(note);
  }
  if (!comparisons.empty())
    shared_notes.add("one boot: a difference between boots cannot be told from these figures");
  shared_notes.append_to(text, width);
  return text;
}

} // namespace schedrig
