// Machines with cores of two kinds, which hwloc's synthetic text cannot describe: its XML can.

#include "pinning/placement.hpp"

#include <cstdlib>

#include <boost/test/unit_test.hpp>

#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;

namespace {

/// `machine` with two kinds of cores: the efficient ones and the fast ones, as hwloc's bit masks.
Topology hybrid(const std::string& machine, const std::string& efficient, const std::string& fast) {
  auto xml = Topology::synthetic(machine).description();
  xml.insert(xml.find("</topology>"), "<cpukind cpuset=\"" + efficient +
                                          "\" forced_efficiency=\"0\"/>\n<cpukind cpuset=\"" +
                                          fast + "\" forced_efficiency=\"1\"/>\n");
  const TemporaryFolder folder;
  folder.put("hybrid.xml", xml);
  ::setenv("HWLOC_XMLFILE", (folder.path() / "hybrid.xml").c_str(), 1);
  auto topology = Topology::this_machine();
  ::unsetenv("HWLOC_XMLFILE");
  return topology;
}

std::string chosen(std::string_view name, const Topology& machine, std::string_view isolated = "") {
  const auto all = machine.cpus();
  return Placement::choose(name, machine, all, CpuSet::parse(isolated)).cpus().text();
}

} // namespace

BOOST_AUTO_TEST_SUITE(hybrid_machines)

BOOST_AUTO_TEST_CASE(are_not_this_machine_when_read_from_a_file) {
  BOOST_TEST(!hybrid("pack:1 l3:1 core:4 pu:1", "0x0000000c", "0x00000003").is_this_machine());
}

BOOST_AUTO_TEST_CASE(give_their_fast_cores_although_the_others_come_last) {
  const auto machine = hybrid("pack:1 l3:1 core:8 pu:1", "0x000000f0", "0x0000000f");
  BOOST_TEST(machine.pus()[0].core_kind == 1);
  BOOST_TEST(machine.pus()[7].core_kind == 0);
  BOOST_TEST(chosen("same-cpu", machine) == "3");
  BOOST_TEST(chosen("same-llc", machine) == "2-3");
}

BOOST_AUTO_TEST_CASE(give_a_pair_of_one_kind) {
  const auto machine = hybrid("pack:1 l3:1 core:4 pu:1", "0x0000000e", "0x00000001");
  BOOST_TEST(chosen("same-llc", machine) == "2-3");
  BOOST_TEST(chosen("same-cpu", machine) == "0");
  BOOST_TEST(chosen("same-cpu", machine, "1") == "1");
}

BOOST_AUTO_TEST_CASE(refuse_a_pair_of_two_kinds) {
  const auto machine = hybrid("pack:1 l3:2 core:2 pu:1", "0x0000000c", "0x00000003");
  BOOST_CHECK_EXCEPTION(
      chosen("cross-llc", machine), Unavailable,
      tells("cross-llc: only cores of different kinds lie like that on this machine"));
}

BOOST_AUTO_TEST_SUITE_END()
