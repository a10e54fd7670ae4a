#include "workloads/controls/syscall_loop.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(syscall_loop_workload)

BOOST_DATA_TEST_CASE(each_call_gives_what_it_must,
                     boost::unit_test::data::make({"mix", "getpid", "exec"}), kind) {
  const auto report = report_of(syscall_loop(), {{"kind", kind}, {"rounds", "10"}});
  BOOST_TEST(report.work == 10);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.usage.cpu_time.count() > 0);
  BOOST_TEST(report.broken.empty(), (report.broken.empty() ? "" : report.broken.front()));
}

BOOST_AUTO_TEST_CASE(the_mask_of_the_process_is_left_as_it_was) {
  const auto before = ::umask(027);
  report_of(syscall_loop(), {{"rounds", "1"}});
  BOOST_TEST(::umask(before) == 027u);
}

BOOST_AUTO_TEST_CASE(wrong_answers_are_told) {
  BOOST_TEST(!wrong_answers(0, 10));
  BOOST_TEST(wrong_answers(3, 10).value() == "3 system calls of 10 rounds gave a wrong answer");
}

BOOST_AUTO_TEST_SUITE_END()
