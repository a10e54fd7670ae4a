#include "suite/account.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/unavailable.hpp"
#include "suite/metrics.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace {

void add_work(TrialRecord& trial, const WorkReport& work) {
  trial.work = work.work;
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

void judge(TrialRecord& trial, const WorkReport& work, const Counted& counted,
           const LimitProof& limit) {
  auto broken = work.broken;
  for (auto& sentence : limit.broken(work))
    broken.push_back(std::move(sentence));
  if (!counted.refusal.empty())
    broken.push_back(counted.refusal);
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

void settle(TrialRecord& trial, const WorkReport& work, const Counted& counted,
            const LimitProof& limit) {
  add_work(trial, work);
  add_counts(trial, counted);
  for (auto& reading : limit.readings(work))
    trial.readings.push_back(std::move(reading));
  judge(trial, work, counted, limit);
}

void fail(TrialRecord& trial, const std::exception& error) {
  trial.validity = TrialRecord::Validity::failed;
  trial.reason = error.what();
  trial.readings.clear();
  trial.task_readings.clear();
}

} // namespace schedrig
