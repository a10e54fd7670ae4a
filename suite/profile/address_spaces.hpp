#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "suite/profile/perf_record.hpp"

namespace schedrig {

/// Which file lies where in each process, as its records tell it, in the order of their times.
class AddressSpaces {
public:
  /// A place in a file.
  struct Place {
    std::string_view file; ///< as it was mapped; lives as long as the mapping
    std::uint64_t offset;
  };

  /// Takes a mapping, an exec or a fork in; any other record says nothing here.
  void follow(const PerfRecord& record);
  /// Nothing where no file is known to lie.
  std::optional<Place> find(pid_t process, std::uint64_t address) const;
  bool knows(pid_t process) const { return processes_.contains(process); }

private:
  using Mappings = std::map<std::uint64_t, PerfRecord::Mapping>; // by start; none overlap
  static void lay(Mappings& mappings, const PerfRecord::Mapping& mapping);
  std::map<pid_t, Mappings> processes_;
};

/// The executable mappings that /proc/PID/maps lists, as records at the beginning of time. Lines
/// that are none are passed over.
std::vector<PerfRecord> mappings_of(pid_t process, std::string_view maps);

} // namespace schedrig
