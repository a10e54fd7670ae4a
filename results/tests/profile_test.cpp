#include <cerrno>
#include <cmath>
#include <random>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "results/compare/comparison.hpp"
#include "results/compare/profile_comparison.hpp"
#include "results/report/layout.hpp"
#include "results/report/profile_table.hpp"
#include "results/statistics/false_discovery.hpp"
#include "results/store/store.hpp"
#include "results/tests/temporary_folder.hpp"

namespace schedrig {

// Aggregates of the records are compared here only.
static bool operator==(const ProfileRecord::Share& a, const ProfileRecord::Share& b) {
  return a.function == b.function && a.samples == b.samples;
}

namespace {

using Mode = SampledFunction::Mode;
using Counts = std::vector<std::pair<std::string, std::int64_t>>;

ProfileRecord profile_with(const Counts& counts, std::int64_t lost = 0) {
  ProfileRecord profile{"cpu-clock", 250'051, 0, lost, {}};
  for (const auto& [name, samples] : counts) {
    profile.samples += samples;
    profile.functions.push_back({{name, "[kernel]", Mode::kernel}, samples});
  }
  return profile;
}

/// Trials in which some 50 functions have shares of their own, which vary from trial to trial by
/// more than chance (by a tenth), and function 0 has `factor` times its share.
std::vector<ProfileRecord> simulated(std::mt19937_64& random, int trials, double factor = 1) {
  std::vector<ProfileRecord> profiles;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> weights;
    for (int function = 0; function < 50; ++function)
      weights.push_back((function == 0 ? factor : 1) * std::exp(-function / 6.0) *
                        std::exp(std::normal_distribution<double>(0, 0.1)(random)));
    std::discrete_distribution<std::size_t> next(weights.begin(), weights.end());
    std::vector<std::int64_t> samples(weights.size());
    for (int i = 0; i < 1500; ++i)
      ++samples[next(random)];
    Counts counts;
    for (std::size_t function = 0; function < samples.size(); ++function)
      if (samples[function] > 0)
        counts.emplace_back("f" + std::to_string(function), samples[function]);
    profiles.push_back(profile_with(counts));
  }
  return profiles;
}

const FunctionShare& share(const ProfileComparison& comparison, const std::string& name) {
  for (const auto& row : comparison.functions)
    if (row.function.name == name)
      return row;
  BOOST_FAIL("no row of " << name);
  return comparison.rest;
}

double total(const ProfileComparison& comparison, std::optional<double> FunctionShare::*percent) {
  double total = (comparison.rest.*percent).value_or(0);
  for (const auto& row : comparison.functions)
    total += (row.*percent).value_or(0);
  return total;
}

Cell cell(const std::string& bandwidth, std::string_view pass = profile_pass) {
  return {"pipe-ping-pong", "loops=1000", "same-cpu", bandwidth, "cpu", std::string(pass)};
}

/// A store with a run of sampled cells.
struct SampledRun : TemporaryFolder {
  Store store{path() / "lab.schedrig", Store::Access::write};
  std::int64_t run = begin();

  std::int64_t begin() {
    Boot boot;
    boot.boot_id = "1";
    boot.kernel.release = "6.18.44";
    return store.begin_run(store.add_boot(boot), {},
                           {cell("none"), cell("group"), cell("none", "cycles")});
  }
  TrialRecord trial(const std::string& bandwidth, const ProfileRecord& profile) const {
    TrialRecord trial;
    trial.cell = cell(bandwidth);
    trial.cpus = "1";
    trial.work_unit = "loop";
    trial.work = 1000;
    trial.profile = profile;
    return trial;
  }
  void add(const std::string& bandwidth, const std::vector<ProfileRecord>& profiles) {
    for (const auto& profile : profiles)
      store.add_trial(run, trial(bandwidth, profile));
  }
};

bool has_line(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(profile)

// The store.

BOOST_FIXTURE_TEST_CASE(a_trials_profile_is_kept_with_it, SampledRun) {
  ProfileRecord kept = profile_with({{"__schedule", 70}, {"pick_next", 30}}, 4);
  kept.functions.push_back({{"main", "/usr/bin/a b", Mode::user}, 5});
  kept.samples += 5;
  store.add_trial(run, trial("none", kept));
  store.add_trial(run, trial("none", profile_with({})));
  const auto trials = store.trials(run);
  BOOST_REQUIRE(trials.size() == 2U);
  const auto& back = trials[0].record.profile;
  BOOST_REQUIRE(back.has_value());
  BOOST_TEST(back->event == "cpu-clock");
  BOOST_TEST(back->period == 250'051);
  BOOST_TEST(back->samples == 105);
  BOOST_TEST(back->lost == 4);
  BOOST_TEST((back->functions == kept.functions));
  BOOST_TEST(trials[1].record.profile->functions.empty());
  BOOST_TEST(!store.trials(run, Store::Detail::without_readings)[0].record.profile);
}

BOOST_FIXTURE_TEST_CASE(a_profile_whose_samples_do_not_add_up_is_refused_with_its_trial,
                        SampledRun) {
  auto wrong = profile_with({{"__schedule", 70}});
  wrong.samples = 71;
  BOOST_CHECK_THROW(store.add_trial(run, trial("none", wrong)), StoreError);
  auto twice = profile_with({{"__schedule", 70}, {"__schedule", 1}});
  BOOST_CHECK_THROW(store.add_trial(run, trial("none", twice)), StoreError);
  BOOST_CHECK_THROW(store.add_trial(run, trial("none", profile_with({{"f", 0}}))), StoreError);
  BOOST_TEST(store.trials(run).empty());
}

// Many tests at once.

BOOST_AUTO_TEST_CASE(adjusts_p_as_benjamini_and_hochberg_do) {
  // scipy.stats.false_discovery_control([.01, .04, .03, .005, .8])
  const std::vector<double> p{.01, .04, .03, .005, .8}, expected{.025, .05, .05, .025, .8};
  const auto adjusted = adjusted_for_false_discovery(p);
  for (std::size_t i = 0; i < p.size(); ++i)
    BOOST_TEST(adjusted[i] == expected[i], boost::test_tools::tolerance(1e-12));
  BOOST_TEST(adjusted_for_false_discovery({}).empty());
}

// Two sides.

BOOST_AUTO_TEST_CASE(shares_of_each_side_add_up_to_all) {
  std::mt19937_64 random(1);
  const auto comparison = compare_profiles(simulated(random, 8), simulated(random, 8), 10);
  BOOST_TEST(comparison.functions.size() == 10U);
  BOOST_TEST(comparison.rest_functions > 10U);
  BOOST_TEST(total(comparison, &FunctionShare::base_percent) == 100,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(total(comparison, &FunctionShare::other_percent) == 100,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(trials_of_one_kernel_show_no_function_but_one_time_in_twenty) {
  std::mt19937_64 random(20261130);
  int with_any = 0;
  for (int pair = 0; pair < 100; ++pair) {
    const auto comparison = compare_profiles(simulated(random, 6), simulated(random, 6));
    with_any += !comparison.functions.empty() && comparison.functions.front().differs;
  }
  BOOST_TEST(with_any <= 10); // 5 expected at most; more than 10 in 1.1 % of seeds
}

BOOST_AUTO_TEST_CASE(a_function_that_takes_a_third_more_is_found_and_stands_first) {
  std::mt19937_64 random(7);
  int found = 0;
  for (int pair = 0; pair < 20; ++pair) {
    const auto comparison = compare_profiles(simulated(random, 10), simulated(random, 10, 1.33));
    found +=
        comparison.functions.front().differs && comparison.functions.front().function.name == "f0";
  }
  BOOST_TEST(found >= 18);
}

BOOST_AUTO_TEST_CASE(the_spread_between_trials_counts_and_not_only_that_of_samples) {
  // By samples pooled, 1600 of 4000 against 2000 of 4000 would be far beyond chance.
  const std::vector base{
      profile_with({{"f", 100}, {"g", 900}}), profile_with({{"f", 700}, {"g", 300}}),
      profile_with({{"f", 200}, {"g", 800}}), profile_with({{"f", 600}, {"g", 400}})};
  const std::vector other{
      profile_with({{"f", 800}, {"g", 200}}), profile_with({{"f", 300}, {"g", 700}}),
      profile_with({{"f", 700}, {"g", 300}}), profile_with({{"f", 200}, {"g", 800}})};
  const auto comparison = compare_profiles(base, other);
  BOOST_TEST(*share(comparison, "f").difference.estimate == 10, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(*share(comparison, "f").adjusted_p > 0.5);
}

BOOST_AUTO_TEST_CASE(trials_that_happen_to_be_equal_still_have_the_spread_of_their_samples) {
  const std::vector base(4, profile_with({{"f", 3}, {"g", 97}}));
  const std::vector other(4, profile_with({{"f", 4}, {"g", 96}}));
  BOOST_TEST(!share(compare_profiles(base, other), "f").differs);
  const std::vector hot(4, profile_with({{"f", 100}}));
  const std::vector cold(4, profile_with({{"g", 100}}));
  BOOST_TEST(share(compare_profiles(hot, cold), "f").differs);
  BOOST_TEST(*share(compare_profiles(hot, cold), "f").difference.estimate == -100);
}

BOOST_AUTO_TEST_CASE(one_trial_a_side_has_a_change_and_no_verdict) {
  const std::vector base{profile_with({{"f", 10}, {"g", 90}})};
  const std::vector other{profile_with({{"f", 50}, {"g", 50}})};
  const auto comparison = compare_profiles(base, other);
  BOOST_TEST(*share(comparison, "f").difference.estimate == 40, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(!share(comparison, "f").adjusted_p);
  BOOST_TEST(has_line(profile_table({&comparison, 1}, 80), "each side needs two valid trials"));
}

BOOST_AUTO_TEST_CASE(a_file_is_the_same_wherever_it_lies) {
  auto one = profile_with({}), two = profile_with({});
  one.functions = {{{"main", "/a/program", Mode::user}, 10}};
  two.functions = {{{"main", "/b/program", Mode::user}, 10}};
  one.samples = two.samples = 10;
  const auto comparison = compare_profiles(std::vector{one, one}, std::vector{two, two});
  BOOST_REQUIRE(comparison.functions.size() == 1U);
  BOOST_TEST(comparison.functions.front().function.object == "program");
  BOOST_TEST(*comparison.functions.front().difference.estimate == 0);
}

BOOST_AUTO_TEST_CASE(samples_of_different_events_are_not_compared) {
  auto cycles = profile_with({{"f", 10}});
  cycles.event = "cycles";
  const auto comparison =
      compare_profiles(std::vector{cycles, cycles}, std::vector(2, profile_with({{"f", 10}})));
  BOOST_TEST(comparison.functions.empty());
  BOOST_TEST(has_line(profile_table({&comparison, 1}, 80), "not compared"));
}

// Runs.

BOOST_FIXTURE_TEST_CASE(a_runs_sampled_cells_are_compared_with_the_first_and_have_no_figures,
                        SampledRun) {
  std::mt19937_64 random(3);
  add("none", simulated(random, 5));
  add("group", simulated(random, 5, 3));
  auto invalid = trial("group", profile_with({{"wrong", 1000}}));
  invalid.validity = TrialRecord::Validity::invalid;
  invalid.reason = "the limit did not apply";
  store.add_trial(run, invalid);

  const auto comparisons = compare_profiles(store, run);
  BOOST_REQUIRE(comparisons.size() == 1U);
  const auto& comparison = comparisons.front();
  BOOST_TEST(comparison.base.label == "no group");
  BOOST_TEST(comparison.other->label == "group without limit");
  BOOST_TEST(comparison.base.samples == 5 * 1500);
  BOOST_TEST(comparison.functions.front().function.name == "f0");
  BOOST_TEST(comparison.functions.front().differs);
  BOOST_TEST(has_line(profile_table(comparisons, 80), "left out a trial: the limit did not apply"));

  BOOST_REQUIRE(compare_cells(store, run).size() == 1U);
  BOOST_TEST(compare_cells(store, run).front().shared.pass == "cycles");
}

BOOST_FIXTURE_TEST_CASE(two_runs_are_compared_cell_by_cell, SampledRun) {
  std::mt19937_64 random(4);
  add("none", simulated(random, 5));
  const auto base = run;
  run = begin();
  add("none", simulated(random, 5, 3));
  const auto comparisons = compare_profiles_of_runs(store, base, run);
  BOOST_REQUIRE(comparisons.size() == 2U); // "group" has no trial in either
  BOOST_TEST(comparisons[0].base.label == "run 1");
  BOOST_TEST(comparisons[0].other->label == "run 2");
  BOOST_TEST(comparisons[0].functions.front().differs);
  BOOST_TEST(comparisons[1].functions.empty());
  BOOST_CHECK_THROW(compare_profiles_of_runs(store, 77, run), StoreError);
}

// The table.

BOOST_AUTO_TEST_CASE(the_table_says_what_differs_and_what_the_samples_are) {
  std::mt19937_64 random(5);
  auto base = simulated(random, 10), other = simulated(random, 10, 2);
  base.front().lost = 1234;
  auto comparison = compare_profiles(base, other, 5);
  comparison.shared = cell("");
  comparison.cpus = "1";
  comparison.base.label = "no group";
  comparison.other->label = "group without limit";
  const auto text = profile_table({&comparison, 1}, 80);
  for (const std::string part :
       {"sampled on the CPU", "by cpu-clock, once in 250,051 ns",
        "A: no group: 10 trials, 15,000 samples, 1,234 lost",
        "B: group without limit: 10 trials, 15,000 samples, 0 lost", "*  f0 [kernel]", "others",
        "functions differ", "without a function's name ([unknown]): A 0.00 %, B 0.00 %"})
    BOOST_TEST(has_line(text, part), part << " is missing in\n" << text);

  comparison = compare_profiles(base, simulated(random, 10), 5);
  BOOST_TEST(has_line(profile_table({&comparison, 1}, 80), "no function differs in its share"));
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_asked_for) {
  const std::string name =
      "std::vector<std::pair<int, std::basic_string<char>>>::emplace_back(int)";
  const std::vector profiles(3, profile_with({{name, 100}, {"ä" + name, 50}}));
  for (const auto& other : {profiles, std::vector<ProfileRecord>{}}) {
    const auto comparison = compare_profiles(profiles, other);
    for (const int width : {40, 80, 200}) {
      std::istringstream lines(profile_table({&comparison, 1}, width));
      for (std::string line; std::getline(lines, line);)
        BOOST_TEST(display_width(line) <= width, line);
    }
    BOOST_TEST(has_line(profile_table({&comparison, 1}, 200), name + " [kernel]"));
    BOOST_TEST(has_line(profile_table({&comparison, 1}, 80), "…"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
