#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedrig {

/// A function as samples know it.
struct SampledFunction {
  enum class Mode { kernel, user };

  std::string name;   ///< "__schedule"; "[unknown]" where the address lies in none with a name
  std::string object; ///< "[kernel]", a module "[ext4]", or the path of an executable or a library
  Mode mode = Mode::kernel;

  bool operator==(const SampledFunction&) const = default;
  auto operator<=>(const SampledFunction&) const = default;
};

/// Where the samples of one trial fell.
struct ProfileRecord {
  struct Share {
    SampledFunction function;
    std::int64_t samples = 0; ///< above 0
  };

  std::string event;            ///< what they were taken by: "cycles", "cpu-clock"
  std::int64_t period = 0;      ///< once in so many: cycles, or ns of a clock
  std::int64_t samples = 0;     ///< of all functions together; none is of the idle task
  std::int64_t lost = 0;        ///< records that found no room in the buffer
  std::vector<Share> functions; ///< each once, most samples first
};

} // namespace schedrig
