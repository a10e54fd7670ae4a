#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "results/compare/stat_table.hpp"
#include "results/report/stat_text.hpp"
#include "results/tests/temporary_folder.hpp"

using namespace schedrig;

namespace {

using Validity = TrialRecord::Validity;
using Better = Metric::Better;

Metric counted(const std::string& event) {
  return {event, event == "task-clock" ? "ns" : "1", Better::lower, Metric::Scale::ratio,
          Metric::Extent::per_work};
}

Metric whole(const std::string& name, const std::string& unit) {
  return {name, unit, Better::lower, Metric::Scale::difference, Metric::Extent::whole};
}

Cell cell_of(const std::string& pass) {
  return {"command", "line=true start=exec", "all", "none", "task", pass};
}

using Counts = std::vector<std::pair<std::string, double>>;

TrialRecord trial_of(const Cell& cell, double elapsed_ns, const Counts& counts) {
  TrialRecord trial;
  trial.cell = cell;
  trial.cpus = "0-1";
  trial.work = 1;
  trial.work_unit = "run";
  trial.readings = {{counted("wall_time"), elapsed_ns},
                    {whole("user", "s"), 0.001},
                    {whole("system", "s"), 0.002}};
  for (const auto& [event, count] : counts)
    trial.readings.push_back({counted(event), count});
  return trial;
}

/// A store of one run with these trials.
struct Stored {
  Stored(const std::vector<Cell>& cells, const std::vector<TrialRecord>& trials)
      : store(folder.path() / "s.db", Store::Access::write) {
    Boot boot;
    boot.boot_id = "b";
    boot.kernel.build_id = "85c7e4e200ff";
    run = store.begin_run(store.add_boot(boot), {}, cells);
    store.add_trials(run, trials);
  }
  TemporaryFolder folder;
  Store store;
  std::int64_t run = 0;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(stat)

BOOST_AUTO_TEST_CASE(an_event_of_several_passes_is_the_mean_of_all_their_runs) {
  const auto first = cell_of("cycles,instructions"), second = cell_of("cycles,branches");
  const Stored stored({first, second},
                      {trial_of(first, 1e6, {{"cycles", 1000}, {"instructions", 2000}}),
                       trial_of(second, 3e6, {{"cycles", 3000}, {"branches", 400}})});
  const auto table = stat_table(stored.store, stored.run);
  BOOST_TEST_REQUIRE(table.lines.size() == 3u);
  BOOST_TEST(table.lines[0].event == "cycles");
  BOOST_TEST(table.lines[0].figure->summary.n == 2u);
  BOOST_TEST(table.lines[0].figure->summary.mean == 2000);
  BOOST_TEST(table.lines[2].figure->summary.n == 1u);
  BOOST_TEST(!table.lines[2].figure->interval);
  BOOST_TEST(table.elapsed->summary.mean == 2e6);
  BOOST_TEST_REQUIRE(table.runs.size() == 2u);
  BOOST_TEST(!table.runs[1].counts[1]);
  BOOST_TEST(*table.runs[1].counts[2] == 400);
}

BOOST_AUTO_TEST_CASE(what_there_is_no_count_of_says_why_and_is_never_0) {
  const auto cell = cell_of("cycles,branches,page-faults");
  auto trial = trial_of(cell, 1e6, {{"page-faults", 49}});
  trial.notes = {"cycles, branches: <not supported>: this machine has no PMU"};
  const Stored stored({cell}, {trial});
  const auto table = stat_table(stored.store, stored.run);
  BOOST_TEST(table.lines[0].missing == "<not supported>");
  BOOST_TEST(table.lines[0].why == "this machine has no PMU");
  const auto text = stat_text(table, "true", 80);
  BOOST_TEST(has(text, "<not supported>   cycles\n"), text);
  BOOST_TEST(has(text, "cycles, branches: <not supported>: this machine has no PMU\n"), text);
}

BOOST_AUTO_TEST_CASE(one_who_counts_user_mode_only_sees_that) {
  const auto cell = cell_of("cycles");
  const Stored stored({cell}, {trial_of(cell, 1e6, {{"cycles:u", 70}})});
  BOOST_TEST(stat_table(stored.store, stored.run).lines[0].figure->summary.mean == 70);
}

BOOST_AUTO_TEST_CASE(counts_become_rates_and_shares_in_perfs_words) {
  const auto cell = cell_of("task-clock,cycles,instructions,branches,branch-misses,page-faults,"
                            "L1-dcache-loads,L1-dcache-load-misses,stalled-cycles-frontend");
  const Stored stored({cell}, {trial_of(cell, 2e6,
                                        {{"task-clock", 1e6},
                                         {"cycles", 3e6},
                                         {"instructions", 6e6},
                                         {"branches", 1e6},
                                         {"branch-misses", 5e4},
                                         {"page-faults", 50},
                                         {"L1-dcache-loads", 2e6},
                                         {"L1-dcache-load-misses", 1e5},
                                         {"stalled-cycles-frontend", 3e5}})});
  const auto text = stat_text(stat_table(stored.store, stored.run), "true", 80);
  for (const auto* part :
       {"1.000   msec task-clock", "# 0.500 CPUs utilized", "# 3.000 GHz", "# 2.00 insn per cycle",
        "# 1.000 G/sec", "# 5.00 % of all branches", "# 50.000 K/sec",
        "# 5.00 % of all L1-dcache-loads", "# 10.00 % of the cycles", "0.0020000   seconds elapsed",
        "0.0010000   seconds user", "'true', 1 run, on CPUs 0-1"})
    BOOST_TEST(has(text, part), "no '" << part << "' in:" << text);
}

BOOST_AUTO_TEST_CASE(the_interval_is_students_and_none_is_shown_of_equal_counts) {
  const auto cell = cell_of("page-faults,cs");
  const Stored stored({cell}, {trial_of(cell, 1e6, {{"page-faults", 49}, {"cs", 0}}),
                               trial_of(cell, 2e6, {{"page-faults", 49}, {"cs", 3}}),
                               trial_of(cell, 3e6, {{"page-faults", 49}, {"cs", 0}})});
  const auto table = stat_table(stored.store, stored.run);
  // scipy.stats.t.ppf(.975, 2) * 1e6 / sqrt(3)
  BOOST_TEST(table.elapsed->interval->half_width() == 2484137.7118986,
             boost::test_tools::tolerance(1e-9));
  const auto text = stat_text(table, "true", 80);
  BOOST_TEST(has(text, " 49       page-faults"), text);
  BOOST_TEST(has(text, "±4.3"), text); // above its mean, so not in percent
  BOOST_TEST(has(text, "0.0020000 ±0.0024841  seconds elapsed"), text);
}

BOOST_AUTO_TEST_CASE(runs_that_are_not_valid_are_left_out_and_told) {
  const auto cell = cell_of("page-faults");
  auto failed = trial_of(cell, 1e6, {});
  failed.readings.clear();
  failed.validity = Validity::failed;
  failed.reason = "sleep was still running after 1 ms";
  auto invalid = trial_of(cell, 9e9, {{"page-faults", 49}});
  invalid.validity = Validity::invalid;
  invalid.reason = "the command exited with status 1";
  const Stored stored({cell}, {failed, invalid});
  const auto table = stat_table(stored.store, stored.run);
  BOOST_TEST(!table.elapsed);
  const auto text = stat_text(table, "false", 80);
  BOOST_TEST(has(text, "'false', no valid run"), text);
  BOOST_TEST(has(text, "left out: 1 INVALID, 1 failed"), text);
  BOOST_TEST(has(text, invalid.reason), text);
  BOOST_TEST(has(text, failed.reason), text);
  BOOST_TEST(!has(text, "nan"), text);
}

BOOST_AUTO_TEST_SUITE_END()
