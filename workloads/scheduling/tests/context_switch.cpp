#include "workloads/scheduling/context_switch.hpp"

#include <csignal>
#include <cstdio>
#include <string>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(context_switch_workload)

BOOST_AUTO_TEST_CASE(the_counter_goes_there_and_back_with_two_switches_a_loop) {
  const OnOneCpu bound;
  const auto report = report_of(context_switch(), {{"loops", "500"}}, bound.placement());
  BOOST_TEST(report.work == 500);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.usage.switches() >= 990);
  BOOST_TEST(report.migrations.value_or(0) == 0);
  const auto broken = broken_by_itself(report);
  BOOST_TEST(broken.empty(), (broken.empty() ? "" : broken.front()));
}

BOOST_AUTO_TEST_CASE(a_partner_that_was_killed_fails_the_run_and_is_named) {
  const auto load = make(context_switch(), {{"loops", "500"}});
  load->prepare(everywhere());
  const auto children = "/proc/thread-self/children";
  if (::access(children, R_OK) != 0)
    return; // a kernel without CONFIG_PROC_CHILDREN
  const auto partner = std::stoi(read_whole(children));
  ::kill(partner, SIGKILL);
  BOOST_CHECK_EXCEPTION(load->run(), std::runtime_error, [](const std::runtime_error& error) {
    return error.what() == std::string("the context switch's partner died of SIGKILL");
  });
}

BOOST_AUTO_TEST_CASE(a_workload_that_is_never_run_leaves_no_partner) {
  make(context_switch(), {})->prepare(everywhere());
}

BOOST_AUTO_TEST_CASE(a_counter_out_of_step_is_told) {
  BOOST_TEST(!out_of_step(500, 500, 0));
  BOOST_TEST(out_of_step(500, 499, 0).has_value());
  BOOST_TEST(out_of_step(500, 500, 3).value() ==
             "the partner took part in 500 of 500 loops; 3 counters were not the one due");
}

BOOST_AUTO_TEST_SUITE_END()
