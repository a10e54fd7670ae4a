#include "pinning/cpu_set.hpp"

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(cpu_set)

BOOST_AUTO_TEST_CASE(prints_runs_as_the_kernel_does) {
  BOOST_TEST(CpuSet({8, 3, 0, 1, 2, 3}).text() == "0-3,8");
  BOOST_TEST(CpuSet({0, 1}).text() == "0-1");
  BOOST_TEST(CpuSet({5}).text() == "5");
  BOOST_TEST(CpuSet().text() == "");
  BOOST_TEST(CpuSet({0, 2, 4, 8191}).text() == "0,2,4,8191");
}

BOOST_AUTO_TEST_CASE(reads_what_it_prints) {
  for (const auto* text : {"", "0", "0-3,8", "1,3,5-7,1024-2047", "8191"})
    BOOST_TEST(CpuSet::parse(text).text() == text);
  BOOST_TEST(CpuSet::parse(" 0-1\n").text() == "0-1");
  BOOST_TEST(CpuSet::parse("3,1-2,2").text() == "1-3");
}

BOOST_AUTO_TEST_CASE(refuses_what_is_not_a_list_and_says_which_part) {
  BOOST_CHECK_EXCEPTION(CpuSet::parse("0-3,x"), BadInput,
                        tells("CPU list '0-3,x': 'x' is not a number; allowed is 0 to 8191"));
  BOOST_CHECK_EXCEPTION(CpuSet::parse("0,8192", "isolcpus"), BadInput,
                        tells("isolcpus '0,8192': '8192' is out of range; allowed is 0 to 8191"));
  BOOST_CHECK_EXCEPTION(CpuSet::parse("99999999999"), BadInput, tells("is out of range"));
  BOOST_CHECK_EXCEPTION(CpuSet::parse("3-1"), BadInput, tells("'3-1' runs backwards"));
  for (const auto* text :
       {",", "0,", ",0", "0,,1", "-1", "1-", "0 1", "0, 1", "0-3:2", "0x1", "+1"})
    BOOST_CHECK_THROW(CpuSet::parse(text), BadInput);
}

BOOST_AUTO_TEST_CASE(refuses_numbers_that_no_cpu_has) {
  BOOST_CHECK_EXCEPTION(CpuSet({0, -1}), BadInput, tells("CPU -1 is out of range"));
  BOOST_CHECK_EXCEPTION(CpuSet({0, 8192}), BadInput, tells("CPU 8192 is out of range"));
}

BOOST_AUTO_TEST_CASE(is_a_set) {
  const CpuSet a({0, 1, 2}), b({2, 3});
  BOOST_TEST((a | b).text() == "0-3");
  BOOST_TEST((a & b).text() == "2");
  BOOST_TEST((a - b).text() == "0-1");
  BOOST_TEST(a.contains(2));
  BOOST_TEST(!a.contains(3));
  BOOST_TEST(a.contains(CpuSet({0, 2})));
  BOOST_TEST(!a.contains(b));
  BOOST_TEST(a.contains(CpuSet()));
}

BOOST_AUTO_TEST_CASE(binds_the_thread_and_reads_it_back) {
  const auto before = own_affinity();
  const CpuSet last({before.cpus().back()});
  bind_self(last);
  BOOST_TEST(own_affinity().text() == last.text());
  bind_self(before);
  BOOST_TEST(own_affinity().text() == before.text());
}

BOOST_AUTO_TEST_CASE(tells_when_it_cannot_bind) {
  const auto error_of = [](const CpuSet& cpus) {
    try {
      bind_self(cpus);
    } catch (const OsError& error) {
      return error.error();
    }
    return 0;
  };
  const auto before = own_affinity();
  BOOST_TEST(error_of(CpuSet({CpuSet::largest_cpu})) == EINVAL);
  BOOST_TEST(error_of(before | CpuSet({CpuSet::largest_cpu})) == EXDEV);
  BOOST_TEST(error_of(CpuSet()) == EINVAL);
  bind_self(before);
}

BOOST_AUTO_TEST_SUITE_END()
