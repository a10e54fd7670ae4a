#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/record/boot.hpp"
#include "results/record/cell.hpp"
#include "results/statistics/difference.hpp"
#include "results/store/store.hpp"

namespace schedrig {

/// A cell as a test of UnixBench. Who knows the workloads says so: results know only their names.
struct IndexedCell {
  Cell cell;
  std::string test;              ///< "Execl Throughput"
  std::string unit;              ///< of its result: "lps"
  std::chrono::seconds per;      ///< the time that a result is per
  double baseline = 1;           ///< the result whose index is 10
  std::int64_t copies = 1;       ///< at once
  std::chrono::seconds time;     ///< that the cell took for a pass
  std::chrono::seconds own_time; ///< that UnixBench takes
  std::int64_t own_passes = 1;   ///< that UnixBench makes
};

/// An index with its interval.
struct IndexEstimate {
  double value;
  std::optional<Interval> interval; ///< nothing where a test has a single pass
};

/// One test of an IndexTable.
struct IndexRow {
  IndexedCell indexed;
  TrialCounts trials; ///< passes are the valid ones
  std::map<std::string, std::int64_t>
      reasons; ///< why trials were invalid or failed -> how many of them
  // Nothing without a valid trial:
  std::optional<double> result;          ///< by the classic rule
  std::optional<double> index;           ///< of that result
  std::optional<IndexEstimate> unbiased; ///< the index of all passes
};

/// The tests of UnixBench with one number of copies, placed, limited and counted alike.
struct IndexTable {
  std::int64_t run = 0;
  Boot boot;
  Cell shared;      ///< placement, bandwidth, counting and pass of all rows
  std::string cpus; ///< where they ran; empty without a trial
  std::int64_t copies = 1;
  double confidence = 0.95;    ///< of every interval
  std::vector<IndexRow> rows;  ///< in the order in which the cells were given
  std::optional<double> total; ///< nothing unless every row has a result
  std::optional<IndexEstimate> unbiased_total;
  std::vector<std::string> marks; ///< what it must be read with: the run's marks
  std::vector<std::string> notes; ///< what its trials measured smaller than asked, each once
};

/// The tests that make one table: with one number of copies, placed, limited and counted alike.
using IndexedSet = std::vector<IndexedCell>;

/// A table for each of `sets`, none of them empty, all of cells of `run`. Only measured, valid
/// trials are in it. Throws StoreError: ENOENT when there is no such run.
std::vector<IndexTable> index_tables(const Store& store, std::int64_t run,
                                     const std::vector<IndexedSet>& sets);

} // namespace schedrig
