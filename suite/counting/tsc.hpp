#pragma once

#include <cstdint>

namespace schedrig {

/// The time-stamp counter, read when all that stands before it in the program has executed; not
/// held back from what stands behind it. Always 0 on a machine without one (not x86).
///
/// Ticks at one rate, in step on all CPUs, where the kernel lists constant_tsc and nonstop_tsc.
std::uint64_t read_tsc() noexcept;

} // namespace schedrig
