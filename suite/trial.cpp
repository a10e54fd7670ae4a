#include "suite/trial.hpp"

#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/limit_proof.hpp"
#include "suite/metrics.hpp"
#include "workloads/catalogue.hpp"
#include "workloads/command_line.hpp"

namespace schedrig {

namespace {

/// The group, limited and read back; null where the cell has none.
std::unique_ptr<Cgroup> make_group(const Site& site, const Bandwidth& bandwidth) {
  if (!bandwidth.has_group())
    return nullptr;
  if (!site.subtree)
    throw Unavailable("no control group can be made here");
  return std::make_unique<Cgroup>(*site.subtree, bandwidth);
}

std::vector<std::string> command_of(const Cell& cell, const Preparation& preparation,
                                    const Placement& placement, const Machine& machine) {
  auto command = WorkloadCommand{cell.workload, preparation.parameters, placement}.arguments();
  command.insert(command.begin(), machine.workload_program);
  return command;
}

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

/// Invalid when any of what a trial promises did not hold.
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

void fail(TrialRecord& trial, const std::exception& error) {
  trial.validity = TrialRecord::Validity::failed;
  trial.reason = error.what();
  trial.readings.clear();
  trial.task_readings.clear();
}

} // namespace

std::int64_t now_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

TrialRecord run_trial(const Cell& cell, const Preparation& preparation, const Site& site,
                      const Patience& patience) {
  TrialRecord trial;
  trial.cell = cell;
  trial.work_unit = find_workload(cell.workload).work_unit;
  trial.started_at_ns = now_ns();
  trial.notes = preparation.pass.notes();
  try {
    const Placement placement = site.machine.place(cell.placement);
    trial.cpus = placement.cpus().text();

    const Bandwidth bandwidth = Bandwidth::parse(cell.bandwidth);
    const auto group = make_group(site, bandwidth);

    Task task(command_of(cell, preparation, placement, site.machine), placement.for_task(0),
              group.get(), patience);
    CounterGroup counters =
        preparation.pass.open(*site.machine.perf, placement.cpus(), task.process());
    task.prepare();

    LimitProof limit(group.get(), bandwidth, placement.cpus().size());
    counters.start();
    task.open_gate();
    task.wait_until_done();
    counters.stop();
    limit.close();

    const WorkReport work = WorkReport::parse(task.finish());
    const Counted counted = counters.read();

    add_work(trial, work);
    add_counts(trial, counted);
    for (auto& reading : limit.readings(work))
      trial.readings.push_back(std::move(reading));
    judge(trial, work, counted, limit);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    fail(trial, error);
  }
  return trial;
}

} // namespace schedrig
