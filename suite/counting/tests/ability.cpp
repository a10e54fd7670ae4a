#include "suite/counting/ability.hpp"

#include <cerrno>

#include <boost/test/unit_test.hpp>

#include "suite/counting/tests/fake_perf.hpp"

using namespace schedrig;

namespace {

using Open = FakePerf::Open;

bool is_hardware(const Open& open) {
  return open.attributes.type == PERF_TYPE_HARDWARE;
}

/// What a user without CAP_PERFMON is refused at `level`.
auto unprivileged(int level) {
  return [level](const Open& open) {
    const int most = open.cpu >= 0 ? 0 : open.attributes.exclude_kernel ? 2 : 1;
    return level > most ? EACCES : 0;
  };
}

bool holds(const std::string& text, const std::string& words) {
  BOOST_TEST_MESSAGE(text);
  return text.find(words) != std::string::npos;
}

struct Machine {
  FakePerf perf;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(ability, Machine)

BOOST_AUTO_TEST_CASE(finds_everything_on_a_lab_machine) {
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(ability.task);
  BOOST_TEST(ability.kernel);
  BOOST_TEST(ability.cpu_wide);
  BOOST_TEST(ability.hardware);
  BOOST_TEST(ability.missing.empty());
  BOOST_TEST(ability.default_counting() == "cpu");
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(says_what_is_measured_without_a_pmu) {
  perf.refuse_open = [](const Open& open) { return is_hardware(open) ? ENOENT : 0; };
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(!ability.hardware);
  BOOST_TEST(ability.cpu_wide);
  BOOST_TEST_REQUIRE(ability.missing.size() == 1u);
  BOOST_TEST(holds(ability.missing[0], "no cycles, instructions or branches: cycles: this machine "
                                       "has no hardware PMU (a VM?)"));
  BOOST_TEST(holds(ability.missing[0], "context switches, migrations and faults are measured"));
  BOOST_TEST(holds(ability.missing[0], "\n  to change it: "));
}

BOOST_AUTO_TEST_CASE(says_each_level_that_an_unprivileged_user_lacks) {
  perf.paranoid_level = 2;
  perf.refuse_open = unprivileged(2);
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(ability.task);
  BOOST_TEST(!ability.kernel);
  BOOST_TEST(!ability.cpu_wide);
  BOOST_TEST(ability.hardware); // user mode
  BOOST_TEST(ability.default_counting() == "task");
  BOOST_TEST_REQUIRE(ability.missing.size() == 2u);
  BOOST_TEST(holds(ability.missing[0], "sysctl -w kernel.perf_event_paranoid=1"));
  BOOST_TEST(holds(ability.missing[1], "sysctl -w kernel.perf_event_paranoid=0"));
}

BOOST_AUTO_TEST_CASE(counts_the_kernel_at_level_one_but_no_whole_cpu) {
  perf.paranoid_level = 1;
  perf.refuse_open = unprivileged(1);
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(ability.kernel);
  BOOST_TEST(!ability.cpu_wide);
}

BOOST_AUTO_TEST_CASE(counts_everything_at_level_zero_and_below_without_any_capability) {
  for (const int level : {0, -1}) {
    perf.paranoid_level = level;
    perf.refuse_open = unprivileged(level);
    const auto ability = CountingAbility::probe(perf, 3);
    BOOST_TEST(ability.kernel);
    BOOST_TEST(ability.cpu_wide);
    BOOST_TEST(ability.missing.empty());
  }
}

BOOST_AUTO_TEST_CASE(suspects_a_filter_where_every_level_would_allow_it) {
  perf.paranoid_level = -1;
  perf.refuse_open = [](const Open&) { return EPERM; };
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(!ability.task);
  BOOST_TEST(holds(ability.missing.at(0), "a container's system call filter"));
}

BOOST_AUTO_TEST_CASE(counts_nothing_at_level_three) {
  perf.paranoid_level = 3;
  perf.refuse_open = unprivileged(3);
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(!ability.task);
  BOOST_TEST(!ability.cpu_wide);
  BOOST_TEST(!ability.hardware);
  BOOST_TEST(ability.default_counting() == "off");
  BOOST_TEST_REQUIRE(ability.missing.size() == 1u);
  BOOST_TEST(holds(ability.missing[0], "sysctl -w kernel.perf_event_paranoid=2"));
}

BOOST_AUTO_TEST_CASE(does_not_believe_a_pmu_that_opens_and_stays_zero) {
  perf.counts_for = [](const Open& open) { return is_hardware(open) ? 0u : 1000u; };
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(!ability.hardware);
  BOOST_TEST_REQUIRE(ability.missing.size() == 1u);
  BOOST_TEST(holds(ability.missing[0], "stays 0"));
}

BOOST_AUTO_TEST_CASE(does_not_believe_counters_that_others_share) {
  perf.shared_on = {3};
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(!ability.cpu_wide);
  BOOST_TEST(ability.hardware);
  BOOST_TEST(holds(ability.missing.at(0), "500000 of 1000000 ns"));
}

BOOST_AUTO_TEST_CASE(reports_an_error_of_the_kernel_instead_of_throwing_it) {
  perf.refuse_open = [](const Open& open) { return is_hardware(open) ? EMFILE : 0; };
  const auto ability = CountingAbility::probe(perf, 3);
  BOOST_TEST(!ability.hardware);
  BOOST_TEST(holds(ability.missing.at(0), "EMFILE"));
}

BOOST_AUTO_TEST_SUITE_END()
