#include "workloads/processes/fork_loop.hpp"

#include <boost/test/unit_test.hpp>

#include "workloads/parts/child.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(fork_loop_workload)

BOOST_AUTO_TEST_CASE(each_child_is_reaped_and_its_time_counted) {
  const OnOneCpu bound;
  const auto before = usage_of_reaped_children();
  const auto report = report_of(fork_loop(), {{"forks", "20"}}, bound.placement());
  const auto children = usage_of_reaped_children() - before;
  BOOST_TEST(report.work == 20);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(children.cpu_time.count() > 0);
  BOOST_TEST(report.usage.cpu_time.count() > children.cpu_time.count());
  BOOST_TEST(report.usage.switches() >= 20); // the parent sleeps each time
  BOOST_TEST(report.migrations.value_or(0) == 0);
  BOOST_TEST(report.broken.empty());
}

BOOST_AUTO_TEST_CASE(moves_of_children_that_may_move_are_not_told) {
  const Placement two("0,1", {0, 1}, Placement::Tasks::free_within);
  BOOST_TEST(!report_of(fork_loop(), {{"forks", "2"}}, two).migrations);
}

BOOST_AUTO_TEST_SUITE_END()
