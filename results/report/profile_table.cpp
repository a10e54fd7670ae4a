#include "results/report/profile_table.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "results/compare/labels.hpp"
#include "results/report/figures.hpp"
#include "results/report/layout.hpp"

namespace schedrig {
namespace {

constexpr int note_indent = 2, gap = 2;

void append_wrapped(std::string& text, std::string_view paragraph, int width) {
  for (const std::string& line : wrapped(paragraph, width, note_indent))
    text.append(line) += '\n';
}

std::string heading(const ProfileComparison& comparison) {
  const Cell& shared = comparison.shared;
  std::vector<std::string> parts{shared.workload +
                                 (shared.parameters.empty() ? "" : " " + shared.parameters)};
  if (!shared.placement.empty())
    parts.push_back(comparison.cpus.empty()
                        ? shared.placement
                        : fmt::format("{} (CPU {})", shared.placement, comparison.cpus));
  if (!shared.bandwidth.empty())
    parts.push_back(bandwidth_label(shared.bandwidth));
  parts.push_back(shared.counting == "cpu" ? "sampled on the CPU" : "sampled on the tasks");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string count_text(std::int64_t count) {
  return value_text(static_cast<double>(count), 0);
}

std::string side_text(std::string_view name, const ProfileSide& side, bool with_kernel) {
  return fmt::format("{}{}{}: {} trial{}, {} samples, {} lost", name, side.label,
                     with_kernel ? ", kernel " + side.kernel : "", side.trials.valid,
                     side.trials.valid == 1 ? "" : "s", count_text(side.samples),
                     count_text(side.lost));
}

void append_sides(std::string& text, const ProfileComparison& comparison, int width) {
  const auto& [base, other] = std::tie(comparison.base, comparison.other);
  const bool one_kernel = !other || base.kernel == other->kernel;
  append_wrapped(text,
                 fmt::format("{}by {}, once in {}{}",
                             one_kernel ? "kernel " + base.kernel + "; " : "", comparison.event,
                             count_text(comparison.period),
                             comparison.event.ends_with("clock") ? " ns" : ""),
                 width);
  append_wrapped(text, side_text(other ? "A: " : "", base, !one_kernel), width);
  if (other)
    append_wrapped(text, side_text("B: ", *other, !one_kernel), width);
}

std::string function_text(const SampledFunction& function) {
  return function.object.starts_with('[') ? fmt::format("{} {}", function.name, function.object)
                                          : fmt::format("{} ({})", function.name, function.object);
}

/// `text`, its end cut off where it is wider than `width`.
std::string cut(const std::string& text, int width) {
  if (display_width(text) <= width)
    return text;
  std::string kept;
  for (const char byte : text) {
    const bool begins = (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    if (begins && display_width(kept) >= std::max(width - 1, 1))
      break;
    kept += byte;
  }
  return kept + "…";
}

std::string percent_text(const std::optional<double>& percent) {
  return percent ? fmt::format("{:.2f}", *percent) : "-";
}

std::string change_text(const Difference& difference) {
  if (!difference.estimate)
    return "-";
  // No -0.00.
  const double estimate = std::abs(*difference.estimate) < 0.005 ? 0 : *difference.estimate;
  return difference.interval
             ? fmt::format("{:+.2f} ±{:.2f}", estimate, difference.interval->half_width())
             : fmt::format("{:+.2f}", estimate);
}

std::string p_text(const std::optional<double>& p) {
  if (!p)
    return "";
  return *p < 0.001 ? "<0.001" : fmt::format("{:.3f}", *p);
}

/// One line of the table: its figures, and what they are of.
struct Line {
  std::vector<std::string> figures; ///< each a column
  std::string mark, function;
};

Line line_of(const ProfileComparison& comparison, const FunctionShare& row, std::string function) {
  Line line{{percent_text(row.base_percent)}, "", std::move(function)};
  if (comparison.other) {
    line.figures.push_back(percent_text(row.other_percent));
    line.figures.push_back(change_text(row.difference));
    line.figures.push_back(p_text(row.adjusted_p));
    line.mark = row.differs ? "*" : " ";
  }
  return line;
}

void append_table(std::string& text, const ProfileComparison& comparison, int width) {
  std::vector<Line> lines;
  lines.push_back(comparison.other ? Line{{"A %", "B %", "B - A", "p"}, " ", "function"}
                                   : Line{{"%"}, "", "function"});
  for (const auto& row : comparison.functions)
    lines.push_back(line_of(comparison, row, function_text(row.function)));
  if (comparison.rest_functions > 0)
    lines.push_back(line_of(comparison, comparison.rest,
                            fmt::format("{} other{}", comparison.rest_functions,
                                        comparison.rest_functions == 1 ? "" : "s")));
  std::vector<int> widths(lines.front().figures.size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], display_width(line.figures[i]));

  text += '\n';
  for (const auto& line : lines) {
    std::string written;
    for (std::size_t i = 0; i < widths.size(); ++i)
      written += std::string(gap, ' ') + padded_left(line.figures[i], widths[i]);
    written += (line.mark.empty() ? "" : " " + line.mark) + std::string(gap, ' ');
    text += written + cut(line.function, width - display_width(written)) + '\n';
  }
}

/// What the tests came to.
std::string verdict_text(const ProfileComparison& comparison) {
  const auto differing = std::count_if(comparison.functions.begin(), comparison.functions.end(),
                                       [](const FunctionShare& row) { return row.differs; });
  const int rate = static_cast<int>(100 * ProfileComparison::false_discovery_rate + 0.5);
  if (differing > 0)
    return fmt::format("{} of {} functions differ{} in their share (*), at a false discovery rate "
                       "of {} %",
                       differing, comparison.tested, differing == 1 ? "s" : "", rate);
  std::optional<double> least;
  for (const auto& row : comparison.functions)
    if (row.adjusted_p && (!least || *row.adjusted_p < *least))
      least = row.adjusted_p;
  if (!least)
    return "no function was tested: each side needs two valid trials with samples";
  return fmt::format("no function differs in its share: of {} tested, the least adjusted p is {}",
                     comparison.tested, p_text(least));
}

std::string unnamed_text(const ProfileComparison& comparison) {
  const auto& [base, other] = std::tie(comparison.base, comparison.other);
  return other
             ? fmt::format("without a function's name ([unknown]): A {:.2f} %, B {:.2f} %",
                           base.unnamed_percent, other->unnamed_percent)
             : fmt::format("without a function's name ([unknown]): {:.2f} %", base.unnamed_percent);
}

void append_notes(std::string& text, const ProfileComparison& comparison, int width) {
  text += '\n';
  if (comparison.other && !comparison.functions.empty()) {
    append_wrapped(text, verdict_text(comparison), width);
    append_wrapped(text,
                   fmt::format("percent of a trial's samples; B - A in points with half of its "
                               "{:g} % interval, each of its row alone; p is adjusted for all rows",
                               100 * comparison.confidence),
                   width);
  }
  append_wrapped(text, unnamed_text(comparison), width);
  for (const auto* sentences : {&comparison.notes, &comparison.marks})
    for (const auto& sentence : *sentences)
      append_wrapped(text, sentence, width);
}

} // namespace

std::string profile_table(std::span<const ProfileComparison> comparisons, int width) {
  constexpr int least_width = 40;
  width = std::max(width, least_width);
  std::string text;
  for (const auto& comparison : comparisons) {
    if (!text.empty())
      text += '\n';
    append_wrapped(text, heading(comparison), width);
    append_sides(text, comparison, width);
    if (!comparison.functions.empty())
      append_table(text, comparison, width);
    append_notes(text, comparison, width);
  }
  return text;
}

} // namespace schedrig
