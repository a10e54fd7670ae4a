#include "suite/counting/counter_group.hpp"

#include <cerrno>

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/tests/fake_perf.hpp"

using namespace schedrig;

namespace {

constexpr pid_t process = 4711;

/// Counts config + 1 thousands for each enable, so that events cannot be mistaken for each other.
struct Machine {
  FakePerf perf;
  std::vector<Event> pass = resolve_pass("cycles,instructions,branches");

  Machine() {
    perf.counts_for = [](const FakePerf::Open& open) {
      return 1000 * (open.attributes.config + 1);
    };
  }
  Counted count(CounterGroup counters) {
    counters.start();
    counters.stop();
    return counters.read();
  }
  /// Refuses as a kernel before 4.13 does.
  void cannot_read_inherited_groups() {
    perf.refuse_open = [](const FakePerf::Open& open) {
      return open.attributes.inherit && (open.attributes.read_format & PERF_FORMAT_GROUP) ? EINVAL
                                                                                          : 0;
    };
  }
};

bool holds(const std::string& text, const std::string& words) {
  BOOST_TEST_MESSAGE(text);
  return text.find(words) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(counter_group, Machine)

BOOST_AUTO_TEST_CASE(opens_a_pinned_group_on_a_cpu_disabled) {
  const auto counters = CounterGroup::on_cpus(perf, pass, CpuSet({3}));
  BOOST_TEST_REQUIRE(perf.opens.size() == 3u);
  const auto& leader = perf.opens[0];
  BOOST_TEST(leader.process == -1);
  BOOST_TEST(leader.cpu == 3);
  BOOST_TEST(leader.group == -1);
  BOOST_TEST(leader.flags == PERF_FLAG_FD_CLOEXEC);
  BOOST_TEST(leader.attributes.size == sizeof(perf_event_attr));
  BOOST_TEST(leader.attributes.disabled == 1u);
  BOOST_TEST(leader.attributes.pinned == 1u);
  BOOST_TEST(leader.attributes.inherit == 0u);
  BOOST_TEST(leader.attributes.exclude_guest == 0u);
  BOOST_TEST(leader.attributes.exclude_hv == 0u);
  BOOST_TEST(leader.attributes.sample_period == 0u);
  BOOST_TEST(leader.attributes.read_format ==
             (PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
              PERF_FORMAT_TOTAL_TIME_RUNNING));
  for (const auto& member : {perf.opens[1], perf.opens[2]}) {
    BOOST_TEST(member.group == leader.fd);
    BOOST_TEST(member.attributes.disabled == 0u);
    BOOST_TEST(member.attributes.pinned == 0u); // the kernel takes it of a leader only
    BOOST_TEST(member.attributes.read_format == leader.attributes.read_format);
  }
  BOOST_TEST(!perf.is_enabled(leader.fd));
}

BOOST_AUTO_TEST_CASE(opens_an_inherited_group_on_a_task_not_pinned) {
  const auto counters = CounterGroup::on_task(perf, pass, process);
  BOOST_TEST_REQUIRE(perf.opens.size() == 3u);
  for (const auto& open : perf.opens) {
    BOOST_TEST(open.process == process);
    BOOST_TEST(open.cpu == -1);
    BOOST_TEST(open.attributes.inherit == 1u);
    BOOST_TEST(open.attributes.pinned == 0u);
  }
  const auto& leader = perf.opens[0];
  BOOST_TEST(leader.attributes.disabled == 1u);
}

BOOST_AUTO_TEST_CASE(hands_the_encoding_and_the_modes_to_the_kernel) {
  Event event;
  event.type = 4;
  event.config = 0x1234;
  event.config1 = 5;
  event.config2 = 6;
  event.exclude_user = true;
  const auto counters = CounterGroup::on_task(perf, {event}, process);
  const auto& attributes = perf.opens.at(0).attributes;
  BOOST_TEST(attributes.type == 4u);
  BOOST_TEST(attributes.config == 0x1234u);
  BOOST_TEST(attributes.config1 == 5u);
  BOOST_TEST(attributes.config2 == 6u);
  BOOST_TEST(attributes.exclude_user == 1u);
  BOOST_TEST(attributes.exclude_kernel == 0u);
}

BOOST_AUTO_TEST_CASE(counts_in_the_order_asked_for) {
  const auto counted = count(CounterGroup::on_task(perf, pass, process));
  BOOST_TEST(counted.refusal == "");
  BOOST_TEST_REQUIRE(counted.values.size() == 3u);
  BOOST_TEST(counted.values[0].event.name == "cycles");
  BOOST_TEST(counted.values[0].count == 1000u);
  BOOST_TEST(counted.values[1].event.name == "instructions");
  BOOST_TEST(counted.values[1].count == 2000u);
  BOOST_TEST(counted.values[2].event.name == "branches");
  BOOST_TEST(counted.values[2].count == 5000u);
  BOOST_TEST(counted.enabled.count() == 1'000'000);
  BOOST_TEST(counted.running.count() == 1'000'000);
}

BOOST_AUTO_TEST_CASE(lets_a_hardware_event_lead_and_keeps_the_order) {
  const auto counted =
      count(CounterGroup::on_cpus(perf, resolve_pass("context-switches,cycles"), CpuSet({0})));
  BOOST_TEST(perf.opens.at(0).attributes.type == PERF_TYPE_HARDWARE);
  BOOST_TEST(perf.opens.at(1).attributes.type == PERF_TYPE_SOFTWARE);
  BOOST_TEST_REQUIRE(counted.values.size() == 2u);
  BOOST_TEST(counted.values[0].event.name == "context-switches");
  BOOST_TEST(counted.values[0].count == 4000u);
  BOOST_TEST(counted.values[1].count == 1000u);
}

BOOST_AUTO_TEST_CASE(sums_over_its_cpus) {
  perf.counts_for = [](const FakePerf::Open& open) { return open.cpu == 1 ? 7u : 100u; };
  const auto counted = count(CounterGroup::on_cpus(perf, pass, CpuSet({1, 4})));
  BOOST_TEST_REQUIRE(counted.values.size() == 3u);
  for (const auto& value : counted.values)
    BOOST_TEST(value.count == 107u);
  BOOST_TEST(counted.enabled.count() == 2'000'000);
}

BOOST_AUTO_TEST_CASE(enables_only_between_start_and_stop) {
  auto counters = CounterGroup::on_cpus(perf, pass, CpuSet({0, 1}));
  const int first = perf.opens.at(0).fd, second = perf.opens.at(3).fd;
  BOOST_TEST(!perf.is_enabled(first));
  counters.start();
  BOOST_TEST(perf.is_enabled(first));
  BOOST_TEST(perf.is_enabled(second));
  counters.stop();
  BOOST_TEST(!perf.is_enabled(first));
  BOOST_TEST(!perf.is_enabled(second));
}

BOOST_AUTO_TEST_CASE(begins_each_start_at_zero) {
  auto counters = CounterGroup::on_task(perf, pass, process);
  for (int trial = 0; trial < 3; ++trial) {
    counters.start();
    counters.stop();
    const auto counted = counters.read();
    BOOST_TEST_REQUIRE(counted.values.size() == 3u);
    BOOST_TEST(counted.values[0].count == 1000u);
    BOOST_TEST(counted.enabled.count() == 1'000'000);
  }
}

BOOST_AUTO_TEST_CASE(never_scales_a_shared_group_but_refuses_it) {
  perf.shared_on = {-1};
  const auto counted = count(CounterGroup::on_task(perf, pass, process));
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(
      holds(counted.refusal, "process 4711: cycles was on the PMU for 500000 of 1000000 ns"));
  BOOST_TEST(counted.enabled.count() == 1'000'000);
  BOOST_TEST(counted.running.count() == 500'000);
}

BOOST_AUTO_TEST_CASE(refuses_all_when_one_cpu_shared_and_names_it) {
  perf.shared_on = {5};
  const auto counted = count(CounterGroup::on_cpus(perf, pass, CpuSet({1, 5, 7})));
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(holds(counted.refusal, "CPU 5: "));
}

BOOST_AUTO_TEST_CASE(refuses_a_group_that_lost_the_pmu_and_names_the_cpu) {
  perf.lost_on = {5};
  const auto counted = count(CounterGroup::on_cpus(perf, pass, CpuSet({1, 5, 7})));
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(holds(counted.refusal, "CPU 5: the group lost the PMU"));
}

BOOST_AUTO_TEST_CASE(refuses_a_start_from_a_group_that_had_lost_the_pmu) {
  perf.lost_on = {5};
  auto counters = CounterGroup::on_cpus(perf, pass, CpuSet({5}));
  counters.start();
  counters.stop();
  counters.start();
  perf.lost_on = {};
  counters.stop();
  BOOST_TEST(holds(counters.read().refusal, "CPU 5: the group lost the PMU"));
}

BOOST_AUTO_TEST_CASE(refuses_a_task_that_never_ran) {
  perf.enabled_for = {};
  const auto counted = count(CounterGroup::on_task(perf, pass, process));
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(holds(counted.refusal, "process 4711: nothing ran"));
}

BOOST_AUTO_TEST_CASE(refuses_a_read_without_a_start) {
  auto counters = CounterGroup::on_task(perf, pass, process);
  BOOST_TEST(holds(counters.read().refusal, "nothing ran"));
}

BOOST_AUTO_TEST_CASE(refuses_a_short_read) {
  auto counters = CounterGroup::on_task(perf, pass, process);
  counters.start();
  counters.stop();
  perf.bytes_held_back = 8;
  const auto counted = counters.read();
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(holds(counted.refusal, "process 4711: the counters came in 64 of 72 bytes"));
}

BOOST_AUTO_TEST_CASE(calls_again_after_a_signal) {
  perf.interruptions = 2;
  auto counters = CounterGroup::on_task(perf, pass, process);
  perf.interruptions = 2;
  counters.start();
  perf.interruptions = 2;
  counters.stop();
  perf.interruptions = 2;
  const auto counted = counters.read();
  BOOST_TEST(perf.interruptions == 0);
  BOOST_TEST_REQUIRE(counted.values.size() == 3u);
  BOOST_TEST(counted.values[0].count == 1000u);
}

BOOST_AUTO_TEST_CASE(reads_members_one_by_one_where_inherited_groups_cannot_be_read) {
  cannot_read_inherited_groups();
  const auto counted = count(CounterGroup::on_task(perf, pass, process));
  BOOST_TEST_REQUIRE(perf.opens.size() == 4u); // the leader twice
  for (std::size_t i = 1; i < 4; ++i) {
    const auto& open = perf.opens[i];
    BOOST_TEST(open.attributes.inherit == 1u);
    BOOST_TEST((open.attributes.read_format & PERF_FORMAT_GROUP) == 0u);
  }
  BOOST_TEST(perf.opens[3].group == perf.opens[1].fd); // one group on the PMU all the same
  BOOST_TEST(counted.refusal == "");
  BOOST_TEST_REQUIRE(counted.values.size() == 3u);
  BOOST_TEST(counted.values[0].count == 1000u);
  BOOST_TEST(counted.values[1].count == 2000u);
  BOOST_TEST(counted.values[2].count == 5000u);
  BOOST_TEST(counted.enabled.count() == 1'000'000);
}

BOOST_AUTO_TEST_CASE(refuses_shared_members_read_one_by_one) {
  cannot_read_inherited_groups();
  perf.shared_on = {-1};
  BOOST_TEST(holds(count(CounterGroup::on_task(perf, pass, process)).refusal, "500000 of 1000000"));
}

BOOST_AUTO_TEST_CASE(tells_an_encoding_that_is_refused_either_way) {
  perf.refuse_open = [](const FakePerf::Open&) { return EINVAL; };
  BOOST_CHECK_EXCEPTION(CounterGroup::on_task(perf, pass, process), Unavailable,
                        [](const Unavailable& error) {
                          return holds(error.why(), "cycles: this kernel does not take it");
                        });
}

BOOST_AUTO_TEST_CASE(does_not_ask_again_for_what_a_cpu_refuses) {
  perf.refuse_open = [](const FakePerf::Open&) { return EINVAL; };
  BOOST_CHECK_THROW(CounterGroup::on_cpus(perf, pass, CpuSet({0})), Unavailable);
  BOOST_TEST(perf.opens.size() == 1u);
}

BOOST_AUTO_TEST_CASE(names_the_member_that_does_not_fit_and_closes_the_rest) {
  perf.refuse_open = [](const FakePerf::Open& open) { return open.number == 2 ? EINVAL : 0; };
  BOOST_CHECK_EXCEPTION(
      CounterGroup::on_task(perf, pass, process), Unavailable, [](const Unavailable& error) {
        return holds(error.why(),
                     "branches: does not fit on the PMU together with the 2 before it");
      });
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(names_the_cpu_that_is_offline_and_closes_the_others) {
  perf.refuse_open = [](const FakePerf::Open& open) { return open.cpu == 7 ? ENODEV : 0; };
  BOOST_CHECK_EXCEPTION(
      CounterGroup::on_cpus(perf, pass, CpuSet({1, 7})), Unavailable,
      [](const Unavailable& error) { return holds(error.why(), "CPU 7 is offline"); });
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(says_how_many_descriptors_it_takes_and_closes_the_rest) {
  perf.descriptors_allowed = 64;
  perf.refuse_open = [](const FakePerf::Open& open) { return open.number == 4 ? EMFILE : 0; };
  BOOST_CHECK_EXCEPTION(CounterGroup::on_cpus(perf, pass, CpuSet({1, 7})), Unavailable,
                        [](const Unavailable& error) {
                          return holds(error.why(), "instructions: each counter takes a "
                                                    "descriptor; 6 are needed beside those open "
                                                    "already, and this process may have 64") &&
                                 holds(error.why(), "EMFILE") && error.remedy() == "ulimit -n 70";
                        });
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(refuses_a_cpu_that_goes_offline_in_the_middle) {
  perf.enabled_for = std::chrono::seconds(1);
  perf.tick = std::chrono::seconds(1);
  perf.offline_since_start = {5};
  const auto counted = count(CounterGroup::on_cpus(perf, pass, CpuSet({1, 5})));
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(holds(counted.refusal, "CPU 5: it was counted for 100000000 of 1000000000 ns: it went "
                                    "offline in the middle, or its PMU went away"));
}

BOOST_AUTO_TEST_CASE(takes_a_clock_that_is_a_little_off_for_whole) {
  perf.enabled_for = std::chrono::milliseconds(995);
  perf.tick = std::chrono::seconds(1);
  BOOST_TEST(count(CounterGroup::on_cpus(perf, pass, CpuSet({1, 5}))).refusal == "");
}

BOOST_AUTO_TEST_CASE(a_task_may_have_slept_for_most_of_the_time) {
  perf.tick = std::chrono::seconds(1);
  BOOST_TEST(count(CounterGroup::on_task(perf, pass, process)).refusal == "");
}

BOOST_AUTO_TEST_CASE(refuses_a_pmu_that_went_away_in_the_middle) {
  auto counters = CounterGroup::on_cpus(perf, pass, CpuSet({5}));
  counters.start();
  counters.stop();
  perf.refuse_read = ENODEV;
  BOOST_TEST(holds(counters.read().refusal, "CPU 5: its PMU went away in the middle"));
}

BOOST_AUTO_TEST_CASE(opens_a_control_group_on_each_cpu_pinned) {
  const TemporaryFolder group;
  const auto counters = CounterGroup::on_cgroup(perf, pass, group.path(), CpuSet({1, 4}));
  BOOST_TEST_REQUIRE(perf.opens.size() == 6u);
  const auto& leader = perf.opens[3];
  BOOST_TEST(leader.attributes.pinned == 1u);
  BOOST_TEST(leader.cpu == 4);
  for (const auto& open : perf.opens) {
    BOOST_TEST(open.flags == (PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP));
    BOOST_TEST(open.attributes.inherit == 0u);
    BOOST_TEST(open.process >= 0);
  }
}

BOOST_AUTO_TEST_CASE(a_control_group_may_have_run_on_some_of_its_cpus_only) {
  const TemporaryFolder group;
  perf.idle_on = {4};
  const auto counted = count(CounterGroup::on_cgroup(perf, pass, group.path(), CpuSet({1, 4})));
  BOOST_TEST(counted.refusal == "");
  BOOST_TEST_REQUIRE(counted.values.size() == 3u);
  BOOST_TEST(counted.values[0].count == 1000u);
  perf.idle_on = {1, 4};
  BOOST_TEST(holds(count(CounterGroup::on_cgroup(perf, pass, group.path(), CpuSet({1, 4}))).refusal,
                   "CPU 1: nothing ran between start and stop"));
}

// EBADF of a folder that is no group's, ENOENT of a group in another controller's hierarchy.
BOOST_AUTO_TEST_CASE(says_that_a_group_has_no_perf_event_controller) {
  const TemporaryFolder group;
  for (const int refusal : {EBADF, ENOENT}) {
    perf.refuse_open = [refusal](const FakePerf::Open&) { return refusal; };
    BOOST_CHECK_EXCEPTION(CounterGroup::on_cgroup(perf, pass, group.path(), CpuSet({1})),
                          Unavailable, [&](const Unavailable& error) {
                            return holds(error.why(), group.path().native() +
                                                          " is not in a hierarchy of the "
                                                          "perf_event controller");
                          });
  }
}

BOOST_AUTO_TEST_CASE(names_the_group_that_is_not_there) {
  BOOST_CHECK_EXCEPTION(CounterGroup::on_cgroup(perf, pass, "/no/such/group", CpuSet({1})), OsError,
                        [](const OsError& error) {
                          return error.error() == ENOENT && error.subject() == "/no/such/group";
                        });
}

BOOST_AUTO_TEST_CASE(throws_when_it_cannot_be_enabled) {
  auto counters = CounterGroup::on_cpus(perf, pass, CpuSet({1}));
  perf.refuse_control = ENODEV;
  BOOST_CHECK_EXCEPTION(counters.start(), OsError, [](const OsError& error) {
    return error.error() == ENODEV && error.subject() == "CPU 1";
  });
}

BOOST_AUTO_TEST_CASE(closes_its_descriptors) {
  {
    const auto counters = CounterGroup::on_cpus(perf, pass, CpuSet({0, 1}));
    BOOST_TEST(perf.open_descriptors() == 6u);
  }
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(reads_only_the_tsc_without_events) {
  auto counters = CounterGroup::on_cpus(perf, {}, CpuSet({0, 1}));
  counters.start();
  counters.stop();
  const auto counted = counters.read();
  BOOST_TEST(perf.opens.empty());
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(counted.refusal == "");
#if defined(__x86_64__)
  BOOST_TEST(counted.tsc_ticks > 0u);
#endif
}

BOOST_AUTO_TEST_CASE(refuses_to_count_on_no_cpu) {
  BOOST_CHECK_THROW(CounterGroup::on_cpus(perf, pass, CpuSet()), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
