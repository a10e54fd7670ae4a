#include "workloads/parts/program.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

Fd log_file() {
  return Fd(checked(::memfd_create("log", MFD_CLOEXEC), "memfd_create", "log"));
}

WorkReport report_of(const std::string& line, Program::Output output = Program::Output::nowhere) {
  Program program(own_affinity(),
                  {.command = {"sh", "-c", line}, .output = output, .log = log_file()});
  program.run();
  return program.finish("the line");
}

std::string reason_of(const std::string& line, Program::Output output = Program::Output::nowhere) {
  const auto report = report_of(line, output);
  return report.broken.empty() ? "" : report.broken.front();
}

} // namespace

BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(a_program_is_one_unit_of_work_with_its_times) {
  const auto report = report_of("i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done");
  BOOST_TEST(report.work == 1);
  BOOST_TEST((report.elapsed > 0ns));
  BOOST_TEST_REQUIRE(report.figures.size() == 2u);
  BOOST_TEST(report.figures[0].name == "user");
  BOOST_TEST(report.figures[1].name == "system");
  BOOST_TEST(report.figures[0].value >= 0);
  BOOST_TEST((report.usage.cpu_time > 0ns));
  BOOST_TEST(report.broken.empty());
}

BOOST_AUTO_TEST_CASE(a_status_is_told_with_the_last_words) {
  BOOST_TEST(reason_of("echo one >&2; echo two >&2; exit 3") ==
             "the line exited with status 3: one | two");
  BOOST_TEST(reason_of("kill -9 $$") == "the line died of SIGKILL");
  BOOST_TEST(reason_of("echo said; exit 1") == "the line exited with status 1");
  BOOST_TEST(reason_of("echo said; exit 1", Program::Output::log) ==
             "the line exited with status 1: said");
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_told) {
  Program program(own_affinity(), {.command = {"/no/such/program"}, .log = log_file()});
  program.run();
  const auto report = program.finish("it");
  BOOST_TEST_REQUIRE(report.broken.size() == 1u);
  BOOST_TEST(report.broken[0].find("/no/such/program") != std::string::npos, report.broken[0]);
}

BOOST_AUTO_TEST_CASE(it_has_its_folder_and_its_environment_and_no_input) {
  const auto in_root = [](const std::string& line) {
    Program program(own_affinity(), {.command = {"/bin/sh", "-c", line},
                                     .environment = {"ONE=1"},
                                     .folder = "/",
                                     .log = log_file()});
    program.run();
    return program.finish("it").broken.empty();
  };
  BOOST_TEST(in_root("[ \"$(pwd)\" = / ]"));
  BOOST_TEST(in_root("[ \"$ONE\" = 1 ] && [ -z \"$HOME\" ]"));
  BOOST_TEST(in_root("! read -r line"));
}

BOOST_AUTO_TEST_CASE(a_process_that_is_left_is_ended_and_told) {
  // A session of its own, and an orphan: neither group nor parent would find it.
  const auto report = report_of("(setsid sleep 1000 & setsid sh -c 'sleep 1000; :' & )");
  BOOST_TEST_REQUIRE(report.broken.size() == 1u);
  BOOST_TEST(report.broken[0].starts_with("the line left "));
  BOOST_TEST((::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD));
}

BOOST_AUTO_TEST_CASE(one_that_never_began_is_ended) {
  { const Program program(own_affinity(), {.command = {"sleep", "1000"}, .log = log_file()}); }
  BOOST_TEST((::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD));
}

BOOST_AUTO_TEST_CASE(last_words_are_short_and_plain) {
  const auto words = [](const std::string& text) {
    const auto file = log_file();
    BOOST_TEST_REQUIRE(::write(file.number(), text.data(), text.size()) ==
                       static_cast<ssize_t>(text.size()));
    return last_words(file);
  };
  BOOST_TEST(words("") == "");
  BOOST_TEST(words(" one\n\ttwo\xff\n\n") == "one | ?two?");
  BOOST_TEST(words(std::string(600, 'a') + "z") == std::string(499, 'a') + "z");
}

BOOST_AUTO_TEST_SUITE_END()
