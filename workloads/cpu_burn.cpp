#include "workloads/cpu_burn.hpp"

#include <algorithm>
#include <barrier>
#include <exception>
#include <limits>
#include <thread>

namespace schedrig {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// About 15 us at 3 GHz: short beside the least quota, long beside the look at the clock that
/// follows each round.
constexpr int steps_a_round = 10'000;

/// Every step needs the one before, so that a CPU cannot do two at once.
std::uint64_t round_from(std::uint64_t value) {
  for (int step = 0; step < steps_a_round; ++step)
    value = value * 6364136223846793005U + 1442695040888963407U;
  return value;
}

/// What each task does.
struct Load {
  nanoseconds time;
  std::int64_t rounds;
  nanoseconds busy, idle; ///< idle 0: it never sleeps
};

Load load_from(const ParameterValues& values) {
  const auto rounds = values.count("rounds");
  return {.time = milliseconds(values.count("time_ms")),
          .rounds = rounds == 0 ? std::numeric_limits<std::int64_t>::max() : rounds,
          .busy = microseconds(values.count("busy_us")),
          .idle = microseconds(values.count("idle_us"))};
}

/// What a task leaves behind; written once, at its end.
struct Account {
  Stretch stretch;
  std::int64_t rounds = 0;
  std::uint64_t value = 0; ///< the outcome is kept, so that no compiler may leave the work out
  Clock::time_point end;
  std::exception_ptr error;
};

class CpuBurn final : public Workload {
public:
  explicit CpuBurn(const ParameterValues& values)
      : load_(load_from(values)), accounts_(static_cast<std::size_t>(values.count("tasks"))),
        step_(values.count("tasks")) {}

  /// Lets the tasks go through the steps that are left without us, and without those that could not
  /// be started.
  ~CpuBurn() override {
    if (threads_.empty())
      return;
    abandoned_ = true;
    for (auto missing = accounts_.size() - threads_.size(); missing > 0; --missing)
      step_.arrive_and_drop();
    join();
  }

  void prepare(const Placement& placement) override {
    placement_ = placement;
    threads_.reserve(accounts_.size() - 1);
    for (std::size_t task = 1; task < accounts_.size(); ++task)
      threads_.emplace_back(
          [this, task, cpus = placement.for_task(task)] { live(accounts_[task], cpus); });
    accounts_[0].stretch.open();
    step_.arrive_and_wait(); // all are ready
    rethrow_errors();
  }

  void run() override {
    begin_ = Clock::now();
    step_.arrive_and_wait(); // all begin
    burn(accounts_[0]);
    step_.arrive_and_wait(); // all are done
  }

  WorkReport finish() override {
    step_.arrive_and_wait(); // all tear down
    accounts_[0].stretch.close();
    join();
    rethrow_errors();

    WorkReport report;
    report.migrations = 0;
    for (const auto& account : accounts_) {
      const auto migrations = account.stretch.migrations();
      report.work += static_cast<double>(account.rounds);
      report.elapsed = std::max(report.elapsed, nanoseconds(account.end - begin_));
      report.usage += account.stretch.usage();
      report.migrations = report.migrations && migrations
                              ? std::optional(*report.migrations + *migrations)
                              : std::nullopt;
    }
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
    return report;
  }

private:
  /// A task besides the first. It takes part in every step, whatever happens to it: the others wait
  /// for it.
  void live(Account& account, const CpuSet& cpus) noexcept {
    const auto attempt = [&account](const auto& part) {
      try {
        part();
      } catch (...) {
        account.error = std::current_exception();
      }
    };
    attempt([&] {
      bind_self(cpus);
      account.stretch.open();
    });
    step_.arrive_and_wait(); // all are ready
    step_.arrive_and_wait(); // all begin
    if (!abandoned_)
      attempt([&] { burn(account); });
    step_.arrive_and_wait(); // all are done
    step_.arrive_and_wait(); // all tear down
    attempt([&] { account.stretch.close(); });
  }

  void burn(Account& account) const {
    account.stretch.begin();
    const auto last_moment = begin_ + load_.time;
    const auto cpu_time = [] { return TaskUsage::of_this_thread().cpu_time; };
    auto burst_began = cpu_time();
    std::uint64_t value = 1;
    std::int64_t rounds = 0;
    auto now = begin_;
    while (now < last_moment && rounds < load_.rounds) {
      value = round_from(value);
      ++rounds;
      now = Clock::now();
      if (load_.idle > nanoseconds(0) && cpu_time() - burst_began >= load_.busy) {
        std::this_thread::sleep_until(std::min(now + load_.idle, last_moment));
        burst_began = cpu_time();
        now = Clock::now();
      }
    }
    account.rounds = rounds;
    account.value = value;
    account.end = now;
    account.stretch.end();
  }

  void rethrow_errors() const {
    for (const auto& account : accounts_)
      if (account.error)
        std::rethrow_exception(account.error);
  }

  void join() {
    for (auto& thread : threads_)
      thread.join();
    threads_.clear();
  }

  const Load load_;
  std::optional<Placement> placement_;
  std::vector<Account> accounts_; ///< the first is this thread's
  std::vector<std::thread> threads_;
  std::barrier<> step_; ///< all tasks go from step to step together
  bool abandoned_ = false;
  Clock::time_point begin_;
};

} // namespace

WorkloadEntry cpu_burn() {
  return {
      .name = "cpu-burn",
      .summary = "tasks that compute, each by itself, all the time or in bursts",
      .work_unit = "round",
      .parameters = {{"tasks", "1", "how many compute", Parameter::Count{1, 1, 4096}},
                     {"time_ms", "ms", "for how long they do",
                      Parameter::Count{1'000, 1, 3'600'000}},
                     {"rounds", "1", "after how many rounds a task ends sooner; 0: never",
                      Parameter::Count{0, 0, 1'000'000'000'000}},
                     {"busy_us", "us", "CPU time of a burst",
                      Parameter::Count{10'000, 1, 1'000'000'000}},
                     {"idle_us", "us", "sleep after each burst; 0: one burst without end",
                      Parameter::Count{0, 0, 1'000'000'000}}},
      .positional = {"tasks"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<CpuBurn>(values); },
  };
}

} // namespace schedrig
