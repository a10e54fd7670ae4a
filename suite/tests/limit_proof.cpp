#include "suite/limit_proof.hpp"

#include <boost/test/unit_test.hpp>

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

constexpr BandwidthGrains grains{.tick = 4ms, .slice = 5ms};

} // namespace

BOOST_AUTO_TEST_SUITE(limit_proof)

BOOST_AUTO_TEST_CASE(a_limit_lets_through_its_quota_and_a_tick_a_period_on_each_cpu) {
  BOOST_TEST(most_cpus(Bandwidth::parse("20000/100000"), 1, grains).value() == 0.24,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(most_cpus(Bandwidth::parse("20000/100000"), 2, grains).value() == 0.28,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_tightest_level_decides) {
  BOOST_TEST(most_cpus(Bandwidth::parse("50000/100000:20000/100000"), 1, grains).value() == 0.24,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(never_more_than_the_cpus_there_are) {
  BOOST_TEST(most_cpus(Bandwidth::parse("10000000000/1000"), 2, grains).value() == 2);
}

BOOST_AUTO_TEST_CASE(without_a_limit_there_is_no_most) {
  BOOST_TEST(!most_cpus(Bandwidth::parse("none"), 1, grains));
  BOOST_TEST(!most_cpus(Bandwidth::parse("group"), 1, grains));
}

BOOST_AUTO_TEST_CASE(the_kernel_tells_its_grains) {
  const auto here = BandwidthGrains::of_this_kernel();
  BOOST_TEST((here.tick >= 500us && here.tick <= 20ms)); // HZ is between 100 and 1000 on x86
  BOOST_TEST((here.slice >= 1us));
}

BOOST_AUTO_TEST_CASE(without_a_group_nothing_is_claimed) {
  LimitProof proof(nullptr, Bandwidth{}, 1);
  proof.close();
  WorkReport work;
  work.elapsed = 1s;
  work.usage.cpu_time = 1s;
  BOOST_TEST(proof.readings(work).empty());
  BOOST_TEST(proof.broken(work).empty());
}

BOOST_AUTO_TEST_SUITE_END()
