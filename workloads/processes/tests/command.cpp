#include "workloads/processes/command.hpp"

#include <boost/test/unit_test.hpp>

#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

namespace {

WorkReport report_of_phrase(const std::string& phrase) {
  return report_of(command(), {{"line", parse_phrase(phrase).values.at("line").front()}});
}

} // namespace

BOOST_AUTO_TEST_SUITE(command_workload)

BOOST_AUTO_TEST_CASE(a_line_is_run_as_it_was_meant) {
  BOOST_TEST(report_of_phrase("command line=\"[ 'a, b' = 'a, b' ] && true\"").broken.empty());
  const auto report = report_of_phrase("command line=\"echo 100%, >&2; exit 3\"");
  BOOST_TEST_REQUIRE(report.broken.size() == 1u);
  BOOST_TEST(report.broken[0] == "the command exited with status 3: 100%,");
}

BOOST_AUTO_TEST_CASE(a_bare_word_is_a_line) {
  BOOST_TEST(report_of_phrase("command true").broken.empty());
  BOOST_TEST(report_of_phrase("command false").broken.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
