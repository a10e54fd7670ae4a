#include "workloads/parts/extent.hpp"

#include <boost/test/unit_test.hpp>

using namespace schedrig;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(extent)

BOOST_AUTO_TEST_CASE(a_number_of_units_rules_whatever_the_time) {
  Extent extent(3, 0ns, 64);
  extent.begin();
  BOOST_TEST(extent.goes_on(0));
  BOOST_TEST(extent.goes_on(2));
  BOOST_TEST(!extent.goes_on(3));
}

BOOST_AUTO_TEST_CASE(without_a_number_it_ends_when_the_time_has_passed) {
  Extent extent(0, 3ms);
  extent.begin();
  std::int64_t done = 0;
  while (extent.goes_on(done))
    ++done;
  BOOST_TEST((extent.elapsed() >= 3ms));
  BOOST_TEST(done > 1);
}

BOOST_AUTO_TEST_CASE(at_least_one_unit_is_done) {
  Extent extent(0, 0ns);
  extent.begin();
  BOOST_TEST(extent.goes_on(0));
  BOOST_TEST(!extent.goes_on(1));
}

BOOST_AUTO_TEST_CASE(the_clock_is_looked_at_once_in_so_many_units) {
  Extent extent(0, 0ns, 4);
  extent.begin();
  for (const std::int64_t done : {1, 2, 3, 5, 6, 7})
    BOOST_TEST(extent.goes_on(done), done);
  BOOST_TEST(!extent.goes_on(4));
  BOOST_TEST(!extent.goes_on(8));
}

BOOST_AUTO_TEST_CASE(the_parameters_say_which_of_them_rules) {
  const std::vector<Parameter> declared{Extent::seconds(10, "loops"), Extent::units("loops")};
  const auto parse = [&](const char* text) {
    return ParameterValues::parse("load", declared, text);
  };
  BOOST_TEST(parse("").text() == "seconds=10 loops=0");
  BOOST_TEST((Extent::time_of(parse("seconds=7"), "loops") == 7s));
  BOOST_TEST((Extent::time_of(parse("seconds=7 loops=5"), "loops") == 0s));
  const Extent extent(parse("seconds=7 loops=5"), "loops");
  BOOST_TEST(extent.units() == 5);
  BOOST_TEST((extent.time() == 7s));
}

BOOST_AUTO_TEST_SUITE_END()
