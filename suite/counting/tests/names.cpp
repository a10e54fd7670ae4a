#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/names/core_pmu.hpp"
#include "suite/counting/names/generic_event.hpp"
#include "suite/counting/names/known_event.hpp"
#include "suite/counting/names/sysfs_pmu.hpp"
#include "suite/counting/names/tracepoint.hpp"
#include "suite/counting/tests/fake_perf.hpp"

using namespace schedrig;
namespace data = boost::unit_test::data;

namespace {

/// A /sys as of an Intel machine, with the core's PMU, an energy PMU and two boxes of an uncore.
struct Tree : TemporaryFolder {
  const std::filesystem::path& root = path();

  Tree() {
    pmu("cpu", 4);
    pmu_file("cpu", "format/event", "config:0-7\n");
    pmu_file("cpu", "format/umask", "config:8-15\n");
    pmu_file("cpu", "format/edge", "config:18\n");
    pmu_file("cpu", "format/ldlat", "config1:0-15\n");
    pmu_file("cpu", "format/later", "config3:0-63\n");
    pmu_file("cpu", "events/instructions", "event=0xc0\n");
    pmu_file("cpu", "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
    pmu_file("cpu", "events/slots", "event=0x00,umask=0x4\n");
    pmu("power", 9);
    pmu_file("power", "format/event", "config:0-7\n");
    pmu_file("power", "events/energy-pkg", "event=0x02\n");
    pmu_file("power", "events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
    pmu_file("power", "events/energy-pkg.unit", "Joules\n");
    for (const char* box : {"uncore_imc_0", "uncore_imc_1"}) {
      pmu(box, 12);
      pmu_file(box, "format/event", "config:0-7,32-35\n");
      pmu_file(box, "events/clockticks", "event=0x00,match=?\n");
      pmu_file(box, "format/match", "config2:0-63\n");
    }
    pmu("software", 1);
    put("sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
    put("sys/kernel/tracing/events/sched/sched_wakeup/id", "318\n");
    put("sys/kernel/tracing/events/sched/enable", "0\n");
  }
  void pmu(const std::string& name, int type) const {
    pmu_file(name, "type", std::to_string(type) + "\n");
  }
  void pmu_file(const std::string& name, const std::string& file, std::string_view text) const {
    put("sys/bus/event_source/devices/" + name + "/" + file, text);
  }
  Event resolve(std::string_view name) const { return Event::resolve(name, root); }
};

/// As an Alder Lake has it: CPUs 0 to 3 are performance cores, 4 to 7 efficient ones.
struct HybridTree : TemporaryFolder {
  HybridTree() {
    put("sys/bus/event_source/devices/cpu_core/type", "4\n");
    put("sys/bus/event_source/devices/cpu_core/cpus", "0-3\n");
    put("sys/bus/event_source/devices/cpu_core/format/event", "config:0-7\n");
    put("sys/bus/event_source/devices/cpu_core/events/slots", "event=0x00\n");
    put("sys/bus/event_source/devices/cpu_atom/type", "10\n");
    put("sys/bus/event_source/devices/cpu_atom/cpus", "4-7\n");
    put("sys/bus/event_source/devices/cpu_atom/format/event", "config:0-7\n");
  }
  Event count(std::string_view name, std::string_view cpus) const {
    return on_cores(Event::resolve(name, path()), CpuSet::parse(cpus), CorePmu::all(path()));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(names, Tree)

BOOST_AUTO_TEST_CASE(a_pmus_own_event_is_encoded_as_the_kernel_describes_it) {
  const auto event = resolve("cpu/mem-loads/");
  BOOST_TEST(event.name == "cpu/mem-loads/");
  BOOST_TEST(event.full_name == "cpu/event=0xcd,umask=0x1,ldlat=3/");
  BOOST_TEST(event.pmu == "cpu");
  BOOST_TEST(event.type == 4u);
  BOOST_TEST(event.config == 0x1cdu);
  BOOST_TEST(event.config1 == 3u);
  BOOST_TEST((event.kind == Event::Kind::hardware));
}

BOOST_AUTO_TEST_CASE(terms_are_taken_as_perf_writes_them) {
  BOOST_TEST(resolve("cpu/event=0xc0,umask=1,edge/").config == 0x401c0u);
  BOOST_TEST(resolve("cpu/config=0x1c2/").config == 0x1c2u);
  BOOST_TEST(resolve("cpu/config1=0xffffffffffffffff,event=1/").config1 == ~std::uint64_t{0});
  BOOST_TEST(resolve("cpu/mem-loads,ldlat=30/").config1 == 30u);
  BOOST_TEST(resolve("cpu/umask=0x20,mem-loads/").config == 0x1cdu);
}

BOOST_AUTO_TEST_CASE(a_field_may_lie_in_pieces) {
  BOOST_TEST(resolve("uncore_imc_0/event=0xabc/").config == 0xa000000bcu);
}

BOOST_AUTO_TEST_CASE(modes_stand_behind_the_last_slash) {
  for (const char* name : {"cpu/instructions/u", "cpu/instructions/:u"}) {
    const auto event = resolve(name);
    BOOST_TEST(event.exclude_kernel);
    BOOST_TEST(!event.exclude_user);
    BOOST_TEST(event.full_name == "cpu/event=0xc0/u");
  }
  BOOST_TEST(resolve("cpu/instructions/k").exclude_user);
  BOOST_TEST(!resolve("cpu/instructions/uk").exclude_user);
}

BOOST_AUTO_TEST_CASE(scale_and_unit_are_kept_as_facts) {
  const auto event = resolve("power/energy-pkg/");
  BOOST_TEST(event.config == 2u);
  BOOST_TEST(event.scale == "2.3283064365386962890625e-10");
  BOOST_TEST(event.unit == "Joules");
  BOOST_TEST(resolve("power/event=2/").unit == "");
}

BOOST_AUTO_TEST_CASE(a_bare_name_is_found_in_the_one_pmu_that_has_it) {
  const auto event = resolve("slots:k");
  BOOST_TEST(event.pmu == "cpu");
  BOOST_TEST(event.config == 0x400u);
  BOOST_TEST(event.exclude_user);
  BOOST_CHECK_EXCEPTION(resolve("clockticks"), BadInput,
                        tells("ask for uncore_imc_0/clockticks/ or uncore_imc_1/clockticks/"));
}

// Left to right: a name, and what the refusal says.
using Refused = std::tuple<const char*, const char*>;
const std::vector<Refused> refused{
    {"cpu/umusk=1/", "'umusk' is no event and no term of this PMU; its terms are edge, event, "
                     "ldlat, umask, config, config1, config2"},
    {"cpu/umusk=1/", "did you mean 'umask'?"},
    {"cpu/instrutions/", "did you mean 'instructions'?"},
    {"cpu/event=0x1ff/", "event=0x1ff does not fit; allowed is 0 to 0xff"},
    {"cpu/edge=2/", "edge=0x2 does not fit; allowed is 0 to 0x1"},
    {"cpu/event=0xzz/", "event=0xzz: not a number"},
    {"cpu/event=/", "event=: not a number"},
    {"cpu/event=-1/", "event=-1: not a number"},
    {"cpu/event=99999999999999999999/", "not a number; allowed is decimal, or 0x"},
    {"cpu//", "no event between the slashes"},
    {"cpu/period=1000/", "'period' is no event and no term"},
    {"cpu/instructions/x", "only the modifiers u and k are taken behind the last slash, not 'x'"},
    {"cpu/instructions/pp", "only the modifiers u and k"},
    {"cpu/a/b/", "too many slashes"},
    {"cpu/", "stand between two slashes"},
    {"gpu/busy/", "this machine has no PMU 'gpu'; it has cpu, power, software, uncore_imc_0"},
    {"../cpu/event=1/", "too many slashes"},
    {"uncore_imc_0/clockticks/", "the kernel leaves 'match' open; add match=VALUE"},
    {"sched:sched_switch:u", "tracepoints are in the kernel"},
    {"r11112222333344445", "a raw code has 1 to 16 hexadecimal digits"},
};

BOOST_DATA_TEST_CASE(what_is_wrong_is_named, data::make(refused), name, sentence) {
  BOOST_CHECK_EXCEPTION(resolve(name), BadInput, tells(sentence));
}

BOOST_AUTO_TEST_CASE(a_value_that_the_kernel_leaves_open_can_be_given) {
  BOOST_TEST(resolve("uncore_imc_0/clockticks,match=0x7/").config2 == 7u);
}

BOOST_AUTO_TEST_CASE(a_tracepoint_is_known_by_the_number_that_tracefs_gives) {
  const auto event = resolve("sched:sched_switch");
  BOOST_TEST((event.kind == Event::Kind::tracepoint));
  BOOST_TEST(event.pmu == "tracepoint");
  BOOST_TEST(event.type == PERF_TYPE_TRACEPOINT);
  BOOST_TEST(event.config == 316u);
  BOOST_TEST(resolve("sched:sched_switch:k").exclude_user);
}

BOOST_AUTO_TEST_CASE(tracepoints_are_found_where_debugfs_has_them) {
  const TemporaryFolder older;
  older.put("sys/kernel/debug/tracing/events/sched/sched_switch/id", "7\n");
  BOOST_TEST(Event::resolve("sched:sched_switch", older.path()).config == 7u);
}

BOOST_AUTO_TEST_CASE(all_tracepoints_are_listed_in_order) {
  const auto names = Tracepoint::names(root);
  BOOST_TEST(names == (std::vector<std::string>{"sched:sched_switch", "sched:sched_wakeup"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_tracefs_that_is_not_mounted_is_said) {
  const TemporaryFolder empty;
  BOOST_CHECK_EXCEPTION(Event::resolve("sched:no_such_thing_here", empty.path()), BadInput,
                        tells("tracefs is not mounted"));
  BOOST_CHECK_EXCEPTION(resolve("sched:no_such_thing_here"), BadInput, tells("event not found"));
}

BOOST_AUTO_TEST_CASE(a_raw_code_is_the_cores_own) {
  const auto event = resolve("r01C0:u");
  BOOST_TEST(event.type == PERF_TYPE_RAW);
  BOOST_TEST(event.config == 0x1c0u);
  BOOST_TEST(event.full_name == "r1c0:u");
  BOOST_TEST(event.pmu == "raw");
  BOOST_TEST(event.exclude_kernel);
}

BOOST_AUTO_TEST_CASE(commas_between_slashes_belong_to_the_name) {
  const auto events = resolve_pass("cycles, cpu/event=0xc0,umask=0x1/u ,r1c0", root);
  BOOST_TEST_REQUIRE(events.size() == 3u);
  BOOST_TEST(events[1].name == "cpu/event=0xc0,umask=0x1/u");
  BOOST_TEST(events[1].config == 0x1c0u);
}

BOOST_AUTO_TEST_CASE(perfs_names_of_caches_are_known_without_libpfm) {
  const auto misses = Event::resolve("L1-dcache-load-misses");
  BOOST_TEST(misses.type == PERF_TYPE_HW_CACHE);
  BOOST_TEST(misses.config == 0x10000u);
  BOOST_TEST(misses.full_name == "perf::PERF_COUNT_HW_CACHE_L1D:READ:MISS");
  BOOST_TEST(Event::resolve("LLC-stores").config == 0x102u);
  BOOST_TEST(Event::resolve("iTLB-load-misses").config == 0x10004u);
  BOOST_TEST(Event::resolve("dTLB-loads").config == 0x3u);
  BOOST_TEST(Event::resolve("L1-dcache-prefetches").config == 0x200u);
  BOOST_TEST(!GenericEvent::find("iTLB-stores"));
}

BOOST_AUTO_TEST_CASE(known_events_are_found_by_name_or_meaning_whatever_the_case) {
  FakePerf perf;
  perf.refuse_open = [](const FakePerf::Open& open) {
    return open.attributes.type == PERF_TYPE_HW_CACHE     ? ENOENT
           : open.attributes.type == PERF_TYPE_TRACEPOINT ? EACCES
                                                          : 0;
  };
  const auto presence_of = [&](std::string_view pattern, std::string_view name) {
    for (const auto& event : KnownEvent::search(perf, pattern, root))
      if (event.name == name)
        return std::optional(event.presence);
    return std::optional<KnownEvent::Presence>();
  };
  using Presence = KnownEvent::Presence;
  BOOST_TEST((presence_of("DTLB-LOAD", "dTLB-load-misses") == Presence::not_here));
  BOOST_TEST((presence_of("data tlb", "dTLB-loads") == Presence::not_here));
  BOOST_TEST((presence_of("energy", "power/energy-pkg/") == Presence::here));
  BOOST_TEST((presence_of("sched:", "sched:sched_switch") == Presence::untold));
  BOOST_TEST((presence_of("", "cycles") == Presence::here));
  BOOST_TEST((presence_of("energy", "cycles") == std::nullopt));
  BOOST_TEST(KnownEvent::search(perf, "no such words", root).empty());
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(a_description_that_is_none_is_refused_by_its_path) {
  pmu_file("cpu", "format/event", "config:0-64\n");
  BOOST_CHECK_EXCEPTION(resolve("cpu/instructions/"), BadInput, tells("cpu/format/event"));
  pmu_file("cpu", "format/event", "config:0-7\n");
  pmu_file("cpu", "type", "many\n");
  BOOST_CHECK_EXCEPTION(resolve("cpu/instructions/"), BadInput, tells("cpu/type"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(hybrid, HybridTree)

BOOST_AUTO_TEST_CASE(a_generic_event_names_the_core_types_pmu_in_its_upper_half) {
  const auto performance = count("instructions", "0-1");
  BOOST_TEST(performance.config == (std::uint64_t{4} << 32 | PERF_COUNT_HW_INSTRUCTIONS));
  BOOST_TEST(performance.pmu == "cpu_core");
  const auto efficient = count("L1-dcache-loads", "4,7");
  BOOST_TEST(efficient.config == (std::uint64_t{10} << 32 | PERF_COUNT_HW_CACHE_L1D));
  BOOST_TEST(efficient.pmu == "cpu_atom");
}

BOOST_AUTO_TEST_CASE(a_raw_code_goes_to_the_core_types_pmu) {
  BOOST_TEST(count("r1c0", "5").type == 10u);
  BOOST_TEST(count("r1c0", "5").config == 0x1c0u);
}

BOOST_AUTO_TEST_CASE(cores_of_several_types_are_refused_for_hardware_events) {
  BOOST_CHECK_EXCEPTION(
      count("cycles", "3-4"), Unavailable,
      tells("cycles: CPUs 3 (cpu_core), 4 (cpu_atom) are cores of several types"));
}

BOOST_AUTO_TEST_CASE(software_events_do_not_care_for_the_core_type) {
  BOOST_TEST(count("page-faults", "3-4").config == PERF_COUNT_SW_PAGE_FAULTS);
}

BOOST_AUTO_TEST_CASE(an_event_of_the_other_core_type_is_refused) {
  BOOST_TEST(count("cpu_core/event=0xc0/", "0-3").type == 4u);
  BOOST_CHECK_EXCEPTION(count("cpu_core/event=0xc0/", "4"), Unavailable,
                        tells("it is an event of cpu_core, whose CPUs are 0-3"));
}

BOOST_AUTO_TEST_CASE(cores_that_are_alike_keep_the_kernels_own_encoding) {
  const TemporaryFolder alike;
  alike.put("sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n");
  alike.put("sys/bus/event_source/devices/armv8_pmuv3_0/cpus", "0-3\n");
  const auto event = on_cores(Event::resolve("cycles"), CpuSet({0, 3}), CorePmu::all(alike.path()));
  BOOST_TEST(event.config == PERF_COUNT_HW_CPU_CYCLES);
  BOOST_TEST(event.pmu == "perf");
}

BOOST_AUTO_TEST_SUITE_END()
