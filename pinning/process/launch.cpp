#include "pinning/process/launch.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "pinning/process/signals.hpp"

namespace schedrig {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What the new process is to do, and what it says: it writes here, since the memory is ours, and
/// we go on only when it has executed the command or ended.
struct Start {
  char* const* words;
  const CpuSet& cpus;
  int group; ///< the open cgroup.procs; -1 for none
  pid_t parent;

  const char* failed = nullptr; ///< the operation that failed
  int error = 0;
  Clock::time_point began = {}; ///< just before the exec
};

/// In the new process: system calls only, since another thread of ours may hold any lock.
int become(void* given) noexcept {
  auto& start = *static_cast<Start*>(given);
  const auto give_up = [&start](const char* operation, int error) {
    start.failed = operation;
    start.error = error;
    return EXIT_FAILURE;
  };
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) == -1)
    return give_up("prctl", errno);
  if (::getppid() != start.parent) // it died before that call and sends no signal
    return EXIT_FAILURE;
  if (start.group != -1 && ::write(start.group, "0", 1) != 1)
    return give_up("join a control group", errno);
  if (const int error = try_bind_self(start.cpus))
    return give_up("sched_setaffinity", error);

  forget_signals();

  start.began = Clock::now();
  ::execvp(start.words[0], start.words);
  return give_up("execvp", errno);
}

/// A process that is killed and reaped, unless it is reaped before.
class Running {
public:
  Running(pid_t process, Fd death) : process_(process), death_(std::move(death)) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (reaped_)
      return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) == -1 && errno == EINTR) {
    }
  }

  /// How it ended, when it has within `time`; then it is reaped.
  struct End {
    int status;
    rusage usage;
  };
  std::optional<End> end_within(milliseconds time) {
    pollfd polled{death_.number(), POLLIN, 0};
    // Without a pidfd (before Linux 5.2) this is a sleep.
    ::poll(&polled, 1, static_cast<int>(std::min(time, milliseconds(death_ ? 500 : 10)).count()));
    End end{};
    const auto done = ::wait4(process_, &end.status, WNOHANG, &end.usage);
    if (done == 0 || (done == -1 && errno == EINTR))
      return std::nullopt;
    reaped_ = true; // also where nobody knows how: SIGCHLD is ignored here
    checked(done, "wait4", "a command");
    return end;
  }

private:
  pid_t process_;
  Fd death_;
  bool reaped_ = false;
};

std::chrono::nanoseconds time_of(const timeval& value) {
  return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
}

/// Clones a process that shares our memory until it executes; returns when it has, or has ended.
Running clone_into(Start& start) {
  constexpr std::size_t stack_bytes = 64 * 1024;
  const auto stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  int death = -1;
  const SignalsBlocked blocked;
  const pid_t process =
      checked(::clone(become, stack.get() + stack_bytes,
                      CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &death),
              "clone", start.words[0]);
  return {process, Fd(death)};
}

Running::End wait_for(Running& running, const std::string& program, const Patience& patience) {
  const auto deadline = Clock::now() + patience.deadline;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    const auto end = running.end_within(std::max(left, milliseconds(0)));
    if (patience.interrupted && patience.interrupted())
      throw Interrupted();
    if (end)
      return *end;
    if (left <= milliseconds(0))
      throw TaskFailed(fmt::format("{} was still running after {} ms, its deadline, and was killed",
                                   program, patience.deadline.count()));
  }
}

} // namespace

Ending launch(const std::vector<std::string>& command, const CpuSet& cpus, const Cgroup* group,
              const Patience& patience) {
  if (command.empty())
    throw BadInput("a launch without a command");
  std::vector<char*> words;
  for (const auto& word : command)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const Fd procs = group ? Fd::open(group->path() / "cgroup.procs", O_WRONLY | O_CLOEXEC) : Fd();
  Start start{words.data(), cpus, procs.number(), ::getpid()};
  auto running = clone_into(start);
  const auto end = wait_for(running, command.front(), patience);
  const auto elapsed = Clock::now() - start.began;
  if (start.failed)
    throw OsError(start.error, start.failed,
                  start.failed == std::string_view("sched_setaffinity") ? "CPUs " + cpus.text()
                                                                        : command.front());
  const auto& usage = end.usage;
  return {end.status,     elapsed,        time_of(usage.ru_utime), time_of(usage.ru_stime),
          usage.ru_nvcsw, usage.ru_nivcsw};
}

} // namespace schedrig
