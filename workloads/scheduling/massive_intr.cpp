#include "workloads/scheduling/massive_intr.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <sched.h>

#include "workloads/parts/children.hpp"
#include "workloads/parts/spin.hpp"
#include "workloads/parts/start_line.hpp"

namespace schedrig {

namespace {

using Clock = Spinner::Clock;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// The number of steps that make `work` on these CPUs.
std::int64_t steps_of(nanoseconds work, const Placement& placement, std::size_t tasks) {
  return std::max<std::int64_t>(
      1, std::llround(static_cast<double>(work.count()) / spin_step_ns(placement, tasks)));
}

/// What a task leaves behind; written by it alone.
struct Account {
  Stretch stretch;
  std::int64_t rounds = 0; ///< whose work was done in time
  std::int64_t steps = 0;  ///< of these, and of the one that was not
  int cpu = -1;            ///< where it was at the end
  Clock::time_point end;
  double step_ns = 0; ///< after the run; 0 in a task that did not time it again
};

class MassiveIntr final : public Workload {
public:
  explicit MassiveIntr(const MassiveIntrLoad& load)
      : load_(load), accounts_(load.tasks),
        children_(load.tasks, [](std::size_t task) { return fmt::format("task {}", task); }) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    if (load_.calibration == 0)
      load_.calibration = steps_of(load_.work, placement, load_.tasks);
    for (std::size_t task = 0; task < load_.tasks; ++task)
      children_.start(placement.for_task(task + 1), [this, task] { live(task); });
    start_.await(tasks(), [this] { children_.throw_if_any_ended(); });
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    *begin_ = Clock::now();
    start_.let_go();
    std::this_thread::sleep_until(*begin_ + load_.time);
    done_.await(tasks(), [this] { children_.throw_if_any_ended(); });
    stretch_.end();
  }

  WorkReport finish() override {
    done_.let_go();
    stretch_.close();
    children_.reap();
    children_.throw_if_any_failed();

    WorkReport report;
    report.usage = stretch_.usage();
    report.migrations = stretch_.migrations();
    for (std::size_t task = 0; task < load_.tasks; ++task) {
      const auto& account = accounts_[task];
      report.work += static_cast<double>(account.steps) / static_cast<double>(load_.calibration);
      report.elapsed = std::max(report.elapsed, nanoseconds(account.end - *begin_));
      report.usage += account.stretch.usage();
      report.migrations = sum_of(report.migrations, account.stretch.migrations());
      report.tasks.push_back(
          {static_cast<int>(task),
           account.cpu,
           {"rounds", "1", static_cast<double>(account.rounds), WorkFigure::Better::neither}});
    }
    check(report);
    return report;
  }

private:
  std::int64_t tasks() const { return static_cast<std::int64_t>(load_.tasks); }
  /// As many as the calibration loaded CPUs.
  std::size_t retiming_tasks() const { return std::min(load_.tasks, placement_->order().size()); }

  void live(std::size_t task) {
    auto& account = accounts_[task];
    account.stretch.open();
    start_.wait();
    account.stretch.begin();
    const auto end = *begin_ + load_.time;
    Spinner spinner;
    while (spinner.spin_until(end, load_.calibration)) {
      ++account.rounds;
      std::this_thread::sleep_for(load_.sleep);
    }
    account.end = Clock::now();
    account.steps = spinner.steps();
    account.cpu = ::sched_getcpu();
    account.stretch.end();
    done_.wait();
    account.stretch.close();
    if (task < retiming_tasks())
      account.step_ns = spin_step_ns();
  }

  void check(WorkReport& report) const {
    const double calibrated =
        static_cast<double>(load_.work.count()) / static_cast<double>(load_.calibration);
    double retimed = 0;
    for (const auto& account : accounts_)
      retimed += account.step_ns / static_cast<double>(retiming_tasks());
    report.figures = {
        {"calibration_ns_per_iteration", "ns", calibrated, WorkFigure::Better::neither},
        {"retimed_ns_per_iteration", "ns", retimed, WorkFigure::Better::neither}};
    if (auto wrong = wrong_unit_of_work(calibrated, retimed))
      report.broken.push_back(*wrong);
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
  }

  MassiveIntrLoad load_;
  std::optional<Placement> placement_;
  const StartLine start_, done_;
  Shared<Clock::time_point> begin_; ///< every task's, told before they are let go
  SharedArray<Account> accounts_;
  Children children_;
  Stretch stretch_; ///< the first task's, which only lets go and waits
};

MassiveIntrLoad load_from(const ParameterValues& values) {
  return {.tasks = static_cast<std::size_t>(values.count("tasks")),
          .time = std::chrono::seconds(values.count("seconds")),
          .work = microseconds(values.count("work_us")),
          .sleep = microseconds(values.count("sleep_us")),
          .calibration = values.count("calibration")};
}

Needs massive_intr_needs(const ParameterValues& values) {
  Needs needs;
  needs.tasks = values.count("tasks") + 1;
  needs.descriptors += 2 * StartLine::descriptors;
  needs.time = std::chrono::seconds(values.count("seconds"));
  return needs;
}

std::string calibrate_massive_intr(const ParameterValues& values, const Placement& placement) {
  const auto load = load_from(values);
  return load.calibration > 0
             ? ""
             : fmt::format("calibration={}", steps_of(load.work, placement, load.tasks));
}

} // namespace

std::unique_ptr<Workload> massive_intr_of(const MassiveIntrLoad& load) {
  return std::make_unique<MassiveIntr>(load);
}

std::optional<std::string> wrong_unit_of_work(double calibrated_ns, double retimed_ns) {
  const double deviation = retimed_ns / calibrated_ns - 1;
  if (std::abs(deviation) <= 0.05)
    return std::nullopt;
  return fmt::format("a step of the work took {:.4f} ns of CPU time after the run, {:+.1f} % from "
                     "the {:.4f} ns it was calibrated to; it must be within 5 %",
                     retimed_ns, 100 * deviation, calibrated_ns);
}

WorkloadEntry massive_intr() {
  return {
      .name = "massive-intr",
      .summary = "many processes that compute, sleep briefly, and count their rounds",
      .work_unit = "round",
      .parameters = {{"tasks", "1", "how many processes", Parameter::Count{200, 1, 30'000}},
                     {"seconds", "s", "for how long", Parameter::Count{300, 1, 86'400}},
                     {"work_us", "us", "CPU time of a round's work",
                      Parameter::Count{8'000, 1, 60'000'000}},
                     {"sleep_us", "us", "sleep after it", Parameter::Count{1'000, 1, 60'000'000}},
                     {"calibration", "1",
                      "steps that make this work; 0: found before the run, outside every group",
                      Parameter::Count{0, 0, 1'000'000'000'000}}},
      .positional = {"tasks", "seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return massive_intr_of(load_from(values)); },
      .needs = massive_intr_needs,
      .calibrate = calibrate_massive_intr,
  };
}

} // namespace schedrig
