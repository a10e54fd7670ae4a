#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/record/cell.hpp"
#include "results/record/profile.hpp"

namespace schedrig {

/// What a number in the store means.
struct Metric {
  enum class Better { lower, higher, neither };
  /// How two of it are compared: by their ratio (through logarithms), or by their difference where
  /// 0 is a usual value (migrations).
  enum class Scale { ratio, difference };
  /// Whether it is a total of the trial that reports divide by the trial's work ("cycles" ->
  /// "cycles/loop"), or stands as it is.
  enum class Extent { per_work, whole };

  std::string name; ///< "wall_time", "cycles", "throttled_periods": snake_case, unique in a store
  std::string unit; ///< "ns", "1", "CPU"
  Better better = Better::lower;
  Scale scale = Scale::ratio;
  Extent extent = Extent::whole;

  bool operator==(const Metric&) const = default;
};

/// One measured number of a trial.
struct Reading {
  Metric metric;
  double value;
};

/// One measured number of one task of a trial: what fairness is judged by.
struct TaskReading {
  int task = 0; ///< from 0, in the order in which the workload made them
  int cpu = -1; ///< the CPU it was bound to, else last seen on; -1 where that is not known
  Metric metric;
  double value = 0;
};

/// One execution of a cell.
struct TrialRecord {
  enum class Purpose { measured, warm_up };
  /// valid: everything held. invalid: it ran, but a limit, a count or an invariant did not hold, so
  /// it is no number. failed: it did not run to its end.
  enum class Validity { valid, invalid, failed };

  Cell cell;
  std::string cpus;      ///< the CPUs that the placement came to: "1"
  std::string work_unit; ///< "loop"
  int block = 0;         ///< from 0; warm-up blocks count too
  int position = 0;      ///< the place within its block, from 0
  Purpose purpose = Purpose::measured;
  Validity validity = Validity::valid;
  std::string reason;             ///< why it is invalid or failed; empty when valid
  std::int64_t started_at_ns = 0; ///< CLOCK_REALTIME, ns since 1970
  double work = 0;                ///< units of work done: loops
  std::vector<Reading> readings;
  /// What was measured smaller than asked: "cycles: <not supported>, this machine has no hardware
  /// PMU".
  std::vector<std::string> notes;
  std::vector<TaskReading> task_readings = {}; ///< empty unless the workload tells its tasks apart
  std::optional<ProfileRecord> profile = {};   ///< of a trial that was sampled; it has no readings
};

} // namespace schedrig
