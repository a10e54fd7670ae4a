#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// A source tree compiled by `make -jN`, from no object to the last.
///
/// Stands for builds: the load that kernel developers have at hand, and one that many of them
/// trust. Some dozens of processes at a time that are born, compute for a tenth of a second to some
/// seconds and die; each new one has to be put on a CPU, and the last ones to be spread. A better
/// scheduler finishes sooner with less system time. Four fifths and more of its time is the
/// compiler's own, in user mode, so that a change of some percent in the scheduler is some
/// thousandths here. It says nothing of latency; and with another compiler it is another workload.
///
/// Usually the tree is one that the workload makes itself, the same for everybody (see
/// `source_tree`), so that it runs anywhere where gcc and make are. With `tree` it is a Linux
/// kernel's: it is configured before the measured part (`config`) and built (`target`) outside its
/// source (`O=`), which must be clean, and stays so.
///
/// All of it is in a temporary folder below `folder`, also what the compiler puts aside (TMPDIR),
/// with an environment of PATH, the C locale and that folder as HOME, so that no compiler cache is
/// warm. The folder is removed at the end; after a SIGKILL (a deadline, Ctrl-C) when a workload
/// next begins in the same place. The build may use all CPUs of the placement, each of its
/// processes. A kernel's build takes longer than the usual deadline on a small machine.
WorkloadEntry kernel_build();

/// The sentence for a build that left `objects` where there must be `expected`, or at least one
/// where that is not known. Nothing when it holds.
std::optional<std::string> wrong_objects(std::int64_t objects,
                                         std::optional<std::int64_t> expected);

} // namespace schedrig
