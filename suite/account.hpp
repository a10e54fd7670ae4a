#pragma once

#include <exception>
#include <memory>

#include "pinning/cgroup/cgroup.hpp"
#include "results/record/trial.hpp"
#include "suite/counting/counter_group.hpp"
#include "suite/limit_proof.hpp"
#include "suite/trial.hpp"
#include "workloads/workload.hpp"

namespace schedrig {

// How a trial's record is made: what every way of executing a cell has in common.

/// The record's beginning: the cell, its unit of work, the time, and what its pass has to say.
TrialRecord begin_record(const Cell& cell, const Preparation& preparation);

/// The cell's group, limited and read back; null where it has none. Throws Unavailable where no
/// group can be made; OsError.
std::unique_ptr<Cgroup> make_group(const Site& site, const Bandwidth& bandwidth);

/// What was measured of a trial's execution.
struct Measured {
  const WorkReport& work;
  const Counted& counted;
  const Sampled& sampled;
  const LimitProof& limit;
};

/// All of it into `trial`, and whether it holds: INVALID when any of what a trial promises did not,
/// with all reasons. A profiled cell's trial gets its profile and no reading: samples cost time, so
/// what it took is no measurement, and what is not kept cannot be taken for one.
void settle(TrialRecord& trial, const Measured& measured, const Preparation& preparation,
            const Site& site);

/// What went wrong into `trial`, which then has no readings.
void fail(TrialRecord& trial, const std::exception& error);

} // namespace schedrig
