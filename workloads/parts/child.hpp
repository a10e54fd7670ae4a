#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <sys/types.h>

#include "pinning/cpu_set.hpp"
#include "pinning/task_usage.hpp"

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
  /// Waits for its end; its wait status, 0 for an exit with 0. Allocates nothing. Throws OsError.
  int wait();
  /// Whether it has ended and was not reaped; does not wait. Throws OsError.
  bool ended() const;
  pid_t process() const noexcept { return process_; } ///< -1 once it was reaped

private:
  pid_t process_;
};

/// What a wait status other than 0 means: "died of SIGKILL", "exited with status 3".
std::string how_it_ended(int wait_status);

/// Waits for the end of `process`, forked by other means than Child; its wait status. Allocates
/// nothing. Throws OsError.
int reap_process(pid_t process);

/// What all the children that this process has reaped so far used, with the descendants that they
/// reaped themselves, from birth to death. A difference of two is what those reaped meanwhile used.
///
/// The CPU time is the scheduler's exact run time, rounded to a microsecond a call. The last
/// switch, away from a dead child, may come too late to be counted.
TaskUsage usage_of_reaped_children();

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

/// The same for many values, each of them initialized.
template <typename Value>
class SharedArray {
public:
  explicit SharedArray(std::size_t size);
  SharedArray(const SharedArray&) = delete;
  ~SharedArray();
  Value& operator[](std::size_t index) const noexcept { return values_[index]; }
  std::size_t size() const noexcept { return size_; }
  Value* begin() const noexcept { return values_; }
  Value* end() const noexcept { return values_ + size_; }

private:
  std::size_t size_;
  Value* values_;
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

template <typename Value>
SharedArray<Value>::SharedArray(std::size_t size)
    : size_(size), values_(static_cast<Value*>(map_shared(size * sizeof(Value)))) {
  std::uninitialized_value_construct_n(values_, size);
}
template <typename Value>
SharedArray<Value>::~SharedArray() {
  unmap_shared(values_, size_ * sizeof(Value));
}

} // namespace schedrig
