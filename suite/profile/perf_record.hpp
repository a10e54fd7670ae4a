#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <sys/types.h>

namespace schedrig {

/// What perf wrote down of one moment, decoded.
struct PerfRecord {
  enum class Mode { kernel, user, guest };
  /// An event's period had passed: where the thread was then.
  struct Sample {
    std::uint64_t address;
    Mode mode;
  };
  /// Executable memory was mapped: `bytes` from `start` are those of `file` from `offset` on.
  struct Mapping {
    std::uint64_t start, bytes, offset;
    std::string file; ///< "/usr/bin/env", "[vdso]", "//anon", "/tmp/gone (deleted)"
  };
  struct Exec {}; ///< the process began anew: nothing of what was mapped is left
  struct Fork {
    pid_t parent; ///< its own number for a new thread
  };
  /// So many records found no room and were not written.
  struct Lost {
    std::uint64_t records;
  };
  struct Throttled {}; ///< the kernel stopped sampling until the next tick

  std::uint64_t time_ns = 0; ///< perf's clock, one for all CPUs
  pid_t process = 0, thread = 0;
  std::variant<Sample, Mapping, Exec, Fork, Lost, Throttled> what;
};

/// The records in `bytes`, as they stood in a ring, one behind the other. Kinds that tell nothing
/// here are passed over. Samples must hold address, thread and time; all others end with thread and
/// time (sample_id_all). Throws std::runtime_error for what cannot be such records.
std::vector<PerfRecord> decode_records(std::span<const std::byte> bytes);

} // namespace schedrig
