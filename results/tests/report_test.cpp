#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "results/report/figures.hpp"
#include "results/report/layout.hpp"
#include "results/report/text_table.hpp"
#include "results/statistics/welch.hpp"

namespace schedrig {
namespace {

using Values = std::vector<double>;

Metric per_loop(const std::string& name, const std::string& unit) {
  return {name, unit, Metric::Better::lower, Metric::Scale::ratio, Metric::Extent::per_work};
}

const Metric migrations{"migrations", "1", Metric::Better::lower, Metric::Scale::difference,
                        Metric::Extent::whole};

/// A comparison whose rows are added one by one.
struct Table {
  Comparison comparison;
  std::vector<std::vector<Values>> samples; ///< of each row, by column

  explicit Table(std::vector<Metric> columns) {
    comparison.run = 1;
    comparison.boot.kernel.release = "6.18.44";
    comparison.boot.kernel.build_id = "85c7e4e200ff";
    comparison.shared = {"pipe-ping-pong",
                         "loops=100000 tasks=processes",
                         "same-cpu",
                         "",
                         "cpu",
                         "cycles,instructions,branches"};
    comparison.cpus = "1";
    comparison.work_unit = "loop";
    comparison.columns = std::move(columns);
  }

  ComparisonRow& add(const std::string& label, const std::vector<Values>& columns) {
    samples.push_back(columns);
    ComparisonRow row;
    row.label = label;
    row.trials.valid = columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().size());
    row.trials.warm_up = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      ComparisonFigure figure;
      figure.summary = summarize(columns[i]);
      if (samples.size() > 1)
        figure.difference = comparison.columns[i].scale == Metric::Scale::ratio
                                ? welch_ratio(samples[0][i], columns[i])
                                : welch_difference(samples[0][i], columns[i]);
      row.figures.push_back(figure);
    }
    comparison.rows.push_back(row);
    return comparison.rows.back();
  }
  std::string text(int width) const { return text_table(std::span(&comparison, 1), width); }
};

/// Five values around `center`, `spread` apart.
Values around(double center, double spread) {
  return {center - 2 * spread, center, center + spread, center - spread, center + 2 * spread};
}

/// The mails' grid, with made-up figures.
Table grid() {
  Table table({per_loop("wall_time", "ns"), per_loop("cpu_time", "ns"),
               per_loop("context_switches", "1"), migrations, per_loop("cycles", "1"),
               per_loop("instructions", "1"), per_loop("branches", "1")});
  const auto row = [](double factor, double spread) {
    return std::vector<Values>{around(3402 * factor, spread),
                               around(3398.5 * factor, spread / 2),
                               around(2.0003, .00002),
                               Values(5, 0),
                               around(19263 * factor, 20 * spread),
                               around(14341 * factor, spread),
                               around(2795 * factor, spread / 10)};
  };
  table.add("no group", row(1, 4));
  table.add("group without limit", row(1.0227, 5)).throttle = ThrottleFigures{};
  table.add("10000000000/1000", row(1.0341, 4)).throttle =
      ThrottleFigures{1700, 0, 0.997, 10000000, {}};
  table.add("10000000000/1000000", row(1.031, 4)).throttle =
      ThrottleFigures{5, 0, 0.998, 10000, {}};
  auto throttled = row(1.037, 9);
  throttled[0] = around(17021.3, 600);
  throttled[3] = {0, 1, 0, 0, 0};
  ComparisonRow& last = table.add("20000/100000", throttled);
  last.throttle = ThrottleFigures{42, 41, 0.2031, 0.2, 0.24};
  last.trials.invalid = 2;
  last.trials.failed = 1;
  last.reasons = {{"limit did not apply: cpu.max reads max 100000", 2}, {"deadline of 10 s", 1}};
  table.comparison.marks = {"debug build: its figures are no measurement"};
  table.comparison.notes = {
      "branch-misses: <not supported>, this machine has no hardware PMU; on a "
      "machine with one, cycles, instructions and branches are counted"};
  return table;
}

void check_golden(const std::string& name, const std::string& text) {
  const std::string file = SCHEDRIG_GOLDEN_FOLDER "/" + name;
  std::ostringstream expected;
  expected << std::ifstream(file).rdbuf();
  BOOST_TEST(text == expected.str(), file << " differs from:\n" << text);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(counts_columns_not_bytes) {
  BOOST_TEST(display_width("±0.2") == 4);
  BOOST_TEST(padded_left("±1", 4) == "  ±1");
  BOOST_TEST(padded_right("±1", 4) == "±1  ");
  BOOST_TEST(padded_left("longer", 4) == "longer");
}

BOOST_AUTO_TEST_CASE(wraps_at_blanks) {
  const std::vector<std::string> expected{"one two", "  three", "  averylongword", "  x"};
  BOOST_TEST(wrapped("one two three averylongword x", 8, 2) == expected,
             boost::test_tools::per_element());
  BOOST_TEST(wrapped("", 8).empty());
  BOOST_TEST(wrapped("  ", 8).empty());
}

BOOST_AUTO_TEST_CASE(separates_thousands) {
  BOOST_TEST(value_text(0, 0) == "0");
  BOOST_TEST(value_text(999, 0) == "999");
  BOOST_TEST(value_text(1000, 0) == "1,000");
  BOOST_TEST(value_text(7526317497, 0) == "7,526,317,497");
  BOOST_TEST(value_text(1234.5678, 2) == "1,234.57");
  BOOST_TEST(value_text(-123456, 0) == "-123,456");
  BOOST_TEST(value_text(-123, 0) == "-123");
  BOOST_TEST(value_text(-0.0001, 2) == "0.00");
  BOOST_TEST(value_text(999.99, 1) == "1,000.0");
}

BOOST_AUTO_TEST_CASE(names_metrics_as_people_do) {
  BOOST_TEST(metric_title(per_loop("wall_time", "ns"), "loop") == "wall time/loop");
  BOOST_TEST(metric_title(per_loop("cpu_time", "ns"), "loop") == "CPU time/loop");
  BOOST_TEST(metric_title(per_loop("context_switches", "1"), "loop") == "switches/loop");
  BOOST_TEST(metric_title(per_loop("page-faults", "1"), "loop") == "page-faults/loop");
  BOOST_TEST(metric_title(per_loop("tsc_ticks", "1"), "loop") == "TSC ticks/loop");
  BOOST_TEST(metric_title(migrations, "loop") == "migrations");
}

BOOST_AUTO_TEST_CASE(prints_no_decimal_that_the_spread_does_not_warrant) {
  const auto decimals = [](const Metric& metric, const Values& values) {
    ComparisonFigure figure;
    figure.summary = summarize(values);
    return value_decimals(metric, std::span(&figure, 1));
  };
  const Metric cycles = per_loop("cycles", "1");
  BOOST_TEST(decimals(cycles, around(19263, 20)) == 0);
  BOOST_TEST(decimals(cycles, around(192.63, .2)) == 1);
  BOOST_TEST(decimals(cycles, around(2.0003, .00002)) == 4);
  BOOST_TEST(decimals(cycles, around(2.1, .5)) == 2); // 1 % shows all the same
  BOOST_TEST(decimals(cycles, {2, 2}) == 2);
  BOOST_TEST(decimals(cycles, {2}) == 2);
  BOOST_TEST(decimals(cycles, {}) == 0);
  BOOST_TEST(decimals(migrations, {0, 0, 0}) == 0);
  BOOST_TEST(decimals(migrations, {0, 0, 0, 1}) == 1);
}

BOOST_AUTO_TEST_CASE(prints_differences_with_their_reach) {
  const auto percent = [](double estimate, double half_width) {
    return difference_text({.kind = Difference::Kind::estimated,
                            .estimate = estimate,
                            .interval = Interval{estimate - half_width, estimate + half_width}});
  };
  BOOST_TEST(percent(2.34, .2) == "+2.3 ±0.2");
  BOOST_TEST(percent(-1.12, .04) == "-1.12 ±0.04");
  BOOST_TEST(percent(0.001, .0001) == "+0.00 ±0.01");
  BOOST_TEST(percent(-0.001, .2) == "+0.0 ±0.2");
  BOOST_TEST(percent(1234.56, 33) == "+1,234.6 ±33.0");
  BOOST_TEST(difference_text(welch_ratio(Values{100, 100}, Values{110, 110})) == "+10.0 ±0");
  BOOST_TEST(difference_text(welch_ratio(Values{3, 3}, Values{4, 4})) == "+33.33 ±0");
  BOOST_TEST(difference_text(welch_difference(Values{0, 0}, Values{0, 0})) == "+0");
  BOOST_TEST(difference_text(welch_difference(Values{3, 3}, Values{1, 1})) == "-2");
  BOOST_TEST(difference_text(welch_difference(Values{0, 0, 0}, Values{0, 0, 1})) == "+0 ±1");
  BOOST_TEST(difference_text(welch_ratio(Values{1}, Values{2})) == "-");
  BOOST_TEST(difference_text(welch_ratio({}, Values{2})) == "-");
}

BOOST_AUTO_TEST_CASE(prints_the_grid_at_80_columns) {
  check_golden("bandwidth-grid-80.txt", grid().text(80));
}

BOOST_AUTO_TEST_CASE(prints_the_grid_at_200_columns) {
  check_golden("bandwidth-grid-200.txt", grid().text(200));
}

BOOST_AUTO_TEST_CASE(prints_a_run_without_trials) {
  Table table({});
  table.comparison.boot.kernel.build_id = "";
  for (const char* label : {"no group", "group without limit"})
    table.add(label, {}).trials = {};
  check_golden("no-trials-80.txt", table.text(80));
}

BOOST_AUTO_TEST_CASE(prints_single_trials_without_percentages) {
  Table table({per_loop("cycles", "1"), migrations});
  table.add("no group", {{19263}, {0}});
  table.add("group without limit", {{19700}, {0}});
  check_golden("single-trials-80.txt", table.text(80));
}

BOOST_AUTO_TEST_CASE(prints_a_base_without_a_valid_trial) {
  Table table({per_loop("cycles", "1"), per_loop("branches", "1")});
  ComparisonRow& base = table.add("no group", {Values{}, Values{}});
  base.trials.invalid = 5;
  base.reasons = {{"3 migrations", 5}};
  table.add("group without limit", {around(19700, 20), Values{}});
  check_golden("base-without-trials-80.txt", table.text(80));
}

BOOST_AUTO_TEST_CASE(prints_what_several_tables_share_once) {
  const Comparison comparisons[] = {grid().comparison, grid().comparison};
  const std::string text = text_table(comparisons, 80);
  const std::string sentence = "one boot: a difference between boots";
  BOOST_TEST(text.find(sentence) == text.rfind(sentence));
  BOOST_TEST(text.find("kernel 6.18.44") != text.rfind("kernel 6.18.44"));
  BOOST_TEST(text_table({}, 80) == "");
}

BOOST_AUTO_TEST_CASE(fits_every_line_into_every_width) {
  const Table table = grid();
  for (int width = 40; width <= 220; ++width) {
    const std::string text = table.text(width);
    for (const std::string& line : lines_of(text))
      BOOST_TEST(display_width(line) <= width, "at " << width << ": " << line);
    for (const Metric& metric : table.comparison.columns)
      BOOST_TEST(holds(text, metric_title(metric, "loop")),
                 metric.name << " is missing at " << width);
  }
}

BOOST_AUTO_TEST_CASE(gives_a_long_label_a_line_of_its_own) {
  Table table({per_loop("cycles", "1")});
  table.add("same-cpu, group:50000/100000:20000/100000, loops=100000", {around(19263, 20)});
  table.add("smt-pair, no group, loops=1", {around(19700, 20)});
  const auto lines = lines_of(table.text(60));
  for (const std::string& line : lines)
    BOOST_TEST(display_width(line) <= 60, line);
  BOOST_TEST(holds(table.text(60), "loops=100000\n"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
