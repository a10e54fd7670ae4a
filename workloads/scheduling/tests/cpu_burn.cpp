#include <boost/test/unit_test.hpp>

#include "workloads/scheduling/cpu_burn.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

using Values = std::map<std::string, std::string>;

std::unique_ptr<Workload> load_of(const Values& values) {
  const auto entry = cpu_burn();
  return entry.make(ParameterValues(entry.name, entry.parameters, values));
}

Placement everywhere() {
  return {"all", own_affinity().cpus(), Placement::Tasks::free_within};
}

WorkReport report_of(const Values& values) {
  const auto load = load_of(values);
  load->prepare(everywhere());
  load->run();
  return load->finish();
}

} // namespace

BOOST_AUTO_TEST_SUITE(cpu_burn_workload)

BOOST_AUTO_TEST_CASE(each_task_does_its_rounds_and_ends) {
  const auto report = report_of({{"tasks", "3"}, {"rounds", "7"}, {"time_ms", "60000"}});
  BOOST_TEST(report.work == 21);
  BOOST_TEST((report.usage.cpu_time > 0ns));
  BOOST_TEST((report.elapsed > 0ns && report.elapsed < 60s));
  BOOST_TEST(report.broken.empty());
}

BOOST_AUTO_TEST_CASE(without_rounds_it_ends_when_the_time_has_passed) {
  const auto report = report_of({{"tasks", "2"}, {"time_ms", "3"}});
  BOOST_TEST((report.elapsed >= 3ms));
  BOOST_TEST(report.work >= 2);
}

BOOST_AUTO_TEST_CASE(a_task_sleeps_after_each_burst) {
  const auto always = report_of({{"rounds", "5"}});
  const auto bursts = report_of({{"rounds", "5"}, {"busy_us", "1"}, {"idle_us", "200"}});
  BOOST_TEST(bursts.work == 5);
  BOOST_TEST(bursts.usage.voluntary_switches >= 5);
  BOOST_TEST((bursts.elapsed >= 5 * 200us));
  BOOST_TEST(always.usage.voluntary_switches == 0);
}

BOOST_AUTO_TEST_CASE(a_sleep_ends_with_the_time) {
  const auto report =
      report_of({{"time_ms", "1"}, {"busy_us", "1"}, {"idle_us", "600000000"}}); // ten minutes
  BOOST_TEST(report.work == 1);
  BOOST_TEST((report.elapsed < 1min));
}

BOOST_AUTO_TEST_CASE(a_load_that_is_never_run_leaves_no_task_waiting) {
  load_of({{"tasks", "4"}});
  load_of({{"tasks", "4"}})->prepare(everywhere());
  load_of({{"tasks", "1"}})->prepare(everywhere());
  const auto not_torn_down = load_of({{"tasks", "4"}, {"rounds", "1"}});
  not_torn_down->prepare(everywhere());
  not_torn_down->run();
}

BOOST_AUTO_TEST_CASE(a_task_that_cannot_be_bound_fails_the_preparation) {
  const Placement nowhere("0", {CpuSet::largest_cpu}, Placement::Tasks::free_within);
  BOOST_CHECK_THROW(load_of({{"tasks", "3"}})->prepare(nowhere), std::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
