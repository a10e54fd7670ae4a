#include "workloads/controls/empty.hpp"

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
    return report_of_one_task(*placement_, 1, elapsed_, stretch_);
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
