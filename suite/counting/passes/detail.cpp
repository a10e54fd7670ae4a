#include "suite/counting/passes/detail.hpp"

#include <array>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

std::vector<std::string> detail_events(int level) {
  static const std::array<std::vector<std::string>, 4> levels{{
      {"task-clock", "context-switches", "cpu-migrations", "page-faults", "cycles",
       "stalled-cycles-frontend", "stalled-cycles-backend", "instructions", "branches",
       "branch-misses"},
      {"L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads", "LLC-load-misses"},
      {"L1-icache-loads", "L1-icache-load-misses", "dTLB-loads", "dTLB-load-misses", "iTLB-loads",
       "iTLB-load-misses"},
      {"L1-dcache-prefetches", "L1-dcache-prefetch-misses"},
  }};
  if (level < 0 || level >= static_cast<int>(levels.size()))
    throw BadInput(
        fmt::format("detail: {} is out of range; allowed is 0 to {}", level, levels.size() - 1));
  std::vector<std::string> events;
  for (std::size_t upto = 0; upto <= static_cast<std::size_t>(level); ++upto)
    events.insert(events.end(), levels[upto].begin(), levels[upto].end());
  return events;
}

} // namespace schedrig
