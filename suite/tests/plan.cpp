#include "suite/plan.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/cpu_set.hpp"
#include "suite/plan_file.hpp"

using namespace schedrig;

namespace {

Plan::Wish wish(std::vector<std::string> workloads) {
  Plan::Wish wish;
  wish.workloads = std::move(workloads);
  wish.seed = 7;
  return wish;
}

std::string refusal(const Plan::Wish& wish) {
  try {
    Plan{wish};
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(a_workload_alone_is_a_plan) {
  const Plan plan(wish({"pipe-ping-pong"}));
  const auto cells = plan.cells("cpu");
  BOOST_TEST_REQUIRE(cells.size() == 1);
  const Cell expected{"pipe-ping-pong",
                      "loops=100000 tasks=processes",
                      "same-cpu",
                      "none",
                      "cpu",
                      "cycles,instructions,branches"};
  BOOST_TEST((cells.front() == expected));
  BOOST_TEST(plan.repeat() == 10);
  BOOST_TEST(plan.warm_up() == 1);
}

BOOST_AUTO_TEST_CASE(a_profile_is_one_more_pass_and_comes_once_however_it_is_counted) {
  auto asked = wish({"pipe-ping-pong"});
  asked.passes = {"cycles"};
  asked.countings = {"auto", "off"};
  asked.profile = true;
  const auto cells = Plan(asked).cells("task");
  std::vector<std::string> passes;
  for (const auto& cell : cells)
    passes.push_back(cell.counting + " " + cell.pass);
  const std::vector<std::string> expected{"task cycles", "task profile", "off "};
  BOOST_TEST(passes == expected, boost::test_tools::per_element());
  BOOST_TEST(cells[1].is_profiled());
  BOOST_TEST(!cells[2].is_profiled());
}

BOOST_AUTO_TEST_CASE(a_plan_file_says_whether_to_profile_and_only_yes_or_no) {
  auto asked = wish({"pipe-ping-pong"});
  BOOST_TEST(Plan(asked).toml().find("profile") == std::string::npos);
  asked.profile = true;
  const auto toml = Plan(asked).toml();
  BOOST_TEST(toml.find("profile = true\n") != std::string::npos);
  BOOST_TEST(Plan(read_plan_text(toml, "plan")).toml() == toml);
  BOOST_CHECK_EXCEPTION(read_plan_text("profile = 1\n", "plan"), BadInput, [](const auto& error) {
    return std::string(error.what()) == "plan:1:11: 'profile' must be true or false";
  });
}

BOOST_AUTO_TEST_CASE(the_cells_are_the_product_of_the_lists_with_bandwidth_turning_fastest) {
  auto asked = wish({"pipe-ping-pong loops=1,2 tasks=threads,processes", "empty"});
  asked.bandwidths = {"none", "20000/100000"};
  asked.placements = {"same-cpu", "0-1"};
  const auto cells = Plan(asked).cells("task");
  BOOST_TEST_REQUIRE(cells.size() == (4 + 1) * 2 * 2);
  BOOST_TEST(cells[0].bandwidth == "none");
  BOOST_TEST(cells[1].bandwidth == "20000/100000");
  BOOST_TEST(cells[0].placement == "same-cpu");
  BOOST_TEST(cells[2].placement == "0-1");
  BOOST_TEST(cells[0].parameters == "loops=1 tasks=threads");
  BOOST_TEST(cells[4].parameters == "loops=1 tasks=processes");
  BOOST_TEST(cells[8].parameters == "loops=2 tasks=threads");
  BOOST_TEST(cells[16].workload == "empty");
}

BOOST_AUTO_TEST_CASE(automatic_counting_becomes_what_the_machine_can_do) {
  BOOST_TEST(Plan(wish({"empty"})).cells("task").front().counting == "task");
  auto off = wish({"empty"});
  off.countings = {"off"};
  BOOST_TEST(Plan(off).cells("cpu").front().counting == "off");
  BOOST_TEST(Plan(off).cells("cpu").front().pass == "");
}

BOOST_AUTO_TEST_CASE(a_plan_and_its_text_make_the_same_plan) {
  auto asked = wish({"pipe-ping-pong loops=1,2", "empty"});
  asked.bandwidths = {"none", "group:20000/100000+5000"};
  asked.placements = {"same-cpu", "3,1,2"};
  asked.passes = {"context-switches", "page-faults"};
  asked.deadline = std::chrono::seconds(9);
  asked.label = "a \"quoted\" \\ label\nin two lines";
  const Plan plan(asked);
  const Plan again(read_plan_text(plan.toml(), "plan"));
  BOOST_TEST(again.toml() == plan.toml());
  BOOST_TEST(again.digest() == plan.digest());
  BOOST_TEST(again.label() == asked.label);
  BOOST_TEST((again.cells("cpu") == plan.cells("cpu")));
}

BOOST_AUTO_TEST_CASE(a_text_with_blanks_and_commas_goes_through_a_plan_as_it_was) {
  const auto phrase = phrase_of({"command", "line=sh -c \"echo 007, 'a=b' 100%\""});
  const Plan plan(wish({phrase, "command line=\"\",007,0,12345678901234567890,\"%20\""}));
  const auto cells = plan.cells("cpu");
  BOOST_TEST_REQUIRE(cells.size() == 6u);
  BOOST_TEST(cells[0].parameters ==
             "line=sh%20-c%20%22echo%20007%2C%20'a=b'%20100%25%22 start=shell");
  BOOST_TEST(cells[1].parameters == "line= start=shell");
  BOOST_TEST(cells[2].parameters == "line=007 start=shell");
  BOOST_TEST(cells[5].parameters ==
             "line=%2520 start=shell"); // between quotes nothing is an escape
  const auto text = plan.toml();
  BOOST_TEST(text.find(R"(line = ["sh -c \"echo 007, 'a=b' 100%\""])") != std::string::npos, text);
  const Plan again(read_plan_text(text, "plan"));
  BOOST_TEST(again.toml() == text);
  BOOST_TEST((again.cells("cpu") == cells));
}

BOOST_AUTO_TEST_CASE(a_seed_that_is_not_given_is_chosen_and_kept) {
  auto asked = wish({"empty"});
  asked.seed.reset();
  const Plan plan(asked);
  BOOST_TEST(plan.toml().find(fmt::format("seed = {}\n", plan.seed())) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_given_twice_is_refused) {
  auto asked = wish({"empty"});
  asked.bandwidths = {"none", "20000/100000", "none"};
  BOOST_TEST(refusal(asked) == "bandwidth 'none' is given twice");
  BOOST_TEST(refusal(wish({"empty", "empty"})) == "workload empty is given twice");
  BOOST_TEST(refusal(wish({"pipe-test-100k", "pipe-ping-pong"})) ==
             "workload pipe-ping-pong with loops=100000 tasks=processes is given twice");
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_is_refused_with_the_range) {
  auto asked = wish({"empty"});
  asked.repeat = 0;
  BOOST_TEST(refusal(asked) == "repeat: 0 is out of range; allowed is 1 to 1000000");
  asked.repeat = -1;
  BOOST_TEST(refusal(asked) != "");
  asked.repeat = 1;
  asked.deadline = std::chrono::seconds(0);
  BOOST_TEST(refusal(asked) == "deadline: 0s is out of range; allowed is 1s to 86400s");
}

BOOST_AUTO_TEST_CASE(a_product_that_nobody_can_run_is_refused) {
  std::string loops = "pipe-ping-pong loops=1";
  for (int i = 2; i <= 1000; ++i)
    loops += fmt::format(",{}", i);
  auto asked = wish({loops});
  for (int i = 0; i < 200; ++i)
    asked.bandwidths.push_back(fmt::format("{}/100000", 1000 + i));
  BOOST_TEST(refusal(asked) == "the lists make 200000 cells; allowed is 1 to 100000");
}

BOOST_AUTO_TEST_CASE(what_is_no_placement_counting_or_event_is_refused) {
  auto asked = wish({"empty"});
  asked.placements = {"same-cpus"};
  BOOST_TEST(refusal(asked).find("did you mean 'same-cpu'?") != std::string::npos);
  asked.placements = {"1-0"};
  BOOST_TEST(refusal(asked).find("placement") != std::string::npos);
  asked = wish({"empty"});
  asked.countings = {"guess"};
  BOOST_TEST(refusal(asked) == "counting 'guess' is none of: auto, cpu, task, cgroup, system, off");
  asked = wish({"empty"});
  asked.passes = {"cycels"};
  BOOST_TEST(refusal(asked).find("cycles") != std::string::npos);
  BOOST_TEST(refusal(wish({})) == "a workload is missing; 'schedrig list workloads' shows them");
}

BOOST_AUTO_TEST_CASE(an_experiment_is_its_workloads_each_with_its_own_number_of_trials) {
  const Plan plan(wish({"unixbench copies=1,3"}));
  const auto cells = plan.cells("cpu");
  BOOST_TEST_REQUIRE(cells.size() == 24u);
  BOOST_TEST(cells[0].workload == "dhrystone");
  BOOST_TEST(cells[0].parameters == "seconds=10 loops=0 copies=1");
  BOOST_TEST(cells[0].placement == "all");
  BOOST_TEST(plan.repeat_of(cells[0]) == 10);
  BOOST_TEST(cells[14].workload == "execl-loop");
  BOOST_TEST(cells[14].parameters == "seconds=30 execs=0 linking=dynamic copies=3");
  BOOST_TEST(plan.repeat_of(cells[14]) == 3);
  BOOST_TEST(plan.warm_up() == 0);
}

BOOST_AUTO_TEST_CASE(an_experiment_has_a_copy_a_cpu_of_its_placement) {
  const auto copies = [](const std::string& placement) {
    auto asked = wish({"unixbench"});
    asked.placements = {placement};
    const auto text = Plan(asked).toml();
    const auto begin = text.find("copies = ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  BOOST_TEST(copies("same-cpu") == "copies = [1]");
  BOOST_TEST(copies("same-llc") == "copies = [1, 2]");
  BOOST_TEST(copies("0-3,8") == "copies = [1, 5]");
  const auto usable = own_affinity().size();
  BOOST_TEST(copies("all") ==
             (usable == 1 ? "copies = [1]" : fmt::format("copies = [1, {}]", usable)));
}

BOOST_AUTO_TEST_CASE(an_experiment_and_its_text_make_the_same_plan) {
  const Plan plan(wish({"unixbench copies=0,7 seconds=2 passes=4"}));
  const Plan again(read_plan_text(plan.toml(), "plan"));
  BOOST_TEST(again.toml() == plan.toml());
  BOOST_TEST((again.cells("cpu") == plan.cells("cpu")));
  BOOST_TEST(again.repeat_of(again.cells("cpu").front()) == 4);
  auto mixed = wish({"unixbench copies=2", "empty"});
  mixed.placements = {"all"};
  mixed.repeat = 5;
  const Plan both(mixed);
  BOOST_TEST(both.repeat_of(both.cells("cpu").front()) == 10);
  BOOST_TEST(both.repeat_of(both.cells("cpu").back()) == 5);
  BOOST_TEST(Plan(read_plan_text(both.toml(), "plan")).toml() == both.toml());
}

BOOST_AUTO_TEST_CASE(what_an_experiment_cannot_take_is_refused_with_what_it_can) {
  auto asked = wish({"unixbench"});
  asked.repeat = 2;
  BOOST_TEST(refusal(asked) == "repeat: the tests of unixbench have numbers of their own; "
                               "'unixbench passes=2' changes them");
  asked = wish({"unixbench"});
  asked.placements = {"all", "same-cpu"};
  BOOST_TEST(refusal(asked) == "workload unixbench: parameter copies: with several placements "
                               "there is no usual number; write copies=1,4");
  BOOST_TEST(refusal(wish({"unixbench", "empty"})) ==
             "placement: usual is 'all' for unixbench but 'same-cpu' for the other workloads of "
             "this plan; say where they run");
  BOOST_TEST(refusal(wish({"unixbench copies=2,2"})).ends_with(" is given twice"));
  BOOST_TEST(refusal(wish({"unixbench tests=2"})).find("there is: copies, seconds, passes") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(plan_file)

namespace {

std::string file_refusal(std::string_view text) {
  try {
    read_plan_text(text, "grid.toml");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

} // namespace

BOOST_AUTO_TEST_CASE(one_text_or_a_list_is_taken_for_every_list) {
  const auto wish = read_plan_text(
      "placement = \"all\"\nbandwidth = [\"none\", \"group\"]\n"
      "[[workload]]\nname = \"pipe-ping-pong\"\nloops = [1, 20]\ntasks = \"threads\"\n",
      "grid.toml");
  BOOST_TEST(wish.placements == std::vector<std::string>{"all"}, boost::test_tools::per_element());
  BOOST_TEST(wish.bandwidths.size() == 2);
  BOOST_TEST_REQUIRE(wish.workloads.size() == 1);
  BOOST_TEST(wish.workloads.front() == "pipe-ping-pong loops=1,20 tasks=threads");
}

BOOST_AUTO_TEST_CASE(a_text_in_a_plan_file_is_taken_as_it_stands) {
  const auto wish = read_plan_text(
      "[[workload]]\nname = \"command\"\nline = ['echo \"a, b\" %20', \"true\"]\n", "grid.toml");
  BOOST_TEST_REQUIRE(wish.workloads.size() == 1);
  BOOST_TEST(wish.workloads.front() == "command line=echo%20%22a%2C%20b%22%20%2520,true");
  BOOST_TEST(file_refusal("[[workload]]\nname = \"pipe-ping-pong\"\nloops = \"1,2\"\n")
                 .find("parameter loops: '1,2' is not a number") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_key_that_no_plan_has_is_refused_with_its_place_and_the_nearest) {
  BOOST_TEST(file_refusal("repeat = 3\nbandwith = [\"none\"]\n") ==
             "grid.toml:2:1: a plan has no 'bandwith'; did you mean 'bandwidth'?");
}

BOOST_AUTO_TEST_CASE(a_syntax_error_is_refused_with_its_place) {
  BOOST_TEST(file_refusal("repeat = 3\nseed = \n").rfind("grid.toml:2:", 0) == 0);
}

BOOST_AUTO_TEST_CASE(a_value_of_the_wrong_kind_is_refused_with_its_place) {
  BOOST_TEST(file_refusal("repeat = \"many\"\n") ==
             "grid.toml:1:10: 'repeat' must be a whole number from 0 to 2147483647");
  BOOST_TEST(file_refusal("\nrepeat = 1e99\n").rfind("grid.toml:2:10: ", 0) == 0);
  BOOST_TEST(file_refusal("placement = []\n") == "grid.toml:1:13: 'placement' is an empty list");
  BOOST_TEST(file_refusal("placement = [1.5]\n").rfind("grid.toml:1:14: ", 0) == 0);
}

BOOST_AUTO_TEST_CASE(a_value_that_no_plan_takes_is_refused_with_its_place) {
  const auto quota = file_refusal("repeat = 3\nbandwidth = [\"none\", \"500/100000\"]\n");
  BOOST_TEST(quota.rfind("grid.toml:2:", 0) == 0, quota);
  BOOST_TEST(quota.find("500") != std::string::npos, quota);
  BOOST_TEST(file_refusal("repeat = 0\n").rfind("grid.toml:1:10: repeat: 0 is out of range", 0) ==
             0);
  const auto workload = file_refusal("repeat = 3\n\n[[workload]]\nname = \"pipe-pong\"\n");
  BOOST_TEST(workload.rfind("grid.toml:3:", 0) == 0, workload);
  BOOST_TEST(file_refusal("[[workload]]\nloops = 3\n").find("lacks its name") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
