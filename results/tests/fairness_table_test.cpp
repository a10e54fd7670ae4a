#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "results/compare/comparison.hpp"
#include "results/report/layout.hpp"
#include "results/report/text_table.hpp"
#include "results/statistics/welch.hpp"
#include "results/tests/published_rounds.hpp"

namespace schedrig {
namespace {

using boost::test_tools::tolerance;
using published_rounds::even;
using published_rounds::uneven;
using Values = std::vector<double>;
using Conclusion = SpreadDifference::Conclusion;
using Kind = Difference::Kind;
using Test = SpreadDifference::Test;

const Metric rounds{"rounds", "1", Metric::Better::neither, Metric::Scale::difference,
                    Metric::Extent::whole};
const Metric cpu_time{"cpu_time", "ns", Metric::Better::lower, Metric::Scale::ratio,
                      Metric::Extent::per_work};

/// A comparison of rows of trials, each a list of what its tasks got.
struct Rows {
  std::vector<std::shared_ptr<TrialRecord>> trials; // shared, so that copies may be made
  std::vector<ValidTrials> of_rows;
  std::vector<std::string> labels;

  Rows& add(const std::string& label, const std::vector<Values>& row,
            const std::vector<int>& cpus = {}) {
    labels.push_back(label);
    of_rows.emplace_back();
    for (const Values& amounts : row) {
      trials.push_back(std::make_shared<TrialRecord>());
      TrialRecord& trial = *trials.back();
      for (std::size_t task = 0; task < amounts.size(); ++task)
        trial.task_readings.push_back(
            {static_cast<int>(task), cpus.empty() ? -1 : cpus[task], rounds, amounts[task]});
      of_rows.back().push_back(&trial);
    }
    return *this;
  }
  std::vector<FairnessTable> tables() const { return fairness_tables(of_rows, 0.95); }
  std::vector<FairnessRow> rows() const { return tables().at(0).rows; }

  Comparison comparison() const {
    Comparison comparison;
    comparison.boot.kernel.release = "6.18.44";
    comparison.shared = {"massive-intr", "tasks=200 seconds=30", "all", "", "off", ""};
    comparison.cpus = "0-3";
    comparison.work_unit = "round";
    for (std::size_t row = 0; row < labels.size(); ++row) {
      comparison.rows.emplace_back().label = labels[row];
      comparison.rows.back().trials.valid = static_cast<std::int64_t>(of_rows[row].size());
    }
    comparison.fairness = tables();
    return comparison;
  }
  std::string text(int width) const {
    const Comparison shown = comparison();
    return text_table(std::span(&shown, 1), width);
  }
};

/// `spread` alike for all, as a trial of two tasks around `mean`.
Values two(double mean, double spread) {
  return {mean - spread, mean + spread};
}

Values scaled(Values values, double factor) {
  for (double& value : values)
    value *= factor;
  return values;
}

void check_finite(const std::optional<FairnessFigure>& figure) {
  if (!figure)
    return;
  BOOST_TEST(std::isfinite(figure->summary.mean));
  if (figure->interval)
    BOOST_TEST(std::isfinite(figure->interval->lower + figure->interval->upper));
}

void check_finite(const std::vector<FairnessRow>& rows) {
  for (const FairnessRow& row : rows) {
    for (const auto figure :
         {&FairnessRow::mean, &FairnessRow::standard_deviation, &FairnessRow::range,
          &FairnessRow::coefficient_of_variation, &FairnessRow::jain_index})
      check_finite(row.*figure);
    if (row.spread && row.spread->difference.estimate)
      BOOST_TEST(std::isfinite(*row.spread->difference.estimate));
  }
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_golden(const std::string& name, const std::string& text) {
  const std::string file = SCHEDRIG_GOLDEN_FOLDER "/" + name;
  std::ostringstream expected;
  expected << std::ifstream(file).rdbuf();
  BOOST_TEST(text == expected.str(), file << " differs from:\n" << text);
}

/// The published pair as rows, the second's tasks on the CPUs that its modes suggest.
Rows published() {
  std::vector<int> cpus;
  for (const double amount : uneven)
    cpus.push_back(amount < 720 ? 3 : amount < 760 ? 2 : amount < 780 ? 1 : 0);
  cpus[1] = 0; // of 694 rounds, but last seen elsewhere
  return Rows().add("no group", {even}).add("50000/100000", {uneven}, cpus);
}

/// Rows of several trials each, and one whose trials were all lost.
Rows several_trials() {
  std::vector<Values> base, same, worse;
  for (const double factor : {1.0, 1.002, 0.997, 1.001}) {
    base.push_back(two(750 * factor, 10 + factor));
    same.push_back(two(751, 10.5 + 40 * (factor - 1)));
    worse.push_back(two(375, 20 * factor));
  }
  return Rows()
      .add("no group", base, {0, 1})
      .add("group without limit", same, {0, 1})
      .add("50000/100000", worse, {0, 1})
      .add("20000/100000", {});
}

/// All that has no spread to speak of, against a row that has.
Rows without_spread() {
  return Rows()
      .add("no group", {{2, 4, 4, 4, 5, 5, 7, 9}}, {0, 0, 0, 0, 1, 1, 1, 1})
      .add("one task", {{7}}, {0})
      .add("all alike", {{5, 5, 5}}, {0, 1, 0})
      .add("nothing done", {{0, 0, 0}}, {0, 1, 1})
      .add("no trial", {})
      .add("no CPU known", {{3, 5, 7}});
}

} // namespace

BOOST_AUTO_TEST_SUITE(fairness_table)

BOOST_AUTO_TEST_CASE(has_the_figures_of_a_single_trial) {
  const FairnessRow row = Rows().add("", {{2, 4, 4, 4, 5, 5, 7, 9}}).rows().at(0);
  BOOST_TEST(row.trials.at(0).tasks == 8U);
  BOOST_TEST(row.mean->summary.mean == 5);
  BOOST_TEST(row.standard_deviation->summary.mean == 2, tolerance(1e-12));
  BOOST_TEST(row.coefficient_of_variation->summary.mean == 0.4, tolerance(1e-12));
  BOOST_TEST(row.range->summary.mean == 7);
  BOOST_TEST(row.jain_index->summary.mean == 1 / 1.16, tolerance(1e-12));
  BOOST_TEST(!row.mean->interval);
  BOOST_TEST(!row.spread);
  BOOST_TEST(row.caveat == "");
}

BOOST_AUTO_TEST_CASE(takes_the_mean_of_trials_and_never_pools_their_tasks) {
  // Pooled, ten and thirty would be a deviation of ten.
  const FairnessRow apart = Rows().add("", {two(10, 0), two(30, 0)}).rows().at(0);
  BOOST_TEST(apart.mean->summary.mean == 20);
  BOOST_TEST(apart.standard_deviation->summary.mean == 0);
  const FairnessRow row = Rows().add("", {{2, 4, 4, 4, 5, 5, 7, 9}, {1, 9}}).rows().at(0);
  BOOST_TEST(row.trials.size() == 2U);
  BOOST_TEST(row.standard_deviation->summary.mean == 3, tolerance(1e-12));
  // The deviations 2 and 4 have a standard error of 1, and Student's t of one degree is 12.706.
  BOOST_TEST(row.standard_deviation->interval->half_width() == 12.706204736, tolerance(1e-9));
  BOOST_TEST(row.coefficient_of_variation->summary.mean == 0.6, tolerance(1e-12));
  BOOST_TEST(row.jain_index->summary.mean == (1 / 1.16 + 1 / 1.64) / 2, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(shows_the_trial_in_the_middle) {
  const FairnessRow row = Rows().add("", {two(9, 3), two(9, 1), two(9, 4), two(9, 2)}).rows()[0];
  BOOST_TEST(row.middle_trial()->standard_deviation == 2);
  BOOST_TEST((FairnessRow().middle_trial() == nullptr));
}

BOOST_AUTO_TEST_CASE(tells_single_trials_apart_by_their_tasks) {
  const SpreadDifference spread = published().rows().at(1).spread.value();
  BOOST_TEST((spread.test == Test::tasks));
  BOOST_TEST((spread.difference.kind == Kind::without_error));
  // 37.8217 / 749.965 over 10.0229 / 751.649
  BOOST_TEST(*spread.difference.estimate == 278.2024, tolerance(1e-6));
  BOOST_TEST(*spread.difference.p == 1e-4, tolerance(1e-12));
  BOOST_TEST(!spread.difference.interval);
  BOOST_TEST((spread.conclusion == Conclusion::less_even));
}

BOOST_AUTO_TEST_CASE(rounds_that_a_limit_took_from_all_alike_are_no_spread) {
  const auto rows = Rows().add("a", {even}).add("b", {scaled(even, 0.25)}).rows();
  BOOST_TEST(std::abs(*rows[1].spread->difference.estimate) < 1e-9);
  BOOST_TEST(*rows[1].spread->difference.p > 0.9);
  BOOST_TEST((rows[1].spread->conclusion == Conclusion::within_noise));
}

BOOST_AUTO_TEST_CASE(tells_several_trials_apart_by_their_means) {
  const auto rows = several_trials().rows();
  Values base, same;
  for (const Fairness& trial : rows[0].trials)
    base.push_back(*trial.coefficient_of_variation);
  for (const Fairness& trial : rows[1].trials)
    same.push_back(*trial.coefficient_of_variation);
  const Difference expected = welch_ratio(base, same);
  BOOST_TEST((rows[1].spread->test == Test::trials));
  BOOST_TEST(*rows[1].spread->difference.estimate == *expected.estimate);
  BOOST_TEST(rows[1].spread->difference.interval->lower == expected.interval->lower);
  BOOST_TEST(*rows[1].spread->difference.p == *expected.p);
  BOOST_TEST((rows[2].spread->conclusion == Conclusion::less_even));
  const auto turned =
      Rows().add("a", {two(9, 4), two(9, 4.1)}).add("b", {two(9, 1), two(9, 1.1)}).rows();
  BOOST_TEST((turned[1].spread->conclusion == Conclusion::more_even));
}

BOOST_AUTO_TEST_CASE(gives_no_interval_where_a_side_has_one_trial) {
  const auto rows = Rows().add("a", {two(9, 4)}).add("b", {two(9, 1), two(9, 2)}).rows();
  const SpreadDifference& spread = *rows[1].spread;
  BOOST_TEST((spread.test == Test::trials));
  BOOST_TEST((spread.difference.kind == Kind::without_error));
  BOOST_TEST((spread.conclusion == Conclusion::unknown));
  BOOST_TEST(holds(spread.difference.caveat, "a single value on the base"));
}

BOOST_AUTO_TEST_CASE(compares_plainly_where_a_row_has_no_variation_at_all) {
  const Values alike{5, 5, 5, 5}, apart{4, 6, 4, 6};
  const auto single = Rows().add("a", {alike}).add("b", {alike}).add("c", {apart}).rows();
  BOOST_TEST((single[1].spread->difference.kind == Kind::exact));
  BOOST_TEST((single[1].spread->conclusion == Conclusion::within_noise));
  BOOST_TEST((single[2].spread->difference.unit == Difference::Unit::plain));
  BOOST_TEST(*single[2].spread->difference.estimate == 0.2, tolerance(1e-12));
  BOOST_TEST(single[2].spread->difference.p.has_value());
  const auto several =
      Rows().add("a", {alike, alike}).add("b", {alike, alike}).add("c", {apart, apart}).rows();
  BOOST_TEST(*several[1].spread->difference.estimate == 0);
  BOOST_TEST((several[1].spread->conclusion == Conclusion::within_noise));
  BOOST_TEST(*several[2].spread->difference.estimate == 0.2, tolerance(1e-12));
  BOOST_TEST((several[2].spread->conclusion == Conclusion::less_even));
  check_finite(single);
  check_finite(several);
}

BOOST_AUTO_TEST_CASE(says_why_a_row_cannot_be_compared) {
  const auto rows = without_spread().rows();
  check_finite(rows);
  BOOST_TEST(rows[1].caveat == "a single task shares with nobody");
  BOOST_TEST(rows[1].coefficient_of_variation->summary.mean == 0);
  BOOST_TEST(rows[2].caveat == "");
  BOOST_TEST(rows[3].caveat == "no task got anything");
  BOOST_TEST(!rows[3].coefficient_of_variation);
  BOOST_TEST(!rows[3].jain_index);
  BOOST_TEST(rows[3].mean->summary.mean == 0);
  BOOST_TEST(rows[4].caveat == "no valid trial tells its tasks apart");
  BOOST_TEST(!rows[4].mean);
  for (const std::size_t row : {1, 3, 4}) {
    BOOST_TEST(!rows[row].spread->difference.estimate);
    BOOST_TEST(rows[row].spread->difference.caveat == rows[row].caveat);
    BOOST_TEST((rows[row].spread->conclusion == Conclusion::unknown));
  }
  const auto without_base = Rows().add("a", {}).add("b", {even}).rows();
  BOOST_TEST(without_base[1].spread->difference.caveat ==
             "in the first row, no valid trial tells its tasks apart");
}

BOOST_AUTO_TEST_CASE(has_a_table_for_each_metric_of_the_tasks) {
  Rows rows;
  rows.add("a", {{3, 5}}).add("b", {{4, 4}});
  BOOST_TEST(Rows().add("a", {{}}).tables().empty());
  for (const int task : {0, 1})
    rows.trials.back()->task_readings.push_back({task, 0, cpu_time, 1e9 + task});
  const auto tables = rows.tables();
  BOOST_TEST_REQUIRE(tables.size() == 2U);
  BOOST_TEST(tables[0].metric.name == "rounds");
  BOOST_TEST(tables[1].metric.name == "cpu_time");
  BOOST_TEST(tables[1].rows.at(0).trials.empty());
  BOOST_TEST(tables[1].rows.at(1).standard_deviation->summary.mean == 0.5, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(prints_the_published_pair) {
  check_golden("fairness-published-80.txt", published().text(80));
}

BOOST_AUTO_TEST_CASE(prints_means_of_several_trials) {
  check_golden("fairness-several-trials-80.txt", several_trials().text(80));
}

BOOST_AUTO_TEST_CASE(prints_rows_without_spread_each_with_its_sentence) {
  check_golden("fairness-without-spread-80.txt", without_spread().text(80));
}

BOOST_AUTO_TEST_CASE(prints_ranges_of_cpus) {
  const std::string text =
      Rows().add("a", {Values(6, 1)}, {7, 5, 0, 1, 2, 5}).text(80); // all in one mode
  BOOST_TEST(holds(text, "1 (6 tasks, CPUs 0-2,5,7)"), text);
}

BOOST_AUTO_TEST_CASE(fits_into_every_width_and_prints_no_number_that_is_none) {
  for (const Rows& rows : {published(), several_trials(), without_spread()})
    for (int width = 40; width <= 220; width += 12) {
      const std::string text = rows.text(width);
      for (const char* none : {"nan", "inf", "-0.0"})
        BOOST_TEST(!holds(text, none), text);
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);)
        BOOST_TEST(display_width(line) <= width, "at " << width << ": " << line);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
