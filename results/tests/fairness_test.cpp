#include "results/statistics/fairness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/test/unit_test.hpp>

#include "results/statistics/modes.hpp"

namespace schedrig {
namespace {

using Values = std::vector<double>;

// The rounds of massive_intr with 200 tasks as published on the kernel mailing list in 2011, before
// and after a change, on four CPUs. Their deviations and Jain's indices are numpy's.

const Values even{761, 763, 763, 736, 735, 754, 735, 754, 751, 736, 754, 735, 752, 760, 735, 751,
                  754, 767, 764, 761, 770, 758, 755, 757, 753, 768, 735, 759, 739, 748, 763, 748,
                  747, 755, 758, 758, 750, 753, 751, 748, 765, 761, 750, 766, 753, 752, 751, 750,
                  739, 754, 761, 738, 753, 760, 740, 737, 740, 737, 750, 750, 754, 753, 754, 757,
                  756, 752, 758, 750, 737, 753, 754, 753, 753, 739, 737, 765, 764, 756, 750, 759,
                  737, 755, 755, 737, 734, 752, 747, 736, 763, 756, 753, 751, 750, 763, 758, 737,
                  753, 739, 766, 734, 757, 739, 763, 763, 765, 760, 749, 737, 753, 757, 734, 752,
                  763, 752, 753, 753, 763, 755, 751, 768, 755, 765, 756, 757, 748, 758, 759, 768,
                  754, 761, 765, 755, 758, 761, 755, 731, 752, 768, 736, 754, 753, 765, 755, 755,
                  767, 752, 765, 731, 756, 741, 766, 754, 755, 755, 755, 752, 736, 736, 741, 736,
                  736, 737, 736, 739, 739, 743, 767, 749, 771, 741, 755, 736, 739, 739};

const Values uneven{
    754, 694, 800, 751, 768, 689, 754, 797, 797, 765, 695, 765, 800, 769, 796, 799, 793, 758, 796,
    748, 796, 751, 800, 796, 748, 772, 765, 694, 691, 695, 753, 696, 753, 748, 754, 751, 767, 762,
    765, 770, 763, 768, 796, 695, 695, 695, 692, 748, 689, 695, 793, 796, 793, 796, 768, 796, 766,
    766, 763, 695, 769, 695, 695, 692, 692, 764, 761, 796, 801, 798, 793, 770, 692, 692, 793, 790,
    795, 766, 694, 793, 773, 798, 689, 792, 795, 792, 745, 753, 751, 753, 798, 753, 766, 770, 753,
    755, 795, 753, 795, 695, 747, 694, 753, 750, 770, 747, 796, 750, 792, 751, 767, 746, 770, 753,
    756, 750, 694, 694, 795, 767, 698, 767, 694, 790, 697, 694, 694, 694, 767, 750, 697, 749, 694,
    770, 767, 691, 767, 694, 753, 694, 767, 750, 764, 797, 771, 771, 749, 694, 764, 798, 694, 764,
    694, 764, 694, 753, 798, 770, 791, 747, 766, 749, 694, 752, 692, 795, 694, 755, 766, 770, 752,
    762, 766, 801, 795, 800, 797, 749, 747, 688, 696, 752, 694, 752, 693, 755, 691, 692, 694, 693,
    754, 769, 768, 761, 693, 797, 753, 795, 755, 691};

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
    BOOST_TEST(fairness->modes[mode].cpu == -1); // the mail does not tell
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
  BOOST_TEST(fairness->modes[0].cpu == 3);
  BOOST_TEST(fairness->modes[0].on_cpu == fairness->modes[0].tasks - 1);
  BOOST_TEST(fairness->modes[1].cpu == 2);
  BOOST_TEST(fairness->modes[2].cpu == 1);
  BOOST_TEST(fairness->modes[3].cpu == 0);
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
