#include "workloads/child.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

void Child::reap(const std::string& part) {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0)
    if (errno != EINTR)
      throw OsError(errno, "waitpid", part);
  process_ = -1;
  if (WIFSIGNALED(status))
    throw std::runtime_error(fmt::format("{} died of signal {}", part, WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("{} exited with status {}", part, WEXITSTATUS(status)));
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
