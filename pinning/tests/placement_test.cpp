#include "pinning/placement.hpp"

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;

namespace {

/// The chosen CPUs in order, such as "13 15".
std::string chosen(std::string_view name, const std::string& machine,
                   std::string_view allowed = "0-8191", std::string_view isolated = "") {
  const auto placement = Placement::choose(name, Topology::synthetic(machine),
                                           CpuSet::parse(allowed), CpuSet::parse(isolated));
  std::string text;
  for (const int cpu : placement.order())
    text += (text.empty() ? "" : " ") + std::to_string(cpu);
  return text;
}

constexpr const char* two_packages = "pack:2 core:4 pu:2";
constexpr const char* two_caches = "pack:1 l3:2 core:4 pu:2";
constexpr const char* two_nodes = "node:2 pack:1 l3:1 core:4 pu:1";
constexpr const char* one_core = "pack:1 core:1 pu:1";

} // namespace

BOOST_AUTO_TEST_SUITE(placement)

BOOST_AUTO_TEST_CASE(chooses_from_the_end_of_the_machine) {
  BOOST_TEST(chosen("same-cpu", two_packages) == "15");
  BOOST_TEST(chosen("smt-pair", two_packages) == "14 15");
  BOOST_TEST(chosen("same-llc", two_packages) == "13 15");
  BOOST_TEST(chosen("cross-llc", two_caches) == "7 15");
  BOOST_TEST(chosen("cross-node", two_nodes) == "3 7");
  BOOST_TEST(chosen("all", two_nodes) == "0 1 2 3 4 5 6 7");
  BOOST_TEST(chosen("2,0-1", two_nodes) == "0 1 2");
}

BOOST_AUTO_TEST_CASE(stays_within_the_allowed_cpus) {
  BOOST_TEST(chosen("same-cpu", two_packages, "0-6") == "6");
  BOOST_TEST(chosen("smt-pair", two_packages, "0-6") == "4 5");
  BOOST_TEST(chosen("same-llc", two_packages, "0-6") == "5 6");
  BOOST_TEST(chosen("cross-llc", two_caches, "0-9") == "7 9");
  BOOST_TEST(chosen("cross-node", two_nodes, "0-4") == "3 4");
  BOOST_TEST(chosen("all", two_nodes, "1-2,9") == "1 2");
}

BOOST_AUTO_TEST_CASE(prefers_isolated_cpus) {
  BOOST_TEST(chosen("same-cpu", two_packages, "0-15", "2-5") == "5");
  BOOST_TEST(chosen("smt-pair", two_packages, "0-15", "2-5") == "4 5");
  BOOST_TEST(chosen("same-llc", two_packages, "0-15", "2-5") == "3 5");
  BOOST_TEST(chosen("cross-node", two_nodes, "0-7", "1,5") == "1 5");
  BOOST_TEST(chosen("cross-node", two_nodes, "0-7", "1") == "1 7");
}

BOOST_AUTO_TEST_CASE(binds_each_task_to_one_cpu_in_turn) {
  const auto pair =
      Placement::choose("same-llc", Topology::synthetic(two_packages), CpuSet::parse("0-15"));
  BOOST_TEST(pair.pinned());
  BOOST_TEST(pair.for_task(0).text() == "13");
  BOOST_TEST(pair.for_task(1).text() == "15");
  BOOST_TEST(pair.for_task(2).text() == "13");
  BOOST_TEST(pair.cpus().text() == "13,15");
}

BOOST_AUTO_TEST_CASE(leaves_tasks_free_within_a_list) {
  const auto list =
      Placement::choose("0-1,3", Topology::synthetic(two_packages), CpuSet::parse("0-15"));
  BOOST_TEST(list.name() == "0-1,3");
  BOOST_TEST(!list.pinned());
  BOOST_TEST(list.for_task(1).text() == "0-1,3");
  BOOST_TEST(
      Placement::choose("3", Topology::synthetic(two_packages), CpuSet::parse("0-15")).pinned());
}

BOOST_AUTO_TEST_CASE(says_what_the_topology_cannot_give) {
  BOOST_CHECK_EXCEPTION(chosen("smt-pair", two_nodes), Unavailable,
                        tells("smt-pair: no core of this machine has two PUs"));
  BOOST_CHECK_EXCEPTION(chosen("smt-pair", two_nodes), Unavailable, tells("without nosmt"));
  BOOST_CHECK_EXCEPTION(
      chosen("same-llc", one_core), Unavailable,
      tells("same-llc: no last-level cache of this machine is shared by two cores"));
  BOOST_CHECK_EXCEPTION(chosen("cross-llc", two_nodes), Unavailable,
                        tells("cross-llc: no node of this machine has two last-level caches"));
  BOOST_CHECK_EXCEPTION(chosen("cross-node", two_caches), Unavailable,
                        tells("cross-node: this machine has one node only"));
}

BOOST_AUTO_TEST_CASE(says_when_only_the_allowed_cpus_are_in_the_way) {
  BOOST_CHECK_EXCEPTION(chosen("smt-pair", two_packages, "0,2,4"), Unavailable,
                        tells("smt-pair: the allowed CPUs 0,2,4 hold no such two"));
  BOOST_CHECK_EXCEPTION(
      chosen("same-cpu", two_packages, "20-30"), Unavailable,
      tells("same-cpu: none of the allowed CPUs (20-30) is among the machine's (0-15)"));
}

BOOST_AUTO_TEST_CASE(refuses_listed_cpus_that_are_not_allowed) {
  BOOST_CHECK_EXCEPTION(chosen("0-3,8", two_packages, "0-3"), BadInput,
                        tells("placement '0-3,8': CPU 8 is not among the allowed CPUs 0-3"));
  BOOST_CHECK_EXCEPTION(chosen("16", two_packages), BadInput,
                        tells("CPU 16 is not among the allowed CPUs 0-15"));
  BOOST_CHECK_EXCEPTION(chosen("3-1", two_packages), BadInput, tells("runs backwards"));
}

BOOST_AUTO_TEST_CASE(refuses_unknown_names_and_offers_the_nearest) {
  BOOST_CHECK_EXCEPTION(chosen("same-lcl", two_packages), BadInput,
                        tells("placement 'same-lcl' is not known (did you mean 'same-llc'?)"));
  BOOST_CHECK_EXCEPTION(chosen("", two_packages), BadInput,
                        tells("allowed is same-cpu, smt-pair, same-llc"));
}

BOOST_AUTO_TEST_CASE(refuses_one_without_a_cpu) {
  BOOST_CHECK_THROW(Placement("same-cpu", {}, Placement::Tasks::each_on_one), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
