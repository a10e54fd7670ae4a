#include "workloads/processes/fork_loop.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/parts/extent.hpp"

namespace schedrig {

namespace {

class ForkLoop final : public Workload {
public:
  explicit ForkLoop(const ParameterValues& values) : extent_(values, "forks") {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    stretch_.open();
    children_before_ = usage_of_reaped_children();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    for (forks_ = 0; extent_.goes_on(forks_); ++forks_) {
      const pid_t child = checked(::fork(), "fork", "a child of the fork loop");
      if (child == 0)
        ::_exit(0); // so soon that it need not be told of its parent's death
      if (const int status = reap_process(child); status != 0)
        throw std::runtime_error(
            fmt::format("child {} of the fork loop {}", forks_, how_it_ended(status)));
    }
    elapsed_ = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, static_cast<double>(forks_), elapsed_, stretch_);
    report.usage += usage_of_reaped_children() - children_before_;
    if (!placement_->pinned())
      report.migrations.reset();
    return report;
  }

private:
  Extent extent_;
  std::optional<Placement> placement_;
  std::int64_t forks_ = 0;
  std::chrono::nanoseconds elapsed_{0};
  Stretch stretch_;
  TaskUsage children_before_;
};

} // namespace

WorkloadEntry fork_loop() {
  return {
      .name = "fork-loop",
      .summary = "fork, the child exits at once, the parent waits for it",
      .work_unit = "fork",
      .parameters = {Extent::seconds(10, "forks"), Extent::units("forks")},
      .positional = {"seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<ForkLoop>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.tasks = 2, .time = Extent::time_of(values, "forks")};
          },
  };
}

} // namespace schedrig
