#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "results/record/profile.hpp"
#include "suite/counting/ability.hpp"
#include "suite/counting/perf_port.hpp"
#include "suite/profile/sampler.hpp"
#include "suite/profile/symbols.hpp"

namespace schedrig {

/// How a cell's trials are sampled: found before anything starts, by sampling so.
///
/// By cycles where there is a PMU: its interrupt comes through where others are off, so that every
/// function is seen. By the CPU's clock elsewhere: a sample due while interrupts are off is taken
/// where they come back on, and a note says so.
class Sampling {
public:
  /// Not prime to the tick, a loop or each other, and as fine as leaves the workload alone: some
  /// 3000 to 4000 samples a second and CPU.
  static constexpr std::uint64_t cycles_period = 1'000'003, clock_period_ns = 250'051;

  Sampling() = default; ///< samples nothing
  /// Tries it: `counting` "cpu" on `cpus`, "task" on ourselves. A user who may not see the kernel
  /// gets user mode and a note. Throws Unavailable when this user may not sample so, or `counting`
  /// is "off"; OsError.
  static Sampling probe(PerfPort& perf, const CountingAbility& ability, std::string_view counting,
                        const CpuSet& cpus);

  const SampledEvent& sampled() const noexcept { return sampled_; }
  const std::vector<std::string>& notes() const noexcept { return notes_; }
  /// The sampler for one trial of `process` on `cpus`, not started. Throws as Sampler does.
  Sampler open(PerfPort& perf, const CpuSet& cpus, pid_t process,
               Sampler::Begin begin = Sampler::Begin::at_start) const;

private:
  enum class Target { none, cpus, task };
  Target target_ = Target::none;
  SampledEvent sampled_{};
  std::vector<std::string> notes_;
};

/// Where the samples fell: each address named, in the order of time, by what its process had mapped
/// then. The idle task's are left out. Processes that were there before and are now still are asked
/// for their mappings.
ProfileRecord profile_of(const Sampled& sampled, const SampledEvent& by, Symbols& symbols);

} // namespace schedrig
