#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "pinning/fd.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/workload.hpp"

namespace schedrig {

/// A program that stands for a whole workload, with all that it starts: forked beforehand, then
/// executed and waited for.
///
/// While one exists, processes that lose their parent become ours (PR_SET_CHILD_SUBREAPER), so that
/// none can slip away; this process must have no other children then.
class Program {
public:
  enum class Output { nowhere, log };

  struct Start {
    std::vector<std::string> command;          ///< the program first, looked for in PATH
    std::vector<std::string> environment = {}; ///< all of it, NAME=VALUE; empty: as ours is
    std::filesystem::path folder = {};         ///< where it runs; empty: where we do
    Output output = Output::nowhere;           ///< its input is /dev/null in any case
    Fd log; ///< takes its errors, and is read for the reason when it fails
  };

  /// Forks it, bound to `cpus`. Throws OsError.
  Program(const CpuSet& cpus, Start start);
  Program(const Program&) = delete;
  ~Program(); ///< kills and reaps it and what it left

  /// Lets it begin, and waits until it has ended. Allocates nothing. Throws OsError.
  void run();
  /// Ends what it left running, and reports: one unit of work; the time from the exec to the end;
  /// the usage of the program, its descendants that were waited for, and us; their user and system
  /// time. Sentences for a status other than 0 and for processes left, with `name`: "the command".
  WorkReport finish(std::string_view name);

private:
  /// As getrusage(2) tells it: the sum of user and system time is exact, their shares are by ticks.
  struct Usage {
    TaskUsage task;
    std::chrono::microseconds user{0}, system{0};
    static Usage of(int who);
    friend Usage operator-(const Usage& after, const Usage& before) {
      return {after.task - before.task, after.user - before.user, after.system - before.system};
    }
  };

  [[noreturn]] void become() const;
  int end_leftovers();

  const Start start_;
  Channel gate_;
  Shared<Usage> before_exec_;              ///< what the forked process had used until then
  Usage children_before_, children_after_; ///< what all that we reaped had used
  int was_subreaper_ = 0, status_ = 0;
  Stretch stretch_;
  std::chrono::nanoseconds elapsed_{0};
  std::optional<Child> child_;
};

/// The end of what was written to `file`, in one line of at most 500 characters; for the reason of
/// a failure.
std::string last_words(const Fd& file);

} // namespace schedrig
