#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pinning/placement.hpp"
#include "pinning/task_usage.hpp"

namespace schedrig {

/// A number of its own that a workload reports, beside work, time and switches.
struct WorkFigure {
  /// What a smaller one means: see Metric::Better.
  enum class Better { lower, higher, neither };
  std::string name; ///< "rounds_deviation"; snake_case
  std::string unit; ///< "1", "KB/s"
  double value = 0;
  Better better = Better::neither;
};

/// A number that one task of a workload reports of itself.
struct TaskFigure {
  int task = 0; ///< from 0, in the order in which they were made
  int cpu = -1; ///< the CPU it is bound to, else last seen on; -1 where that is not known
  WorkFigure figure;
};

/// What a workload says of one execution of itself.
struct WorkReport {
  double work = 0;                        ///< units done in the measured part: loops
  std::chrono::nanoseconds elapsed{0};    ///< CLOCK_MONOTONIC, from its first to its last unit
  TaskUsage usage;                        ///< of all its tasks, over the measured part
  std::optional<std::int64_t> migrations; ///< of all its tasks; nothing if the kernel is silent
  std::vector<WorkFigure> figures;        ///< its own, beside these
  std::vector<TaskFigure> tasks;          ///< empty unless it tells its tasks apart
  std::vector<std::string> broken; ///< invariants that did not hold, a sentence with figures each

  std::string text() const; ///< for the way from the workload's process to the one that measures
  static WorkReport parse(std::string_view text); ///< throws BadInput when it is not such a text
};

/// A native load. It lives in a process of its own that is already bound and in its group; it knows
/// nothing of counters and limits.
///
/// prepare -> [gate] -> run -> [gate] -> finish, each called once, in this order. Each may throw:
/// the trial then failed with what() as its reason.
class Workload {
public:
  virtual ~Workload() = default;
  /// Makes what the run needs: pipes, files, further tasks, each bound by `placement.for_task(i)`;
  /// this thread is task 0.
  virtual void prepare(const Placement& placement) = 0;
  /// The measured part. Allocates nothing and prints nothing.
  virtual void run() = 0;
  /// Ends and reaps its tasks, checks its own invariants.
  virtual WorkReport finish() = 0;
};

/// A stretch of one thread's work: CPU time, switches and migrations.
///
/// `begin` before its first unit, `end` after its last; what reads files is done in `open` and
/// `close`, which belong outside the measured part.
class Stretch {
public:
  void open() { migrations_before_ = own_migrations(); }
  void begin() { before_ = TaskUsage::of_this_thread(); }
  void end() { after_ = TaskUsage::of_this_thread(); }
  void close() { migrations_after_ = own_migrations(); }

  TaskUsage usage() const { return after_ - before_; }
  std::optional<std::int64_t> migrations() const {
    if (migrations_before_ && migrations_after_)
      return *migrations_after_ - *migrations_before_;
    return std::nullopt;
  }

private:
  TaskUsage before_, after_;
  std::optional<std::int64_t> migrations_before_, migrations_after_;
};

/// The report of a workload whose only task is the calling thread, which closed `stretch` before:
/// with the sentence below where that is due.
WorkReport report_of_one_task(const Placement& placement, double work,
                              std::chrono::nanoseconds elapsed, const Stretch& stretch);

/// The sum of two tasks' migrations; nothing where one cannot be told.
std::optional<std::int64_t> sum_of(std::optional<std::int64_t> one,
                                   std::optional<std::int64_t> other);

/// The sentence for tasks that moved although each was bound to one CPU; nothing when none did, or
/// none can be told to have.
std::optional<std::string> moved_though_pinned(const Placement& placement,
                                               std::optional<std::int64_t> migrations);

} // namespace schedrig
