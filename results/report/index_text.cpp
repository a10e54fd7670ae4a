#include "results/report/index_text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "results/compare/labels.hpp"
#include "results/report/figures.hpp"
#include "results/report/layout.hpp"

namespace schedrig {
namespace {

constexpr int gap = 2; // blanks between columns
constexpr int note_indent = 2;
constexpr int decimals = 1; // as UnixBench prints its figures

/// The columns behind a test's name.
using Entries = std::array<std::string, 4>;
constexpr std::string_view total_label = "total";

void append_line(std::string& text, std::string_view line) {
  text.append(line.substr(0, line.find_last_not_of(' ') + 1)) += '\n';
}

void append_wrapped(std::string& text, std::string_view paragraph, int width) {
  for (const std::string& line : wrapped(paragraph, width, note_indent))
    append_line(text, line);
}

std::string number_text(const std::optional<double>& number) {
  return number ? value_text(*number, decimals) : "-";
}

/// An estimate and half its interval: "2,019.7 ±12.3".
std::string estimate_text(const std::optional<IndexEstimate>& estimate) {
  if (!estimate)
    return "-";
  const auto value = value_text(estimate->value, decimals);
  if (!estimate->interval)
    return value + " (-)";
  return value + " ±" + value_text(estimate->interval->half_width(), decimals);
}

std::string heading(const IndexTable& table) {
  std::string text = fmt::format("UnixBench, {} cop{} of each test, {}", table.copies,
                                 table.copies == 1 ? "y" : "ies", table.shared.placement);
  if (!table.cpus.empty() && table.cpus != table.shared.placement)
    text += fmt::format(" ({} {})",
                        table.cpus.find_first_of(",-") == std::string::npos ? "CPU" : "CPUs",
                        table.cpus);
  return text + ", " + bandwidth_label(table.shared.bandwidth);
}

std::string kernel_line(const IndexTable& table) {
  const KernelBuild& kernel = table.boot.kernel;
  return fmt::format(
      "kernel {}{}, 1 boot; \"unbiased\": the index of all passes, {:g} % interval",
      kernel.release.empty() ? "unknown" : kernel.release,
      kernel.build_id.empty() ? "" : fmt::format(" (build {})", kernel.build_id.substr(0, 8)),
      100 * table.confidence);
}

/// The table itself. A test's name that leaves no room for its figures has a line of its own.
void append_rows(std::string& text, const IndexTable& table, int width) {
  std::vector<std::pair<std::string, Entries>> lines;
  std::size_t unit_width = 0;
  for (const IndexRow& row : table.rows)
    unit_width = std::max(unit_width, row.indexed.unit.size());
  lines.push_back(
      {"", {"result" + std::string(unit_width + 1, ' '), "index", "unbiased", "passes"}});
  for (const IndexRow& row : table.rows)
    lines.push_back(
        {row.indexed.test,
         {fmt::format("{} {:<{}}", number_text(row.result), row.result ? row.indexed.unit : "",
                      unit_width),
          number_text(row.index), estimate_text(row.unbiased), std::to_string(row.trials.valid)}});
  lines.push_back({std::string(total_label),
                   {"", number_text(table.total), estimate_text(table.unbiased_total), ""}});

  int label_width = 0;
  std::array<int, std::tuple_size_v<Entries>> widths{};
  for (const auto& [label, entries] : lines) {
    label_width = std::max(label_width, display_width(label));
    for (std::size_t i = 0; i < entries.size(); ++i)
      widths[i] = std::max(widths[i], display_width(entries[i]));
  }
  int room = width;
  for (const int column : widths)
    room -= gap + column;
  label_width = std::min(label_width, std::max(room, display_width(total_label)));

  for (const auto& [label, entries] : lines) {
    std::string line = padded_right(label, label_width);
    if (display_width(line) > label_width) {
      append_line(text, line);
      line = padded_right("", label_width);
    }
    for (std::size_t i = 0; i < entries.size(); ++i)
      line += std::string(gap, ' ') + padded_left(entries[i], widths[i]);
    append_line(text, line);
  }
}

/// What keeps a table from being a UnixBench result; empty when nothing does.
std::vector<std::string> shortcomings(const IndexTable& table) {
  std::set<std::int64_t> times, own_times, passes, own_passes;
  bool short_time = false, few_passes = false;
  for (const IndexRow& row : table.rows) {
    times.insert(row.indexed.time.count());
    own_times.insert(row.indexed.own_time.count());
    passes.insert(row.trials.valid);
    own_passes.insert(row.indexed.own_passes);
    short_time = short_time || row.indexed.time < row.indexed.own_time;
    few_passes = few_passes || row.trials.valid < row.indexed.own_passes;
  }
  std::vector<std::string> texts;
  if (short_time)
    texts.push_back(fmt::format("seconds a pass: {} instead of {}", fmt::join(times, ", "),
                                fmt::join(own_times, ", ")));
  if (few_passes)
    texts.push_back(fmt::format("passes: {} instead of {}", fmt::join(passes, ", "),
                                fmt::join(own_passes, " or ")));
  return texts;
}

void append_notes(std::string& text, const IndexTable& table, int width) {
  std::vector<std::string> notes;
  if (const auto shortened = shortcomings(table); !shortened.empty())
    notes.push_back(fmt::format("no UnixBench result: shortened, {}", fmt::join(shortened, "; ")));
  if (std::any_of(table.rows.begin(), table.rows.end(),
                  [](const IndexRow& row) { return row.unbiased && !row.unbiased->interval; }))
    notes.push_back("(-): a single pass shows no spread, so there is no interval");
  if (!table.total)
    notes.push_back("no total: a test has no valid pass");
  for (const IndexRow& row : table.rows) {
    const auto lost = row.trials.invalid + row.trials.failed;
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : row.reasons)
      reasons.push_back(row.reasons.size() == 1 ? reason : fmt::format("{} ({})", reason, count));
    std::vector<std::string> counts;
    if (row.trials.invalid > 0)
      counts.push_back(fmt::format("{} INVALID", row.trials.invalid));
    if (row.trials.failed > 0)
      counts.push_back(fmt::format("{} failed", row.trials.failed));
    if (lost > 0)
      notes.push_back(fmt::format("{}: {} of {} passes, left out: {}", row.indexed.test,
                                  fmt::join(counts, " and "), lost + row.trials.valid,
                                  fmt::join(reasons, "; ")));
  }
  if (!notes.empty())
    text += '\n';
  for (const std::string& note : notes)
    append_wrapped(text, note, width);
}

} // namespace

std::string index_text(std::span<const IndexTable> tables, int width) {
  constexpr int least_width = 40;
  width = std::max(width, least_width);
  std::string text;
  std::vector<std::string> shared;
  const auto share = [&shared](const std::string& note) {
    if (std::find(shared.begin(), shared.end(), note) == shared.end())
      shared.push_back(note);
  };
  for (const IndexTable& table : tables) {
    if (!text.empty())
      text += '\n';
    append_wrapped(text, heading(table), width);
    append_wrapped(text, kernel_line(table), width);
    text += '\n';
    append_rows(text, table, width);
    append_notes(text, table, width);
    std::for_each(table.marks.begin(), table.marks.end(), share);
    std::for_each(table.notes.begin(), table.notes.end(), share);
  }
  if (tables.empty())
    return text;
  share("result and index are by UnixBench's rule, which leaves out the third of the passes with "
        "the least work and so is biased upward: no verdict rests on them");
  share("one boot: a difference between boots cannot be told from these figures");
  text += '\n';
  for (const std::string& note : shared)
    append_wrapped(text, note, width);
  return text;
}

} // namespace schedrig
