#include <optional>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "results/compare/comparison.hpp"
#include "results/compare/labels.hpp"
#include "results/tests/temporary_folder.hpp"

namespace schedrig {
namespace {

using Kind = Difference::Kind;
using Purpose = TrialRecord::Purpose;
using Validity = TrialRecord::Validity;

const Metric cycles{"cycles", "1", Metric::Better::lower, Metric::Scale::ratio,
                    Metric::Extent::per_work};
const Metric migrations{"migrations", "1", Metric::Better::lower, Metric::Scale::difference,
                        Metric::Extent::whole};

Metric whole(const std::string& name) {
  return {name, "1", Metric::Better::neither, Metric::Scale::difference, Metric::Extent::whole};
}

Cell cell(const std::string& bandwidth, const std::string& parameters = "loops=1000",
          const std::string& placement = "same-cpu") {
  return {"pipe-ping-pong", parameters, placement, bandwidth, "cpu", "cycles"};
}

/// A run in a store of its own.
struct RunFixture : TemporaryFolder {
  Store store{path() / "lab.schedrig", Store::Access::write};
  std::int64_t run = 0;

  void begin(const std::vector<Cell>& cells, const std::vector<std::string>& marks = {}) {
    Boot boot;
    boot.boot_id = "11111111";
    boot.kernel.release = "6.18.44";
    RunRecord record;
    record.label = "mine";
    record.marks = marks;
    run = store.begin_run(store.add_boot(boot), record, cells);
  }
  TrialRecord trial(const Cell& cell, double cycles_a_loop) {
    TrialRecord trial;
    trial.cell = cell;
    trial.cpus = "1";
    trial.work_unit = "loop";
    trial.work = 1000;
    trial.readings = {{cycles, cycles_a_loop * 1000}, {migrations, 0}};
    return trial;
  }
  void add(const Cell& cell, const std::vector<double>& cycles_a_loop) {
    for (const double value : cycles_a_loop)
      store.add_trial(run, trial(cell, value));
  }
  Comparison comparison() const {
    auto all = compare_cells(store, run);
    BOOST_REQUIRE(all.size() == 1U);
    return all.front();
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(compare)

BOOST_AUTO_TEST_CASE(labels_rows_as_the_mails_do) {
  const std::vector<Cell> cells{cell("none"), cell("group"), cell("20000/100000")};
  const std::vector<std::string> labels{"no group", "group without limit", "20000/100000"};
  BOOST_TEST(labels_of(cells) == labels, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(labels_rows_by_all_that_varies) {
  const std::vector<Cell> cells{cell("none", "loops=1000 tasks=processes"),
                                cell("none", "loops=5 tasks=processes", "smt-pair"),
                                cell("group", "loops=1000 tasks=processes")};
  const std::vector<std::string> labels{"same-cpu, no group, loops=1000",
                                        "smt-pair, no group, loops=5",
                                        "same-cpu, group without limit, loops=1000"};
  BOOST_TEST(labels_of(cells) == labels, boost::test_tools::per_element());
  const Cell shared = shared_by(cells);
  BOOST_TEST(shared.parameters == "tasks=processes");
  BOOST_TEST(shared.placement == "");
  BOOST_TEST(shared.bandwidth == "");
  BOOST_TEST(shared.workload == "pipe-ping-pong");
}

BOOST_AUTO_TEST_CASE(labels_a_single_row_by_its_bandwidth) {
  BOOST_TEST(labels_of(std::vector{cell("none")}).at(0) == "no group");
}

BOOST_FIXTURE_TEST_CASE(compares_each_cell_with_the_first_of_the_plan, RunFixture) {
  begin({cell("none"), cell("group")}, {"no root"});
  add(cell("group"), {110, 110, 110});
  add(cell("none"), {100, 100});
  store.end_run(run, RunRecord::Ending::finished);

  const Comparison comparison = this->comparison();
  BOOST_TEST(comparison.run_label == "mine");
  BOOST_TEST(comparison.boot.kernel.release == "6.18.44");
  BOOST_TEST(comparison.work_unit == "loop");
  BOOST_TEST(comparison.cpus == "1");
  BOOST_TEST(comparison.marks == std::vector<std::string>{"no root"},
             boost::test_tools::per_element());
  BOOST_TEST((comparison.columns == std::vector{cycles, migrations}));
  BOOST_REQUIRE(comparison.rows.size() == 2U);
  const auto& [base, group] = std::tie(comparison.rows[0], comparison.rows[1]);
  BOOST_TEST(base.label == "no group");
  BOOST_TEST(base.figures[0].summary->mean == 100);
  BOOST_TEST(!base.figures[0].difference);
  BOOST_TEST(group.figures[0].summary->n == 3U);
  BOOST_TEST(*group.figures[0].difference->estimate == 10);
  BOOST_TEST((group.figures[0].difference->unit == Difference::Unit::percent));
  BOOST_TEST(*group.figures[1].difference->estimate == 0);
  BOOST_TEST((group.figures[1].difference->unit == Difference::Unit::plain));
  BOOST_TEST(!group.throttle);
}

BOOST_FIXTURE_TEST_CASE(counts_but_never_uses_what_is_not_valid, RunFixture) {
  begin({cell("none"), cell("group")});
  add(cell("none"), {100, 102});
  add(cell("group"), {104, 106});
  TrialRecord wrong = trial(cell("group"), 999);
  wrong.validity = Validity::invalid;
  wrong.reason = "limit did not apply";
  wrong.notes = {"cycles: on another PMU"};
  store.add_trial(run, wrong);
  store.add_trial(run, wrong);
  wrong.validity = Validity::failed;
  wrong.reason = "killed";
  store.add_trial(run, wrong);
  wrong.purpose = Purpose::warm_up;
  store.add_trial(run, wrong);

  const Comparison comparison = this->comparison();
  const ComparisonRow& row = comparison.rows.at(1);
  BOOST_TEST((row.trials == TrialCounts{2, 2, 1, 1}));
  BOOST_TEST((row.reasons ==
              std::map<std::string, std::int64_t>{{"limit did not apply", 2}, {"killed", 1}}));
  BOOST_TEST(row.figures[0].summary->n == 2U);
  BOOST_TEST(row.figures[0].summary->maximum == 106);
  BOOST_TEST(comparison.notes.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(totals_the_throttling_of_a_rows_valid_trials, RunFixture) {
  const Cell limited = cell("20000/100000");
  begin({cell("none"), limited});
  add(cell("none"), {100, 101});
  for (const double periods : {20.0, 22.0}) {
    TrialRecord throttled = trial(limited, 100);
    throttled.readings.push_back({whole("periods"), periods});
    throttled.readings.push_back({whole("throttled_periods"), periods - 1});
    throttled.readings.push_back({whole("throttled_time"), 5e9});
    throttled.readings.push_back({whole("delivered_cpus"), periods / 100});
    throttled.readings.push_back({whole("allowed_cpus"), 0.2});
    throttled.readings.push_back({whole("delivered_cpus_bound"), 0.24});
    store.add_trial(run, throttled);
    throttled.validity = Validity::invalid;
    store.add_trial(run, throttled);
  }
  const Comparison comparison = this->comparison();
  BOOST_TEST(!comparison.rows[0].throttle);
  const ThrottleFigures throttle = comparison.rows.at(1).throttle.value();
  BOOST_TEST(throttle.periods == 42);
  BOOST_TEST(throttle.throttled_periods == 40);
  BOOST_TEST(*throttle.delivered_cpus == 0.21, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(*throttle.allowed_cpus == 0.2);
  BOOST_TEST(*throttle.bound_cpus == 0.24);
  BOOST_TEST((comparison.columns == std::vector{cycles, migrations}));
}

BOOST_FIXTURE_TEST_CASE(gives_no_difference_without_a_base, RunFixture) {
  begin({cell("none"), cell("group")});
  add(cell("group"), {110, 111});
  const Comparison comparison = this->comparison();
  BOOST_TEST(!comparison.rows[0].figures[0].summary);
  BOOST_TEST((comparison.rows[1].figures[0].difference->kind == Kind::none));
  BOOST_TEST(comparison.rows[0].cpus == "");
  BOOST_TEST(comparison.cpus == "1");
}

BOOST_FIXTURE_TEST_CASE(names_no_cpus_that_rows_do_not_share, RunFixture) {
  const Cell pair = cell("none", "loops=1000", "all");
  begin({cell("none"), pair});
  add(cell("none"), {100});
  TrialRecord on_both = trial(pair, 100);
  on_both.cpus = "0-1";
  store.add_trial(run, on_both);
  BOOST_TEST(comparison().cpus == "");
  BOOST_TEST(comparison().rows[1].cpus == "0-1");
}

BOOST_FIXTURE_TEST_CASE(compares_a_run_without_trials, RunFixture) {
  begin({cell("none"), cell("group")});
  const Comparison comparison = this->comparison();
  BOOST_TEST(comparison.rows.size() == 2U);
  BOOST_TEST(comparison.columns.empty());
  BOOST_TEST(comparison.marks.at(0) == "the run has not ended, or was killed: trials are missing");
}

BOOST_FIXTURE_TEST_CASE(never_mixes_workloads_countings_or_passes, RunFixture) {
  Cell by_task = cell("none"), hackbench = cell("none"), other_pass = cell("none");
  by_task.counting = "task";
  hackbench.workload = "hackbench";
  other_pass.pass = "instructions";
  begin({cell("none"), by_task, hackbench, other_pass, cell("group")});
  const auto comparisons = compare_cells(store, run);
  BOOST_REQUIRE(comparisons.size() == 4U);
  BOOST_TEST(comparisons[0].rows.size() == 2U);
  BOOST_TEST(comparisons[1].shared.counting == "task");
  BOOST_TEST(comparisons[2].shared.workload == "hackbench");
  BOOST_TEST(comparisons[3].shared.pass == "instructions");
}

BOOST_FIXTURE_TEST_CASE(judges_fairness_by_valid_trials_alone, RunFixture) {
  const Metric rounds = whole("rounds");
  begin({cell("none"), cell("group")});
  for (const Cell& cell : {cell("none"), cell("group")}) {
    TrialRecord told = trial(cell, 100);
    told.task_readings = {{0, 0, rounds, 3}, {1, 1, rounds, 5}};
    store.add_trial(run, told);
    told.task_readings = {{0, 0, rounds, 1}, {1, 1, rounds, 99}};
    told.purpose = Purpose::warm_up;
    store.add_trial(run, told);
    told.purpose = Purpose::measured;
    told.validity = Validity::invalid;
    told.reason = "limit did not apply";
    store.add_trial(run, told);
  }
  Comparison comparison = this->comparison();
  BOOST_TEST_REQUIRE(comparison.fairness.size() == 1U);
  BOOST_TEST((comparison.fairness[0].metric == rounds));
  for (const FairnessRow& row : comparison.fairness[0].rows) {
    BOOST_TEST_REQUIRE(row.trials.size() == 1U);
    BOOST_TEST(row.standard_deviation->summary.mean == 1);
  }
  const std::vector<std::string> names{"cycles", "migrations", "rounds"};
  BOOST_TEST(metric_names(comparison) == names, boost::test_tools::per_element());
  BOOST_TEST(usual_columns(comparison).back() == "rounds");
  keep_columns(comparison, {"rounds", "migrations"});
  BOOST_TEST((comparison.columns == std::vector{migrations}));
  BOOST_TEST(comparison.fairness.size() == 1U);
  keep_columns(comparison, {"migrations"});
  BOOST_TEST(comparison.fairness.empty());
}

BOOST_FIXTURE_TEST_CASE(has_no_fairness_of_trials_that_are_all_lost_or_tell_no_tasks, RunFixture) {
  begin({cell("none"), cell("group")});
  add(cell("group"), {100});
  TrialRecord lost = trial(cell("none"), 100);
  lost.task_readings = {{0, 0, whole("rounds"), 3}};
  lost.validity = Validity::invalid;
  lost.reason = "limit did not apply";
  store.add_trial(run, lost);
  BOOST_TEST(comparison().fairness.empty());
}

BOOST_FIXTURE_TEST_CASE(compares_no_run_that_is_not_there, RunFixture) {
  BOOST_CHECK_EXCEPTION(compare_cells(store, 5), StoreError,
                        [](const StoreError& error) { return error.error() == ENOENT; });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
