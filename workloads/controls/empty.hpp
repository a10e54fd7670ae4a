#pragma once

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Nothing between the gates.
///
/// Stands for what a trial itself costs: start of a process, group, counters, gates, record. It
/// exercises no scheduler path worth a comparison; its counts are what the gates add to every other
/// workload's. It is the zero of the instrument, not a measurement of a kernel.
WorkloadEntry empty();

} // namespace schedrig
