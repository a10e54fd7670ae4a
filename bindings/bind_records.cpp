#include "bindings/bindings.hpp"
#include "bindings/record.hpp"
#include "results/record/boot.hpp"
#include "results/record/trial.hpp"
#include "results/store/stored.hpp"
#include "results/store/words.hpp"

namespace schedrig {

namespace py = pybind11;

namespace {

void bind_cell(py::module_& module) {
  Record<Cell>(module, "Cell", "One point of a plan: what is run, where, how limited, how counted.")
      .field("workload", &Cell::workload, "A name of the catalogue: 'pipe-ping-pong'.")
      .field("parameters", &Cell::parameters,
             "All of them, in the catalogue's order: 'loops=100000 tasks=processes'.")
      .field("placement", &Cell::placement, "'same-cpu', ..., or a CPU list.")
      .field("bandwidth", &Cell::bandwidth,
             "'none', 'group', 'QUOTA/PERIOD+BURST' in microseconds, nested: 'group:20000/100000'.")
      .field("counting", &Cell::counting, "'cpu', 'task' or 'off'.")
      .field("pass_", &Cell::pass, "Events by commas; empty with counting 'off'.");
}

void bind_metric(py::module_& module) {
  Record<Metric>(module, "Metric", "What a number in the store means.")
      .field("name", &Metric::name, "'wall_time', 'cycles', 'throttled_periods'.")
      .field("unit", &Metric::unit, "'ns', '1', 'CPU'; of the total where it is per work.")
      .field(
          "better", [](const Metric& metric) { return stored_word(metric.better); },
          "'lower', 'higher' or 'neither'.")
      .field(
          "scale", [](const Metric& metric) { return stored_word(metric.scale); },
          "How two of it are compared: by 'ratio' or by 'difference'.")
      .field(
          "extent", [](const Metric& metric) { return stored_word(metric.extent); },
          "'per_work': divided by the trial's work in reports and in Readings; or 'whole'.");
}

void bind_trials(py::module_& module) {
  Record<Reading>(module, "Reading", "One measured number of a trial.")
      .field("metric", &Reading::metric, "What it means.")
      .field("value", &Reading::value, "In the metric's unit, of the whole trial.");

  Record<TaskReading>(module, "TaskReading", "One measured number of one task of a trial.")
      .field("task", &TaskReading::task, "From 0, in the order in which they were made.")
      .field("cpu", &TaskReading::cpu, "The CPU it was bound to, else last seen on; -1: not known.")
      .field("metric", &TaskReading::metric, "What it means.")
      .field("value", &TaskReading::value, "In the metric's unit.");

  Record<TrialRecord>(module, "TrialRecord", "One execution of a cell.")
      .field("cell", &TrialRecord::cell, "What was executed.")
      .field("cpus", &TrialRecord::cpus, "The CPUs that the placement came to: '1'.")
      .field("work_unit", &TrialRecord::work_unit, "'loop': what `work` counts.")
      .field("block", &TrialRecord::block, "From 0; warm-up blocks count too.")
      .field("position", &TrialRecord::position, "The place within its block, from 0.")
      .field(
          "purpose", [](const TrialRecord& trial) { return stored_word(trial.purpose); },
          "'measured' or 'warm_up'.")
      .field(
          "validity", [](const TrialRecord& trial) { return stored_word(trial.validity); },
          "'valid'; 'invalid': it ran, but is no number; 'failed': it did not run to its end.")
      .field("reason", &TrialRecord::reason, "Why it is invalid or failed; empty when valid.")
      .field("started_at_ns", &TrialRecord::started_at_ns, "CLOCK_REALTIME, ns since 1970.")
      .field("work", &TrialRecord::work, "Units of work done: loops.")
      .field("readings", &TrialRecord::readings, "What was measured, of the whole trial.")
      .field("notes", &TrialRecord::notes, "What was measured smaller than asked.")
      .field("task_readings", &TrialRecord::task_readings,
             "Empty unless the workload tells its tasks apart.");

  Record<StoredTrial>(module, "StoredTrial", "A trial with its number in the store.")
      .field("id", &StoredTrial::id, "Its number.")
      .field("run", &StoredTrial::run, "Its run's number.")
      .field("record", &StoredTrial::record, "The trial.");
}

void bind_boots(py::module_& module) {
  Record<KernelBuild>(module, "KernelBuild",
                      "A kernel as it was built, known by its build id. What it does not tell is "
                      "empty.")
      .field("build_id", &KernelBuild::build_id, "GNU build id, hex.")
      .field("release", &KernelBuild::release, "'6.18.44'.")
      .field("version", &KernelBuild::version, "/proc/version, the whole line.")
      .field("config_digest", &KernelBuild::config_digest, "SHA-256 of its config's text, hex.");

  Record<Boot>(module, "Boot", "One boot of one kernel build on one machine.")
      .field("boot_id", &Boot::boot_id, "/proc/sys/kernel/random/boot_id.")
      .field("kernel", &Boot::kernel, "The kernel build.")
      .field("machine", &Boot::machine, "A name that outlives boots: 16 hex digits.")
      .field("host", &Boot::host, "/proc/sys/kernel/hostname.")
      .field("environment", &Boot::environment,
             "Fact -> value, as the kernel words it: what results depend on besides the kernel.");

  Record<StoredBoot>(module, "StoredBoot", "A boot with its number in the store.")
      .field("id", &StoredBoot::id, "Its number.")
      .field("boot", &StoredBoot::boot, "The boot.");
}

void bind_runs(py::module_& module) {
  Record<TrialCounts>(module, "TrialCounts",
                      "How many trials, by what became of them; warm-up ones only as such.")
      .field("valid", &TrialCounts::valid, "They ran, and all that they promise held.")
      .field("invalid", &TrialCounts::invalid, "They ran, but are no numbers.")
      .field("failed", &TrialCounts::failed, "They did not run to their end.")
      .field("warm_up", &TrialCounts::warm_up, "They only warmed up.");

  Record<RunRecord>(module, "RunRecord", "A plan carried out, or begun, within one boot.")
      .field("plan", &RunRecord::plan, "The whole plan as canonical TOML, for Plan.from_toml.")
      .field("plan_digest", &RunRecord::plan_digest, "SHA-256 of `plan`, hex.")
      .field("seed", &RunRecord::seed, "That ordered the trials.")
      .field("label", &RunRecord::label, "The user's own name for it; may be empty.")
      .field("started_at_ns", &RunRecord::started_at_ns, "CLOCK_REALTIME, ns since 1970.")
      .field(
          "ending", [](const RunRecord& run) { return stored_word(run.ending); },
          "'finished', 'interrupted', 'failed', or 'unfinished': still running, or died.")
      .field("marks", &RunRecord::marks, "What every result of it must be read with.");

  Record<StoredRun>(module, "StoredRun", "A run with its number in the store.")
      .field("id", &StoredRun::id, "Its number.")
      .field("boot", &StoredRun::boot, "Its boot's number.")
      .field("record", &StoredRun::record, "The run.")
      .field("trials", &StoredRun::trials, "How many it has so far.")
      .field("first_trial_at_ns", &StoredRun::first_trial_at_ns,
             "CLOCK_REALTIME, ns since 1970; 0 without a trial.")
      .field("last_trial_at_ns", &StoredRun::last_trial_at_ns,
             "When the last one started, likewise.");
}

} // namespace

void bind_records(py::module_& module) {
  bind_cell(module);
  bind_metric(module);
  bind_trials(module);
  bind_boots(module);
  bind_runs(module);
}

} // namespace schedrig
