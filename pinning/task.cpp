#include "pinning/task.hpp"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "pinning/process/signals.hpp"

namespace schedrig {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// How long to poll before asking again whether the user wants to stop; without a pidfd, before
/// looking whether the process lives.
constexpr milliseconds slice{500}, slice_without_pidfd{10};
/// How long a killed process may take to go: longer means that the kernel does not let it (D state,
/// a frozen group).
constexpr milliseconds patience_with_the_killed{5'000};

// ---- In the new process, between clone and exec ----
// Only system calls: another thread of ours may have held any lock, malloc's too, when the memory
// was copied.

enum class StartStep : int { die_with_parent, lead_process_group, bind, take_channel, execute };

/// What follows GateWord::not_started.
struct StartFailure {
  StartStep step;
  int error;
};

/// Everything that the new process needs, made ready before the clone.
struct Start {
  char* const* command;
  const CpuSet& cpus;
  int channel;
  pid_t parent;
};

[[noreturn]] void give_up(int channel, StartStep step, int error) noexcept {
  const StartFailure failure{step, error};
  char packet[1 + sizeof failure] = {static_cast<char>(GateWord::not_started)};
  std::memcpy(packet + 1, &failure, sizeof failure);
  ::send(channel, packet, sizeof packet, MSG_NOSIGNAL);
  ::_exit(EXIT_FAILURE);
}

void wait_for_leave_to_execute(int channel) noexcept {
  char word = 0;
  ssize_t size;
  do
    size = ::recv(channel, &word, 1, 0);
  while (size == -1 && errno == EINTR);
  if (size != 1 || word != static_cast<char>(GateWord::execute))
    ::_exit(EXIT_FAILURE);
}

[[noreturn]] void become(const Start& start) noexcept {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) == -1)
    give_up(start.channel, StartStep::die_with_parent, errno);
  // A parent that died before that call sends no signal.
  if (::getppid() != start.parent)
    ::_exit(EXIT_FAILURE);
  if (::setpgid(0, 0) == -1)
    give_up(start.channel, StartStep::lead_process_group, errno);
  wait_for_leave_to_execute(start.channel);
  if (const int error = try_bind_self(start.cpus))
    give_up(start.channel, StartStep::bind, error);

  // dup2 onto itself would keep O_CLOEXEC.
  const bool in_place = start.channel == Gate::descriptor;
  if ((in_place ? ::fcntl(Gate::descriptor, F_SETFD, 0)
                : ::dup2(start.channel, Gate::descriptor)) == -1)
    give_up(start.channel, StartStep::take_channel, errno);
  // What others of this process opened without O_CLOEXEC would make one start unlike another. No
  // call before Linux 5.9.
  ::syscall(SYS_close_range, Gate::descriptor + 1, ~0U, 0U);

  forget_signals();

  ::execve(start.command[0], start.command, environ);
  give_up(Gate::descriptor, StartStep::execute, errno);
}

// ---- In the parent ----

struct Born {
  pid_t process; ///< 0 in the new process itself
  int death;     ///< its pidfd; -1 where the kernel has none
  bool in_group; ///< whether it was created inside the group
};

/// fork(2) with a pidfd, into the group of the folder `group` where that is not -1 and the kernel
/// can.
Born clone_process(int group) {
  clone_args how{};
  int death = -1;
  how.flags = CLONE_PIDFD;
  how.pidfd = reinterpret_cast<std::uintptr_t>(&death);
  how.exit_signal = SIGCHLD;
  if (group != -1) {
    clone_args into = how;
    into.flags |= CLONE_INTO_CGROUP;
    into.cgroup = static_cast<std::uint64_t>(group);
    const auto process = ::syscall(SYS_clone3, &into, sizeof into);
    // Before Linux 5.7 neither the flag nor the size is known. ENOSYS is also what containers
    // answer.
    if (process != -1 || (errno != EINVAL && errno != E2BIG && errno != ENOSYS))
      return {static_cast<pid_t>(checked(process, "clone3", "a new process inside its group")),
              death, true};
  }
  auto process = ::syscall(SYS_clone3, &how, CLONE_ARGS_SIZE_VER0);
  if (process == -1 && errno == ENOSYS)
    process = ::syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, nullptr, &death, nullptr, 0);
  return {static_cast<pid_t>(checked(process, "clone", "a new process")), death, false};
}

GateWord answer_to(GateWord word) {
  switch (word) {
  case GateWord::execute:
    return GateWord::started;
  case GateWord::prepare:
    return GateWord::ready;
  case GateWord::run:
    return GateWord::done;
  default:
    return GateWord::report_end;
  }
}

std::string doing(GateWord expected) {
  switch (expected) {
  case GateWord::started:
    return "starting";
  case GateWord::ready:
    return "preparing";
  case GateWord::done:
    return "running";
  default:
    return "tearing down";
  }
}

std::string before(GateWord expected) {
  switch (expected) {
  case GateWord::started:
    return "before it had started";
  case GateWord::ready:
    return "before it was ready";
  case GateWord::done:
    return "before it was done";
  default:
    return "before it had reported";
  }
}

OsError start_error(std::string_view text, const std::string& program, const CpuSet& cpus) {
  StartFailure failure{};
  std::memcpy(&failure, text.data(), std::min(text.size(), sizeof failure));
  switch (failure.step) {
  case StartStep::die_with_parent:
    return {failure.error, "prctl", "PR_SET_PDEATHSIG"};
  case StartStep::lead_process_group:
    return {failure.error, "setpgid", program};
  case StartStep::bind:
    return {failure.error, "sched_setaffinity", "CPUs " + cpus.text()};
  case StartStep::take_channel:
    return {failure.error, "dup2", "the gate"};
  case StartStep::execute:
    break;
  }
  return {failure.error, "execve", program};
}

} // namespace

Task::Task(const Cgroup* group, Patience patience)
    : group_(group), patience_(std::move(patience)) {}

// Delegates, so that the destructor runs, and kills what was started, when anything below throws.
Task::Task(const std::vector<std::string>& command, const CpuSet& cpus, const Cgroup* group,
           Patience patience)
    : Task(group, std::move(patience)) {
  if (command.empty())
    throw BadInput("a task without a program");
  program_ = command[0];
  cpus_ = cpus;
  std::vector<char*> arguments;
  for (const auto& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  int ends[2];
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair", program_);
  channel_ = Fd(ends[0]);
  Fd their_channel(ends[1]);
  const Start start{arguments.data(), cpus_, their_channel.number(), ::getpid()};
  Born born{};
  {
    const SignalsBlocked blocked;
    born = clone_process(group ? group->folder().number() : -1);
    if (born.process == 0)
      become(start);
  }
  process_ = born.process;
  death_ = Fd(born.death);
  their_channel = Fd();
  if (group && !born.in_group)
    group->join(process_);
  say(GateWord::execute);
  wait_for(GateWord::started);
}

Task::~Task() {
  kill();
  reap();
}

void Task::prepare() {
  say(GateWord::prepare);
  wait_for(GateWord::ready);
}

void Task::open_gate() {
  say(GateWord::run);
}

void Task::wait_until_done() {
  wait_for(GateWord::done);
}

std::string Task::finish() {
  say(GateWord::finish);
  auto report = wait_for(GateWord::report_end);
  std::string packet;
  if (hear(packet, GateWord::report_end, Clock::now() + patience_.deadline))
    fail("went on talking after its report");
  siginfo_t status{};
  checked(::waitid(P_PID, static_cast<id_t>(process_), &status, WEXITED | WNOWAIT), "waitid",
          program_);
  if (status.si_code != CLD_EXITED || status.si_status != 0)
    fail(how_it_ended() + " after its report");
  reap();
  return report;
}

void Task::kill() noexcept {
  if (process_ > 0 && !reaped_) {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
  }
  if (group_)
    group_->kill_all();
}

void Task::say(GateWord word) {
  const char packet = static_cast<char>(word);
  ssize_t sent;
  do
    sent = ::send(channel_.number(), &packet, 1, MSG_NOSIGNAL);
  while (sent == -1 && errno == EINTR);
  // When it is gone, what it said last tells why, or its status does.
  if (sent == -1 && (errno == EPIPE || errno == ECONNRESET || !channel_))
    wait_for(answer_to(word));
  else
    checked(sent, "send", "the gate of " + program_);
}

std::string Task::wait_for(GateWord expected) {
  const auto end = Clock::now() + patience_.deadline;
  std::string text, packet;
  while (hear(packet, expected, end)) {
    const auto word = static_cast<GateWord>(packet[0]);
    const auto rest = std::string_view(packet).substr(1);
    if (word == GateWord::failed)
      fail(fmt::format("failed while {}: {}", doing(expected), rest));
    if (word == GateWord::not_started)
      throw start_error(rest, program_, cpus_);
    if (word == GateWord::report_part && expected == GateWord::report_end) {
      text += rest;
      continue;
    }
    if (word != expected)
      fail(fmt::format("said '{}' while {}, where '{}' was due", packet[0], doing(expected),
                       static_cast<char>(expected)));
    return text;
  }
  // Ctrl-C goes to every process of the terminal's group, also to one that has just been cloned.
  throw_if_interrupted();
  fail(fmt::format("{} while {}, {}", how_it_ended(), doing(expected), before(expected)));
}

// True with the next packet; false when the process has died and everything it said is heard.
bool Task::hear(std::string& packet, GateWord expected, Clock::time_point end) {
  for (;;) {
    const auto left =
        std::max(std::chrono::ceil<milliseconds>(end - Clock::now()), milliseconds(0));
    pollfd polled[] = {{channel_.number(), POLLIN, 0}, {death_.number(), POLLIN, 0}};
    const int ready = ::poll(
        polled, 2, static_cast<int>(std::min(left, death_ ? slice : slice_without_pidfd).count()));
    if (ready == -1 && errno != EINTR)
      checked(ready, "poll", program_);
    // Looked at before the last look into the channel: what it said before it died is still heard.
    const bool dead = death_ ? polled[1].revents != 0 : died_within(milliseconds(0));
    if (receive(packet))
      return true;
    if (dead)
      return false;
    if (ready <= 0)
      throw_if_interrupted();
    if (Clock::now() >= end)
      fail(fmt::format("was still {} after {} ms, its deadline, and was killed", doing(expected),
                       patience_.deadline.count()));
  }
}

// Whether there was a packet. A process that closed its end says nothing more: poll would tell so
// for ever.
bool Task::receive(std::string& packet) {
  if (!channel_)
    return false;
  packet.resize(1 + Gate::most_text_bytes);
  ssize_t size;
  do
    size = ::recv(channel_.number(), packet.data(), packet.size(), MSG_DONTWAIT);
  while (size == -1 &&
         (errno == EINTR || errno == ECONNRESET)); // the latter is told once, before what is queued
  if (size == -1 && errno == EAGAIN)
    return false;
  checked(size, "recv", "the gate of " + program_);
  packet.resize(static_cast<std::size_t>(size));
  if (size == 0)
    channel_ = Fd();
  return size > 0;
}

bool Task::died_within(milliseconds time) const noexcept {
  const auto end = Clock::now() + time;
  for (;;) {
    siginfo_t status{};
    // ECHILD: whoever ignores SIGCHLD has its children reaped by the kernel.
    if (::waitid(P_PID, static_cast<id_t>(process_), &status, WEXITED | WNOWAIT | WNOHANG) == -1
            ? errno != EINTR
            : status.si_pid == process_)
      return true;
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left <= milliseconds(0))
      return false;
    pollfd polled{death_.number(), POLLIN, 0};
    ::poll(&polled, 1,
           static_cast<int>(std::min(left, death_ ? slice : slice_without_pidfd).count()));
  }
}

void Task::reap() noexcept {
  if (process_ <= 0 || reaped_)
    return;
  if (!died_within(patience_with_the_killed)) {
    fmt::print(stderr, "schedrig: process {} ({}) does not die of SIGKILL and is left behind\n",
               process_, program_);
    return;
  }
  // What it left in its process group, while the dead leader still keeps the number from being
  // given to others.
  ::kill(-process_, SIGKILL);
  while (::waitid(P_PID, static_cast<id_t>(process_), nullptr, WEXITED) == -1 && errno == EINTR) {
  }
  reaped_ = true;
}

void Task::fail(std::string_view how) {
  const auto text = fmt::format("{} (process {}) {}", program_, process_, how);
  kill();
  reap();
  throw TaskFailed(text);
}

std::string Task::how_it_ended() const {
  siginfo_t status{};
  ::waitid(P_PID, static_cast<id_t>(process_), &status, WEXITED | WNOWAIT | WNOHANG);
  if (status.si_pid == 0)
    return "ended, nobody knows how (SIGCHLD is ignored here),";
  if (status.si_code == CLD_EXITED)
    return fmt::format("exited with status {}", status.si_status);
  const char* name = ::sigabbrev_np(status.si_status);
  return fmt::format("died of SIG{} (signal {})", name ? name : "RT", status.si_status);
}

void Task::throw_if_interrupted() {
  if (!patience_.interrupted || !patience_.interrupted())
    return;
  kill();
  reap();
  throw Interrupted();
}

} // namespace schedrig
