#include "results/compare/stat_table.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace schedrig {

namespace {

std::vector<std::string> parts_of(std::string_view list, std::string_view separator) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const auto end = std::min(list.find(separator), list.size());
    parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + separator.size(), list.size()));
  }
  return parts;
}

/// The events of a cell's pass; a PMU's own terms have commas between slashes.
std::vector<std::string> events_of(const Cell& cell) {
  std::vector<std::string> events;
  if (cell.is_profiled())
    return events;
  for (auto& part : parts_of(cell.pass, ","))
    if (!events.empty() && std::ranges::count(events.back(), '/') % 2 == 1)
      events.back() += "," + part;
    else
      events.push_back(std::move(part));
  return events;
}

std::optional<StatFigure> figure_of(const std::vector<double>& values) {
  const auto summary = summarize(values);
  if (!summary)
    return std::nullopt;
  return StatFigure{*summary, interval_of_mean(*summary)};
}

std::optional<double> value_of(const TrialRecord& trial, std::string_view metric) {
  const auto found =
      std::find_if(trial.readings.begin(), trial.readings.end(),
                   [&](const Reading& reading) { return reading.metric.name == metric; });
  return found == trial.readings.end() ? std::nullopt : std::optional(found->value);
}

/// An event's count; one who may count user mode only has that instead.
std::optional<double> count_of(const TrialRecord& trial, const std::string& event) {
  const auto count = value_of(trial, event);
  return count ? count : value_of(trial, event + ":u");
}

std::optional<StatFigure> figure_of(const std::vector<TrialRecord>& trials,
                                    std::string_view metric) {
  std::vector<double> values;
  for (const auto& trial : trials)
    if (const auto value = value_of(trial, metric))
      values.push_back(*value);
  return figure_of(values);
}

/// What is missing, and why, from a pass's notes: "cycles, branches: <not supported>: no PMU".
void explain(StatLine& line, const std::vector<std::string>& notes) {
  for (const auto& note : notes) {
    const auto names = note.find(": ");
    if (names == note.npos || note.compare(names + 2, 5, "<not ") != 0)
      continue;
    const auto events = parts_of(std::string_view(note).substr(0, names), ", ");
    if (std::find(events.begin(), events.end(), line.event) == events.end())
      continue;
    const auto word_end = note.find('>', names) + 1;
    line.missing = note.substr(names + 2, word_end - names - 2);
    line.why = word_end + 2 <= note.size() ? note.substr(word_end + 2) : "";
    return;
  }
  line.missing = "<not counted>";
  line.why = "no valid run has it";
}

} // namespace

StatTable stat_table(const Store& store, std::int64_t run) {
  StatTable table;
  table.run = run;
  const auto cells = store.cells(run);
  for (const auto& cell : cells)
    if (!cell.is_profiled()) {
      table.cell = cell;
      ++table.passes;
    }
  for (const auto& cell : cells)
    for (auto& event : events_of(cell))
      if (std::none_of(table.lines.begin(), table.lines.end(),
                       [&](const StatLine& line) { return line.event == event; }))
        table.lines.push_back({std::move(event), {}, {}, {}});

  std::vector<TrialRecord> valid;
  std::vector<std::string> notes;
  for (const auto& stored : store.trials(run)) {
    const auto& trial = stored.record;
    if (trial.cell.is_profiled())
      continue; // it has no readings
    table.trials.add(trial);
    table.cpus = trial.cpus;
    notes.insert(notes.end(), trial.notes.begin(), trial.notes.end());
    if (trial.purpose == TrialRecord::Purpose::warm_up)
      continue;
    if (trial.validity == TrialRecord::Validity::valid)
      valid.push_back(trial);
    else if (std::find(table.reasons.begin(), table.reasons.end(), trial.reason) ==
             table.reasons.end())
      table.reasons.push_back(trial.reason);
  }

  for (auto& line : table.lines) {
    std::vector<double> counts;
    for (const auto& trial : valid)
      if (const auto count = count_of(trial, line.event))
        counts.push_back(*count);
    line.figure = figure_of(counts);
    if (!line.figure)
      explain(line, notes);
  }
  for (const auto& trial : valid) {
    StatTable::Run row{value_of(trial, "wall_time").value_or(0),
                       value_of(trial, "user").value_or(0),
                       value_of(trial, "system").value_or(0),
                       {}};
    for (const auto& line : table.lines)
      row.counts.push_back(count_of(trial, line.event));
    table.runs.push_back(std::move(row));
  }
  table.elapsed = figure_of(valid, "wall_time");
  table.user = figure_of(valid, "user");
  table.system = figure_of(valid, "system");
  table.periods = figure_of(valid, "periods");
  table.throttled_periods = figure_of(valid, "throttled_periods");
  table.delivered_cpus = figure_of(valid, "delivered_cpus");
  table.allowed_cpus = figure_of(valid, "allowed_cpus");
  return table;
}

} // namespace schedrig
