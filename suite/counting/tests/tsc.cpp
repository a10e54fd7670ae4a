#include "suite/counting/tsc.hpp"

#include <boost/test/unit_test.hpp>

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(tsc)

BOOST_AUTO_TEST_CASE(never_goes_back) {
  auto before = read_tsc();
  for (int i = 0; i < 1000; ++i) {
    const auto now = read_tsc();
    BOOST_TEST_REQUIRE(now >= before);
    before = now;
  }
}

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(grows) {
  const auto before = read_tsc();
  BOOST_TEST(read_tsc() > before);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
