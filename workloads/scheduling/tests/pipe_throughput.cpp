#include "workloads/scheduling/pipe_throughput.hpp"

#include <boost/test/unit_test.hpp>

#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(pipe_throughput_workload)

BOOST_AUTO_TEST_CASE(what_is_written_comes_back) {
  const auto report = report_of(pipe_throughput(), {{"loops", "100"}});
  BOOST_TEST(report.work == 100);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.usage.cpu_time.count() > 0);
  BOOST_TEST(report.broken.empty());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_lost_are_told) {
  BOOST_TEST(!lost_in_pipe(512, 512));
  BOOST_TEST(lost_in_pipe(1024, 1000).value() ==
             "1024 bytes written to the pipe, 1000 read from it");
}

BOOST_AUTO_TEST_SUITE_END()
