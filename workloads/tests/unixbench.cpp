#include "workloads/unixbench.hpp"

#include <cmath>

#include <boost/test/unit_test.hpp>

#include "workloads/catalogue.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

/// Results and indices as a report of UnixBench 5.1.3 prints them, and the total below them.
struct Published {
  std::vector<std::pair<double, double>> results;
  double total;
};

const Published one_copy{{{23570449.8, 2019.7},
                          {2856.0, 519.3},
                          {245.3, 57.0},
                          {32605.9, 82.3},
                          {8211.5, 49.6},
                          {126138.2, 217.5},
                          {231883.3, 186.4},
                          {22245.2, 55.6},
                          {421.0, 33.4},
                          {714.7, 168.6},
                          {355.1, 591.9},
                          {316964.5, 211.3}},
                         164.3};
const Published four_copies{{{94372189.3, 8086.7},
                             {11430.4, 2078.3},
                             {1875.1, 436.1},
                             {22718.2, 57.4},
                             {6067.2, 36.7},
                             {62203.8, 107.2},
                             {884763.1, 711.2},
                             {172161.4, 430.4},
                             {2920.9, 231.8},
                             {3230.3, 761.9},
                             {430.6, 717.6},
                             {1199897.3, 799.9}},
                            439.0};

double printed(double value) {
  return std::round(value * 10) / 10;
}

} // namespace

BOOST_AUTO_TEST_SUITE(unixbench_set)

BOOST_AUTO_TEST_CASE(published_results_give_the_published_indices_and_totals) {
  for (const auto& published : {one_copy, four_copies}) {
    std::vector<double> indices;
    BOOST_TEST_REQUIRE(published.results.size() == unixbench().size());
    for (std::size_t test = 0; test < unixbench().size(); ++test) {
      const auto& [result, index] = published.results[test];
      indices.push_back(unixbench_index(result, unixbench()[test].baseline));
      // Both are printed with one decimal: neither is off by more than half of that.
      const double slack = 0.05 + unixbench_index(0.05, unixbench()[test].baseline) + 1e-9;
      BOOST_TEST(std::abs(indices.back() - index) <= slack, unixbench()[test].name);
    }
    BOOST_TEST(printed(unixbench_total(indices)) == published.total);
  }
}

BOOST_AUTO_TEST_CASE(every_test_is_a_phrase_that_the_catalogue_knows) {
  for (const auto& test : unixbench()) {
    BOOST_TEST(!parse_phrase(test.phrase(2s)).workload.empty(), test.name);
    BOOST_TEST(test.passes == (test.time > 10s ? 3 : 10), test.name);
    BOOST_TEST(test.phrase(1h).ends_with(std::to_string(test.time.count())));
    BOOST_TEST(test.phrase(2s).ends_with(" seconds=2"));
  }
}

BOOST_AUTO_TEST_CASE(the_classic_rule_drops_the_third_with_the_least_work) {
  const std::vector<UnixbenchPass> three{{100, 10s}, {400, 10s}, {900, 10s}};
  BOOST_TEST(std::abs(classic_result(three, 1s) - 60) < 1e-9); // of 40 and 90
  BOOST_TEST(std::abs(unbiased_result(three, 1s) - std::cbrt(10. * 40 * 90)) < 1e-9);
  const std::vector<UnixbenchPass> two{{100, 10s}, {400, 10s}}; // int(2/3) = 0
  BOOST_TEST(std::abs(classic_result(two, 1s) - 20) < 1e-9);
  std::vector<UnixbenchPass> ten(10, {100, 10s});
  ten[0].work = ten[4].work = ten[9].work = 1; // int(10/3) = 3
  BOOST_TEST(std::abs(classic_result(ten, 1s) - 10) < 1e-9);
  ten[5].work = 1;
  BOOST_TEST(classic_result(ten, 1s) < 9);
}

BOOST_AUTO_TEST_CASE(the_least_work_is_dropped_even_where_its_rate_is_not_the_least) {
  const std::vector<UnixbenchPass> passes{{100, 1s}, {400, 10s}, {400, 10s}};
  BOOST_TEST(std::abs(classic_result(passes, 1s) - 40) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_result_is_per_its_time) {
  const std::vector<UnixbenchPass> pass{{714.7, 60s}};
  BOOST_TEST(std::abs(classic_result(pass, 60s) - 714.7) < 1e-9);
  BOOST_TEST(std::abs(unbiased_result(pass, 60s) - 714.7) < 1e-9);
}

BOOST_AUTO_TEST_CASE(nothing_has_no_mean) {
  BOOST_CHECK_THROW(classic_result({}, 1s), std::invalid_argument);
  BOOST_CHECK_THROW(unbiased_result(std::vector<UnixbenchPass>{{0, 1s}}, 1s),
                    std::invalid_argument);
  BOOST_CHECK_THROW(unixbench_total({}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
