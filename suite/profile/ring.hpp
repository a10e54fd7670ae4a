#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// The memory that an event's records are written to by the kernel, and read from here.
///
/// The kernel never overwrites what was not read: a record that finds no room is lost, and counted.
/// One thread at a time reads.
class Ring {
public:
  /// Maps a page and `data_bytes` (a power of two of pages) of `event`. Throws OsError naming the
  /// event's place `where`: EPERM (more than perf_event_mlock_kb and RLIMIT_MEMLOCK allow), ENOMEM,
  /// EINVAL.
  Ring(PerfPort& perf, int event, std::size_t data_bytes, const char* where);
  Ring(Ring&& other) noexcept;
  Ring& operator=(Ring&&) = delete;
  ~Ring();

  std::size_t data_bytes() const noexcept { return data_bytes_; }
  /// How many bytes stand unread. Throws std::runtime_error when there cannot be that many.
  std::size_t unread() const;
  /// Appends the unread bytes, whole records, to `bytes` and gives their room back.
  void drain(std::vector<std::byte>& bytes);

private:
  PerfPort* perf_;
  void* memory_ = nullptr;
  const std::byte* data_ = nullptr;
  std::size_t mapped_bytes_ = 0, data_bytes_ = 0;
};

} // namespace schedrig
