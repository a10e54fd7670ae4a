// What a Task's tests start: does its part at the gate, or fails to in the way that its first
// argument names.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "pinning/cpu_set.hpp"
#include "pinning/gate.hpp"

using namespace schedrig;

namespace {

[[noreturn]] void hang() {
  for (;;)
    ::pause();
}

void die() {
  ::signal(SIGSEGV, SIG_DFL); // a sanitizer's handler would exit instead
  ::raise(SIGSEGV);
}

/// Ignored and blocked signals, descriptors above the gate's, CPUs: what a process inherits.
std::string inherited() {
  std::string ignored;
  sigset_t blocked;
  ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      ignored += "ignores " + std::to_string(signal) + "; ";
    if (::sigismember(&blocked, signal) == 1)
      ignored += "blocks " + std::to_string(signal) + "; ";
  }
  for (int number = Gate::descriptor + 1; number < 64; ++number)
    if (::fcntl(number, F_GETFD) != -1)
      ignored += "holds " + std::to_string(number) + "; ";
  return ignored + "leads " + std::to_string(::getpgrp() == ::getpid()) + "; CPUs " +
         own_affinity().text();
}

/// A child in our process group that would live for ever; `file` tells its number.
void leave_a_child_behind(const char* file) {
  const pid_t child = ::fork();
  if (child == 0)
    hang();
  std::ofstream(file) << child;
}

} // namespace

int main(int, char** words) try {
  const std::string_view mode = words[1];
  if (mode == "exit-0")
    return 0;
  if (mode == "close-and-hang") {
    ::close(Gate::descriptor);
    hang();
  }
  auto gate = Gate::inherited();
  try {
    const std::string facts = inherited();
    gate.started();
    if (mode == "throw")
      throw std::runtime_error("no such file: token");
    if (mode == "die-preparing")
      die();
    if (mode == "fork")
      leave_a_child_behind(words[2]);
    if (mode == "wrong-word") {
      gate.report("too early");
      hang();
    }
    gate.ready();
    if (mode == "hang-running")
      hang();
    if (mode == "exit-running")
      return 3;
    gate.done();
    if (mode == "exit-reporting")
      return 4;
    if (mode == "big-report") {
      std::string text(10'000'000, ' ');
      for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>('a' + i % 23);
      gate.report(text);
    } else if (mode == "empty-report") {
      gate.report("");
    } else {
      gate.report(facts);
    }
    return mode == "exit-after-report" ? 5 : 0;
  } catch (const std::exception& error) {
    gate.fail(error.what());
    return 1;
  }
} catch (const std::exception&) {
  return 2;
}
