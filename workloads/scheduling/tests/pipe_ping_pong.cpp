#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "workloads/scheduling/pipe_ping_pong.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(pipe_ping_pong_workload)

BOOST_DATA_TEST_CASE(the_token_goes_there_and_back,
                     boost::unit_test::data::make({"processes", "threads"}), tasks) {
  const OnOneCpu bound;
  const auto report =
      report_of(pipe_ping_pong(), {{"loops", "500"}, {"tasks", tasks}}, bound.placement());
  BOOST_TEST(report.work == 500);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.usage.cpu_time.count() > 0);
  BOOST_TEST(report.usage.switches() >= 990);
  BOOST_TEST(report.migrations.value_or(0) == 0);
  const auto broken = broken_by_itself(report);
  BOOST_TEST(broken.empty(), (broken.empty() ? "" : broken.front()));
}

BOOST_AUTO_TEST_CASE(a_workload_that_is_never_run_leaves_no_partner) {
  for (const auto* tasks : {"processes", "threads"})
    make(pipe_ping_pong(), {{"tasks", tasks}})->prepare(everywhere());
}

BOOST_AUTO_TEST_CASE(switches_must_be_two_a_loop_within_one_percent) {
  BOOST_TEST(!wrong_switches(200'000, 100'000));
  BOOST_TEST(!wrong_switches(201'999, 100'000));
  BOOST_TEST(!wrong_switches(198'001, 100'000));
  BOOST_TEST(wrong_switches(168'000, 100'000).value() ==
             "1.6800 context switches a loop; on one CPU it must be 2.00 within 1 %");
  BOOST_TEST(wrong_switches(202'001, 100'000).has_value());
  BOOST_TEST(!wrong_switches(5, 1)); // one loop may be preempted
}

BOOST_AUTO_TEST_SUITE_END()
