#include "results/report/stat_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/figures.hpp"
#include "results/report/layout.hpp"

namespace schedrig {

namespace {

constexpr double ns_a_ms = 1e6, ns_a_second = 1e9;

bool is_clock(std::string_view event) {
  return event.starts_with("task-clock") || event.starts_with("cpu-clock");
}

/// The mean of an event's counts in a run; nothing where it was not counted.
std::optional<double> mean_of(const StatTable& table, std::string_view event) {
  const auto line = std::find_if(table.lines.begin(), table.lines.end(),
                                 [&](const StatLine& of) { return of.event == event; });
  if (line == table.lines.end() || !line->figure)
    return std::nullopt;
  return line->figure->summary.mean;
}

/// The event that `event` is a share of: L1-dcache-load-misses of L1-dcache-loads, branch-misses of
/// branches; empty for others.
std::string whole_of(const std::string& event) {
  const auto colon = event.find(':');
  const auto name = event.substr(0, colon);
  const auto modifier = colon == event.npos ? "" : event.substr(colon);
  if (name == "branch-misses")
    return "branches" + modifier;
  if (name == "cache-misses")
    return "cache-references" + modifier;
  for (const std::string kind : {"-load-misses", "-store-misses", "-prefetch-misses"})
    if (name.ends_with(kind))
      return name.substr(0, name.size() - 7) + "s" + modifier;
  return {};
}

std::string rate_text(double a_second) {
  constexpr std::array units{"", " K", " M", " G"};
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && a_second >= 1000; ++unit)
    a_second /= 1000;
  return fmt::format("{:.3f}{}/sec", a_second, units[unit]);
}

/// What a count comes to, in perf's own words; empty where that says nothing.
std::string meaning_of(const StatTable& table, const StatLine& line) {
  const double count = line.figure->summary.mean;
  const auto name = line.event.substr(0, line.event.find(':'));
  const auto modifier = line.event.substr(name.size());
  const auto clock = mean_of(table, "task-clock");
  if (is_clock(line.event))
    return table.elapsed ? fmt::format("{:.3f} CPUs utilized", count / table.elapsed->summary.mean)
                         : "";
  if (const auto cycles = mean_of(table, "cycles" + modifier); cycles && *cycles > 0) {
    if (name == "instructions")
      return fmt::format("{:.2f} insn per cycle", count / *cycles);
    if (name.starts_with("stalled-cycles-"))
      return fmt::format("{:.2f} % of the cycles", 100 * count / *cycles);
  }
  if (const auto whole = mean_of(table, whole_of(line.event)); whole && *whole > 0)
    return fmt::format("{:.2f} % of all {}", 100 * count / *whole, whole_of(line.event));
  if (!clock || *clock <= 0 || count == 0)
    return "";
  if (name == "cycles")
    return fmt::format("{:.3f} GHz", count / *clock);
  return rate_text(count / *clock * ns_a_second);
}

/// The half width of an interval in percent of its mean: "±0.92 %"; plain where that says more:
/// "±1.4", over `scale` and with `decimals`. Empty for a single run, and where every run has the
/// same.
std::string interval_text(const StatFigure& figure, double scale = 1, int decimals = 1) {
  if (!figure.interval || figure.interval->half_width() == 0)
    return "";
  const double half = figure.interval->half_width(), mean = std::abs(figure.summary.mean);
  if (half >= mean)
    return "±" + value_text(half / scale, decimals);
  const double percent = 100 * half / mean;
  return fmt::format("±{:.{}f} %", percent, percent < 10 ? 2 : 1);
}

/// No finer than the interval warrants, and whole where every run's count is the same.
std::string count_text(const StatFigure& figure) {
  const double mean = figure.summary.mean;
  if (!figure.interval || figure.interval->half_width() == 0)
    return value_text(mean, mean == std::round(mean) ? 0 : 2);
  const auto decimals =
      std::clamp(static_cast<int>(1 - std::floor(std::log10(figure.interval->half_width()))), 0, 2);
  return value_text(mean, decimals);
}

struct Row {
  std::string value, interval, name, meaning;
};

Row row_of(const StatTable& table, const StatLine& line) {
  if (!line.figure)
    return {line.missing, "", line.event, ""};
  if (is_clock(line.event))
    return {value_text(line.figure->summary.mean / ns_a_ms, 3),
            interval_text(*line.figure, ns_a_ms, 3), "msec " + line.event, meaning_of(table, line)};
  return {count_text(*line.figure), interval_text(*line.figure), line.event,
          meaning_of(table, line)};
}

/// Why events are missing, each reason once.
std::string reasons_text(const StatTable& table, int width) {
  std::map<std::string, std::vector<std::string>> events;
  for (const auto& line : table.lines)
    if (!line.figure)
      events[line.missing + ": " + line.why].push_back(line.event);
  std::string text;
  for (const auto& [reason, names] : events)
    for (const auto& line :
         wrapped(fmt::format("{}: {}", fmt::join(names, ", "), reason), width - 1, 2))
      text += " " + line + "\n";
  return text;
}

std::string where_text(const StatTable& table) {
  std::string where = fmt::format("on CPUs {}", table.cpus);
  if (table.cell.bandwidth == "group")
    where += ", in a group without a limit";
  else if (table.cell.bandwidth != "none")
    where += fmt::format(", in a group limited to {}", table.cell.bandwidth);
  if (table.cell.counting == "cpu" || table.cell.counting == "system")
    where += ", counted with all that ran there";
  return where;
}

} // namespace

std::string stat_text(const StatTable& table, const std::string& command, int width) {
  width = std::max(width, 60);
  const auto runs = table.trials.valid;
  const auto title = fmt::format(
      "'{}', {}, {}", command,
      runs == 0   ? "no valid run"
      : runs == 1 ? "1 run"
                  : fmt::format("mean of {} runs{}", runs,
                                table.passes > 1 ? fmt::format(" in {} passes", table.passes) : ""),
      where_text(table));
  std::string text = "\n";
  for (const auto& line : wrapped(title, width - 1, 2))
    text += " " + line + "\n";
  text += "\n";

  std::vector<Row> rows;
  for (const auto& line : table.lines)
    if (runs > 0)
      rows.push_back(row_of(table, line));
  int values = 16, intervals = 0, names = 0;
  for (const auto& row : rows) {
    values = std::max(values, display_width(row.value));
    intervals = std::max(intervals, display_width(row.interval));
    names = std::max(names, display_width(row.name));
  }
  for (const auto& row : rows) {
    auto line = padded_left(row.value, values) + " " + padded_right(row.interval, intervals) +
                "  " + row.name;
    if (!row.meaning.empty())
      line = padded_right(line, values + intervals + names + 3) + "  # " + row.meaning;
    text += line + "\n";
  }

  if (table.elapsed) {
    const auto seconds = [&](const std::optional<StatFigure>& figure, double scale,
                             const char* what) {
      if (figure)
        text += fmt::format("{} {}  seconds {}\n",
                            padded_left(value_text(figure->summary.mean / scale, 7), values),
                            padded_right(interval_text(*figure, scale, 7), intervals), what);
    };
    text += "\n";
    seconds(table.elapsed, ns_a_second, "elapsed");
    seconds(table.user, 1, "user");
    seconds(table.system, 1, "system");
  }
  if (table.periods && table.throttled_periods && table.delivered_cpus) {
    text += fmt::format("\n  throttled {:.4g} of {:.4g} periods a run; {:.3f} CPU delivered",
                        table.throttled_periods->summary.mean, table.periods->summary.mean,
                        table.delivered_cpus->summary.mean);
    text += table.allowed_cpus
                ? fmt::format(" of {:.3f} allowed\n", table.allowed_cpus->summary.mean)
                : std::string("\n");
  }

  if (runs > 0)
    text += "\n" + reasons_text(table, width);
  text += fmt::format(" {}run {} in the store\n", runs > 1 ? "± is the mean's 95 % interval; " : "",
                      table.run);
  if (table.trials.invalid + table.trials.failed > 0) {
    text += fmt::format(" left out: {} INVALID, {} failed\n", table.trials.invalid,
                        table.trials.failed);
    for (const auto& reason : table.reasons)
      for (const auto& line : wrapped(reason, width - 3, 0))
        text += "   " + line + "\n";
  }
  return text;
}

std::string stat_runs_text(const StatTable& table) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head{"run", "elapsed ms", "user ms", "system ms"};
  for (const auto& line : table.lines)
    if (line.figure)
      head.push_back(is_clock(line.event) ? line.event + " ms" : line.event);
  rows.push_back(head);
  for (std::size_t number = 0; number < table.runs.size(); ++number) {
    const auto& run = table.runs[number];
    std::vector<std::string> row{
        std::to_string(number + 1), value_text(run.elapsed_ns / ns_a_ms, 3),
        value_text(run.user_s * 1e3, 3), value_text(run.system_s * 1e3, 3)};
    for (std::size_t at = 0; at < table.lines.size(); ++at) {
      if (!table.lines[at].figure)
        continue;
      const auto& count = run.counts[at];
      const bool clock = is_clock(table.lines[at].event);
      row.push_back(count ? value_text(clock ? *count / ns_a_ms : *count, clock ? 3 : 0) : "-");
    }
    rows.push_back(std::move(row));
  }
  std::vector<int> widths(head.size());
  for (const auto& row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], display_width(row[column]));
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += (column ? "  " : " ") + padded_left(row[column], widths[column]);
    text += "\n";
  }
  return text;
}

} // namespace schedrig
