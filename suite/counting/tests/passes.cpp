#include <algorithm>
#include <cerrno>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/pass.hpp"
#include "suite/counting/passes/detail.hpp"
#include "suite/counting/passes/fitted_passes.hpp"
#include "suite/counting/passes/pmu_user.hpp"
#include "suite/counting/tests/simulated_pmu.hpp"

using namespace schedrig;
using Watchdog = SimulatedPmu::Watchdog;
using Texts = std::vector<std::string>;

namespace {

constexpr std::string_view four_codes = "r0ad1,r0ad2,r0ad3,r0ad4";

struct Machine {
  FakePerf perf;
  TemporaryFolder root;
  CountingAbility ability{
      .task = true, .kernel = true, .cpu_wide = true, .hardware = true, .missing = {}};

  FittedPasses fit(std::string_view asked, std::string_view counting = "cpu") {
    auto fitted = FittedPasses::probe(perf, ability, asked, counting, CpuSet({0}), root.path());
    BOOST_TEST(perf.open_descriptors() == 0u);
    BOOST_TEST_MESSAGE(
        fmt::format("{}\n{}", fmt::join(fitted.passes, "\n"), fmt::join(fitted.notes, "\n")));
    return fitted;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fitted_passes, Machine)

BOOST_AUTO_TEST_CASE(what_fits_stays_one_pass_as_it_was_asked) {
  const SimulatedPmu pmu(perf, 4, Watchdog::off);
  const auto fitted = fit("instructions, r01c7,page-faults");
  BOOST_TEST(fitted.passes == Texts{"instructions,r01c7,page-faults"},
             boost::test_tools::per_element());
  BOOST_TEST(fitted.notes.empty());
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_becomes_passes_each_led_by_cycles) {
  const SimulatedPmu pmu(perf, 4, Watchdog::off);
  const auto fitted = fit("branches,r1,r2,r3,r4,instructions,cycles,r5");
  BOOST_TEST(fitted.passes == (Texts{"cycles,branches,r1,r2,r3,instructions", "cycles,r4,r5"}),
             boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(fitted.notes.size() == 1u);
  BOOST_TEST(fitted.notes[0] == "8 events do not fit on the PMU together: they are counted in 2 "
                                "passes of at most 6, each with trials of its own");
}

BOOST_AUTO_TEST_CASE(the_nmi_watchdog_costs_a_counter_and_is_named) {
  root.put("proc/sys/kernel/nmi_watchdog", "1\n");
  const SimulatedPmu pmu(perf, 4, Watchdog::on);
  const auto fitted = fit("cycles,branches,r1,r2,r3");
  BOOST_TEST(fitted.passes == (Texts{"cycles,branches,r1,r2", "cycles,r3"}),
             boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(fitted.notes.size() == 2u);
  BOOST_TEST(fitted.notes[1] == "the NMI watchdog holds a counter of each CPU for cycles "
                                "(to change it: sysctl -w kernel.nmi_watchdog=0)");
}

BOOST_AUTO_TEST_CASE(without_the_watchdog_the_same_events_are_one_pass) {
  const SimulatedPmu pmu(perf, 4, Watchdog::off);
  BOOST_TEST(fit("cycles,branches,r1,r2,r3").passes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_group_that_opens_and_never_counts_does_not_fit) {
  const SimulatedPmu pmu(perf, 4, Watchdog::on);
  for (const char* counting : {"cpu", "task"}) {
    const auto events = resolve_pass("cycles,branches,r1,r2,r3");
    BOOST_TEST(Pass::why_not(perf, events, counting, CpuSet({0}), root.path()) != "");
    BOOST_TEST(fit("cycles,branches,r1,r2,r3", counting).passes.size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(eight_counters_take_more_but_not_where_only_four_can_count) {
  const SimulatedPmu pmu(perf, 8, Watchdog::off);
  BOOST_TEST(fit("r1,r2,r3,r4,r5,r6,r7,r8").passes.size() == 1u);
  BOOST_TEST(fit(four_codes).passes.size() == 1u);
  BOOST_TEST(fit("r01d1,r02d1,r03d1,r04d1,r05d1").passes.size() == 2u);
}

BOOST_AUTO_TEST_CASE(two_events_of_the_same_single_counter_are_parted) {
  const SimulatedPmu pmu(perf, 8, Watchdog::off);
  BOOST_TEST(fit("r01c0,r01c0:u").passes == (Texts{"cycles,r01c0", "cycles,r01c0:u"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(forty_events_are_all_there_once) {
  const SimulatedPmu pmu(perf, 4, Watchdog::on);
  Texts asked;
  for (int code = 1; code <= 40; ++code)
    asked.push_back(fmt::format("r{:x}", code));
  const auto fitted = fit(fmt::format("{}", fmt::join(asked, ",")));
  BOOST_TEST(fitted.passes.size() == 14u); // 3 and cycles each
  Texts counted;
  for (const auto& pass : fitted.passes) {
    const auto names = names_in_pass(pass);
    BOOST_TEST(names.front() == "cycles");
    counted.insert(counted.end(), names.begin() + 1, names.end());
  }
  BOOST_TEST(counted == asked, boost::test_tools::per_element());
  for (const auto& pass : fitted.passes)
    BOOST_CHECK_NO_THROW(Pass::probe(perf, ability, pass, "cpu", CpuSet({0}), root.path()));
}

BOOST_AUTO_TEST_CASE(what_takes_no_counter_goes_into_the_first_pass) {
  const SimulatedPmu pmu(perf, 4, Watchdog::off);
  const auto refuse = perf.refuse_open;
  perf.refuse_open = [refuse](const FakePerf::Open& open) {
    const bool lacking = open.attributes.type == PERF_TYPE_HARDWARE &&
                         open.attributes.config == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND;
    return lacking ? ENOENT : refuse(open);
  };
  const auto fitted = fit("r1,r2,r3,r4,r5,stalled-cycles-frontend,context-switches");
  BOOST_TEST(fitted.passes == (Texts{"cycles,r1,r2,r3,r4,stalled-cycles-frontend,context-switches",
                                     "cycles,r5"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_cycles_nothing_leads) {
  const SimulatedPmu pmu(perf, 2, Watchdog::off);
  const auto refuse = perf.refuse_open;
  perf.refuse_open = [refuse](const FakePerf::Open& open) {
    const bool cycles = open.attributes.type == PERF_TYPE_HARDWARE &&
                        open.attributes.config == PERF_COUNT_HW_CPU_CYCLES;
    return cycles ? ENOENT : refuse(open);
  };
  BOOST_TEST(fit("r1,r2,r3").passes == (Texts{"r1,r2", "r3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_event_that_fits_only_without_cycles_is_alone) {
  // Two PMUs cannot be in one group.
  perf.refuse_open = [this](const FakePerf::Open& open) {
    if (open.group == -1)
      return 0;
    const auto group = perf.group(open.group);
    const bool mixed =
        group.front().attributes.type != open.attributes.type &&
        (group.front().attributes.type == PERF_TYPE_RAW || open.attributes.type == PERF_TYPE_RAW);
    return mixed ? EINVAL : 0;
  };
  BOOST_TEST(fit("r1,r2").passes == (Texts{"r1,r2"}), boost::test_tools::per_element());
  BOOST_TEST(fit("branches,r1,r2").passes == (Texts{"cycles,branches", "r1,r2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_user_of_user_mode_gets_passes_of_user_mode) {
  ability.kernel = false;
  const SimulatedPmu pmu(perf, 2, Watchdog::off);
  BOOST_TEST(fit("branches,r1,r2,context-switches", "task").passes.size() == 2u);
  for (const auto& open : perf.opens)
    BOOST_TEST(open.attributes.exclude_kernel == 1u);
}

BOOST_AUTO_TEST_CASE(counting_off_keeps_what_was_asked_and_opens_nothing) {
  BOOST_TEST(fit("cycles", "off").passes.size() == 1u);
  BOOST_TEST(fit("").passes == Texts{""}, boost::test_tools::per_element());
  BOOST_TEST(perf.opens.empty());
}

BOOST_AUTO_TEST_CASE(a_pass_that_is_too_large_is_refused_with_who_is_in_the_way) {
  root.put("proc/sys/kernel/nmi_watchdog", "1\n");
  const SimulatedPmu pmu(perf, 4, Watchdog::on);
  BOOST_CHECK_EXCEPTION(
      Pass::probe(perf, ability, "cycles,r1,r2,r3,r4", "cpu", CpuSet({0}), root.path()),
      Unavailable, [](const Unavailable& refusal) {
        BOOST_TEST_MESSAGE(refusal.what());
        return refusal.why().ends_with(
                   "; the NMI watchdog holds a counter of each CPU for cycles") &&
               refusal.remedy() == "sysctl -w kernel.nmi_watchdog=0";
      });
}

BOOST_AUTO_TEST_CASE(the_whole_system_is_counted_on_the_cpus_that_are_online) {
  root.put("sys/devices/system/cpu/online", "0,2-3\n");
  const auto pass = Pass::probe(perf, ability, "cycles", "system", CpuSet({0}), root.path());
  perf.opens.clear();
  const auto counters = pass.open(perf, CpuSet({0}), 4711);
  std::vector<int> cpus;
  for (const auto& open : perf.opens)
    if (open.group == -1)
      cpus.push_back(open.cpu);
  BOOST_TEST(cpus == (std::vector<int>{0, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_group_is_counted_by_its_folder) {
  const auto pass = Pass::probe(perf, ability, "cycles", "cgroup", CpuSet({3}), root.path());
  perf.opens.clear();
  const auto counters =
      pass.open(perf, CpuSet({3}), 4711, CounterGroup::Begin::at_start, root.path());
  for (const auto& open : perf.opens) {
    BOOST_TEST(open.flags == (PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP));
    BOOST_TEST(open.cpu == 3);
    BOOST_TEST(open.process >= 0); // the folder's descriptor
  }
}

BOOST_AUTO_TEST_CASE(a_hybrid_placement_is_counted_on_its_own_cores_pmu) {
  root.put("sys/bus/event_source/devices/cpu_core/type", "4\n");
  root.put("sys/bus/event_source/devices/cpu_core/cpus", "0-3\n");
  root.put("sys/bus/event_source/devices/cpu_atom/type", "10\n");
  root.put("sys/bus/event_source/devices/cpu_atom/cpus", "4-7\n");
  const auto pass = Pass::probe(perf, ability, "instructions", "cpu", CpuSet({4}), root.path());
  BOOST_TEST(pass.events().front().config == (std::uint64_t{10} << 32 | 1u));
  BOOST_TEST(pass.events().front().pmu == "cpu_atom");
  BOOST_CHECK_EXCEPTION(
      Pass::probe(perf, ability, "instructions", "cpu", CpuSet({3, 4}), root.path()), Unavailable,
      tells("cores of several types"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(pmu_user, TemporaryFolder)

BOOST_AUTO_TEST_CASE(nobody_is_named_where_nothing_is_seen) {
  put("proc/sys/kernel/nmi_watchdog", "0\n");
  put("sys/devices/system/cpu/smt/active", "0\n");
  put("proc/cpuinfo", "vendor_id\t: GenuineIntel\n");
  BOOST_TEST(PmuUser::find(path()).empty());
}

BOOST_AUTO_TEST_CASE(smt_is_named_on_intel_only) {
  put("sys/devices/system/cpu/smt/active", "1\n");
  put("proc/cpuinfo", "vendor_id\t: AuthenticAMD\n");
  BOOST_TEST(PmuUser::find(path()).empty());
  put("proc/cpuinfo", "vendor_id\t: GenuineIntel\n");
  BOOST_TEST_REQUIRE(PmuUser::find(path()).size() == 1u);
  BOOST_TEST(PmuUser::find(path())[0].sentence.starts_with("SMT is on"));
}

BOOST_AUTO_TEST_CASE(another_process_with_counters_is_named) {
  put("proc/4711/comm", "perf\n");
  put("proc/4712/comm", "bash\n");
  for (const char* process : {"proc/4711/fd", "proc/4712/fd"})
    std::filesystem::create_directories(path() / process);
  std::filesystem::create_symlink("anon_inode:[perf_event]", path() / "proc/4711/fd/3");
  std::filesystem::create_symlink("anon_inode:[perf_event]", path() / "proc/4711/fd/4");
  std::filesystem::create_symlink("/dev/null", path() / "proc/4712/fd/0");
  const auto users = PmuUser::find(path());
  BOOST_TEST_REQUIRE(users.size() == 1u);
  BOOST_TEST(users[0].sentence == "process 4711 (perf) has 2 counters open");
  BOOST_TEST(users[0].remedy == "end process 4711");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(detail)

BOOST_AUTO_TEST_CASE(each_level_has_those_of_the_one_before) {
  BOOST_TEST(detail_events(0).size() == 10u);
  for (const int level : {1, 2, 3}) {
    const auto fewer = detail_events(level - 1), more = detail_events(level);
    BOOST_TEST(more.size() > fewer.size());
    BOOST_TEST(std::equal(fewer.begin(), fewer.end(), more.begin()));
  }
  BOOST_TEST(detail_events(3).size() == 22u);
}

BOOST_AUTO_TEST_CASE(every_name_is_known_as_the_kernels_own) {
  for (const auto& name : detail_events(3))
    BOOST_TEST(Event::resolve(name).full_name.starts_with("perf::PERF_COUNT_"));
}

BOOST_AUTO_TEST_CASE(another_level_is_refused) {
  BOOST_CHECK_EXCEPTION(detail_events(4), BadInput, tells("allowed is 0 to 3"));
  BOOST_CHECK_THROW(detail_events(-1), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
