#include "suite/profile/perf_record.hpp"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <linux/perf_event.h>

namespace schedrig {
namespace {

/// The body of one record, read from its front.
class Body {
public:
  Body(std::span<const std::byte> bytes, std::uint32_t type) : bytes_(bytes), type_(type) {}

  template <typename Number>
  Number next() {
    Number number;
    std::memcpy(&number, taken(sizeof number).data(), sizeof number);
    return number;
  }
  void skip(std::size_t bytes) { taken(bytes); }
  /// A text that ends with a zero, and fills what is left.
  std::string text() const {
    const auto* characters = reinterpret_cast<const char*>(bytes_.data());
    return {characters, ::strnlen(characters, bytes_.size())};
  }
  /// What stands at its end is taken off.
  Body trailer(std::size_t bytes) {
    require(bytes);
    Body end(bytes_.last(bytes), type_);
    bytes_ = bytes_.first(bytes_.size() - bytes);
    return end;
  }

private:
  void require(std::size_t bytes) const {
    if (bytes_.size() < bytes)
      throw std::runtime_error(fmt::format("perf record of type {}: {} bytes where {} are needed",
                                           type_, bytes_.size(), bytes));
  }
  std::span<const std::byte> taken(std::size_t bytes) {
    require(bytes);
    const auto front = bytes_.first(bytes);
    bytes_ = bytes_.subspan(bytes);
    return front;
  }

  std::span<const std::byte> bytes_;
  std::uint32_t type_;
};

PerfRecord::Mode mode_of(std::uint16_t misc) {
  switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
  case PERF_RECORD_MISC_USER:
    return PerfRecord::Mode::user;
  case PERF_RECORD_MISC_GUEST_KERNEL:
  case PERF_RECORD_MISC_GUEST_USER:
    return PerfRecord::Mode::guest;
  default: // a hypervisor's own address is no function of ours either: the kernel has no name for
           // it
    return PerfRecord::Mode::kernel;
  }
}

void take_thread_and_time(Body& body, PerfRecord& record) {
  record.process = static_cast<pid_t>(body.next<std::uint32_t>());
  record.thread = static_cast<pid_t>(body.next<std::uint32_t>());
  record.time_ns = body.next<std::uint64_t>();
}

PerfRecord::Mapping mapping(Body& body) {
  constexpr std::size_t file_identity = 24, protection_and_flags = 8;
  body.skip(8); // process and thread: the trailer has them
  PerfRecord::Mapping mapping{};
  mapping.start = body.next<std::uint64_t>();
  mapping.bytes = body.next<std::uint64_t>();
  mapping.offset = body.next<std::uint64_t>();
  body.skip(file_identity + protection_and_flags);
  mapping.file = body.text();
  return mapping;
}

/// Adds the record that `body` is, where it is of a kind that tells something.
void decode(const perf_event_header& header, Body body, std::vector<PerfRecord>& records) {
  constexpr std::size_t thread_and_time = 16;
  PerfRecord record;
  if (header.type == PERF_RECORD_SAMPLE) {
    const auto address = body.next<std::uint64_t>();
    take_thread_and_time(body, record);
    record.what = PerfRecord::Sample{address, mode_of(header.misc)};
    records.push_back(std::move(record));
    return;
  }

  auto end = body.trailer(thread_and_time);
  take_thread_and_time(end, record);
  switch (header.type) {
  case PERF_RECORD_MMAP2:
    record.what = mapping(body);
    break;
  case PERF_RECORD_COMM:
    if (!(header.misc & PERF_RECORD_MISC_COMM_EXEC))
      return; // only its name changed
    record.what = PerfRecord::Exec{};
    break;
  case PERF_RECORD_FORK: {
    // The trailer is of the one who forked.
    record.process = static_cast<pid_t>(body.next<std::uint32_t>());
    const auto parent = static_cast<pid_t>(body.next<std::uint32_t>());
    record.thread = static_cast<pid_t>(body.next<std::uint32_t>());
    record.what = PerfRecord::Fork{parent};
    break;
  }
  case PERF_RECORD_LOST:
    body.skip(8); // the event's id
    record.what = PerfRecord::Lost{body.next<std::uint64_t>()};
    break;
  case PERF_RECORD_THROTTLE:
    record.what = PerfRecord::Throttled{};
    break;
  default:
    return;
  }
  records.push_back(std::move(record));
}

} // namespace

std::vector<PerfRecord> decode_records(std::span<const std::byte> bytes) {
  std::vector<PerfRecord> records;
  while (!bytes.empty()) {
    perf_event_header header{};
    if (bytes.size() >= sizeof header)
      std::memcpy(&header, bytes.data(), sizeof header);
    if (header.size < sizeof header || header.size > bytes.size())
      throw std::runtime_error(fmt::format("perf record: a length of {} bytes where {} are left",
                                           header.size, bytes.size()));
    decode(header, Body(bytes.subspan(sizeof header, header.size - sizeof header), header.type),
           records);
    bytes = bytes.subspan(header.size);
  }
  return records;
}

} // namespace schedrig
