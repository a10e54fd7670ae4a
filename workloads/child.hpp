#pragma once

#include <functional>
#include <new>
#include <string>
#include <utility>

#include <sys/types.h>

#include "pinning/cpu_set.hpp"

namespace schedrig {

/// A forked process that does one part of a workload, bound to its CPUs; it dies when its parent
/// dies.
///
/// What the body throws is printed on stderr and makes the exit status 1.
class Child {
public:
  /// Forks and runs `body` in the child, then exits. Throws OsError: EAGAIN (process limit),
  /// ENOMEM.
  Child(const CpuSet& cpus, const std::function<void()>& body);
  Child(Child&& other) noexcept : process_(std::exchange(other.process_, -1)) {}
  ~Child(); ///< kills and reaps it if it was not reaped

  /// Waits for its end. Throws std::runtime_error that names `part` when it did not exit with 0.
  void reap(const std::string& part);

private:
  pid_t process_;
};

/// A value that a workload's process shares with the Children it forks afterwards. `Value` must be
/// trivially copyable.
template <typename Value>
class Shared {
public:
  Shared();
  Shared(const Shared&) = delete;
  ~Shared();
  Value* operator->() const noexcept { return value_; }
  Value& operator*() const noexcept { return *value_; }

private:
  Value* value_;
};

/// Zeroed memory that stays shared over fork. Throws OsError: ENOMEM. To be given back with
/// `unmap_shared`.
void* map_shared(std::size_t bytes);
void unmap_shared(void* memory, std::size_t bytes) noexcept;

template <typename Value>
Shared<Value>::Shared() : value_(new (map_shared(sizeof(Value))) Value{}) {}
template <typename Value>
Shared<Value>::~Shared() {
  unmap_shared(value_, sizeof(Value));
}

} // namespace schedrig
