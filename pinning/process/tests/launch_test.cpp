#include "pinning/process/launch.hpp"

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/wait.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"

using namespace schedrig;
using std::chrono::milliseconds;

namespace {

Ending run(const std::vector<std::string>& command, const Patience& patience = {}) {
  return launch(command, own_affinity(), nullptr, patience);
}

bool has_children() {
  return ::waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(launching)

BOOST_AUTO_TEST_CASE(a_command_runs_and_is_accounted_for) {
  const auto ending = run({"true"});
  BOOST_TEST(ending.status == 0);
  BOOST_TEST(ending.elapsed.count() > 0);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(what_its_children_used_is_in_its_account) {
  const auto ending =
      run({"sh", "-c", "i=0; (while [ $i -lt 20000 ]; do i=$((i+1)); done); exit 3"});
  BOOST_TEST(WEXITSTATUS(ending.status) == 3);
  BOOST_TEST((ending.user + ending.system).count() > 0);
}

BOOST_AUTO_TEST_CASE(it_starts_with_no_signal_ignored) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const auto ending = run({"sh", "-c", "kill -PIPE $$"});
  ::signal(SIGPIPE, before);
  BOOST_TEST(WIFSIGNALED(ending.status));
  BOOST_TEST(WTERMSIG(ending.status) == SIGPIPE);
}

BOOST_AUTO_TEST_CASE(it_is_bound_to_its_cpus) {
  const auto last = own_affinity().cpus().back();
  const auto allowed = "Cpus_allowed_list:[[:blank:]]*" + std::to_string(last) + "$";
  const auto ending = launch({"grep", "-q", allowed, "/proc/self/status"}, CpuSet({last}), nullptr);
  BOOST_TEST(ending.status == 0);
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_executed_is_told_with_the_reason) {
  BOOST_CHECK_EXCEPTION(run({"/nowhere/at-all"}), OsError, [](const OsError& error) {
    return error.code().value() == ENOENT &&
           std::string(error.what()).find("/nowhere/at-all") != std::string::npos;
  });
  BOOST_CHECK_EXCEPTION(run({"/etc/passwd"}), OsError,
                        [](const OsError& error) { return error.code().value() == EACCES; });
  BOOST_CHECK_THROW(run({}), BadInput);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(a_cpu_that_is_not_there_is_told) {
  BOOST_CHECK_EXCEPTION(launch({"true"}, CpuSet({CpuSet::largest_cpu}), nullptr), OsError,
                        [](const OsError& error) { return error.code().value() == EINVAL; });
}

BOOST_AUTO_TEST_CASE(at_its_deadline_it_is_killed) {
  BOOST_CHECK_THROW(run({"sleep", "60"}, {.deadline = milliseconds(1), .interrupted = {}}),
                    TaskFailed);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(who_wants_to_stop_does_not_wait_for_it) {
  int asked = 0;
  BOOST_CHECK_THROW(
      run({"true"}, {.deadline = milliseconds(10'000), .interrupted = [&] { return ++asked > 0; }}),
      Interrupted);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_SUITE_END()
