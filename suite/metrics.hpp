#pragma once

#include "results/record/trial.hpp"
#include "suite/counting/event.hpp"
#include "workloads/workload.hpp"

namespace schedrig::metrics {

// What a trial measures, by the names under which the store and the reports know it.

using Better = Metric::Better;
using Scale = Metric::Scale;
using Extent = Metric::Extent;

/// From the workload's first to its last unit of work.
inline const Metric wall_time{"wall_time", "ns", Better::lower, Scale::ratio, Extent::per_work};
/// Of all its tasks.
inline const Metric cpu_time{"cpu_time", "ns", Better::lower, Scale::ratio, Extent::per_work};
/// Of its tasks, by their own account (getrusage), not of the CPU.
inline const Metric context_switches{"context_switches", "1", Better::lower, Scale::ratio,
                                     Extent::per_work};
inline const Metric migrations{"migrations", "1", Better::lower, Scale::difference, Extent::whole};
inline const Metric tsc_ticks{"tsc_ticks", "1", Better::lower, Scale::ratio, Extent::per_work};

/// Of all levels of the group, over the measured part.
inline const Metric periods{"periods", "1", Better::neither, Scale::difference, Extent::whole};
inline const Metric throttled_periods{"throttled_periods", "1", Better::neither, Scale::difference,
                                      Extent::whole};
inline const Metric throttled_time{"throttled_time", "ns", Better::neither, Scale::difference,
                                   Extent::whole};
/// CPU time over wall time.
inline const Metric delivered_cpus{"delivered_cpus", "CPU", Better::neither, Scale::ratio,
                                   Extent::whole};
/// Quota over period, of the tightest level.
inline const Metric allowed_cpus{"allowed_cpus", "CPU", Better::neither, Scale::ratio,
                                 Extent::whole};
/// The most that quota, tick and slice let through in the long run.
inline const Metric delivered_cpus_bound{"delivered_cpus_bound", "CPU", Better::neither,
                                         Scale::ratio, Extent::whole};

/// An event's counts. Those that are usually 0 are compared by difference.
Metric of_event(const Event& event);

/// A workload's own figure, as it stands. Compared by difference: it may well be 0.
Metric of_figure(const WorkFigure& figure);

} // namespace schedrig::metrics
