#include "workloads/controls/syscall_loop.hpp"

#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/parts/extent.hpp"
#include "workloads/processes/execl_loop.hpp"

namespace schedrig {

namespace {

constexpr std::int64_t rounds_a_look = 64;

class SyscallLoop final : public Workload {
public:
  explicit SyscallLoop(const ParameterValues& values)
      : kind_(values.choice("kind")),
        extent_(values, "rounds", kind_ == "exec" ? 1 : rounds_a_look) {}
  ~SyscallLoop() override { ::umask(mask_before_); }

  void prepare(const Placement& placement) override {
    placement_ = placement;
    if (kind_ == "exec")
      checked(::access(program_.c_str(), X_OK), "access", program_);
    mask_before_ = ::umask(mask);
    stretch_.open();
    children_before_ = usage_of_reaped_children();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    if (kind_ == "mix")
      repeat([this] { return mix(); });
    else if (kind_ == "getpid")
      repeat([this] { return ::syscall(SYS_getpid) != process_; });
    else
      repeat([this] { return start_program(); });
    elapsed_ = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, static_cast<double>(rounds_), elapsed_, stretch_);
    report.usage += usage_of_reaped_children() - children_before_;
    if (kind_ == "exec" && !placement_->pinned())
      report.migrations.reset(); // nobody can tell of the children's
    if (auto wrong = wrong_answers(wrong_, rounds_))
      report.broken.push_back(*wrong);
    return report;
  }

private:
  static constexpr long mask = 022;

  /// `round` says how many of its calls gave a wrong answer.
  template <typename Round>
  void repeat(const Round& round) {
    for (rounds_ = 0; extent_.goes_on(rounds_); ++rounds_)
      wrong_ += round();
  }

  int mix() const {
    const long copy = ::syscall(SYS_dup, file_.number());
    int wrong = copy < 0;
    wrong += ::syscall(SYS_close, copy) != 0;
    wrong += ::syscall(SYS_getpid) != process_;
    wrong += ::syscall(SYS_getuid) != user_;
    wrong += ::syscall(SYS_umask, mask) != mask; // what it was before
    return wrong;
  }

  int start_program() const {
    const pid_t child = checked(::fork(), "fork", "a child of the system call loop");
    if (child == 0) {
      char* const arguments[] = {const_cast<char*>(program_.c_str()), nullptr};
      char* const environment[] = {nullptr};
      ::execve(program_.c_str(), arguments, environment);
      ::_exit(EXIT_FAILURE);
    }
    if (const int status = reap_process(child); status != 0)
      throw std::runtime_error(fmt::format("{} {}", program_, how_it_ended(status)));
    return 0;
  }

  const std::string kind_;
  Extent extent_;
  std::optional<Placement> placement_;
  const std::string program_ = execl_program("static");
  const Fd file_ = Fd::open("/dev/null", O_RDONLY);
  const long process_ = ::getpid(), user_ = ::getuid();
  mode_t mask_before_ = mask;
  std::int64_t rounds_ = 0, wrong_ = 0;
  std::chrono::nanoseconds elapsed_{0};
  Stretch stretch_;
  TaskUsage children_before_;
};

} // namespace

std::optional<std::string> wrong_answers(std::int64_t wrong, std::int64_t rounds) {
  if (wrong == 0)
    return std::nullopt;
  return fmt::format("{} system calls of {} rounds gave a wrong answer", wrong, rounds);
}

WorkloadEntry syscall_loop() {
  return {
      .name = "syscall-loop",
      .summary = "one process calls into the kernel and back for next to nothing",
      .work_unit = "round",
      .parameters = {{"kind", "", "what a round is: five small calls, one, or a program's start",
                      Parameter::Choice{{"mix", "getpid", "exec"}}},
                     Extent::seconds(10, "rounds"),
                     Extent::units("rounds")},
      .positional = {"seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<SyscallLoop>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.tasks = values.choice("kind") == "exec" ? 2 : 1,
                         .time = Extent::time_of(values, "rounds")};
          },
  };
}

} // namespace schedrig
