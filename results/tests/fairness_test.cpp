#include "results/statistics/fairness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/test/unit_test.hpp>

#include "results/statistics/modes.hpp"
#include "results/tests/published_rounds.hpp"

namespace schedrig {
namespace {

using boost::test_tools::per_element;
using Values = std::vector<double>;
using published_rounds::even;
using published_rounds::uneven;

std::vector<TaskShare> shares_of(const Values& amounts) {
  std::vector<TaskShare> shares;
  for (const double amount : amounts)
    shares.push_back({amount, -1});
  return shares;
}

void check_within(double actual, double expected, double tolerance) {
  BOOST_TEST(std::abs(actual - expected) <= tolerance, actual << " is not " << expected);
}

Values normal_values(std::size_t n, double mean, double deviation,
                     boost::random::mt19937_64& random) {
  boost::random::normal_distribution<double> draw(mean, deviation);
  Values values(n);
  std::generate(values.begin(), values.end(), [&] { return draw(random); });
  return values;
}

} // namespace

BOOST_AUTO_TEST_SUITE(fairness)

BOOST_AUTO_TEST_CASE(sums_up_the_published_rounds_as_numpy_does) {
  const auto first = fairness_of(shares_of(even));
  const auto second = fairness_of(shares_of(uneven));
  BOOST_TEST(first->tasks == 174U);
  BOOST_TEST(second->tasks == 200U);
  check_within(first->mean, 751.6494252873563, 1e-9);
  check_within(second->mean, 749.965, 1e-9);
  check_within(first->standard_deviation, 10.022851746931597, 1e-9);
  check_within(second->standard_deviation, 37.82173680570473, 1e-9);
  BOOST_TEST(first->range == 40);
  BOOST_TEST(second->range == 113);
  check_within(*first->jain_index, 0.9998222233413371, 1e-12);
  check_within(*second->jain_index, 0.9974631324274879, 1e-12);
  check_within(*second->coefficient_of_variation, 0.0504313358699469, 1e-12);
}

BOOST_AUTO_TEST_CASE(finds_the_four_cpus_of_the_published_machine) {
  const auto fairness = fairness_of(shares_of(uneven));
  BOOST_TEST_REQUIRE(fairness->modes.size() == 4U);
  const Values near{694, 751, 767, 796};
  std::size_t tasks = 0;
  for (std::size_t mode = 0; mode < near.size(); ++mode) {
    check_within(fairness->modes[mode].mean, near[mode], 1);
    BOOST_TEST(fairness->modes[mode].cpus.empty()); // the mail does not tell
    tasks += fairness->modes[mode].tasks;
  }
  BOOST_TEST(tasks == 200U);
  BOOST_TEST(fairness->modes[1].upper < fairness->modes[2].lower);
}

BOOST_AUTO_TEST_CASE(names_the_cpu_that_a_mode_belongs_to) {
  auto shares = shares_of(uneven);
  for (auto& share : shares)
    share.cpu = share.amount < 720 ? 3 : share.amount < 760 ? 2 : share.amount < 780 ? 1 : 0;
  shares[1].cpu = 0; // of 694 rounds, but last seen elsewhere
  const auto fairness = fairness_of(shares);
  BOOST_TEST_REQUIRE(fairness->modes.size() == 4U);
  BOOST_TEST(fairness->modes[0].cpus == std::vector{3}, per_element());
  BOOST_TEST(fairness->modes[0].on_cpus == fairness->modes[0].tasks - 1);
  BOOST_TEST(fairness->modes[1].cpus == std::vector{2}, per_element());
  BOOST_TEST(fairness->modes[2].cpus == std::vector{1}, per_element());
  BOOST_TEST(fairness->modes[3].cpus == std::vector{0}, per_element());
}

BOOST_AUTO_TEST_CASE(a_mode_belongs_to_the_fewest_cpus_that_hold_nine_tenths_of_it) {
  const auto cpus_of = [](const std::vector<int>& cpus) {
    std::vector<TaskShare> shares;
    for (const int cpu : cpus)
      shares.push_back({5, cpu});
    return fairness_of(shares)->modes.at(0);
  };
  const auto shared = cpus_of({2, 0, 2, 0, 2});
  BOOST_TEST(shared.cpus == (std::vector{0, 2}), per_element());
  BOOST_TEST(shared.on_cpus == 5U);
  const auto nearly = cpus_of({1, 1, 1, 1, 1, 1, 1, 1, 1, 0});
  BOOST_TEST(nearly.cpus == std::vector{1}, per_element());
  BOOST_TEST(nearly.on_cpus == 9U);
  const auto half_known = cpus_of({-1, 3, -1, 3}); // of those that are known, all
  BOOST_TEST(half_known.cpus == std::vector{3}, per_element());
  BOOST_TEST(half_known.on_cpus == 2U);
  BOOST_TEST(cpus_of({-1, -1}).cpus.empty());
  BOOST_TEST(cpus_of({-1, -1}).on_cpus == 0U);
}

BOOST_AUTO_TEST_CASE(knows_the_ends_of_jains_index) {
  const auto all_equal = fairness_of(shares_of({5, 5, 5, 5}));
  BOOST_TEST(*all_equal->jain_index == 1);
  BOOST_TEST(all_equal->standard_deviation == 0);
  BOOST_TEST(all_equal->modes.size() == 1U);
  const auto one_got_all = fairness_of(shares_of({0, 0, 8, 0}));
  check_within(*one_got_all->jain_index, 0.25, 1e-12);
}

BOOST_AUTO_TEST_CASE(says_nothing_of_ratios_where_nobody_got_anything) {
  BOOST_TEST(!fairness_of({}));
  const auto nothing = fairness_of(shares_of({0, 0, 0}));
  BOOST_TEST(!nothing->jain_index);
  BOOST_TEST(!nothing->coefficient_of_variation);
  const auto alone = fairness_of(shares_of({7}));
  BOOST_TEST(alone->standard_deviation == 0);
  BOOST_TEST(alone->modes.size() == 1U);
  BOOST_TEST(alone->modes[0].mean == 7);
}

BOOST_AUTO_TEST_CASE(sees_one_mode_in_normal_values_and_two_where_two_are) {
  boost::random::mt19937_64 random(7);
  int more_than_one = 0;
  for (int draw = 0; draw < 20; ++draw)
    more_than_one += modes_of(normal_values(60, 750, 10, random)).size() > 1;
  BOOST_TEST(more_than_one <= 2); // 5 % were expected; three of 20 have a chance of 8 %

  int of_whole_numbers = 0; // which the steps between them must not split
  for (int draw = 0; draw < 20; ++draw) {
    auto values = normal_values(60, 11.3, 0.6, random);
    std::transform(values.begin(), values.end(), values.begin(),
                   [](double value) { return std::round(value); });
    of_whole_numbers += modes_of(values).size() > 1;
  }
  BOOST_TEST(of_whole_numbers <= 2);

  auto two = normal_values(60, 700, 5, random);
  const auto others = normal_values(40, 750, 5, random);
  two.insert(two.end(), others.begin(), others.end());
  const auto modes = modes_of(two);
  BOOST_TEST_REQUIRE(modes.size() == 2U);
  BOOST_TEST(modes[0].count == 60U);
  BOOST_TEST(modes[1].count == 40U);
}

BOOST_AUTO_TEST_CASE(values_far_apart_are_a_mode_each_at_most) {
  BOOST_TEST(modes_of({}).empty());
  const Values two{1, 1e12};
  BOOST_TEST(modes_of(two).size() <= 2U);
  BOOST_TEST(modes_of(two).size() >= 1U);
}

BOOST_AUTO_TEST_CASE(tells_the_published_spreads_apart) {
  const auto test = spread_test(even, uneven);
  BOOST_TEST(test->p == 1.0 / 10'000);
  check_within(test->base_deviation, 10.022851746931597, 1e-9);
  check_within(test->candidate_deviation, 37.82173680570473, 1e-9);
  BOOST_TEST(spread_test(even, even)->p == 1);
}

BOOST_AUTO_TEST_CASE(a_shift_alone_is_no_difference_in_spread) {
  Values shifted = even;
  for (double& value : shifted)
    value += 100;
  BOOST_TEST(spread_test(even, shifted)->p > 0.99);
}

BOOST_AUTO_TEST_CASE(needs_two_amounts_on_each_side) {
  BOOST_TEST(!spread_test(Values{1}, even));
  BOOST_TEST(!spread_test(even, Values{}));
  BOOST_TEST(spread_test(Values{5, 5, 5}, Values{7, 7})->p == 1);
}

BOOST_AUTO_TEST_CASE(calls_few_equal_spreads_different) {
  boost::random::mt19937_64 random(11);
  int different = 0;
  for (int draw = 0; draw < 200; ++draw)
    different +=
        spread_test(normal_values(20, 750, 10, random), normal_values(20, 750, 10, random), 199)
            ->p <= 0.05;
  BOOST_TEST(different >= 3); // 10 were expected; the band has 99 %
  BOOST_TEST(different <= 19);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
