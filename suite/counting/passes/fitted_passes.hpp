#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "suite/counting/ability.hpp"
#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// A request for more events than the PMU has counters, as passes that fit.
struct FittedPasses {
  std::vector<std::string> passes; ///< each as Cell::pass has it
  /// Why it became several, and who holds counters that would have helped; empty for one pass.
  std::vector<std::string> notes;

  /// Tries with counters, as Pass::probe does and with the same arguments. A request that fits is
  /// one pass, as it was asked. Otherwise each event, in the order asked, joins the first pass that
  /// it fits in, and opens a new one when there is none; each pass is led by cycles, where the PMU
  /// has them and they fit beside it, so that the passes can be held against each other. Software
  /// events and those that the machine does not have go into the first pass; an event that does not
  /// even fit alone gets a pass of its own, which Pass::probe then refuses with the reason. Takes a
  /// few milliseconds, and a tenth of a second for 40 events.
  ///
  /// Throws BadInput for a name nobody knows, Unavailable when this user may not count so, OsError.
  static FittedPasses probe(PerfPort& perf, const CountingAbility& ability, std::string_view asked,
                            std::string_view counting, const CpuSet& cpus,
                            const std::filesystem::path& root = "/");
};

} // namespace schedrig
