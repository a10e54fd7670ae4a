#include "workloads/processes/execl_loop.hpp"

#include <csignal>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/processes/execl_report.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

/// What the chain says that is to end by `execs` or, where that is 0, `time` from now, when it is
/// started as `program` with `done` execs before.
ExeclReport chain(const std::string& program, const std::string& execs,
                  std::chrono::nanoseconds time) {
  auto pipe = pipe_channel();
  const auto end = std::chrono::steady_clock::now().time_since_epoch() + time;
  Child child(own_affinity(), [&] {
    ::fcntl(pipe.write_end.number(), F_SETFD, 0);
    ::execl(execl_program("static").c_str(), program.c_str(),
            std::to_string(pipe.write_end.number()).c_str(), execs.c_str(),
            std::to_string(std::chrono::nanoseconds(end).count()).c_str(), "0", nullptr);
  });
  pipe.write_end = Fd();
  ExeclReport report{};
  BOOST_TEST(::read(pipe.read_end.number(), &report, sizeof report) == ssize_t{sizeof report});
  child.reap("the chain");
  return report;
}

} // namespace

BOOST_AUTO_TEST_SUITE(execl_loop_workload)

BOOST_DATA_TEST_CASE(the_count_is_carried_to_the_end,
                     boost::unit_test::data::make({"static", "dynamic"}), linking) {
  const OnOneCpu bound;
  const auto report =
      report_of(execl_loop(), {{"execs", "20"}, {"linking", linking}}, bound.placement());
  BOOST_TEST(report.work == 20);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.usage.cpu_time.count() > 0);
  BOOST_TEST(report.migrations.value_or(0) == 0);
  BOOST_TEST(report.broken.empty(), (report.broken.empty() ? "" : report.broken.front()));
}

BOOST_AUTO_TEST_CASE(the_chain_ends_when_the_time_is_up) {
  const auto begin = std::chrono::steady_clock::now().time_since_epoch();
  const auto report = chain(execl_program("static"), "0", 20ms);
  BOOST_TEST(report.error == 0);
  BOOST_TEST(report.execs >= 1);
  BOOST_TEST((std::chrono::nanoseconds(report.end_ns) >= begin + 20ms));
}

BOOST_AUTO_TEST_CASE(an_exec_that_fails_is_reported_with_its_errno) {
  const auto report = chain("/no/such/program", "5", 0ms);
  BOOST_TEST(report.error == ENOENT);
  BOOST_TEST(report.execs == 1);
}

BOOST_AUTO_TEST_CASE(a_chain_that_was_killed_fails_the_run_and_is_named) {
  const auto load = make(execl_loop(), {{"execs", "5"}});
  load->prepare(everywhere());
  const auto children = "/proc/thread-self/children";
  if (::access(children, R_OK) != 0)
    return; // a kernel without CONFIG_PROC_CHILDREN
  ::kill(std::stoi(read_whole(children)), SIGKILL);
  BOOST_CHECK_EXCEPTION(load->run(), std::runtime_error, [](const std::runtime_error& error) {
    return error.what() == std::string("the exec loop died of SIGKILL");
  });
}

BOOST_AUTO_TEST_CASE(a_workload_that_is_never_run_leaves_no_process) {
  make(execl_loop(), {})->prepare(everywhere());
}

BOOST_AUTO_TEST_SUITE_END()
