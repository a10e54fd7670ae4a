#include "suite/counting/tsc.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace schedrig {

#if defined(__x86_64__)

namespace {

// Asked once: CPUID leaves the guest on a virtual machine.
const bool has_rdtscp = [] {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 27)) != 0;
}();

} // namespace

std::uint64_t read_tsc() noexcept {
  if (has_rdtscp) {
    unsigned cpu = 0;
    return __rdtscp(&cpu);
  }
  _mm_lfence();
  return __rdtsc();
}

#else

std::uint64_t read_tsc() noexcept {
  return 0;
}

#endif

} // namespace schedrig
