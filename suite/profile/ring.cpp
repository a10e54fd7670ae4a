#include "suite/profile/ring.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {
namespace {

perf_event_mmap_page& page_of(void* memory) {
  return *static_cast<perf_event_mmap_page*>(memory);
}

} // namespace

Ring::Ring(PerfPort& perf, int event, std::size_t data_bytes, const char* where)
    : perf_(&perf), mapped_bytes_(data_bytes + static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
      data_bytes_(data_bytes) {
  void* const memory = perf.map(event, mapped_bytes_);
  if (memory == MAP_FAILED)
    throw OsError(errno, "mmap perf buffer", where);
  memory_ = memory;
  data_ = static_cast<const std::byte*>(memory_) + (mapped_bytes_ - data_bytes_);
}

Ring::Ring(Ring&& other) noexcept
    : perf_(other.perf_), memory_(std::exchange(other.memory_, nullptr)), data_(other.data_),
      mapped_bytes_(other.mapped_bytes_), data_bytes_(other.data_bytes_) {}

Ring::~Ring() {
  if (memory_)
    perf_->unmap(memory_, mapped_bytes_);
}

std::size_t Ring::unread() const {
  auto& page = page_of(memory_);
  // What stands before the head was written before the head was.
  const std::uint64_t head = std::atomic_ref(page.data_head).load(std::memory_order_acquire);
  const std::uint64_t unread = head - page.data_tail;
  if (unread > data_bytes_)
    throw std::runtime_error(
        fmt::format("perf buffer: {} unread bytes in a ring of {}", unread, data_bytes_));
  return static_cast<std::size_t>(unread);
}

void Ring::drain(std::vector<std::byte>& bytes) {
  auto& page = page_of(memory_);
  const std::size_t size = unread();
  const auto begin = static_cast<std::size_t>(page.data_tail & (data_bytes_ - 1));
  const std::size_t up_to_end = std::min(size, data_bytes_ - begin);
  bytes.insert(bytes.end(), data_ + begin, data_ + begin + up_to_end);
  bytes.insert(bytes.end(), data_, data_ + (size - up_to_end));
  // The kernel may write there once it sees the new tail: not before all was copied.
  std::atomic_ref(page.data_tail).store(page.data_tail + size, std::memory_order_release);
}

} // namespace schedrig
