#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/compare/fairness_table.hpp"
#include "results/record/boot.hpp"
#include "results/record/cell.hpp"
#include "results/record/trial.hpp"
#include "results/statistics/difference.hpp"
#include "results/statistics/summary.hpp"
#include "results/store/store.hpp"

namespace schedrig {

/// What a row has to say about one metric. Only measured, valid trials are in it.
struct ComparisonFigure {
  std::optional<Summary>
      summary; ///< of the trials, per work where the metric is; nothing without data
  std::optional<Difference> difference; ///< against the first row; nothing in the first row itself
};

/// How far a limit held a row's tasks back: counts are totals of its valid trials, CPUs their
/// means.
struct ThrottleFigures {
  double periods = 0;                        ///< periods in which the group had something to run
  double throttled_periods = 0;              ///< of these
  std::optional<double> delivered_cpus = {}; ///< CPU time over wall time
  std::optional<double> allowed_cpus = {};   ///< quota over period
  std::optional<double> bound_cpus = {};     ///< the most that quota, tick and slice let through
};

/// One cell of a comparison.
struct ComparisonRow {
  Cell cell;
  std::string
      label; ///< what sets this cell apart: "no group", "20000/100000", "same-cpu, 20000/100000"
  std::string cpus; ///< the CPUs it ran on; empty without a trial
  TrialCounts trials;
  std::map<std::string, std::int64_t>
      reasons;                           ///< why trials were invalid or failed -> how many of them
  std::vector<ComparisonFigure> figures; ///< one for each column
  std::optional<ThrottleFigures> throttle; ///< nothing without a group or its figures
};

/// The cells of one run side by side, each against the first.
struct Comparison {
  std::int64_t run = 0;
  std::string run_label; ///< the user's own name for the run; may be empty
  Boot boot;
  Cell shared;              ///< what all rows have in common; parts that differ are left out
  std::string cpus;         ///< likewise
  std::string work_unit;    ///< "loop"; empty without a trial
  double confidence = 0.95; ///< of every interval
  std::vector<Metric> columns;
  std::vector<ComparisonRow> rows;     ///< in plan order; at least one
  std::vector<FairnessTable> fairness; ///< one for each metric that is known of each task
  std::vector<std::string> marks; ///< what it must be read with: the run's marks, and how it ended
  std::vector<std::string> notes; ///< what its trials measured smaller than asked, each once
};

/// Compares the cells of `run`: one comparison for each workload, counting and pass, in plan order,
/// because a percentage between two of these would mean nothing. Throws StoreError: ENOENT when
/// there is no such run.
///
/// Warm-up, invalid and failed trials are counted, never used. Cells that are sampled have no
/// figures and are left out: see compare_profiles.
std::vector<Comparison> compare_cells(const Store& store, std::int64_t run);

/// What every result of a run must be read with: the run's own marks, and how it ended where that
/// was too early.
std::vector<std::string> marks_of(const RunRecord& run);

/// The columns that a reader looks at first: the events that were asked for, wall and CPU time, the
/// workload's own switches and migrations; and what is known of each task. The others (what rode
/// along, the TSC) are there on request.
std::vector<std::string> usual_columns(const Comparison& comparison);

/// Every metric that can be kept, each once: of the columns, and of the fairness tables.
std::vector<std::string> metric_names(const Comparison& comparison);

/// Keeps the columns and the fairness tables of these metrics, in this order; a name that no row
/// has is passed over.
void keep_columns(Comparison& comparison, const std::vector<std::string>& metrics);

} // namespace schedrig
