#include "pinning/cgroup/bandwidth.hpp"

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;
using std::chrono::microseconds;

BOOST_AUTO_TEST_SUITE(bandwidth)

BOOST_AUTO_TEST_CASE(reads_every_form_and_prints_it_back) {
  for (const auto* text :
       {"none", "group", "20000/100000", "20000/100000+5000", "group:50000/100000", "group:group",
        "100000/100000:20000/100000+1:group", "1000/1000", "17592186044415/1000000"})
    BOOST_TEST(Bandwidth::parse(text).text() == text);
}

BOOST_AUTO_TEST_CASE(tells_quota_period_and_burst_apart) {
  const auto bandwidth = Bandwidth::parse("group:20000/100000+5000");
  BOOST_REQUIRE(bandwidth.levels.size() == 2u);
  BOOST_TEST(!bandwidth.levels[0]);
  BOOST_TEST((*bandwidth.levels[1] ==
              CpuBandwidth{microseconds(20'000), microseconds(100'000), microseconds(5'000)}));
  BOOST_TEST(bandwidth.has_group());
  BOOST_TEST(!Bandwidth::parse("none").has_group());
}

BOOST_AUTO_TEST_CASE(allows_what_the_tightest_level_allows) {
  BOOST_TEST(*Bandwidth::parse("150000/100000").allowed_cpus() == 1.5);
  BOOST_TEST(*Bandwidth::parse("150000/100000:group:5000/10000").allowed_cpus() == 0.5);
  BOOST_TEST(!Bandwidth::parse("group").allowed_cpus());
  BOOST_TEST(!Bandwidth::parse("none").allowed_cpus());
}

BOOST_AUTO_TEST_CASE(refuses_a_quota_below_one_millisecond) {
  BOOST_CHECK_EXCEPTION(Bandwidth::parse("500/100000"), BadInput,
                        tells("bandwidth '500/100000': quota in us: '500' is out of range; allowed "
                              "is 1000 to 17592186044415"));
}

BOOST_AUTO_TEST_CASE(refuses_a_quota_that_the_kernel_would_wrap) {
  BOOST_CHECK_EXCEPTION(Bandwidth::parse("17592186044416/100000"), BadInput, tells("quota in us"));
  BOOST_CHECK_EXCEPTION(Bandwidth::parse("18446744073710552/100000"), BadInput,
                        tells("quota in us"));
}

BOOST_AUTO_TEST_CASE(refuses_a_period_outside_one_millisecond_to_one_second) {
  for (const auto* text : {"20000/999", "20000/1000001", "20000/0"})
    BOOST_CHECK_EXCEPTION(Bandwidth::parse(text), BadInput, tells("allowed is 1000 to 1000000"));
}

BOOST_AUTO_TEST_CASE(refuses_a_burst_above_the_quota_or_out_of_the_kernels_bounds) {
  BOOST_CHECK_EXCEPTION(Bandwidth::parse("20000/100000+20001"), BadInput,
                        tells("burst in us: '20001' is out of range; allowed is 0 to 20000"));
  BOOST_CHECK_EXCEPTION(Bandwidth::parse("17592186044415/100000+1"), BadInput,
                        tells("allowed is 0 to 0"));
  BOOST_CHECK_EXCEPTION(Bandwidth::parse("20000/100000+"), BadInput,
                        tells("burst in us: '' is not a number"));
}

BOOST_AUTO_TEST_CASE(does_not_make_up_a_period) {
  BOOST_CHECK_EXCEPTION(
      Bandwidth::parse("20000"), BadInput,
      tells("bandwidth '20000': '20000' is not a limit; allowed is none, group, QUOTA/PERIOD"));
}

BOOST_AUTO_TEST_CASE(refuses_everything_else) {
  for (const auto* text :
       {"", ":", "group:", ":group", "none:group", "group:none", "Group", "max/100000", "-1/100000",
        "20000/100000/1", "20000 /100000", "2e4/100000", "20000/100000+5000+1"})
    BOOST_CHECK_THROW(Bandwidth::parse(text), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
