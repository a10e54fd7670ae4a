#include "suite/profile/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/profile/address_spaces.hpp"

namespace schedrig {
namespace {

/// User addresses to names, process by process.
class Naming {
public:
  explicit Naming(Symbols& symbols) : symbols_(symbols) {}

  void follow(const PerfRecord& record) { spaces_.follow(record); }
  SampledFunction function_of(pid_t process, const PerfRecord::Sample& sample) {
    switch (sample.mode) {
    case PerfRecord::Mode::kernel:
      return symbols_.of_kernel(sample.address);
    case PerfRecord::Mode::guest:
      return {"[unknown]", "[guest]", SampledFunction::Mode::user};
    case PerfRecord::Mode::user:
      break;
    }
    if (!spaces_.knows(process))
      ask(process);
    if (const auto place = spaces_.find(process, sample.address))
      return symbols_.of_file(place->file, place->offset);
    return {"[unknown]", "[other process]", SampledFunction::Mode::user};
  }

private:
  /// A process that did nothing but run: what it has mapped now it had then.
  void ask(pid_t process) {
    if (!asked_.insert(process).second)
      return;
    try {
      for (const auto& record :
           mappings_of(process, read_whole(fmt::format("/proc/{}/maps", process))))
        spaces_.follow(record);
    } catch (const OsError&) { // it has ended, or is not ours to look at
    }
  }

  Symbols& symbols_;
  AddressSpaces spaces_;
  std::set<pid_t> asked_;
};

} // namespace

Sampling Sampling::probe(PerfPort& perf, const CountingAbility& ability, std::string_view counting,
                         const CpuSet& cpus) {
  if (counting == "off")
    throw Unavailable("a profile takes samples, and this user may not even count: see "
                      "'schedrig doctor'",
                      "sysctl -w kernel.perf_event_paranoid=1");
  Sampling sampling;
  sampling.target_ = counting == "cpu" ? Target::cpus : Target::task;
  sampling.sampled_ = ability.hardware ? SampledEvent{Event::resolve("cycles"), cycles_period}
                                       : SampledEvent{Event::resolve("cpu-clock"), clock_period_ns};
  if (!ability.kernel) {
    sampling.sampled_.event.exclude_kernel = true;
    sampling.notes_.push_back("user functions only: this user may not sample the kernel, which "
                              "takes CAP_PERFMON or perf_event_paranoid <= 1");
  }
  if (!ability.hardware)
    sampling.notes_.push_back("sampled by cpu-clock, as there is no hardware PMU: time with "
                              "interrupts off is told of the function where they come back on");

  // A task is tried with ourselves, wherever we run.
  Sampler sampler =
      sampling.open(perf, sampling.target_ == Target::cpus ? cpus : own_affinity(), ::getpid());
  sampler.start();
  sampler.stop();
  if (const auto refusal = sampler.read().refusal; !refusal.empty())
    throw Unavailable(refusal, "end what else uses the PMU; sysctl -w kernel.nmi_watchdog=0");
  return sampling;
}

Sampler Sampling::open(PerfPort& perf, const CpuSet& cpus, pid_t process,
                       Sampler::Begin begin) const {
  switch (target_) {
  case Target::cpus:
    return Sampler::on_cpus(perf, sampled_, cpus, process);
  case Target::task:
    return Sampler::on_task(perf, sampled_, cpus, process, begin);
  case Target::none:
    break;
  }
  return {};
}

ProfileRecord profile_of(const Sampled& sampled, const SampledEvent& by, Symbols& symbols) {
  constexpr pid_t idle = 0;
  Naming naming(symbols);
  std::map<SampledFunction, std::int64_t> counts;
  for (const auto& record : sampled.records)
    if (const auto* sample = std::get_if<PerfRecord::Sample>(&record.what)) {
      if (record.process != idle)
        ++counts[naming.function_of(record.process, *sample)];
    } else {
      naming.follow(record);
    }

  ProfileRecord profile{by.event.name,
                        static_cast<std::int64_t>(by.period),
                        0,
                        static_cast<std::int64_t>(sampled.lost),
                        {}};
  for (const auto& [function, samples] : counts) {
    profile.samples += samples;
    profile.functions.push_back({function, samples});
  }
  std::stable_sort(profile.functions.begin(), profile.functions.end(),
                   [](const auto& a, const auto& b) { return a.samples > b.samples; });
  return profile;
}

} // namespace schedrig
