#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/statistics/difference.hpp"
#include "results/statistics/summary.hpp"
#include "results/store/store.hpp"

namespace schedrig {

/// A mean over runs of a command, with its 95 % interval where there are several.
struct StatFigure {
  Summary summary;
  std::optional<Interval> interval; ///< nothing for a single run
};

/// One event, or why there is no count of it.
struct StatLine {
  std::string event;                ///< as it was asked for
  std::optional<StatFigure> figure; ///< of a whole run's counts; clocks in ns
  std::string missing;              ///< "<not supported>" or "<not counted>" where there is none
  std::string why;                  ///< and the reason
};

/// What `schedrig stat` shows: the valid runs of one command, each event once, whatever pass it was
/// counted in.
struct StatTable {
  std::int64_t run = 0; ///< StoredRun::id
  Cell cell;            ///< of one pass
  int passes = 0;
  std::string cpus;
  TrialCounts trials;
  std::vector<std::string> reasons; ///< of the runs that are not valid, each once
  std::vector<StatLine> lines;      ///< in the order asked for
  /// Of each run, in ns, s and s; nothing without a valid run.
  std::optional<StatFigure> elapsed, user, system;
  /// Of limited groups; nothing for others.
  std::optional<StatFigure> periods, throttled_periods, delivered_cpus, allowed_cpus;
  /// The values behind them: a row a valid run, in the order in which they ran.
  struct Run {
    double elapsed_ns, user_s, system_s;
    std::vector<std::optional<double>> counts; ///< as `lines`; nothing in another pass's run
  };
  std::vector<Run> runs;
};

/// The table of `run`, which has one workload; its profile is left out. Throws StoreError as Store
/// does.
StatTable stat_table(const Store& store, std::int64_t run);

} // namespace schedrig
