#include "workloads/scheduling/pipe_ping_pong.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/child.hpp"

namespace schedrig {

namespace {

using Token = std::uint32_t;

void write_token(const Fd& pipe, const Token& token) {
  if (::write(pipe.number(), &token, sizeof token) != sizeof token)
    throw OsError(errno, "write", "the ping-pong's pipe");
}

void read_token(const Fd& pipe, Token& token) {
  const auto size =
      checked(::read(pipe.number(), &token, sizeof token), "read", "the ping-pong's pipe");
  if (size != sizeof token)
    throw std::runtime_error("the partner ended early: its pipe is closed");
}

/// What the partner leaves behind for the first task.
struct PartnerAccount {
  Stretch stretch;
  Token last = 0;
};

class PipePingPong final : public Workload {
public:
  explicit PipePingPong(const ParameterValues& values)
      : loops_(static_cast<Token>(values.count("loops"))),
        processes_(values.choice("tasks") == "processes") {}
  ~PipePingPong() override { stop_partner(); }

  void prepare(const Placement& placement) override {
    placement_ = placement;
    std::signal(SIGPIPE, SIG_IGN); // a dead partner is told by EPIPE, not by our own death
    if (processes_) {
      child_.emplace(placement.for_task(1), [this] {
        there_.write_end = Fd(); // ours are the other two ends: without these the first task's end
                                 // is seen as end of file
        back_.read_end = Fd();
        play_partner();
      });
      there_.read_end = Fd();
      back_.write_end = Fd();
    } else {
      thread_ = std::thread([this, cpus = placement.for_task(1)] {
        try {
          bind_self(cpus);
          play_partner();
        } catch (...) {
          thread_error_ = std::current_exception();
          back_.write_end = Fd(); // so that the first task reads end of file
        }
      });
    }
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    const auto begin = std::chrono::steady_clock::now();
    Token token = 0;
    for (Token loop = 0; loop < loops_; ++loop) {
      write_token(there_.write_end, loop);
      read_token(back_.read_end, token);
    }
    elapsed_ = std::chrono::steady_clock::now() - begin;
    stretch_.end();
    last_ = token;
  }

  WorkReport finish() override {
    stretch_.close();
    if (child_)
      child_->reap("the ping-pong's partner");
    if (thread_.joinable())
      thread_.join();
    if (thread_error_)
      std::rethrow_exception(thread_error_);

    WorkReport report;
    report.work = static_cast<double>(loops_);
    report.elapsed = elapsed_;
    report.usage = stretch_.usage();
    report.usage += partner_->stretch.usage();
    report.migrations = sum_of(stretch_.migrations(), partner_->stretch.migrations());
    check(report);
    return report;
  }

private:
  void play_partner() {
    auto& account = *partner_;
    account.stretch.open();
    account.stretch.begin();
    Token token = 0;
    for (Token loop = 0; loop < loops_; ++loop) {
      read_token(there_.read_end, token);
      write_token(back_.write_end, token);
    }
    account.stretch.end();
    account.stretch.close();
    account.last = token;
  }

  void check(WorkReport& report) const {
    if (last_ != loops_ - 1 || partner_->last != loops_ - 1)
      report.broken.push_back(fmt::format("the last token was {} (partner: {}) instead of {}",
                                          last_, partner_->last, loops_ - 1));
    if (placement_->cpus().size() == 1)
      if (auto wrong = wrong_switches(report.usage.switches(), report.work))
        report.broken.push_back(*wrong);
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
  }

  void stop_partner() noexcept {
    there_.write_end = Fd(); // a partner thread reads end of file and ends
    if (thread_.joinable())
      thread_.join();
  }

  const Token loops_;
  const bool processes_;
  std::optional<Placement> placement_;
  Channel there_ = pipe_channel(), back_ = pipe_channel();
  Shared<PartnerAccount> partner_;
  std::optional<Child> child_;
  std::thread thread_;
  std::exception_ptr thread_error_;
  Stretch stretch_;
  std::chrono::nanoseconds elapsed_{0};
  Token last_ = 0;
};

} // namespace

std::optional<std::string> wrong_switches(std::int64_t switches, double loops) {
  const double promised = 2 * loops;
  const double slack = std::max(0.01 * promised, 10.0);
  if (std::abs(static_cast<double>(switches) - promised) <= slack)
    return std::nullopt;
  return fmt::format("{:.4f} context switches a loop; on one CPU it must be 2.00 within 1 %",
                     static_cast<double>(switches) / loops);
}

WorkloadEntry pipe_ping_pong() {
  return {
      .name = "pipe-ping-pong",
      .summary = "two tasks wake each other in turn through two pipes, one token in flight",
      .work_unit = "loop",
      .parameters = {{"loops", "1", "times the token goes there and back",
                      Parameter::Count{100'000, 1, 1'000'000'000}},
                     {"tasks", "", "whether the two share an address space",
                      Parameter::Choice{{"processes", "threads"}}}},
      .positional = {"loops"},
      .aliases = {{"pipe-test", ""}, {"pipe-test-100k", "loops=100000"}},
      .make = [](const ParameterValues& values) { return std::make_unique<PipePingPong>(values); },
  };
}

} // namespace schedrig
