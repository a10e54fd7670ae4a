#include "pinning/task.hpp"

#include <thread>

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;
using std::chrono::milliseconds;

namespace {

std::string gate_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "pinning_gate_program";
}

Task start(const std::string& mode, Patience patience = {}, const std::string& argument = "") {
  return Task({gate_program(), mode, argument}, own_affinity(), nullptr, std::move(patience));
}

std::string run(const std::string& mode, Patience patience = {}) {
  auto task = start(mode, std::move(patience));
  task.prepare();
  task.open_gate();
  task.wait_until_done();
  return task.finish();
}

bool lives(pid_t process) {
  return ::kill(process, 0) == 0;
}

/// Whether the process is gone, or dead and only waits for its new parent to reap it, within a few
/// seconds.
bool goes(pid_t process) {
  for (int i = 0; i < 5'000; ++i) {
    if (!lives(process) ||
        read_whole("/proc/" + std::to_string(process) + "/stat").find(") Z ") != std::string::npos)
      return true;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return false;
}

bool has_children() {
  siginfo_t ignored{};
  return ::waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

} // namespace

BOOST_AUTO_TEST_SUITE(task)

BOOST_AUTO_TEST_CASE(goes_through_its_steps_and_reports) {
  auto task = start("ok");
  BOOST_TEST(lives(task.process()));
  task.prepare();
  task.open_gate();
  task.wait_until_done();
  BOOST_TEST(task.finish().find("leads 1") != std::string::npos);
  BOOST_TEST(!lives(task.process()));
}

BOOST_AUTO_TEST_CASE(starts_with_nothing_inherited_but_the_gate) {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t usr1, before;
  ::sigemptyset(&usr1);
  ::sigaddset(&usr1, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &usr1, &before);
  // Without O_CLOEXEC, and above the gate's number, where nothing else would replace it.
  const Fd leaked(::fcntl(Fd::open("/dev/null", O_RDONLY).number(), F_DUPFD, 40));
  const auto report = run("ok");
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  BOOST_TEST(report == "leads 1; CPUs " + own_affinity().text());
}

BOOST_AUTO_TEST_CASE(is_bound_to_the_cpus_it_was_given) {
  const CpuSet last({own_affinity().cpus().back()});
  Task task({gate_program(), "ok"}, last, nullptr);
  task.prepare();
  task.open_gate();
  task.wait_until_done();
  BOOST_TEST(task.finish().ends_with("CPUs " + last.text()));
}

BOOST_AUTO_TEST_CASE(takes_reports_of_any_length) {
  const auto report = run("big-report");
  BOOST_REQUIRE(report.size() == 10'000'000u);
  bool whole = true;
  for (std::size_t i = 0; i < report.size(); ++i)
    whole = whole && report[i] == static_cast<char>('a' + i % 23);
  BOOST_TEST(whole);
  BOOST_TEST(run("empty-report").empty());
}

BOOST_AUTO_TEST_CASE(names_the_program_that_is_not_there) {
  BOOST_CHECK_EXCEPTION(Task({"/no/such/program"}, own_affinity(), nullptr), OsError,
                        tells("execve /no/such/program: No such file or directory (ENOENT)"));
  BOOST_CHECK_EXCEPTION(Task({"/etc/passwd"}, own_affinity(), nullptr), OsError, tells("(EACCES)"));
  BOOST_CHECK_THROW(Task({}, own_affinity(), nullptr), BadInput);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(names_the_cpus_that_are_not_there) {
  BOOST_CHECK_EXCEPTION(Task({gate_program(), "ok"}, CpuSet({8191}), nullptr), OsError,
                        tells("sched_setaffinity CPUs 8191: Invalid argument (EINVAL)"));
  BOOST_CHECK_EXCEPTION(Task({gate_program(), "ok"}, own_affinity() | CpuSet({8191}), nullptr),
                        OsError, tells("(EXDEV)"));
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(fails_with_what_the_process_said) {
  BOOST_CHECK_EXCEPTION(run("throw"), TaskFailed,
                        tells("failed while preparing: no such file: token"));
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(fails_with_how_the_process_ended) {
  BOOST_CHECK_EXCEPTION(run("exit-0"), TaskFailed,
                        tells("exited with status 0 while starting, before it had started"));
  BOOST_CHECK_EXCEPTION(run("die-preparing"), TaskFailed,
                        tells("died of SIGSEGV (signal 11) while preparing"));
  BOOST_CHECK_EXCEPTION(run("exit-running"), TaskFailed,
                        tells("exited with status 3 while running, before it was done"));
  BOOST_CHECK_EXCEPTION(run("exit-reporting"), TaskFailed,
                        tells("exited with status 4 while tearing down, before it had reported"));
  BOOST_CHECK_EXCEPTION(run("exit-after-report"), TaskFailed,
                        tells("exited with status 5 after its report"));
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(fails_with_the_program_that_knows_no_gate) {
  BOOST_CHECK_EXCEPTION(Task({"/bin/false"}, own_affinity(), nullptr), TaskFailed,
                        tells("exited with status 1 while starting, before it had started"));
}

BOOST_AUTO_TEST_CASE(fails_at_once_when_it_is_killed_at_the_gate) {
  auto task = start("ok");
  task.prepare();
  ::kill(task.process(), SIGKILL);
  BOOST_REQUIRE(goes(task.process()));
  BOOST_CHECK_EXCEPTION(task.open_gate(), TaskFailed,
                        tells("died of SIGKILL (signal 9) while running, before it was done"));
}

BOOST_AUTO_TEST_CASE(fails_when_the_process_says_what_is_not_due) {
  BOOST_CHECK_EXCEPTION(run("wrong-word"), TaskFailed, tells("said 'R' while preparing"));
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(kills_what_passes_its_deadline_and_says_in_which_step) {
  // Steps that do not hang must not be hit by the deadline of the one that does.
  const Patience brief{milliseconds(5), {}};
  BOOST_CHECK_EXCEPTION(start("close-and-hang", brief), TaskFailed,
                        tells("was still starting after 5 ms, its deadline, and was killed"));
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(stops_when_a_signal_asks_for_it) {
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, &before);
  auto task = start("hang-running", {std::chrono::minutes(1), [] { return true; }});
  task.prepare();
  task.open_gate();
  ::ualarm(5'000, 0);
  BOOST_CHECK_THROW(task.wait_until_done(), Interrupted);
  ::sigaction(SIGALRM, &before, nullptr);
  BOOST_TEST(!has_children());
}

BOOST_AUTO_TEST_CASE(kills_what_the_process_left_in_its_process_group) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "child";
  const auto child = [&] { return static_cast<pid_t>(std::stoi(read_whole(file))); };
  {
    auto task = start("fork", {}, file);
    task.prepare();
    BOOST_TEST(lives(child()));
    task.open_gate();
    task.wait_until_done();
    task.finish();
  }
  BOOST_TEST(goes(child()));
  {
    auto task = start("fork", {}, file);
    task.prepare();
    BOOST_TEST(lives(child()));
  }
  BOOST_TEST(goes(child()));
}

BOOST_AUTO_TEST_CASE(dies_with_the_thread_that_started_it) {
  std::unique_ptr<Task> task;
  std::thread([&] {
    task = std::make_unique<Task>(std::vector{gate_program(), std::string("ok")}, own_affinity(),
                                  nullptr);
  }).join();
  BOOST_TEST(goes(task->process()));
  BOOST_CHECK_EXCEPTION(task->prepare(), TaskFailed, tells("died of SIGKILL"));
}

BOOST_AUTO_TEST_SUITE_END()
