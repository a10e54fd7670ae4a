#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <linux/perf_event.h>

namespace schedrig {

/// A record as the kernel writes it into a buffer, put together word by word.
class WrittenRecord {
public:
  explicit WrittenRecord(std::uint32_t type, std::uint16_t misc = 0) : type_(type), misc_(misc) {}

  WrittenRecord& word(std::uint64_t value) { return add(&value, sizeof value); }
  WrittenRecord& half(std::uint32_t value) { return add(&value, sizeof value); }
  /// With its zero, filled up to whole words.
  WrittenRecord& text(std::string_view text) {
    add(text.data(), text.size());
    body_.resize((body_.size() / 8 + 1) * 8);
    return *this;
  }
  /// Process, thread and time: how every record but a sample ends.
  WrittenRecord& end(std::uint32_t process, std::uint64_t time) {
    return half(process).half(process).word(time);
  }
  std::vector<std::byte> bytes() const {
    const perf_event_header header{type_, misc_,
                                   static_cast<std::uint16_t>(sizeof header + body_.size())};
    std::vector<std::byte> bytes(sizeof header);
    std::memcpy(bytes.data(), &header, sizeof header);
    bytes.insert(bytes.end(), body_.begin(), body_.end());
    return bytes;
  }

  static WrittenRecord sample(std::uint32_t process, std::uint64_t address, std::uint64_t time,
                              std::uint16_t mode = PERF_RECORD_MISC_USER) {
    return WrittenRecord(PERF_RECORD_SAMPLE, mode).word(address).end(process, time);
  }
  static WrittenRecord mapping(std::uint32_t process, std::uint64_t start, std::uint64_t bytes,
                               std::uint64_t offset, std::string_view file, std::uint64_t time) {
    WrittenRecord record(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
    record.half(process).half(process).word(start).word(bytes).word(offset);
    record.word(0).word(0).word(0).half(5).half(2).text(file).end(process, time);
    return record;
  }
  static WrittenRecord lost(std::uint64_t records) {
    return WrittenRecord(PERF_RECORD_LOST).word(1).word(records).end(0, 1);
  }

private:
  WrittenRecord& add(const void* from, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    body_.insert(body_.end(), first, first + bytes);
    return *this;
  }

  std::uint32_t type_;
  std::uint16_t misc_;
  std::vector<std::byte> body_;
};

} // namespace schedrig
