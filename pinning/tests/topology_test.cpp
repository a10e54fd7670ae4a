#include "pinning/topology.hpp"

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(topology)

BOOST_AUTO_TEST_CASE(tells_what_each_pu_shares) {
  const auto machine = Topology::synthetic("pack:2 l3:2 core:2 pu:2");
  const auto& pus = machine.pus();
  BOOST_REQUIRE(pus.size() == 16u);
  BOOST_TEST(machine.cpus().text() == "0-15");
  BOOST_TEST(pus[0].core == pus[1].core);
  BOOST_TEST(pus[1].core != pus[2].core);
  BOOST_TEST(pus[1].llc == pus[2].llc);
  BOOST_TEST(pus[3].llc != pus[4].llc);
  BOOST_TEST(pus[3].package == pus[4].package);
  BOOST_TEST(pus[7].package != pus[8].package);
  BOOST_TEST(pus[15].core == 7);
  BOOST_TEST(pus[15].core_kind == -1);
}

BOOST_AUTO_TEST_CASE(takes_the_package_for_a_last_level_cache_that_is_not_told) {
  const auto machine = Topology::synthetic("pack:2 core:2 pu:1");
  BOOST_TEST(machine.pus()[0].llc == machine.pus()[1].llc);
  BOOST_TEST(machine.pus()[1].llc != machine.pus()[2].llc);
}

BOOST_AUTO_TEST_CASE(numbers_nodes_and_sums_up) {
  const auto machine = Topology::synthetic("node:2 pack:1 l3:1 core:4 pu:1");
  BOOST_TEST(machine.pus()[3].node == 0);
  BOOST_TEST(machine.pus()[4].node == 1);
  BOOST_TEST(machine.summary() == "2 packages, 2 nodes, 2 last-level caches, 8 cores, 8 PUs");
  BOOST_TEST(Topology::synthetic("pack:1 l3:1 core:1 pu:2").summary() ==
             "1 package, 1 node, 1 last-level cache, 1 core, 2 PUs");
}

BOOST_AUTO_TEST_CASE(refuses_a_text_that_hwloc_does_not_take) {
  BOOST_CHECK_EXCEPTION(Topology::synthetic("pack:x"), BadInput,
                        tells("synthetic topology 'pack:x'"));
  BOOST_CHECK_THROW(Topology::synthetic(""), BadInput);
}

BOOST_AUTO_TEST_CASE(knows_that_a_synthetic_machine_is_not_this_one) {
  BOOST_TEST(!Topology::synthetic("core:2 pu:2").is_this_machine());
}

BOOST_AUTO_TEST_CASE(loads_this_machine) {
  const auto machine = Topology::this_machine();
  BOOST_TEST(machine.is_this_machine());
  BOOST_TEST(machine.cpus().contains(own_affinity()));
}

BOOST_AUTO_TEST_CASE(describes_the_machine_and_not_the_boot) {
  const auto text = Topology::this_machine().description();
  BOOST_TEST(text == Topology::this_machine().description());
  BOOST_TEST(text.find("type=\"PU\"") != std::string::npos);
  for (const auto* word :
       {"<info", "HostName", "OSRelease", "page_type", "local_memory", "gp_index"})
    BOOST_TEST(text.find(word) == std::string::npos, word);
  BOOST_TEST(Topology::synthetic("core:2 pu:2").description() !=
             Topology::synthetic("core:2 pu:1").description());
}

BOOST_AUTO_TEST_SUITE_END()
