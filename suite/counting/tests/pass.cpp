#include "suite/counting/pass.hpp"

#include <cerrno>

#include <boost/test/unit_test.hpp>

#include "pinning/unavailable.hpp"
#include "suite/counting/tests/fake_perf.hpp"

using namespace schedrig;

namespace {

const CountingAbility everything{
    .task = true, .kernel = true, .cpu_wide = true, .hardware = true, .missing = {}};
const CountingAbility user_mode{
    .task = true, .kernel = false, .cpu_wide = false, .hardware = true, .missing = {}};

std::vector<std::string> names(const Pass& pass) {
  std::vector<std::string> names;
  for (const auto& event : pass.events())
    names.push_back(event.name);
  return names;
}

using Names = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(pass)

BOOST_AUTO_TEST_CASE(what_was_asked_for_comes_first_and_software_rides_along) {
  FakePerf perf;
  const auto pass = Pass::probe(perf, everything, "instructions,cycles", "cpu", CpuSet({0}));
  BOOST_TEST(names(pass) ==
                 (Names{"instructions", "cycles", "cpu-migrations", "page-faults", "task-clock"}),
             boost::test_tools::per_element());
  BOOST_TEST(pass.notes().empty());
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(a_rider_that_was_asked_for_is_not_counted_twice) {
  FakePerf perf;
  const auto pass = Pass::probe(perf, everything, "page-faults", "cpu", CpuSet({0}));
  BOOST_TEST(names(pass) == (Names{"page-faults", "cpu-migrations", "task-clock"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_event_that_the_machine_does_not_have_becomes_a_note) {
  FakePerf perf;
  perf.refuse_open = [](const FakePerf::Open& open) {
    return open.attributes.type == PERF_TYPE_HARDWARE ? ENOENT : 0;
  };
  const auto pass = Pass::probe(perf, everything, "cycles,branches", "cpu", CpuSet({0}));
  BOOST_TEST(names(pass).front() == "cpu-migrations");
  BOOST_TEST_REQUIRE(pass.notes().size() == 1u);
  BOOST_TEST(
      pass.notes().front() ==
      "cycles, branches: <not supported>: this machine has no hardware PMU (a VM?), or hides it");
}

BOOST_AUTO_TEST_CASE(an_event_that_may_not_be_counted_is_no_note_but_a_refusal) {
  FakePerf perf;
  perf.refuse_open = [](const FakePerf::Open&) { return EACCES; };
  BOOST_CHECK_THROW(Pass::probe(perf, everything, "cycles", "cpu", CpuSet({0})), Unavailable);
}

BOOST_AUTO_TEST_CASE(events_that_do_not_fit_together_are_refused_before_anything_starts) {
  FakePerf perf;
  perf.refuse_open = [&perf](const FakePerf::Open& open) {
    if (open.group == -1 || open.attributes.type != PERF_TYPE_HARDWARE)
      return 0;
    std::size_t members = 0;
    for (const auto& other : perf.opens)
      members += other.group == open.group && other.attributes.type == PERF_TYPE_HARDWARE;
    return members >= 2 ? EINVAL : 0;
  };
  BOOST_CHECK_NO_THROW(
      Pass::probe(perf, everything, "cycles,instructions,branches", "cpu", CpuSet({0})));
  BOOST_CHECK_THROW(Pass::probe(perf, everything,
                                "cycles,instructions,branches,branch-misses,cache-misses", "cpu",
                                CpuSet({0})),
                    Unavailable);
}

BOOST_AUTO_TEST_CASE(a_pmu_that_is_shared_is_refused_before_anything_starts) {
  FakePerf perf;
  perf.shared_on = {0};
  BOOST_CHECK_THROW(Pass::probe(perf, everything, "cycles", "cpu", CpuSet({0})), Unavailable);
}

BOOST_AUTO_TEST_CASE(without_kernel_mode_the_user_mode_is_counted_and_said) {
  FakePerf perf;
  const auto pass = Pass::probe(perf, user_mode, "cycles,context-switches", "task", CpuSet({0}));
  BOOST_TEST(names(pass) == (Names{"cycles:u", "page-faults:u", "task-clock"}),
             boost::test_tools::per_element());
  BOOST_TEST(pass.notes().size() == 2u);
  for (const auto& open : perf.opens)
    BOOST_TEST(open.attributes.exclude_kernel == 1u);
}

BOOST_AUTO_TEST_CASE(counting_off_opens_nothing) {
  FakePerf perf;
  const auto pass = Pass::probe(perf, everything, "", "off", CpuSet({0}));
  auto counters = pass.open(perf, CpuSet({0}), 1);
  counters.start();
  counters.stop();
  BOOST_TEST(counters.read().values.empty());
  BOOST_TEST(perf.opens.empty());
}

BOOST_AUTO_TEST_SUITE_END()
