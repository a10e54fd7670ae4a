#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/test/unit_test.hpp>

#include "results/statistics/summary.hpp"
#include "results/statistics/welch.hpp"

namespace schedrig {
namespace {

// Expected figures are scipy 1.10's; its t quantiles by betaincinv, since t.ppf is good to 1e-10
// only.

using Kind = Difference::Kind;
using Values = std::vector<double>;

const Values base{20.1, 19.8, 20.4, 20.0, 19.7, 20.3};
const Values candidate{21.0, 20.6, 21.5, 20.9, 21.2, 21.4, 20.7, 21.1};
const Values constant{5, 5, 5, 5};

void check_close(double actual, double expected) {
  BOOST_TEST(std::abs(actual - expected) <= 1e-12 * std::max(1.0, std::abs(expected)),
             actual << " is not " << expected);
}

void check_estimated(const Difference& difference, double estimate, double lower, double upper,
                     double degrees_of_freedom, double p) {
  BOOST_REQUIRE(difference.kind == Kind::estimated);
  check_close(*difference.estimate, estimate);
  check_close(difference.interval->lower, lower);
  check_close(difference.interval->upper, upper);
  check_close(*difference.degrees_of_freedom, degrees_of_freedom);
  check_close(*difference.p, p);
  BOOST_TEST(difference.caveat == "");
}

} // namespace

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(sums_up_as_scipy_does) {
  const auto summary = summarize(base);
  BOOST_TEST(summary->n == 6U);
  check_close(summary->mean, 20.05);
  check_close(*summary->standard_deviation, 0.2738612787525829);
  check_close(summary->median, 20.05);
  check_close(*summary->geometric_mean, 20.048441261466678);
  BOOST_TEST(summary->minimum == 19.7);
  BOOST_TEST(summary->maximum == 20.4);
}

BOOST_AUTO_TEST_CASE(sums_up_one_value_without_a_spread) {
  const auto summary = summarize(Values{7});
  BOOST_TEST(summary->mean == 7);
  BOOST_TEST(summary->median == 7);
  BOOST_TEST(*summary->geometric_mean == 7);
  BOOST_TEST(!summary->standard_deviation);
}

BOOST_AUTO_TEST_CASE(sums_up_nothing_as_nothing) {
  BOOST_TEST(!summarize({}));
}

BOOST_AUTO_TEST_CASE(keeps_small_deviations_of_large_values) {
  const auto summary = summarize(Values{1e12 + 1, 1e12 + 2, 1e12 + 3});
  BOOST_TEST(*summary->standard_deviation == 1);
  BOOST_TEST(summary->mean == 1e12 + 2);
}

BOOST_AUTO_TEST_CASE(knows_that_equal_values_do_not_vary) {
  const auto summary = summarize(Values(50, 0.1));
  BOOST_TEST(*summary->standard_deviation == 0);
  BOOST_TEST(summary->mean == 0.1);
  BOOST_TEST(*summary->geometric_mean == 0.1);
}

BOOST_AUTO_TEST_CASE(has_no_geometric_mean_of_zero) {
  BOOST_TEST(!summarize(Values{0, 1})->geometric_mean);
}

BOOST_AUTO_TEST_CASE(differs_as_scipy_says) {
  check_estimated(welch_difference(base, candidate), 0.9999999999999964, 0.654404604602204,
                  1.345595395397789, 11.666666666666666, 4.325096557942415e-05);
}

BOOST_AUTO_TEST_CASE(differs_in_percent_as_scipy_says) {
  check_estimated(welch_ratio(base, candidate), 4.985325614480628, 3.229076851609105,
                  6.771453649851328, 11.454123038011058, 4.7537846763809436e-05);
}

BOOST_AUTO_TEST_CASE(estimates_against_a_side_that_does_not_vary) {
  check_estimated(welch_difference(constant, base), 15.05, 14.76260021368955, 15.337399786310451, 5,
                  4.2918015779853743e-10);
  check_estimated(welch_ratio(constant, base), 300.96882522933356, 295.2617316058615,
                  306.75832227064916, 5, 1.981875288282132e-11);
}

BOOST_AUTO_TEST_CASE(is_exact_when_neither_side_varies) {
  const Difference percent = welch_ratio(Values{100, 100}, Values{110, 110});
  BOOST_TEST((percent.kind == Kind::exact));
  BOOST_TEST(*percent.estimate == 10);
  BOOST_TEST(percent.interval->half_width() == 0);
  BOOST_TEST(!percent.p);
  const Difference same = welch_ratio(Values(3, 0.1), Values(7, 0.1));
  BOOST_TEST(*same.estimate == 0);
  const Difference plain = welch_difference(Values{0, 0}, Values{3, 3});
  BOOST_TEST((plain.kind == Kind::exact));
  BOOST_TEST(*plain.estimate == 3);
}

BOOST_AUTO_TEST_CASE(has_no_interval_for_single_values) {
  for (const Difference& difference :
       {welch_ratio(Values{20}, candidate), welch_ratio(base, Values{20}),
        welch_difference(Values{1}, Values{1})}) {
    BOOST_TEST((difference.kind == Kind::without_error));
    BOOST_TEST(difference.estimate.has_value());
    BOOST_TEST(!difference.interval);
    BOOST_TEST(difference.caveat.find("a single value") == 0U);
  }
}

BOOST_AUTO_TEST_CASE(has_no_estimate_without_values) {
  for (const Difference& difference :
       {welch_ratio({}, candidate), welch_ratio(base, {}), welch_difference({}, {})}) {
    BOOST_TEST((difference.kind == Kind::none));
    BOOST_TEST(!difference.estimate);
    BOOST_TEST(difference.caveat.find("there is no value on") == 0U);
  }
}

BOOST_AUTO_TEST_CASE(has_no_ratio_of_zero) {
  const Difference difference = welch_ratio(Values{0, 1}, candidate);
  BOOST_TEST((difference.kind == Kind::none));
  BOOST_TEST(difference.caveat == "the base has a value of 0 or below, which has no ratio");
}

BOOST_AUTO_TEST_CASE(never_gives_infinity) {
  const Difference wide = welch_ratio(Values{1e-300, 1e300}, Values{1e-300, 1e300});
  BOOST_TEST((wide.kind == Kind::without_error));
  BOOST_TEST(std::isfinite(*wide.estimate));
  const Difference far = welch_ratio(Values{1e-300, 1e-300}, Values{1e300, 1e300});
  BOOST_TEST((far.kind == Kind::none));
  const Difference plain = welch_difference(Values{-1e308, 1e308}, Values{-1e308, 1e308});
  BOOST_TEST((plain.kind != Kind::estimated));
}

BOOST_AUTO_TEST_CASE(covers_the_true_difference_as_often_as_it_says) {
  boost::random::mt19937 random(20261130);
  boost::random::normal_distribution<> base_log(0, .02), candidate_log(std::log(1.01), .06);
  constexpr int experiments = 4000;
  int covered = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    Values a(5), b(8);
    for (double& value : a)
      value = std::exp(base_log(random));
    for (double& value : b)
      value = std::exp(candidate_log(random));
    covered += welch_ratio(a, b).interval->contains(1.0) ? 1 : 0;
  }
  // 95 %, and three standard errors of that many experiments on either side.
  BOOST_TEST(covered >= 0.940 * experiments);
  BOOST_TEST(covered <= 0.960 * experiments);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
