#pragma once

#include <signal.h>

namespace schedrig {

/// Blocks every signal of the calling thread while it lives: across a clone, so that none of our
/// handlers runs in the new process.
class SignalsBlocked {
public:
  SignalsBlocked() noexcept;
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked();

private:
  sigset_t before_;
};

/// In a new process before its exec: no signal is ignored or blocked any more. Both would stay so
/// over exec, and Python ignores SIGPIPE. System calls only.
void forget_signals() noexcept;

} // namespace schedrig
