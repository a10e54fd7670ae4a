#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workloads/catalogue.hpp"
#include "workloads/scheduling/pipe_ping_pong.hpp"

namespace schedrig {

/// Binds the test to one CPU while it lives, as a trial would.
struct OnOneCpu {
  CpuSet before = own_affinity();
  int cpu = before.cpus().front();
  OnOneCpu() { bind_self(CpuSet({cpu})); }
  ~OnOneCpu() { bind_self(before); }
  Placement placement() const { return {"same-cpu", {cpu}, Placement::Tasks::free_within}; }
};

inline Placement everywhere() {
  return {"all", own_affinity().cpus(), Placement::Tasks::free_within};
}

using GivenValues = std::map<std::string, std::string>;

inline std::unique_ptr<Workload> make(const WorkloadEntry& entry, const GivenValues& values) {
  return entry.make(ParameterValues(entry.name, entry.parameters, values));
}

/// What the workload reports of itself when it goes through its three steps here.
inline WorkReport report_of(const WorkloadEntry& entry, const GivenValues& values,
                            const Placement& placement = everywhere()) {
  const auto load = make(entry, values);
  load->prepare(placement);
  load->run();
  return load->finish();
}

/// What is broken, but for more switches than promised: other load on the test's CPU preempts too.
inline std::vector<std::string> broken_by_itself(const WorkReport& report) {
  auto broken = report.broken;
  if (static_cast<double>(report.usage.switches()) > 2 * report.work)
    std::erase(broken, wrong_switches(report.usage.switches(), report.work).value_or(""));
  return broken;
}

} // namespace schedrig
