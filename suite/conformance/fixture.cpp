#include "suite/conformance/fixture.hpp"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "pinning/unavailable.hpp"
#include "results/record/kernel_build.hpp"
#include "suite/machine_lock.hpp"
#include "suite/metrics.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace {

using std::chrono::nanoseconds;

const CgroupMount& groups_of(const Machine& machine) {
  if (!machine.groups)
    throw Unavailable(*machine.no_groups);
  return *machine.groups;
}

/// Members in the order in which they are taken: what a dead run left goes before ours is made, and
/// neither without the lock.
struct LockedMachine {
  Machine machine = Machine::here();
  const CgroupMount& mount = groups_of(machine);
  MachineLock lock;
  std::vector<Leftover> leftovers = remove_leftovers(mount);
  CgroupSubtree subtree{mount};
  Site site{machine, &subtree};
};

Conditions& mutable_conditions() {
  static Conditions conditions;
  return conditions;
}

bool hardware_is_required() {
  const char* required = std::getenv("SCHEDRIG_REQUIRE_HARDWARE");
  return required && std::string_view(required) == "1";
}

double seconds(const TrialRecord& trial, const Metric& metric) {
  return std::chrono::duration<double>(time_of(trial, metric)).count();
}

} // namespace

const Site& site() {
  static const LockedMachine locked;
  return locked.site;
}

boost::test_tools::assertion_result groups_can_be_made(boost::unit_test::test_unit_id) {
  auto& conditions = mutable_conditions();
  try {
    site();
  } catch (const Unavailable& reason) {
    if (!hardware_is_required()) {
      conditions.unmet.insert(reason.what());
      boost::test_tools::assertion_result skipped(false);
      skipped.message() << reason.why();
      return skipped;
    }
  } catch (const std::exception&) { // the first case will throw it again, and fail
  }
  conditions.ever_met = true;
  return true;
}

const Conditions& conditions() {
  return mutable_conditions();
}

TrialRecord burn(const std::map<std::string, std::string>& parameters, const std::string& placement,
                 const std::string& bandwidth) {
  const auto& workload = find_workload("cpu-burn");
  const ParameterValues values(workload.name, workload.parameters, parameters);
  const Cell cell{workload.name, values.text(), placement, bandwidth, "off", ""};
  auto trial = run_trial(cell, {Pass{}, cell.parameters}, site(), {});
  BOOST_REQUIRE_MESSAGE(trial.validity == TrialRecord::Validity::valid,
                        trial.reason << "; "
                                     << circumstances(CpuSet::parse(trial.cpus), bandwidth));
  return trial;
}

double value_of(const TrialRecord& trial, const Metric& metric) {
  for (const auto& reading : trial.readings)
    if (reading.metric == metric)
      return reading.value;
  throw std::logic_error(fmt::format("a trial of {} has no {}", trial.cell.bandwidth, metric.name));
}

nanoseconds time_of(const TrialRecord& trial, const Metric& metric) {
  return nanoseconds(std::llround(value_of(trial, metric)));
}

std::string figures_of(const TrialRecord& trial) {
  return fmt::format("{:.6f} s of CPU time in {:.6f} s, {} of {} periods throttled, {:.6f} s of "
                     "throttled time; {}",
                     seconds(trial, metrics::cpu_time), seconds(trial, metrics::wall_time),
                     value_of(trial, metrics::throttled_periods), value_of(trial, metrics::periods),
                     seconds(trial, metrics::throttled_time),
                     circumstances(CpuSet::parse(trial.cpus), trial.cell.bandwidth));
}

std::string circumstances(const CpuSet& cpus, const std::string& bandwidth) {
  return fmt::format("CPUs {}, limit {} below {}, Linux {}", cpus.text(), bandwidth,
                     site().subtree->path().native(), KernelBuild::read().release);
}

} // namespace schedrig
