#include "workloads/scheduling/yield_loop.hpp"

#include <fmt/format.h>
#include <sched.h>

namespace schedrig {

namespace {

class YieldLoop final : public Workload {
public:
  explicit YieldLoop(const ParameterValues& values) : loops_(values.count("loops")) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t loop = 0; loop < loops_; ++loop)
      refused_ += ::sched_yield() != 0;
    elapsed_ = std::chrono::steady_clock::now() - begin;
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    WorkReport report;
    report.work = static_cast<double>(loops_);
    report.elapsed = elapsed_;
    report.usage = stretch_.usage();
    report.migrations = stretch_.migrations();
    if (refused_ != 0)
      report.broken.push_back(fmt::format("{} of {} yields were refused", refused_, loops_));
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
    return report;
  }

private:
  const std::int64_t loops_;
  std::optional<Placement> placement_;
  Stretch stretch_;
  std::chrono::nanoseconds elapsed_{0};
  std::int64_t refused_ = 0;
};

} // namespace

WorkloadEntry yield_loop() {
  return {
      .name = "yield-loop",
      .summary = "one task that yields the CPU, with nobody to take it",
      .work_unit = "yield",
      .parameters = {{"loops", "1", "times it yields",
                      Parameter::Count{100'000, 1, 1'000'000'000}}},
      .positional = {"loops"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<YieldLoop>(values); },
  };
}

} // namespace schedrig
