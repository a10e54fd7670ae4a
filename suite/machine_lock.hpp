#pragma once

#include <filesystem>

#include "pinning/fd.hpp"

namespace schedrig {

/// The right to measure on this machine: one run at a time, of any user.
///
/// A POSIX record lock: the kernel gives it back when the holder dies, children do not inherit it,
/// and it tells who holds it.
class MachineLock {
public:
  /// Takes the lock. Throws Unavailable that names the holder: its process, user, command and since
  /// when; OsError when the lock file cannot be made or opened (EACCES, EROFS).
  explicit MachineLock(const std::filesystem::path& file = "/run/lock/schedrig.lock");
  MachineLock(const MachineLock&) = delete;
  ~MachineLock();

private:
  Fd file_;
};

} // namespace schedrig
