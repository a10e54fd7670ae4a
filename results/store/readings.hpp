#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/record/cell.hpp"
#include "results/record/trial.hpp"

namespace schedrig {

/// Which readings are wanted; what is not said is not restricted.
struct Selection {
  enum class Trials {
    measured_and_valid, ///< the only ones that a result may stand on
    all,                ///< warm-up, invalid and failed trials too
  };

  std::optional<std::int64_t> run = {};
  std::optional<std::int64_t> boot = {};
  std::optional<std::string> workload = {};
  std::optional<std::string> metric = {};
  Trials trials = Trials::measured_and_valid;
};

/// Readings as columns of equal length, ordered by trial: element i of each belongs to reading i.
///
/// 36 bytes a reading, so that ten million fit where objects would not.
struct ReadingColumns {
  std::vector<std::int64_t> trial;  ///< StoredTrial::id, ascending
  std::vector<std::int64_t> run;    ///< StoredRun::id
  std::vector<std::int32_t> cell;   ///< index into `cells`
  std::vector<std::int32_t> metric; ///< index into `metrics`
  std::vector<std::int32_t> block;  ///< from 0; warm-up blocks count too
  std::vector<double> value; ///< finite; divided by the trial's work where the metric is per work

  std::vector<Cell> cells;     ///< those that occur, in the order in which plans first named them
  std::vector<Metric> metrics; ///< those that occur, in the order in which they were first stored

  std::size_t size() const noexcept { return value.size(); }
};

} // namespace schedrig
