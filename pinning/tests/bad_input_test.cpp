#include "pinning/bad_input.hpp"

#include <cstdint>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(bad_input)

BOOST_AUTO_TEST_CASE(takes_both_ends_of_the_range) {
  BOOST_TEST(parse_number("1", "trials", 1, 100) == 1);
  BOOST_TEST(parse_number("100", "trials", 1, 100) == 100);
  BOOST_TEST(parse_number("-5", "offset", -5, 5) == -5);
  BOOST_TEST(parse_number("9223372036854775807", "seed", std::int64_t{0}, INT64_MAX) == INT64_MAX);
  BOOST_TEST(parse_number("0.5", "margin", 0.0, 100.0) == 0.5);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_outside_and_names_the_range) {
  for (const auto* text : {"0", "101", "-1", "99999999999999999999"})
    BOOST_CHECK_EXCEPTION(parse_number(text, "trials", 1, 100), BadInput,
                          tells("' is out of range; allowed is 1 to 100"));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_not_wholly_a_number) {
  for (const auto* text :
       {"", " ", "abc", "1e99", "1.5", "+1", " 1", "1 ", "0x10", "1,000", "--1", "1\n"})
    BOOST_CHECK_EXCEPTION(parse_number(text, "trials", 1, 100), BadInput,
                          tells("' is not a number; allowed is 1 to 100"));
  for (const auto* text : {"nan", "inf", "-inf", "1e999", "1.0x"})
    BOOST_CHECK_THROW(parse_number(text, "margin", 0.0, 100.0), BadInput);
}

BOOST_AUTO_TEST_CASE(offers_the_nearest_name_or_none) {
  const std::vector<std::string> names{"hackbench", "pipe-ping-pong", "fork-loop"};
  BOOST_TEST(nearest_name("hackbenhc", names) == "hackbench");
  BOOST_TEST(nearest_name("pipe-pingpong", names) == "pipe-ping-pong");
  BOOST_TEST(nearest_name("whetstone", names) == "");
  BOOST_TEST(edit_distance("kitten", "sitting") == 3u);
  BOOST_TEST(edit_distance("", "abc") == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
