#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "results/compare/index_table.hpp"
#include "results/report/index_text.hpp"
#include "results/statistics/unixbench.hpp"
#include "results/tests/temporary_folder.hpp"

namespace schedrig {
namespace {

using namespace std::chrono_literals;

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

/// Of the tests in the order of the reports.
constexpr std::array<double, 12> baselines{116'700, 55.0,  43.0, 3'960, 1'655, 5'800,
                                           12'440,  4'000, 126,  42.4,  6.0,   15'000};

double printed(double value) {
  return std::round(value * 10) / 10;
}

bool near(double value, double wanted) {
  return std::abs(value - wanted) < 1e-9 * std::abs(wanted);
}

const Metric wall_time{"wall_time", "ns", Metric::Better::lower, Metric::Scale::ratio,
                       Metric::Extent::per_work};

IndexedCell indexed(const std::string& test, std::int64_t copies) {
  const std::string parameters = "copies=" + std::to_string(copies);
  return {.cell = {test, parameters, "all", "none", "off", ""},
          .test = test + " Throughput",
          .unit = "lps",
          .per = 1s,
          .baseline = 50,
          .copies = copies,
          .time = 1s,
          .own_time = 10s,
          .own_passes = 3};
}

/// A run in a store of its own.
struct RunFixture : TemporaryFolder {
  Store store{path() / "lab.schedrig", Store::Access::write};
  std::vector<IndexedCell> cells{indexed("pipe", 1), indexed("exec", 1), indexed("pipe", 2),
                                 indexed("exec", 2)};
  std::int64_t run = 0;

  RunFixture() {
    Boot boot;
    boot.boot_id = "11111111";
    boot.kernel.release = "6.18.44";
    RunRecord record;
    record.ending = RunRecord::Ending::finished;
    record.marks = {"measured by a Debug build"};
    std::vector<Cell> plain;
    for (const auto& cell : cells)
      plain.push_back(cell.cell);
    run = store.begin_run(store.add_boot(boot), record, plain);
  }
  void add(std::size_t cell, double work, std::string refusal = "",
           TrialRecord::Purpose purpose = TrialRecord::Purpose::measured) {
    TrialRecord trial;
    trial.cell = cells[cell].cell;
    trial.cpus = "0-1";
    trial.work_unit = "loop";
    trial.work = work;
    trial.purpose = purpose;
    trial.readings = {{wall_time, 2e9}};
    if (!refusal.empty())
      trial.validity = TrialRecord::Validity::invalid;
    trial.reason = std::move(refusal);
    store.add_trial(run, trial);
  }
  std::vector<IndexTable> tables() const {
    return index_tables(store, run, {{cells[0], cells[1]}, {cells[2], cells[3]}});
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(unixbench)

BOOST_AUTO_TEST_CASE(published_results_give_the_published_indices_and_totals) {
  for (const auto& published : {one_copy, four_copies}) {
    std::vector<double> indices;
    BOOST_TEST_REQUIRE(published.results.size() == baselines.size());
    for (std::size_t test = 0; test < baselines.size(); ++test) {
      const auto& [result, index] = published.results[test];
      indices.push_back(unixbench_index(result, baselines[test]));
      // Both are printed with one decimal: neither is off by more than half of that.
      const double slack = 0.05 + unixbench_index(0.05, baselines[test]) + 1e-9;
      BOOST_TEST(std::abs(indices.back() - index) <= slack, "test " << test);
    }
    BOOST_TEST(printed(unixbench_total(indices)) == published.total);
  }
}

BOOST_AUTO_TEST_CASE(the_classic_rule_drops_the_third_with_the_least_work) {
  const std::vector<UnixbenchPass> three{{100, 10s}, {400, 10s}, {900, 10s}};
  BOOST_TEST(std::abs(classic_result(three, 1s) - 60) < 1e-9); // of 40 and 90
  BOOST_TEST(std::abs(unbiased_result(three, 1s).value() - std::cbrt(10. * 40 * 90)) < 1e-9);
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
  BOOST_TEST(std::abs(unbiased_result(pass, 60s).value() - 714.7) < 1e-9);
}

BOOST_AUTO_TEST_CASE(nothing_has_no_mean) {
  BOOST_CHECK_THROW(classic_result({}, 1s), std::invalid_argument);
  BOOST_CHECK_THROW(unbiased_result(std::vector<UnixbenchPass>{{0, 1s}}, 1s),
                    std::invalid_argument);
  BOOST_CHECK_THROW(unixbench_total({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_geometric_mean_has_the_interval_of_its_logarithms) {
  const GeometricMean mean(std::vector<double>{std::exp(1.), std::exp(2.), std::exp(3.)});
  BOOST_TEST(near(mean.value(), std::exp(2.)));
  const double reach = 4.302652729749464 / std::sqrt(3.); // t of 2 degrees, deviation 1
  BOOST_TEST(near(mean.interval()->lower, std::exp(2 - reach)));
  BOOST_TEST(near(mean.interval()->upper, std::exp(2 + reach)));
  BOOST_TEST(near(mean.times(10).interval()->upper, 10 * std::exp(2 + reach)));
  BOOST_TEST(!GeometricMean(std::vector<double>{5}).interval());
  BOOST_TEST(GeometricMean(std::vector<double>{5, 5}).interval()->half_width() == 0);
}

BOOST_AUTO_TEST_CASE(a_mean_of_means_adds_up_their_errors) {
  const GeometricMean one(std::vector<double>{std::exp(1.), std::exp(2.), std::exp(3.)});
  const GeometricMean exact(std::vector<double>{std::exp(4.), std::exp(4.)});
  const auto both = GeometricMean::of(std::vector<GeometricMean>{one, exact});
  BOOST_TEST(near(both.value(), std::exp(3.)));
  const double reach = 4.302652729749464 / std::sqrt(3.) / 2; // its degrees are those of `one`
  BOOST_TEST(near(both.interval()->upper, std::exp(3 + reach)));
  const auto twice = GeometricMean::of(std::vector<GeometricMean>{one, one});
  const double twice_reach = 2.7764451051977987 / std::sqrt(6.); // 4 degrees
  BOOST_TEST(near(twice.interval()->upper, std::exp(2 + twice_reach)));
  const GeometricMean alone(std::vector<double>{5});
  BOOST_TEST(!GeometricMean::of(std::vector<GeometricMean>{one, alone}).interval());
}

BOOST_FIXTURE_TEST_CASE(a_table_has_the_tests_with_one_number_of_copies, RunFixture) {
  for (const double work : {100., 400., 900.})
    add(0, work);
  add(0, 1e9, "", TrialRecord::Purpose::warm_up);
  add(0, 1e9, "copy 1: 3 migrations");
  add(1, 200);
  add(2, 100);
  const auto both = tables();
  BOOST_TEST_REQUIRE(both.size() == 2u);
  BOOST_TEST(both[1].copies == 2);
  const auto& table = both[0];
  BOOST_TEST_REQUIRE(table.rows.size() == 2u);
  BOOST_TEST(near(*table.rows[0].result, 300)); // of 200 and 450 a second
  BOOST_TEST(near(*table.rows[0].index, 60));
  BOOST_TEST(near(table.rows[0].unbiased->value, std::cbrt(50. * 200 * 450) / 5));
  BOOST_TEST(table.rows[0].trials.valid == 3);
  BOOST_TEST(near(*table.total, std::sqrt(60. * 20)));
  BOOST_TEST(!table.unbiased_total->interval); // exec has one pass
  BOOST_TEST(!both[1].total);
  BOOST_TEST(!both[1].rows[1].result);
}

BOOST_FIXTURE_TEST_CASE(a_table_tells_what_it_must_be_read_with, RunFixture) {
  for (const double work : {100., 110., 121.})
    add(0, work), add(2, 2 * work);
  add(0, 1, "copy 1: 3 migrations");
  add(1, 2e9);
  const auto text = index_text(tables(), 60);
  const std::string wanted = R"(UnixBench, 1 copy of each test, all (CPUs 0-1), no group
kernel 6.18.44, 1 boot; "unbiased": the index of all passes,
  95 % interval

                result              index           unbiased  passes
pipe Throughput
                  57.7 lps           11.5          11.0 ±2.6       3
exec Throughput
       1,000,000,000.0 lps  200,000,000.0  200,000,000.0 (-)       1
total                            48,035.2       46,904.2 (-)

no UnixBench result: shortened, seconds a pass: 1 instead of
  10; passes: 1, 3 instead of 3
(-): a single pass shows no spread, so there is no interval
pipe Throughput: 1 INVALID of 4 passes, left out: copy 1: 3
  migrations

UnixBench, 2 copies of each test, all (CPUs 0-1), no group
kernel 6.18.44, 1 boot; "unbiased": the index of all passes,
  95 % interval

                 result      index   unbiased  passes
pipe Throughput   115.4 lps   23.1  22.0 ±5.3       3
exec Throughput       -          -          -       0
total                            -          -

no UnixBench result: shortened, seconds a pass: 1 instead of
  10; passes: 0, 3 instead of 3
no total: a test has no valid pass

measured by a Debug build
result and index are by UnixBench's rule, which leaves out
  the third of the passes with the least work and so is
  biased upward: no verdict rests on them
one boot: a difference between boots cannot be told from
  these figures
)";
  BOOST_TEST(text == wanted);
}

BOOST_FIXTURE_TEST_CASE(a_whole_set_is_no_shortened_one, RunFixture) {
  for (auto& cell : cells)
    cell.time = cell.own_time;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (const double work : {100., 110., 121.})
      add(cell, work);
  const auto text = index_text(tables(), 80);
  BOOST_TEST(text.find("no UnixBench result") == std::string::npos, text);
  BOOST_TEST(text.find("biased upward: no verdict") != std::string::npos, text);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
