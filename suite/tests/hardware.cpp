// Trials on the machine in front of us: real groups, real counters.

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/unit_test.hpp>

#include "pinning/unavailable.hpp"
#include "results/compare/profile_comparison.hpp"
#include "suite/limit_proof.hpp"
#include "suite/machine.hpp"
#include "suite/trial.hpp"

using namespace schedrig;

namespace {

const Machine& machine() {
  static const Machine here = Machine::here();
  return here;
}

TrialRecord trial_of(const std::string& bandwidth,
                     const std::string& parameters = "loops=2000 tasks=processes",
                     std::chrono::milliseconds deadline = std::chrono::minutes(1),
                     const std::string& workload = "pipe-ping-pong") {
  const CgroupSubtree subtree(*machine().groups);
  const Cell cell{workload, parameters, "same-cpu", bandwidth, "cpu", ""};
  const auto pass =
      Pass::probe(*machine().perf, machine().counting, "", machine().counting.default_counting(),
                  machine().place("same-cpu").cpus());
  return run_trial(cell, {pass, parameters}, {machine(), &subtree}, {deadline, {}});
}

double value(const TrialRecord& trial, const std::string& metric) {
  for (const auto& reading : trial.readings)
    if (reading.metric.name == metric)
      return reading.value;
  BOOST_FAIL("no reading of " << metric << " in a trial of " << trial.cell.bandwidth << "; "
                              << trial.reason);
  return 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(trial)

BOOST_AUTO_TEST_CASE(a_ping_pong_on_one_cpu_switches_twice_a_loop_and_never_migrates) {
  for (const auto* tasks : {"loops=100000 tasks=processes", "loops=100000 tasks=threads"}) {
    const auto trial = trial_of("none", tasks);
    BOOST_TEST((trial.validity == TrialRecord::Validity::valid), trial.reason);
    BOOST_TEST(trial.work == 100'000);
    BOOST_TEST(value(trial, "context_switches") / trial.work == 2.0,
               boost::test_tools::tolerance(0.01));
    BOOST_TEST(value(trial, "migrations") == 0);
    BOOST_TEST(value(trial, "cpu_time") <= value(trial, "wall_time") * 1.001);
  }
}

BOOST_AUTO_TEST_CASE(a_limit_that_is_never_reached_never_throttles) {
  const auto trial = trial_of("10000000000/10000");
  BOOST_TEST((trial.validity == TrialRecord::Validity::valid), trial.reason);
  BOOST_TEST(value(trial, "throttled_periods") == 0);
  BOOST_TEST(value(trial, "throttled_time") == 0);
}

BOOST_AUTO_TEST_CASE(a_small_quota_throttles_and_delivers_no_more_than_it_allows) {
  const auto trial = trial_of("2000/10000", "loops=20000 tasks=processes");
  BOOST_TEST((trial.validity == TrialRecord::Validity::valid), trial.reason);
  BOOST_TEST(value(trial, "throttled_periods") > 0);
  BOOST_TEST(value(trial, "throttled_time") > 0);
  BOOST_TEST(value(trial, "allowed_cpus") == 0.2);
  BOOST_TEST(value(trial, "delivered_cpus") < 0.9);
}

BOOST_AUTO_TEST_CASE(nested_groups_throttle_by_the_tightest) {
  const auto trial = trial_of("group:50000/100000:2000/10000", "loops=20000 tasks=processes");
  BOOST_TEST((trial.validity == TrialRecord::Validity::valid), trial.reason);
  BOOST_TEST(value(trial, "throttled_periods") > 0);
  BOOST_TEST(value(trial, "allowed_cpus") == 0.2);
}

BOOST_AUTO_TEST_CASE(a_limit_that_was_not_in_force_is_told) {
  const CgroupSubtree subtree(*machine().groups);
  const auto limit = Bandwidth::parse("20000/100000");
  Cgroup group(subtree, limit);
  WorkReport work;
  work.elapsed = std::chrono::seconds(1);
  work.usage.cpu_time = std::chrono::milliseconds(200);

  LimitProof kept(&group, limit, 1);
  kept.close();
  BOOST_TEST(kept.broken(work).empty());
  work.usage.cpu_time = std::chrono::milliseconds(900);
  BOOST_TEST_REQUIRE(kept.broken(work).size() == 1u);
  BOOST_TEST(kept.broken(work).front() == "the limit 20000/100000 did not apply: 0.900000 s of "
                                          "CPU time in 1.000000 s");

  work.usage.cpu_time = std::chrono::milliseconds(200);
  LimitProof changed(&group, limit, 1);
  group.limit(Bandwidth::parse("30000/100000"));
  changed.close();
  BOOST_TEST_REQUIRE(changed.broken(work).size() == 1u);
  BOOST_TEST(changed.broken(work).front() ==
             "the limit 20000/100000 reads back as 30000/100000 after the trial");
}

BOOST_AUTO_TEST_CASE(a_trial_that_outlives_its_deadline_failed_and_leaves_nothing) {
  const auto trial =
      trial_of("1000/1000000", "loops=1000000 tasks=processes", std::chrono::milliseconds(50));
  BOOST_TEST((trial.validity == TrialRecord::Validity::failed));
  BOOST_TEST(trial.reason.find("killed") != std::string::npos, trial.reason);
  BOOST_TEST(trial.readings.empty());
}

BOOST_AUTO_TEST_CASE(the_empty_workload_shows_what_the_gates_cost) {
  const auto trial = trial_of("group", "", std::chrono::minutes(1), "empty");
  BOOST_TEST((trial.validity == TrialRecord::Validity::valid), trial.reason);
  BOOST_TEST(trial.work == 1);
}

/// Sampled trials of a command line.
std::vector<TrialRecord> sampled_trials(const std::string& line, const std::string& counting,
                                        int trials, Symbols& symbols) {
  const CgroupSubtree subtree(*machine().groups);
  const Cell cell{"command", "line=" + line, "same-cpu",
                  "none",    counting,       std::string(profile_pass)};
  const auto sampling = Sampling::probe(*machine().perf, machine().counting, counting,
                                        machine().place("same-cpu").cpus());
  std::vector<TrialRecord> records;
  for (int i = 0; i < trials; ++i)
    records.push_back(run_trial(cell, {Pass{}, cell.parameters, sampling},
                                {machine(), &subtree, &symbols}, {std::chrono::minutes(1), {}}));
  return records;
}

BOOST_AUTO_TEST_CASE(a_sampled_trial_tells_functions_and_a_planted_one_is_found) {
  if (machine().counting.default_counting() == "off") {
    BOOST_TEST_MESSAGE("skipped: nothing can be sampled here");
    return;
  }
  Symbols symbols;
  for (const std::string counting : {"task", "cpu"}) {
    if (counting == "cpu" && !machine().counting.cpu_wide)
      continue;
    std::vector<ProfileRecord> cold, hot;
    for (auto [line, profiles] :
         {std::pair(SCHEDRIG_PLANTED "%20cold", &cold), std::pair(SCHEDRIG_PLANTED "%20hot", &hot)})
      for (const auto& trial : sampled_trials(line, counting, 5, symbols)) {
        BOOST_REQUIRE_MESSAGE(trial.validity == TrialRecord::Validity::valid, trial.reason);
        BOOST_TEST(trial.readings.empty());
        BOOST_REQUIRE(trial.profile.has_value());
        BOOST_TEST(trial.profile->samples > 0);
        BOOST_TEST(trial.profile->lost == 0);
        profiles->push_back(*trial.profile);
      }
    const auto comparison = compare_profiles(cold, hot);
    const auto planted = std::find_if(
        comparison.functions.begin(), comparison.functions.end(), [](const FunctionShare& row) {
          return row.function.name == "(anonymous namespace)::planted(unsigned int)";
        });
    BOOST_REQUIRE(planted != comparison.functions.end());
    BOOST_TEST(planted->function.object == "schedrig_planted");
    BOOST_TEST(planted->differs);
    BOOST_TEST(*planted->difference.estimate > 0);
    BOOST_TEST(*planted->base_percent == 0);
  }
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_a_trial_that_is_running) {
  const CgroupSubtree subtree(*machine().groups);
  const Cell cell{
      "pipe-ping-pong", "loops=1000000000 tasks=processes", "same-cpu", "group", "off", ""};
  int asked = 0;
  BOOST_CHECK_THROW(run_trial(cell, {Pass{}, cell.parameters}, {machine(), &subtree},
                              {std::chrono::minutes(1), [&] { return ++asked > 1; }}),
                    Interrupted);
}

BOOST_AUTO_TEST_SUITE_END()

int main(int count, char** words) {
  if (!machine().groups) {
    std::printf("skipped: %s\n", machine().no_groups->what());
    return 77;
  }
  return boost::unit_test::unit_test_main([] { return true; }, count, words);
}
