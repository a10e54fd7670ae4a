#include "workloads/parts/burners.hpp"

#include <algorithm>
#include <utility>

#include <sched.h>

namespace schedrig {

using std::chrono::nanoseconds;

Burners::Burners(nanoseconds time, std::vector<BurnLoad> loads)
    : time_(time), loads_(std::move(loads)), accounts_(loads_.size()),
      step_(static_cast<std::ptrdiff_t>(loads_.size())) {}

/// Lets the tasks go through the steps that are left without us, and without those that could not
/// be started.
Burners::~Burners() {
  if (threads_.empty())
    return;
  abandoned_ = true;
  for (auto missing = accounts_.size() - threads_.size(); missing > 0; --missing)
    step_.arrive_and_drop();
  join();
}

void Burners::prepare(const Placement& placement) {
  placement_ = placement;
  threads_.reserve(accounts_.size() - 1);
  for (std::size_t task = 1; task < accounts_.size(); ++task)
    threads_.emplace_back([this, task, cpus = placement.for_task(task)] { live(task, cpus); });
  accounts_[0].stretch.open();
  step_.arrive_and_wait(); // all are ready
  rethrow_errors();
}

void Burners::run() {
  begin_ = Clock::now();
  step_.arrive_and_wait(); // all begin
  burn(0);
  step_.arrive_and_wait(); // all are done
}

WorkReport Burners::finish() {
  step_.arrive_and_wait(); // all tear down
  accounts_[0].stretch.close();
  join();
  rethrow_errors();

  WorkReport report;
  report.migrations = 0;
  for (std::size_t task = 0; task < accounts_.size(); ++task) {
    const auto& account = accounts_[task];
    const auto usage = account.stretch.usage();
    report.work += static_cast<double>(account.rounds);
    report.elapsed = std::max(report.elapsed, nanoseconds(account.end - begin_));
    report.usage += usage;
    report.migrations = sum_of(report.migrations, account.stretch.migrations());
    const auto number = static_cast<int>(task);
    report.tasks.push_back(
        {number,
         account.cpu,
         {"rounds", "1", static_cast<double>(account.rounds), WorkFigure::Better::neither}});
    report.tasks.push_back({number,
                            account.cpu,
                            {"task_cpu_time", "ns", static_cast<double>(usage.cpu_time.count()),
                             WorkFigure::Better::neither}});
  }
  if (auto moved = moved_though_pinned(*placement_, report.migrations))
    report.broken.push_back(*moved);
  return report;
}

/// A task besides the first. It takes part in every step, whatever happens to it: the others wait
/// for it.
void Burners::live(std::size_t task, const CpuSet& cpus) noexcept {
  auto& account = accounts_[task];
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
    attempt([&] { burn(task); });
  step_.arrive_and_wait(); // all are done
  step_.arrive_and_wait(); // all tear down
  attempt([&] { account.stretch.close(); });
}

void Burners::burn(std::size_t task) {
  const auto& load = loads_[task];
  auto& account = accounts_[task];
  account.stretch.begin();
  const auto last_moment = begin_ + time_;
  const auto cpu_time = [] { return TaskUsage::of_this_thread().cpu_time; };
  auto burst_began = cpu_time();
  std::uint64_t value = 1;
  std::int64_t rounds = 0;
  auto now = begin_;
  while (now < last_moment && rounds < load.rounds) {
    value = spin(value, steps_a_round);
    ++rounds;
    now = Clock::now();
    if (load.idle > nanoseconds(0) && cpu_time() - burst_began >= load.busy) {
      std::this_thread::sleep_until(std::min(now + load.idle, last_moment));
      burst_began = cpu_time();
      now = Clock::now();
    }
  }
  account.rounds = rounds;
  account.value = value;
  account.end = now;
  account.cpu = ::sched_getcpu();
  account.stretch.end();
}

void Burners::rethrow_errors() const {
  for (const auto& account : accounts_)
    if (account.error)
      std::rethrow_exception(account.error);
}

void Burners::join() {
  for (auto& thread : threads_)
    thread.join();
  threads_.clear();
}

} // namespace schedrig
