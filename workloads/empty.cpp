#include "workloads/empty.hpp"

namespace schedrig {

namespace {

class Empty final : public Workload {
public:
  void prepare(const Placement& placement) override {
    placement_ = placement;
    stretch_.open();
  }
  void run() override {
    stretch_.begin();
    const auto begin = std::chrono::steady_clock::now();
    elapsed_ = std::chrono::steady_clock::now() - begin;
    stretch_.end();
  }
  WorkReport finish() override {
    stretch_.close();
    WorkReport report;
    report.work = 1;
    report.elapsed = elapsed_;
    report.usage = stretch_.usage();
    report.migrations = stretch_.migrations();
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
    return report;
  }

private:
  std::optional<Placement> placement_;
  Stretch stretch_;
  std::chrono::nanoseconds elapsed_{0};
};

} // namespace

WorkloadEntry empty() {
  return {
      .name = "empty",
      .summary = "nothing between the gates: what a trial itself costs",
      .work_unit = "pass",
      .parameters = {},
      .positional = {},
      .aliases = {},
      .make = [](const ParameterValues&) { return std::make_unique<Empty>(); },
  };
}

} // namespace schedrig
