#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "pinning/cgroup/cgroup.hpp"
#include "pinning/cpu_set.hpp"
#include "pinning/fd.hpp"
#include "pinning/gate.hpp"

namespace schedrig {

/// A started process did not do its part: it said why, died of a signal, exited early, or was
/// killed at its deadline. The trial failed; the next can run.
class TaskFailed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The user asked to stop (Ctrl-C).
class Interrupted : public std::runtime_error {
public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// How long to wait for a Task's next word, and whether to go on waiting.
struct Patience {
  std::chrono::milliseconds deadline{std::chrono::minutes(5)}; ///< for each step
  /// Asked at least twice a second and after each signal; may be empty.
  std::function<bool()> interrupted;
};

/// A process started straight inside its group, bound to its CPUs, waiting at a gate (see Gate for
/// the steps).
///
/// The program is executed afresh for each Task: its address space has a layout of its own, so that
/// layout is part of a result's spread, and it costs the same whoever starts it. It leads a process
/// group of its own. Not to be shared between threads.
///
/// It dies when the thread that started it ends (PR_SET_PDEATHSIG): start Tasks from a thread that
/// outlives them.
class Task {
public:
  /// Starts `command` (program first) inside `group` (none: where we are), bound to `cpus`, and
  /// waits until it says it started. Where the kernel and the hierarchy have it by clone3 with
  /// CLONE_INTO_CGROUP, else by a write to cgroup.procs before its first instruction. Throws
  /// OsError: EAGAIN (process limit), ENOENT (no such program), EINVAL (CPUs offline), EOPNOTSUPP
  /// and EBUSY (the group is a v2 threaded or internal one); TaskFailed; Interrupted.
  Task(const std::vector<std::string>& command, const CpuSet& cpus, const Cgroup* group,
       Patience patience = {});
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task(); ///< kills and reaps what is left of it, group and process group

  pid_t process() const noexcept { return process_; }

  void prepare();   ///< lets it prepare; returns when it is ready. Throws TaskFailed, Interrupted
  void open_gate(); ///< lets it run: one write, no wait. Throws TaskFailed when it is gone
  void wait_until_done(); ///< Throws TaskFailed, Interrupted
  std::string finish();   ///< lets it tear down; its report, when it has exited with 0. Throws
                          ///< TaskFailed, Interrupted

  /// Kills its group (all that is in it) and its process group. Idempotent.
  void kill() noexcept;

private:
  Task(const Cgroup* group, Patience patience); ///< nothing started yet
  void say(GateWord word);
  std::string wait_for(GateWord word); ///< what came with the word
  bool hear(std::string& packet, GateWord expected, std::chrono::steady_clock::time_point end);
  bool receive(std::string& packet);
  bool died_within(std::chrono::milliseconds time) const noexcept;
  void reap() noexcept;
  [[noreturn]] void fail(std::string_view how); ///< kills, reaps, and throws TaskFailed
  std::string how_it_ended() const;
  void throw_if_interrupted();

  pid_t process_ = -1;
  Fd death_; ///< the pidfd, readable once the process has died; owns nothing before Linux 5.2
  bool reaped_ = false;
  Fd channel_;
  std::string program_;
  CpuSet cpus_;
  const Cgroup* group_;
  Patience patience_;
};

} // namespace schedrig
