#include "suite/calibration.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "results/report/figures.hpp"
#include "results/report/layout.hpp"
#include "results/statistics/welch.hpp"
#include "suite/counting/pass.hpp"

namespace schedrig {

namespace {

constexpr auto load = "pipe-ping-pong loops=20000";
constexpr auto place = "same-cpu";
constexpr int trials = 20, regions = 1'000;

std::vector<std::string> ways_of_counting(const Machine& machine) {
  std::vector<std::string> ways{"off"};
  if (machine.counting.task)
    ways.emplace_back("task");
  if (machine.counting.cpu_wide)
    ways.insert(ways.end(), {"cpu", "system"});
  return ways;
}

EmptyRegion empty_region(const Machine& machine, const std::string& counting) {
  const auto cpus = machine.place(place).cpus();
  const auto pass = Pass::probe(*machine.perf, machine.counting, Plan::usual_pass, counting, cpus);
  auto counters = pass.open(*machine.perf, cpus, ::gettid());
  std::vector<double> ticks;
  std::map<std::string, std::vector<double>> counts;
  for (int region = 0; region < regions; ++region) {
    counters.start();
    counters.stop();
    const auto counted = counters.read();
    if (!counted.refusal.empty())
      continue;
    ticks.push_back(static_cast<double>(counted.tsc_ticks));
    for (const auto& [event, count] : counted.values)
      counts[event.name].push_back(static_cast<double>(count));
  }
  EmptyRegion region{counting, summarize(ticks).value_or(Summary{}), {}};
  for (const auto& event : pass.events())
    if (const auto summary = summarize(counts[event.name]))
      region.counts.emplace_back(event.name, *summary);
  return region;
}

} // namespace

Plan calibration_plan(const Machine& machine) {
  Plan::Wish wish;
  wish.workloads = {load};
  wish.placements = {place};
  wish.countings = ways_of_counting(machine);
  wish.repeat = trials;
  wish.label = "calibration";
  return Plan(wish);
}

std::vector<CountingCost> counting_costs(const Store& store, std::int64_t run) {
  std::map<std::string, std::vector<double>> loop_ns;
  std::map<std::string, std::vector<std::string>> events;
  for (const auto& [id, of, trial] : store.trials(run)) {
    if (trial.purpose == TrialRecord::Purpose::warm_up ||
        trial.validity != TrialRecord::Validity::valid)
      continue;
    auto& counted = events[trial.cell.counting];
    counted.clear();
    for (const auto& [metric, value] : trial.readings) {
      if (metric.name == "wall_time")
        loop_ns[trial.cell.counting].push_back(value / trial.work);
      if (metric.name.find('_') == std::string::npos && metric.name != "migrations")
        counted.push_back(metric.name);
    }
  }
  std::vector<CountingCost> costs;
  for (const auto& cell : store.cells(run)) {
    const auto summary = summarize(loop_ns[cell.counting]);
    if (!summary)
      continue;
    CountingCost cost{
        cell.counting, *summary, {}, fmt::format("{}", fmt::join(events[cell.counting], ", "))};
    if (cell.counting != "off")
      cost.against_off = welch_ratio(loop_ns["off"], loop_ns[cell.counting]);
    costs.push_back(std::move(cost));
  }
  return costs;
}

std::vector<EmptyRegion> empty_regions(const Machine& machine) {
  std::vector<EmptyRegion> empty;
  for (const auto& counting : ways_of_counting(machine))
    if (counting != "off")
      empty.push_back(empty_region(machine, counting));
  return empty;
}

std::string calibration_text(const std::vector<CountingCost>& costs,
                             const std::vector<EmptyRegion>& regions) {
  auto text = fmt::format("what counting costs {}, {}, at most {} trials each in turn\n\n"
                          "counting      ns/loop  against off, percent\n",
                          load, place, trials);
  for (const auto& cost : costs) {
    text += fmt::format("{:<9} {:>11}  ", cost.counting, value_text(cost.loop_ns.mean, 1));
    if (cost.counting == "off")
      text += "-\n";
    else if (cost.against_off.interval)
      text += difference_text(cost.against_off) + "\n";
    else
      text += cost.against_off.caveat + "\n";
  }
  if (!costs.empty() && !costs.back().events.empty())
    for (const auto& line : wrapped("counted: " + costs.back().events, 80, 2))
      text += line + "\n";

  if (!regions.empty())
    text += fmt::format("\nan empty region, counters started and stopped with nothing in between: "
                        "median\n(and least to most) of {} times\n\n",
                        schedrig::regions);
  for (const auto& region : regions) {
    const auto row = [&](const std::string& what, const Summary& of) {
      text += fmt::format("{:<9} {:<16} {:>12}  ({} to {})\n", region.counting, what,
                          value_text(of.median, 0), value_text(of.minimum, 0),
                          value_text(of.maximum, 0));
    };
    row("TSC ticks", region.tsc_ticks);
    for (const auto& [event, count] : region.counts)
      row(event == "task-clock" ? "task-clock, ns" : event, count);
  }
  return text;
}

} // namespace schedrig
