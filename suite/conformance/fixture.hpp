#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

#include <boost/test/tree/test_unit.hpp>

#include "results/record/trial.hpp"
#include "suite/trial.hpp"

namespace schedrig {

/// Where the cases run: this machine, locked for us, and a folder of groups of our own.
///
/// Made when a case first asks for it, so that --help and --list_content need nothing of the
/// machine; given back when the program ends. Throws Unavailable when no group can be made here or
/// another run is measuring; OsError.
const Site& site();

/// Whether what a suite of cases needs is there. Where it is not, Boost.Test skips the suite; with
/// SCHEDRIG_REQUIRE_HARDWARE=1 its cases run all the same and fail with the reason.
boost::test_tools::assertion_result groups_can_be_made(boost::unit_test::test_unit_id);

/// What groups_can_be_made() has come to so far.
struct Conditions {
  bool ever_met = false;
  std::set<std::string> unmet; ///< the reasons, each a sentence
};
const Conditions& conditions();

/// One trial of cpu-burn, with the usual value for each parameter that is not given. One that is
/// not valid ends the case.
TrialRecord burn(const std::map<std::string, std::string>& parameters, const std::string& placement,
                 const std::string& bandwidth);

/// A reading of a trial. Throws std::logic_error when the trial has none of that metric.
double value_of(const TrialRecord& trial, const Metric& metric);

/// The same of a metric in nanoseconds.
std::chrono::nanoseconds time_of(const TrialRecord& trial, const Metric& metric);

/// What a failure is told with: CPUs, limit, group, kernel, and the figures of cpu.stat.
std::string figures_of(const TrialRecord& trial);

/// Where it happened, for a failure outside of a trial: CPUs, limit, group, kernel.
std::string circumstances(const CpuSet& cpus, const std::string& bandwidth);

} // namespace schedrig
