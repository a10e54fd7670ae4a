#include "suite/counting/names/generic_event.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <linux/perf_event.h>

namespace schedrig {
namespace {

constexpr std::uint32_t hardware = PERF_TYPE_HARDWARE, software = PERF_TYPE_SOFTWARE;

const GenericEvent plain[] = {
    {"cycles", "PERF_COUNT_HW_CPU_CYCLES", hardware, PERF_COUNT_HW_CPU_CYCLES,
     "CPU cycles while not halted, at the frequency of the moment"},
    {"cpu-cycles", "PERF_COUNT_HW_CPU_CYCLES", hardware, PERF_COUNT_HW_CPU_CYCLES,
     "the same as cycles"},
    {"instructions", "PERF_COUNT_HW_INSTRUCTIONS", hardware, PERF_COUNT_HW_INSTRUCTIONS,
     "instructions that retired"},
    {"branches", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS", hardware, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
     "branch instructions that retired"},
    {"branch-instructions", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS", hardware,
     PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "the same as branches"},
    {"branch-misses", "PERF_COUNT_HW_BRANCH_MISSES", hardware, PERF_COUNT_HW_BRANCH_MISSES,
     "branches that were predicted wrongly"},
    {"cache-references", "PERF_COUNT_HW_CACHE_REFERENCES", hardware, PERF_COUNT_HW_CACHE_REFERENCES,
     "accesses to the last-level cache, usually"},
    {"cache-misses", "PERF_COUNT_HW_CACHE_MISSES", hardware, PERF_COUNT_HW_CACHE_MISSES,
     "misses of the last-level cache, usually"},
    {"bus-cycles", "PERF_COUNT_HW_BUS_CYCLES", hardware, PERF_COUNT_HW_BUS_CYCLES,
     "cycles of the bus, or of the reference clock"},
    {"stalled-cycles-frontend", "PERF_COUNT_HW_STALLED_CYCLES_FRONTEND", hardware,
     PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles in which the front end delivered nothing"},
    {"stalled-cycles-backend", "PERF_COUNT_HW_STALLED_CYCLES_BACKEND", hardware,
     PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "cycles in which the back end took nothing"},
    {"ref-cycles", "PERF_COUNT_HW_REF_CPU_CYCLES", hardware, PERF_COUNT_HW_REF_CPU_CYCLES,
     "cycles while not halted, at the reference clock's frequency"},
    {"cpu-clock", "PERF_COUNT_SW_CPU_CLOCK", software, PERF_COUNT_SW_CPU_CLOCK,
     "ns of the CPU while counting"},
    {"task-clock", "PERF_COUNT_SW_TASK_CLOCK", software, PERF_COUNT_SW_TASK_CLOCK,
     "ns of CPU time of the tasks counted"},
    {"page-faults", "PERF_COUNT_SW_PAGE_FAULTS", software, PERF_COUNT_SW_PAGE_FAULTS,
     "page faults"},
    {"faults", "PERF_COUNT_SW_PAGE_FAULTS", software, PERF_COUNT_SW_PAGE_FAULTS,
     "the same as page-faults"},
    {"minor-faults", "PERF_COUNT_SW_PAGE_FAULTS_MIN", software, PERF_COUNT_SW_PAGE_FAULTS_MIN,
     "page faults without reading a disk"},
    {"major-faults", "PERF_COUNT_SW_PAGE_FAULTS_MAJ", software, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
     "page faults that read a disk"},
    {"context-switches", "PERF_COUNT_SW_CONTEXT_SWITCHES", software, PERF_COUNT_SW_CONTEXT_SWITCHES,
     "switches from one task to another"},
    {"cs", "PERF_COUNT_SW_CONTEXT_SWITCHES", software, PERF_COUNT_SW_CONTEXT_SWITCHES,
     "the same as context-switches"},
    {"cpu-migrations", "PERF_COUNT_SW_CPU_MIGRATIONS", software, PERF_COUNT_SW_CPU_MIGRATIONS,
     "tasks that moved to another CPU"},
    {"migrations", "PERF_COUNT_SW_CPU_MIGRATIONS", software, PERF_COUNT_SW_CPU_MIGRATIONS,
     "the same as cpu-migrations"},
    {"cgroup-switches", "PERF_COUNT_SW_CGROUP_SWITCHES", software, PERF_COUNT_SW_CGROUP_SWITCHES,
     "switches to a task of another control group"},
    {"alignment-faults", "PERF_COUNT_SW_ALIGNMENT_FAULTS", software, PERF_COUNT_SW_ALIGNMENT_FAULTS,
     "accesses that were not aligned and trapped"},
    {"emulation-faults", "PERF_COUNT_SW_EMULATION_FAULTS", software, PERF_COUNT_SW_EMULATION_FAULTS,
     "instructions that the kernel had to emulate"},
};

struct Word {
  std::string_view perf, constant, meaning;
  unsigned number;
};

constexpr Word caches[] = {
    {"L1-dcache", "L1D", "level 1 data cache", PERF_COUNT_HW_CACHE_L1D},
    {"L1-icache", "L1I", "level 1 instruction cache", PERF_COUNT_HW_CACHE_L1I},
    {"LLC", "LL", "last-level cache", PERF_COUNT_HW_CACHE_LL},
    {"dTLB", "DTLB", "data TLB", PERF_COUNT_HW_CACHE_DTLB},
    {"iTLB", "ITLB", "instruction TLB", PERF_COUNT_HW_CACHE_ITLB},
    {"branch", "BPU", "branch predictor", PERF_COUNT_HW_CACHE_BPU},
    {"node", "NODE", "memory of the own node", PERF_COUNT_HW_CACHE_NODE},
};

constexpr Word operations[] = {
    {"load", "READ", "loads", PERF_COUNT_HW_CACHE_OP_READ},
    {"store", "WRITE", "stores", PERF_COUNT_HW_CACHE_OP_WRITE},
    {"prefetch", "PREFETCH", "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH},
};

/// What perf offers: nothing but loads where a unit only reads.
bool is_offered(const Word& cache, const Word& operation) {
  switch (cache.number) {
  case PERF_COUNT_HW_CACHE_L1I:
    return operation.number != PERF_COUNT_HW_CACHE_OP_WRITE;
  case PERF_COUNT_HW_CACHE_ITLB:
  case PERF_COUNT_HW_CACHE_BPU:
    return operation.number == PERF_COUNT_HW_CACHE_OP_READ;
  default:
    return true;
  }
}

GenericEvent of_cache(const Word& cache, const Word& operation, bool missed) {
  const auto result = missed ? PERF_COUNT_HW_CACHE_RESULT_MISS : PERF_COUNT_HW_CACHE_RESULT_ACCESS;
  return {missed                         ? fmt::format("{}-{}-misses", cache.perf, operation.perf)
          : operation.perf == "prefetch" ? fmt::format("{}-prefetches", cache.perf)
                                         : fmt::format("{}-{}s", cache.perf, operation.perf),
          fmt::format("PERF_COUNT_HW_CACHE_{}:{}:{}", cache.constant, operation.constant,
                      missed ? "MISS" : "ACCESS"),
          PERF_TYPE_HW_CACHE,
          cache.number | operation.number << 8 | static_cast<unsigned>(result) << 16,
          fmt::format("{}: {}{}", cache.meaning, operation.meaning, missed ? " that missed" : "")};
}

} // namespace

const std::vector<GenericEvent>& GenericEvent::all() {
  static const std::vector<GenericEvent> events = [] {
    std::vector<GenericEvent> made(std::begin(plain), std::end(plain));
    for (const auto& cache : caches)
      for (const auto& operation : operations)
        if (is_offered(cache, operation))
          for (const bool missed : {false, true})
            made.push_back(of_cache(cache, operation, missed));
    return made;
  }();
  return events;
}

const GenericEvent* GenericEvent::find(std::string_view name) {
  const auto& events = all();
  const auto found = std::find_if(events.begin(), events.end(),
                                  [&](const GenericEvent& event) { return event.name == name; });
  return found == events.end() ? nullptr : &*found;
}

} // namespace schedrig
