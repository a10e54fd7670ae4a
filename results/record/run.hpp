#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedrig {

/// One `schedrig run`: a plan carried out, or begun, within one boot.
struct RunRecord {
  /// unfinished: still running, or died.
  enum class Ending { unfinished, finished, interrupted, failed };

  std::string plan;               ///< the whole plan as canonical TOML
  std::string plan_digest;        ///< SHA-256 of `plan`, hex
  std::uint64_t seed = 0;         ///< that ordered the trials
  std::string label;              ///< the user's own name for this run; may be empty
  std::int64_t started_at_ns = 0; ///< CLOCK_REALTIME, ns since 1970
  Ending ending = Ending::unfinished;
  /// What every result of it must be read with: "no control groups: not root".
  std::vector<std::string> marks;
};

} // namespace schedrig
