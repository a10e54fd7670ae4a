#pragma once

#include <cstdint>

namespace schedrig {

/// The time-stamp counter, not serialised beyond what rdtscp gives; 0 on a machine without one.
std::uint64_t read_tsc() noexcept;

} // namespace schedrig
