#include "workloads/scheduling/context_switch.hpp"

#include <csignal>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/parts/extent.hpp"
#include "workloads/scheduling/pipe_ping_pong.hpp"

namespace schedrig {

namespace {

using Counter = std::int64_t;

/// False when the other end is closed. A pipe takes or gives 8 bytes whole or not at all.
bool hand_over(const Channel& pipe, Counter counter) {
  if (::write(pipe.write_end.number(), &counter, sizeof counter) == sizeof counter)
    return true;
  if (errno == EPIPE)
    return false;
  throw OsError(errno, "write", "the context switch's pipe");
}

bool take_over(const Channel& pipe, Counter& counter) {
  return checked(::read(pipe.read_end.number(), &counter, sizeof counter), "read",
                 "the context switch's pipe") == sizeof counter;
}

struct PartnerAccount {
  Stretch stretch;
  Counter loops = 0, wrong = 0;
};

class ContextSwitch final : public Workload {
public:
  explicit ContextSwitch(const ParameterValues& values) : extent_(values, "loops") {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    std::signal(SIGPIPE, SIG_IGN); // a dead partner is told by EPIPE, and then by how it died
    child_.emplace(placement.for_task(1), [this] {
      there_.write_end = Fd(); // else the partner would never see that the first task is done
      back_.read_end = Fd();
      play_partner();
    });
    there_.read_end = Fd();
    back_.write_end = Fd();
    exchange(0); // the partner is there, bound and ready
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    for (loops_ = 0; extent_.goes_on(loops_); ++loops_)
      wrong_ += exchange(loops_) != loops_;
    elapsed_ = extent_.elapsed();
    stretch_.end();
    there_.write_end = Fd(); // the partner sees the end of the file and accounts
  }

  WorkReport finish() override {
    stretch_.close();
    child_->reap(partner);
    WorkReport report;
    report.work = static_cast<double>(loops_);
    report.elapsed = elapsed_;
    report.usage = stretch_.usage();
    report.usage += account_->stretch.usage();
    report.migrations = sum_of(stretch_.migrations(), account_->stretch.migrations());

    if (auto wrong = out_of_step(loops_, account_->loops, wrong_ + account_->wrong))
      report.broken.push_back(*wrong);
    if (placement_->cpus().size() == 1)
      if (auto wrong = wrong_switches(report.usage.switches(), report.work))
        report.broken.push_back(*wrong);
    if (auto moved = moved_though_pinned(*placement_, report.migrations))
      report.broken.push_back(*moved);
    return report;
  }

private:
  static constexpr const char* partner = "the context switch's partner";

  void play_partner() {
    auto& account = *account_;
    Counter loops = 0, wrong = 0, counter = 0;
    account.stretch.open();
    if (take_over(there_, counter))
      hand_over(back_, counter);
    account.stretch.begin();
    while (take_over(there_, counter)) {
      wrong += counter != loops;
      hand_over(back_, loops);
      ++loops;
    }
    account.stretch.end();
    account.loops = loops;
    account.wrong = wrong;
    account.stretch.close();
  }

  Counter exchange(Counter counter) {
    if (hand_over(there_, counter) && take_over(back_, counter))
      return counter;
    child_->reap(partner); // tells how it ended
    throw std::runtime_error(fmt::format("{} ended early", partner));
  }

  Extent extent_;
  std::optional<Placement> placement_;
  Channel there_ = pipe_channel(), back_ = pipe_channel();
  Shared<PartnerAccount> account_;
  std::optional<Child> child_;
  Counter loops_ = 0, wrong_ = 0;
  std::chrono::nanoseconds elapsed_{0};
  Stretch stretch_;
};

} // namespace

std::optional<std::string> out_of_step(std::int64_t loops, std::int64_t partner_loops,
                                       std::int64_t wrong_counters) {
  if (partner_loops == loops && wrong_counters == 0)
    return std::nullopt;
  return fmt::format("the partner took part in {} of {} loops; {} counters were not the one due",
                     partner_loops, loops, wrong_counters);
}

WorkloadEntry context_switch() {
  return {
      .name = "context-switch",
      .summary = "two processes hand a counter to and fro through two pipes and check it",
      .work_unit = "loop",
      .parameters = {Extent::seconds(10, "loops"), Extent::units("loops")},
      .positional = {"seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<ContextSwitch>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.tasks = 2, .time = Extent::time_of(values, "loops")};
          },
  };
}

} // namespace schedrig
