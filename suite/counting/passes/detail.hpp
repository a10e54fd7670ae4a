#pragma once

#include <string>
#include <vector>

namespace schedrig {

/// The events of `perf stat` with no, one, two or three `-d` (`level` 0 to 3), by perf's names and
/// in its order: each level has those of the one before. Throws BadInput for another level.
///
/// Far more than a PMU counts at a time: see FittedPasses.
std::vector<std::string> detail_events(int level);

} // namespace schedrig
