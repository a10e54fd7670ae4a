#include "suite/counting/names/core_pmu.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/perf_event.h>

#include "pinning/unavailable.hpp"
#include "suite/counting/names/sysfs_pmu.hpp"

namespace schedrig {
namespace {

/// A code alone. Its type, PERF_TYPE_RAW, is that of x86's first core type as well.
bool is_raw(const Event& event) {
  return event.type == PERF_TYPE_RAW && event.pmu == "raw";
}

bool says_nothing_of_the_core(const Event& event) {
  const bool generic = event.type == PERF_TYPE_HARDWARE || event.type == PERF_TYPE_HW_CACHE;
  return is_raw(event) || (generic && event.config >> 32 == 0);
}

/// "CPUs 0-3 (cpu_core), 8-9 (cpu_atom)"
std::string by_type(const CpuSet& cpus, const std::vector<CorePmu>& pmus) {
  std::vector<std::string> parts;
  for (const auto& pmu : pmus)
    if (const auto here = cpus & pmu.cpus; !here.empty())
      parts.push_back(fmt::format("{} ({})", here.text(), pmu.name));
  return fmt::format("CPUs {}", fmt::join(parts, ", "));
}

} // namespace

std::vector<CorePmu> CorePmu::all(const std::filesystem::path& root) {
  std::vector<CorePmu> pmus;
  for (const auto& pmu : SysfsPmu::all(root))
    if (!pmu.cpus().empty())
      pmus.push_back({pmu.name(), pmu.type(), pmu.cpus()});
  std::sort(pmus.begin(), pmus.end(), [](const CorePmu& a, const CorePmu& b) {
    return a.cpus.cpus().front() < b.cpus.cpus().front();
  });
  return pmus;
}

Event on_cores(Event event, const CpuSet& cpus, const std::vector<CorePmu>& pmus) {
  const auto own = std::find_if(pmus.begin(), pmus.end(),
                                [&](const CorePmu& pmu) { return pmu.type == event.type; });
  if (own != pmus.end() && !is_raw(event) && !own->cpus.contains(cpus))
    throw Unavailable(fmt::format("{}: it is an event of {}, whose CPUs are {}, and {} were to be "
                                  "counted",
                                  event.name, own->name, own->cpus.text(), by_type(cpus, pmus)),
                      fmt::format("--placement {}", own->cpus.text()));
  if (pmus.size() < 2 || !says_nothing_of_the_core(event))
    return event;
  const auto pmu = std::find_if(pmus.begin(), pmus.end(),
                                [&](const CorePmu& one) { return one.cpus.contains(cpus); });
  if (pmu == pmus.end())
    throw Unavailable(
        fmt::format("{}: {} are cores of several types, whose counts mean different "
                    "things and have no sum",
                    event.name, by_type(cpus, pmus)),
        fmt::format("a placement on one type: --placement {}", pmus.front().cpus.text()));
  if (is_raw(event))
    event.type = pmu->type;
  else
    event.config |= std::uint64_t{pmu->type} << 32;
  event.pmu = pmu->name;
  return event;
}

} // namespace schedrig
