#include "workloads/processes/execl_loop.hpp"

#include <array>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/parts/extent.hpp"
#include "workloads/parts/start_line.hpp"
#include "workloads/processes/execl_report.hpp"

namespace schedrig {

namespace {

using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

/// What the process leaves behind before its first exec, after which it shares no memory with us.
struct ExeclAccount {
  Clock::time_point begin;
  TaskUsage usage;
  std::optional<std::int64_t> migrations;
};

class ExeclLoop final : public Workload {
public:
  explicit ExeclLoop(const ParameterValues& values)
      : extent_(values, "execs"), program_(execl_program(values.choice("linking"))) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    checked(::access(program_.c_str(), X_OK), "access", program_);
    child_.emplace(placement.for_task(0), [this] { replace_self(); });
    report_pipe_.write_end = Fd(); // else its death would not be seen
    start_.await(1, [this] {
      if (child_->ended())
        fail();
    });
  }

  void run() override {
    start_.let_go();
    if (checked(::read(report_pipe_.read_end.number(), &last_, sizeof last_), "read",
                "the exec loop's pipe") != sizeof last_)
      fail();
    if (last_.error != 0)
      throw OsError(last_.error, "execve", fmt::format("{}, time {}", program_, last_.execs + 1));
  }

  WorkReport finish() override {
    const auto migrations = migrations_of(child_->process()); // of the dead until they are reaped
    const auto process = child_->process();
    child_->reap(loop);

    WorkReport report;
    report.work = static_cast<double>(last_.execs);
    report.elapsed = nanoseconds(last_.end_ns) - account_->begin.time_since_epoch();
    report.usage = TaskUsage{nanoseconds(last_.cpu_time_ns), last_.voluntary_switches,
                             last_.involuntary_switches} -
                   account_->usage;
    if (migrations && account_->migrations)
      report.migrations = *migrations - *account_->migrations;

    if (extent_.units() > 0 && last_.execs != extent_.units())
      report.broken.push_back(
          fmt::format("{} execs were counted instead of {}", last_.execs, extent_.units()));
    if (last_.process != process)
      report.broken.push_back(
          fmt::format("process {} came to the end of the chain, not {}", last_.process, process));
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
    return report;
  }

private:
  static constexpr const char* loop = "the exec loop";

  /// In the child: does not return but by an error, which the parent is told of.
  void replace_self() {
    const int report_to = report_pipe_.write_end.number();
    checked(::fcntl(report_to, F_SETFD, 0), "fcntl", "the exec loop's pipe");
    account_->migrations = own_migrations();
    auto pipe = std::to_string(report_to), wanted = std::to_string(extent_.units()),
         last_moment = std::string(24, '\0'), done = std::string("0");
    const std::array<char*, 6> arguments{program_.data(),    pipe.data(), wanted.data(),
                                         last_moment.data(), done.data(), nullptr};
    char* const environment[] = {nullptr};
    start_.wait();

    account_->usage = TaskUsage::of_this_thread();
    account_->begin = Clock::now();
    fmt::format_to(last_moment.data(), "{}",
                   nanoseconds(account_->begin.time_since_epoch() + extent_.time()).count());
    ::execve(program_.c_str(), arguments.data(), environment);
    ExeclReport failure{};
    failure.error = errno;
    checked(::write(report_to, &failure, sizeof failure), "write", "the exec loop's pipe");
  }

  [[noreturn]] void fail() {
    child_->reap(loop); // tells how it ended
    throw std::runtime_error(fmt::format("{} ended early", loop));
  }

  const Extent extent_;
  std::string program_;
  std::optional<Placement> placement_;
  Channel report_pipe_ = pipe_channel();
  StartLine start_;
  Shared<ExeclAccount> account_;
  std::optional<Child> child_;
  ExeclReport last_{};
};

} // namespace

std::string execl_program(std::string_view linking) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return folder / (linking == "dynamic" ? "schedrig-execl-dynamic" : "schedrig-execl");
}

WorkloadEntry execl_loop() {
  return {
      .name = "execl-loop",
      .summary = "a process that replaces itself by exec, carrying its count",
      .work_unit = "exec",
      .parameters = {Extent::seconds(10, "execs"),
                     Extent::units("execs"),
                     {"linking", "", "whether the program needs the dynamic linker",
                      Parameter::Choice{{"static", "dynamic"}}}},
      .positional = {"seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<ExeclLoop>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.tasks = 2, .time = Extent::time_of(values, "execs")};
          },
  };
}

} // namespace schedrig
