#include "workloads/parts/start_line.hpp"

#include <algorithm>
#include <array>

#include <poll.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

/// Waits for something to read; false when nothing came in `milliseconds` (-1: for ever).
bool readable(const Fd& pipe, int milliseconds) {
  pollfd poll{pipe.number(), POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&poll, 1, milliseconds)) < 0)
    if (errno != EINTR)
      throw OsError(errno, "poll", "a workload's start line");
  return ready > 0;
}

void write_byte(const Fd& pipe) {
  const char byte = 0;
  while (::write(pipe.number(), &byte, 1) < 0)
    if (errno != EINTR)
      throw OsError(errno, "write", "a workload's start line");
}

} // namespace

void StartLine::wait() const {
  write_byte(came_.write_end);
  readable(go_.read_end, -1);
}

void StartLine::await(std::int64_t tasks, const std::function<void()>& look) const {
  constexpr int look_every_ms = 100;
  std::array<char, 4096> bytes;
  while (tasks > 0) {
    if (!readable(came_.read_end, look_every_ms)) {
      look();
      continue;
    }
    const auto most = std::min(bytes.size(), static_cast<std::size_t>(tasks));
    tasks -= checked(::read(came_.read_end.number(), bytes.data(), most), "read",
                     "a workload's start line");
  }
}

void StartLine::let_go() const {
  write_byte(go_.write_end);
}

} // namespace schedrig
