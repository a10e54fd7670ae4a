#include "suite/trial.hpp"

#include <chrono>

#include <unistd.h>

#include "pinning/process/launch.hpp"
#include "suite/account.hpp"
#include "suite/limit_proof.hpp"
#include "workloads/command_line.hpp"
#include "workloads/parts/child.hpp"

namespace schedrig {

namespace {

std::vector<std::string> command_of(const Cell& cell, const Preparation& preparation,
                                    const Placement& placement, const Machine& machine) {
  auto command = WorkloadCommand{cell.workload, preparation.parameters, placement}.arguments();
  command.insert(command.begin(), machine.workload_program);
  return command;
}

/// Kills what a command left in its group, before the group goes.
class Vacated {
public:
  explicit Vacated(const Cgroup* group) : group_(group) {}
  Vacated(const Vacated&) = delete;
  Vacated& operator=(const Vacated&) = delete;
  ~Vacated() {
    if (group_)
      group_->kill_all();
  }

private:
  const Cgroup* group_;
};

/// One unit of work: the command. INVALID where it did not exit with 0.
WorkReport report_of(const Ending& ending) {
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  WorkReport report;
  report.work = 1;
  report.elapsed = ending.elapsed;
  report.usage = {ending.user + ending.system, ending.voluntary_switches,
                  ending.involuntary_switches};
  report.figures = {{"user", "s", seconds(ending.user), WorkFigure::Better::lower},
                    {"system", "s", seconds(ending.system), WorkFigure::Better::lower}};
  if (ending.status != 0)
    report.broken.push_back("the command " + how_it_ended(ending.status));
  return report;
}

} // namespace

std::int64_t now_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

TrialRecord run_trial(const Cell& cell, const Preparation& preparation, const Site& site,
                      const Patience& patience) {
  auto trial = begin_record(cell, preparation);
  try {
    const Placement placement = site.machine.place(cell.placement);
    trial.cpus = placement.cpus().text();

    const Bandwidth bandwidth = Bandwidth::parse(cell.bandwidth);
    const auto group = make_group(site, bandwidth);

    Task task(command_of(cell, preparation, placement, site.machine), placement.for_task(0),
              group.get(), patience);
    CounterGroup counters =
        preparation.pass.open(*site.machine.perf, placement.cpus(), task.process(),
                              CounterGroup::Begin::at_start, group ? group->path() : "");
    Sampler sampler =
        preparation.sampling.open(*site.machine.perf, placement.cpus(), task.process());
    task.prepare();

    LimitProof limit(group.get(), bandwidth, placement.cpus().size());
    counters.start();
    sampler.start();
    task.open_gate();
    task.wait_until_done();
    sampler.stop();
    counters.stop();
    limit.close();

    const WorkReport work = WorkReport::parse(task.finish());
    settle(trial, {work, counters.read(), sampler.read(), limit}, preparation, site);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    fail(trial, error);
  }
  return trial;
}

TrialRecord run_launched_trial(const Cell& cell, const std::vector<std::string>& command,
                               const Preparation& preparation, const Site& site,
                               const Patience& patience) {
  auto trial = begin_record(cell, preparation);
  try {
    const Placement placement = site.machine.place(cell.placement);
    trial.cpus = placement.cpus().text();

    const Bandwidth bandwidth = Bandwidth::parse(cell.bandwidth);
    const auto group = make_group(site, bandwidth);

    const Vacated vacated(group.get());
    CounterGroup counters =
        preparation.pass.open(*site.machine.perf, placement.cpus(), ::gettid(),
                              CounterGroup::Begin::at_exec, group ? group->path() : "");
    Sampler sampler = preparation.sampling.open(*site.machine.perf, placement.cpus(), ::gettid(),
                                                Sampler::Begin::at_exec);

    LimitProof limit(group.get(), bandwidth, placement.cpus().size());
    counters.start();
    sampler.start();
    const Ending ending = launch(command, placement.cpus(), group.get(), patience);
    sampler.stop();
    counters.stop();
    limit.close();

    settle(trial, {report_of(ending), counters.read(), sampler.read(), limit}, preparation, site);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    fail(trial, error);
  }
  return trial;
}

} // namespace schedrig
