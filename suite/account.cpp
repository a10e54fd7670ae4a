#include "suite/account.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/unavailable.hpp"
#include "suite/metrics.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace {

void add_work(TrialRecord& trial, const WorkReport& work) {
  trial.readings.push_back({metrics::wall_time, static_cast<double>(work.elapsed.count())});
  trial.readings.push_back({metrics::cpu_time, static_cast<double>(work.usage.cpu_time.count())});
  trial.readings.push_back({metrics::context_switches, static_cast<double>(work.usage.switches())});
  if (work.migrations)
    trial.readings.push_back({metrics::migrations, static_cast<double>(*work.migrations)});
  for (const auto& figure : work.figures)
    trial.readings.push_back({metrics::of_figure(figure), figure.value});
  for (const auto& [task, cpu, figure] : work.tasks)
    trial.task_readings.push_back({task, cpu, metrics::of_figure(figure), figure.value});
}

void add_counts(TrialRecord& trial, const Counted& counted) {
  for (const auto& value : counted.values)
    trial.readings.push_back({metrics::of_event(value.event), static_cast<double>(value.count)});
  if (counted.tsc_ticks > 0)
    trial.readings.push_back({metrics::tsc_ticks, static_cast<double>(counted.tsc_ticks)});
}

void add_profile(TrialRecord& trial, const Sampled& sampled, const Sampling& sampling,
                 Symbols& symbols) {
  trial.profile = profile_of(sampled, sampling.sampled(), symbols);
  for (const auto* notes : {&sampling.notes(), &sampled.notes})
    trial.notes.insert(trial.notes.end(), notes->begin(), notes->end());
  std::ranges::move(symbols.notes(), std::back_inserter(trial.notes));
}

void judge(TrialRecord& trial, const Measured& measured) {
  auto broken = measured.work.broken;
  for (auto& sentence : measured.limit.broken(measured.work))
    broken.push_back(std::move(sentence));
  for (const auto* refusal : {&measured.counted.refusal, &measured.sampled.refusal})
    if (!refusal->empty())
      broken.push_back(*refusal);
  if (broken.empty())
    return;
  trial.validity = TrialRecord::Validity::invalid;
  trial.reason = fmt::format("{}", fmt::join(broken, "; "));
}

} // namespace

TrialRecord begin_record(const Cell& cell, const Preparation& preparation) {
  TrialRecord trial;
  trial.cell = cell;
  trial.work_unit = find_workload(cell.workload).work_unit;
  trial.started_at_ns = now_ns();
  trial.notes = preparation.pass.notes();
  return trial;
}

std::unique_ptr<Cgroup> make_group(const Site& site, const Bandwidth& bandwidth) {
  if (!bandwidth.has_group())
    return nullptr;
  if (!site.subtree)
    throw Unavailable("no control group can be made here");
  return std::make_unique<Cgroup>(*site.subtree, bandwidth);
}

void settle(TrialRecord& trial, const Measured& measured, const Preparation& preparation,
            const Site& site) {
  trial.work = measured.work.work;
  if (trial.cell.is_profiled()) {
    add_profile(trial, measured.sampled, preparation.sampling, *site.symbols);
  } else {
    add_work(trial, measured.work);
    add_counts(trial, measured.counted);
    for (auto& reading : measured.limit.readings(measured.work))
      trial.readings.push_back(std::move(reading));
  }
  judge(trial, measured);
}

void fail(TrialRecord& trial, const std::exception& error) {
  trial.validity = TrialRecord::Validity::failed;
  trial.reason = error.what();
  trial.readings.clear();
  trial.task_readings.clear();
  trial.profile.reset();
}

} // namespace schedrig
