// libpfm4's encodings for the processors that our users have, against the numbers that the vendors
// publish: Intel's architectural events and event tables (SDM volume 3, and the event files on
// perfmon.intel.com's repository), AMD's processor programming references. One process for each
// processor, which LIBPFM_FORCE_PMU names: libpfm4 takes it once, when it starts.

#define BOOST_TEST_MODULE vendor_encodings
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "suite/counting/event.hpp"

using namespace schedrig;

namespace {

/// What is asked of a processor, by the name that libpfm4 has for it, and what the vendor says.
struct Published {
  std::string question, name;
  std::uint64_t event, umask;
  std::uint64_t mask = 0;     ///< counter mask: cycles with at least so many
  bool inverted = false;      ///< with fewer than so many
  std::string deviation = {}; ///< libpfm4's other number, and what it is
  std::uint64_t deviating = 0;

  std::uint64_t config() const {
    return (event & 0xff) | umask << 8 | std::uint64_t{inverted} << 23 | mask << 24 |
           (event >> 8) << 32; // AMD's events have 12 bits
  }
};

/// What libpfm4 4.13 has no event for; the kernel's generic event, or a raw code, stands in.
struct Lacking {
  std::string question, name, instead;
};

struct Processor {
  std::vector<Published> published;
  std::vector<Lacking> lacking = {};
};

const std::string walks = "TLB walks";

std::vector<Published> amd() {
  return {
      {"cycles", "CYCLES_NOT_IN_HALT", 0x76, 0},
      {"instructions", "RETIRED_INSTRUCTIONS", 0xc0, 0},
      {"branches", "RETIRED_BRANCH_INSTRUCTIONS", 0xc2, 0},
      {"branch misses", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3, 0},
      {"L1D loads", "LS_DISPATCH:LD_DISPATCH", 0x29, 0x01},
      {"L1D stores", "LS_DISPATCH:STORE_DISPATCH", 0x29, 0x02},
      {"L1D misses, to L2", "REQUESTS_TO_L2_GROUP1:RD_BLK_L", 0x60, 0x80},
      {"data TLB, 4K, L2 hit", "L1_DTLB_MISS:TLB_RELOAD_4K_L2_HIT", 0x45, 0x01},
      {"data TLB, 4K, L2 miss", "L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS", 0x45, 0x10},
      {"instruction TLB, L2 hit", "L1_ITLB_MISS_L2_ITLB_HIT", 0x84, 0},
      {"instruction TLB, L2 miss", "L1_ITLB_MISS_L2_ITLB_MISS:IF4K", 0x85, 0x01},
      {"stalled back end", "DISPATCH_RESOURCE_STALL_CYCLES_1:LOAD_QUEUE_RSRC_STALL", 0xae, 0x02},
  };
}

Processor zen2() {
  auto published = amd();
  published.push_back(
      {"L1D fills from memory", "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM", 0x43, 0x08});
  published.push_back({"stalled front end", "UOPS_QUEUE_EMPTY", 0xa9, 0});
  return {published,
          {{"LLC misses", "L3_MISSES", "the L3 has a PMU of its own: amd_l3/event=0x04,umask=1/"}}};
}

Processor zen3() {
  auto published = amd();
  published.push_back({"L1D fills from L2", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:LCL_L2", 0x43, 1});
  published.push_back({"stalled front end", "UOPS_QUEUE_EMPTY", 0xa9, 0});
  return {published,
          {{"LLC misses", "L3_MISSES", "the L3 has a PMU of its own: amd_l3/event=0x04,umask=1/"}}};
}

Processor zen4() {
  auto published = amd();
  published.push_back({"L1D fills from L2", "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:LCL_L2", 0x43, 1});
  published.push_back({"stalled front end", "DISPATCH_STALLS_1:FE_NO_OPS", 0x1a0, 0x01});
  published.push_back({"stalled back end", "DISPATCH_STALLS_1:BE_STALLS", 0x1a0, 0x1e});
  return {published,
          {{"LLC misses", "L3_MISSES", "the L3 has a PMU of its own: amd_l3/event=0x04,umask=1/"}}};
}

/// The same since Sandy Bridge.
std::vector<Published> intel(const std::string& cycles) {
  return {
      {"cycles", cycles + ":THREAD_P", 0x3c, 0},
      {"instructions", "INST_RETIRED:ANY_P", 0xc0, 0},
      {"L1D lines replaced", "L1D:REPLACEMENT", 0x51, 0x01},
  };
}

std::vector<Published> with(std::vector<Published> rows, const std::vector<Published>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

const std::vector<Published> retired_branches{
    {"branches", "BR_INST_RETIRED:ALL_BRANCHES", 0xc4, 0},
    {"branch misses", "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5, 0},
};

Processor nehalem() {
  return {{
              {"cycles", "CPU_CLK_UNHALTED:THREAD_P", 0x3c, 0},
              {"cycles", "UNHALTED_CORE_CYCLES", 0x3c, 0},
              {"instructions", "INST_RETIRED:ANY_P", 0xc0, 0},
              {"branches", "BR_INST_RETIRED:ALL_BRANCHES", 0xc4, 0},
              {"L1D loads", "L1D_CACHE_LD:MESI", 0x40, 0x0f},
              {"L1D lines replaced", "L1D:REPL", 0x51, 0x01},
              {"LLC references", "LONGEST_LAT_CACHE:REFERENCE", 0x2e, 0x4f},
              {"LLC misses", "LONGEST_LAT_CACHE:MISS", 0x2e, 0x41},
              {"data TLB misses", "DTLB_LOAD_MISSES:ANY", 0x08, 0x01},
              {"instruction TLB misses", "ITLB_MISSES:ANY", 0x85, 0x01},
              {"stalled front end", "UOPS_ISSUED:STALLED_CYCLES", 0x0e, 0x01, 1, true},
              {"stalled back end", "RESOURCE_STALLS:ANY", 0xa2, 0x01},
          },
          {{"branch misses", "BR_MISP_RETIRED:ALL_BRANCHES", "branch-misses, or r00c5"}}};
}

Processor sandy_bridge() {
  return {with(intel("CPU_CLK_UNHALTED"),
               {
                   {"branches", "BR_INST_RETIRED:ALL_BRANCHES", 0xc4, 0, 0, false,
                    "ALL_BRANCHES_PEBS, which counts the same", 0x04c4},
                   {"branches", "BRANCH_INSTRUCTIONS_RETIRED", 0xc4, 0, 0, false,
                    "ALL_BRANCHES_PEBS, which counts the same", 0x04c4},
                   {"branch misses", "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5, 0, 0, false,
                    "ALL_BRANCHES_PEBS, which counts the same", 0x04c5},
                   {"L1D hits", "MEM_LOAD_UOPS_RETIRED:L1_HIT", 0xd1, 0x01},
                   {"LLC references", "LAST_LEVEL_CACHE_REFERENCES", 0x2e, 0x4f, 0, false,
                    "a umask that Intel does not list: use cache-references, or r4f2e", 0x022e},
                   {"LLC misses", "LAST_LEVEL_CACHE_MISSES", 0x2e, 0x41, 0, false,
                    "a umask that Intel does not list: use cache-misses, or r412e", 0x012e},
                   {"LLC references", "L3_LAT_CACHE:REFERENCE", 0x2e, 0x4f, 0, false,
                    "a umask that Intel does not list: use cache-references, or r4f2e", 0x022e},
                   {"LLC misses", "L3_LAT_CACHE:MISS", 0x2e, 0x41, 0, false,
                    "a umask that Intel does not list: use cache-misses, or r412e", 0x012e},
                   {"data TLB misses", "DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK", 0x08, 0x01},
                   {"instruction TLB misses", "ITLB_MISSES:MISS_CAUSES_A_WALK", 0x85, 0x01},
                   {"stalled front end", "UOPS_ISSUED:STALL_CYCLES", 0x0e, 0x01, 1, true},
                   {"stalled back end", "RESOURCE_STALLS:ANY", 0xa2, 0x01},
               })};
}

Processor skylake() {
  return {with(with(intel("CPU_CLK_THREAD_UNHALTED"), retired_branches),
               {
                   {"L1D misses", "MEM_LOAD_RETIRED:L1_MISS", 0xd1, 0x08},
                   {"LLC references", "LONGEST_LAT_CACHE:REFERENCE", 0x2e, 0x4f},
                   {"LLC misses", "LONGEST_LAT_CACHE:MISS", 0x2e, 0x41},
                   {"data TLB misses", "DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK", 0x08, 0x01},
                   {walks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x08, 0x0e},
                   {"instruction TLB misses", "ITLB_MISSES:MISS_CAUSES_A_WALK", 0x85, 0x01},
                   {"stalled front end", "IDQ_UOPS_NOT_DELIVERED:CORE", 0x9c, 0x01},
                   {"stalled back end", "RESOURCE_STALLS:ANY", 0xa2, 0x01},
                   {"stalled", "CYCLE_ACTIVITY:STALLS_TOTAL", 0xa3, 0x04, 4},
                   {"stalled", "UOPS_ISSUED:STALL_CYCLES", 0x0e, 0x01, 1, true},
               })};
}

Processor ice_lake() {
  return {with(with(intel("CPU_CLK_UNHALTED"), retired_branches),
               {
                   {"L1D misses", "MEM_LOAD_RETIRED:L1_MISS", 0xd1, 0x08},
                   {"LLC references", "LONGEST_LAT_CACHE:REFERENCES", 0x2e, 0x4f},
                   {"LLC misses", "LONGEST_LAT_CACHE:MISS", 0x2e, 0x41},
                   {walks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x08, 0x0e},
                   {walks, "DTLB_STORE_MISSES:WALK_COMPLETED", 0x49, 0x0e},
                   {walks, "ITLB_MISSES:WALK_COMPLETED", 0x85, 0x0e},
                   {"stalled front end", "IDQ_UOPS_NOT_DELIVERED:CORE", 0x9c, 0x01},
                   {"stalled back end", "RESOURCE_STALLS:SB", 0xa2, 0x08},
                   {"stalled", "CYCLE_ACTIVITY:STALLS_TOTAL", 0xa3, 0x04, 4},
               })};
}

Processor sapphire_rapids() {
  return {with(with(intel("CPU_CLK_UNHALTED"), retired_branches),
               {
                   {"L1D misses", "MEM_LOAD_RETIRED:L1_MISS", 0xd1, 0x08},
                   {"LLC references", "LONGEST_LAT_CACHE:REFERENCE", 0x2e, 0x4f},
                   {"LLC misses", "LONGEST_LAT_CACHE:MISS", 0x2e, 0x41},
                   {walks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0x12, 0x0e},
                   {walks, "DTLB_STORE_MISSES:WALK_COMPLETED", 0x13, 0x0e},
                   {walks, "ITLB_MISSES:WALK_COMPLETED", 0x11, 0x0e},
                   {"stalled front end", "IDQ_UOPS_NOT_DELIVERED:CORE", 0x9c, 0x01},
                   {"stalled back end", "RESOURCE_STALLS:SB", 0xa2, 0x08},
                   {"stalled", "CYCLE_ACTIVITY:STALLS_TOTAL", 0xa3, 0x04, 4},
               })};
}

/// By what LIBPFM_FORCE_PMU calls it.
Processor processor() {
  const std::map<std::string, Processor (*)()> known{
      {"nhm", nehalem},
      {"snb", sandy_bridge},
      {"skl", skylake},
      {"icl", ice_lake},
      {"spr", sapphire_rapids},
      {"amd64_fam17h_zen2", zen2},
      {"amd64_fam19h_zen3", zen3},
      {"amd64_fam19h_zen4", zen4},
  };
  const char* forced = std::getenv("LIBPFM_FORCE_PMU");
  BOOST_TEST_REQUIRE((forced && known.contains(forced)),
                     "LIBPFM_FORCE_PMU names none of the processors of this test");
  return known.at(forced)();
}

} // namespace

BOOST_AUTO_TEST_CASE(libpfm_encodes_as_the_vendor_publishes) {
  for (const auto& row : processor().published) {
    BOOST_TEST_CONTEXT(row.question << ": " << row.name) {
      const auto event = Event::resolve(row.name);
      BOOST_TEST(event.type == PERF_TYPE_RAW);
      BOOST_TEST(event.config == (row.deviation.empty() ? row.config() : row.deviating));
      if (!row.deviation.empty()) {
        BOOST_TEST(row.deviating != row.config());
        BOOST_TEST_MESSAGE(fmt::format("{}: libpfm4 has {:#x} where the vendor publishes {:#x}: {}",
                                       row.name, row.deviating, row.config(), row.deviation));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_libpfm_lacks_is_told_by_name) {
  for (const auto& row : processor().lacking) {
    BOOST_TEST_MESSAGE(
        fmt::format("{}: libpfm4 has no {}; {}", row.question, row.name, row.instead));
    BOOST_CHECK_THROW(Event::resolve(row.name), BadInput);
  }
}

BOOST_AUTO_TEST_CASE(the_kernels_own_names_are_there_whatever_libpfm_is_forced_to) {
  for (const char* name : {"cycles", "instructions", "branches", "branch-misses", "LLC-load-misses",
                           "L1-dcache-load-misses", "dTLB-load-misses", "stalled-cycles-frontend"})
    BOOST_TEST(Event::resolve(name).pmu == "perf");
  BOOST_TEST(Event::resolve("task-clock").pmu == "software");
}
