#include "workloads/parts/child.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

[[noreturn]] void live(pid_t parent, const CpuSet& cpus,
                       const std::function<void()>& body) noexcept {
  try {
    checked(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl", "PR_SET_PDEATHSIG");
    if (::getppid() != parent) // it died before we asked to be told
      ::_exit(1);
    bind_self(cpus);
    body();
    ::_exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schedrig: a workload's child: %s\n", error.what());
    ::_exit(1);
  }
}

} // namespace

Child::Child(const CpuSet& cpus, const std::function<void()>& body) {
  const pid_t parent = ::getpid();
  process_ = checked(::fork(), "fork", "a workload's child");
  if (process_ == 0)
    live(parent, cpus, body);
}

Child::~Child() {
  if (process_ < 0)
    return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

int Child::wait() {
  const int status = reap_process(process_);
  process_ = -1;
  return status;
}

bool Child::ended() const {
  siginfo_t ending{};
  checked(::waitid(P_PID, static_cast<id_t>(process_), &ending, WEXITED | WNOHANG | WNOWAIT),
          "waitid", "a workload's child");
  return ending.si_pid != 0;
}

void Child::reap(const std::string& part) {
  if (const int status = wait(); status != 0)
    throw std::runtime_error(fmt::format("{} {}", part, how_it_ended(status)));
}

int reap_process(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      throw OsError(errno, "waitpid", "a workload's child");
  return status;
}

std::string how_it_ended(int wait_status) {
  if (!WIFSIGNALED(wait_status))
    return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
  const char* name = ::sigabbrev_np(WTERMSIG(wait_status));
  return name ? fmt::format("died of SIG{}", name)
              : fmt::format("died of signal {}", WTERMSIG(wait_status));
}

TaskUsage usage_of_reaped_children() {
  rusage usage{};
  checked(::getrusage(RUSAGE_CHILDREN, &usage), "getrusage", "RUSAGE_CHILDREN");
  const auto time = [](const timeval& value) {
    return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
  };
  return {time(usage.ru_utime) + time(usage.ru_stime), usage.ru_nvcsw, usage.ru_nivcsw};
}

void* map_shared(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw OsError(errno, "mmap", fmt::format("{} bytes shared with a workload's children", bytes));
  return memory;
}

void unmap_shared(void* memory, std::size_t bytes) noexcept {
  ::munmap(memory, bytes);
}

} // namespace schedrig
