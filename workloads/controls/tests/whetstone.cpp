#include "workloads/controls/whetstone.hpp"

#include <limits>

#include <boost/test/unit_test.hpp>

#include "workloads/tests/trial_run.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(whetstone_workload)

BOOST_AUTO_TEST_CASE(every_pass_gives_the_reference_values) {
  const auto report = report_of(whetstone(), {{"passes", "3"}});
  BOOST_TEST(report.work == 3);
  BOOST_TEST(report.broken.empty());
  BOOST_TEST_REQUIRE(report.figures.size() == 1u);
  BOOST_TEST(report.figures[0].name == "mwips");
  BOOST_TEST(report.figures[0].value > 0);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_off_is_named) {
  WhetstoneResults found;
  BOOST_TEST(wrong_results(found).size() == WhetstoneResults::count); // none of them is 0
  found.values.fill(std::numeric_limits<double>::quiet_NaN());
  BOOST_TEST(wrong_results(found).size() == WhetstoneResults::count);
  BOOST_TEST(wrong_results(found).front().starts_with("module 2, element 1 is nan; it must be -0"));
}

BOOST_AUTO_TEST_CASE(it_tells_its_time_where_no_passes_are_given) {
  BOOST_TEST((needs_of("whetstone", "seconds=3").time == 3s));
  BOOST_TEST((needs_of("whetstone", "passes=5").time == 0s));
}

BOOST_AUTO_TEST_SUITE_END()
