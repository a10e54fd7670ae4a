#pragma once

#include <barrier>
#include <exception>
#include <thread>
#include <vector>

#include "workloads/parts/spin.hpp"
#include "workloads/workload.hpp"

namespace schedrig {

/// What one of several Burners does, until the time is up or its rounds are done.
struct BurnLoad {
  std::int64_t rounds;           ///< after so many it ends sooner
  std::chrono::nanoseconds busy; ///< its own CPU time of a burst: at least one round
  std::chrono::nanoseconds idle; ///< how long it sleeps after each burst; 0: it never does
};

/// Threads that compute, each by itself, all the time or in bursts with sleeps between them. They
/// begin together; each ends when `time` has passed on the monotonic clock since then. A round is
/// `steps_a_round` steps of `spin`, after each of which a task looks at the clock.
///
/// Reports the rounds and the CPU time of each task, with the CPU that it was last seen on.
class Burners final : public Workload {
public:
  static constexpr std::int64_t steps_a_round = 10'000;

  /// A thread for each of `loads`, at least one; the first is the workload's own.
  Burners(std::chrono::nanoseconds time, std::vector<BurnLoad> loads);
  ~Burners() override;

  void prepare(const Placement& placement) override;
  void run() override;
  WorkReport finish() override;

private:
  using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

  /// What a task leaves behind; written once, at its end.
  struct Account {
    Stretch stretch;
    std::int64_t rounds = 0;
    std::uint64_t value = 0; ///< the outcome is kept, so that no compiler may leave the work out
    int cpu = -1;
    Clock::time_point end;
    std::exception_ptr error;
  };

  void live(std::size_t task, const CpuSet& cpus) noexcept;
  void burn(std::size_t task);
  void rethrow_errors() const;
  void join();

  const std::chrono::nanoseconds time_;
  const std::vector<BurnLoad> loads_;
  std::optional<Placement> placement_;
  std::vector<Account> accounts_; ///< the first is this thread's
  std::vector<std::thread> threads_;
  std::barrier<> step_; ///< all tasks go from step to step together
  bool abandoned_ = false;
  Clock::time_point begin_;
};

} // namespace schedrig
