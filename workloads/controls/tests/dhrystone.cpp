#include "workloads/controls/dhrystone.hpp"

#include <boost/test/unit_test.hpp>

#include "workloads/tests/trial_run.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(dhrystone_workload)

BOOST_AUTO_TEST_CASE(its_loops_end_with_the_published_values) {
  for (const auto* loops : {"1", "2", "1000"}) {
    const auto report = report_of(dhrystone(), {{"loops", loops}});
    BOOST_TEST(report.work == std::stod(loops));
    BOOST_TEST((report.elapsed > 0ns && report.usage.cpu_time > 0ns));
    BOOST_TEST(report.broken.empty());
    BOOST_TEST_REQUIRE(report.figures.size() == 1u);
    BOOST_TEST(report.figures[0].value > 0);
  }
}

BOOST_AUTO_TEST_CASE(a_value_that_is_not_the_published_one_is_named) {
  DhrystoneValues found{{"the global number", "5"},
                        {"the global flag", "true"},
                        {"the first letter", "A"},
                        {"the second letter", "B"},
                        {"element 8 of the row", "7"},
                        {"element 8, 7 of the matrix", "17"},
                        {"the first record's ident", "2"},
                        {"the first record's number", "17"},
                        {"the first record's text", "DHRYSTONE PROGRAM, SOME STRING"},
                        {"the second record's ident", "1"},
                        {"the second record's number", "18"},
                        {"the second record's text", "DHRYSTONE PROGRAM, SOME STRING"},
                        {"the first local number", "5"},
                        {"the second local number", "13"},
                        {"the third local number", "7"},
                        {"the local ident", "1"},
                        {"the first local text", "DHRYSTONE PROGRAM, 1'ST STRING"},
                        {"the second local text", "DHRYSTONE PROGRAM, 2'ND STRING"}};
  BOOST_TEST(wrong_values(found, 7).empty());
  BOOST_TEST(wrong_values(found, 7 + (std::int64_t{1} << 32)).empty()); // it counts in 32 bits
  const auto count = wrong_values(found, 8);
  BOOST_TEST_REQUIRE(count.size() == 1u);
  BOOST_TEST(count[0] == "after 8 loops element 8, 7 of the matrix is '17'; it must be '18'");
  for (auto& [what, value] : found)
    value += "?";
  BOOST_TEST(wrong_values(found, 7).size() == found.size());
}

BOOST_AUTO_TEST_CASE(it_tells_its_time_where_no_loops_are_given) {
  BOOST_TEST((needs_of("dhrystone", "").time == 10s));
  BOOST_TEST((needs_of("dhrystone", "loops=5").time == 0s));
}

BOOST_AUTO_TEST_SUITE_END()
