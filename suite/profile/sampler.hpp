#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "pinning/cpu_set.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/perf_port.hpp"
#include "suite/profile/perf_record.hpp"

namespace schedrig {

/// What samples are taken by: each time that the event has come `period` times more.
///
/// The period is fixed, so that each sample stands for the same amount and shares of samples are
/// shares of the event. A wanted frequency would let the kernel change the period as it goes, from
/// 1 upward at each start, and samples would not weigh alike.
struct SampledEvent {
  Event event;
  std::uint64_t period; ///< in the event's own unit: cycles, or ns of a clock
};

/// What a sampler saw between its start and its stop.
struct Sampled {
  std::vector<PerfRecord> records; ///< by time; what was mapped before comes first
  std::uint64_t lost = 0;          ///< records that found no room
  std::vector<std::string> notes;  ///< what the samples must be read with, a sentence each
  /// Why they are no sample of all that ran; empty when they are.
  std::string refusal;
};

/// Takes samples of where CPUs are, or a task with all that it forks or starts.
///
/// Opened disabled. What is forked, executed and mapped is followed from then on, so that user
/// addresses can be told to lie in their files. Records wait in buffers until `read`; only when one
/// is half full a thread of the sampler empties it meanwhile, on the CPUs that the opening thread
/// may use, and a note says so.
///
/// Not to be shared between threads.
class Sampler {
public:
  /// Whether `start` begins the sampling, or the task's next exec.
  enum class Begin { at_start, at_exec };

  Sampler(); ///< samples nothing
  /// Samples whatever runs on `cpus`, but for the idle task. `process` (0: none) is one that is
  /// there already and will run there: what it has mapped is read. Permissions as for counting.
  static Sampler on_cpus(PerfPort& perf, const SampledEvent& sampled, const CpuSet& cpus,
                         pid_t process);
  /// Samples the thread `process` and all that it forks or starts from now on, wherever on `cpus`
  /// they run: one inherited event a CPU, because only such ones can be mapped.
  static Sampler on_task(PerfPort& perf, const SampledEvent& sampled, const CpuSet& cpus,
                         pid_t process, Begin begin = Begin::at_start);
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;
  ~Sampler();

  // Both throw BadInput when there is no CPU; Unavailable and OsError as CounterGroup does for an
  // open, and Unavailable when not even the smallest buffer may be locked (perf_event_mlock_kb).

  void start(); ///< Once. Throws OsError
  void stop();  ///< Throws OsError
  /// After `stop`. Throws OsError; std::runtime_error for records that cannot be.
  Sampled read();

private:
  class Events;
  explicit Sampler(std::unique_ptr<Events> events);
  std::unique_ptr<Events> events_;
};

} // namespace schedrig
