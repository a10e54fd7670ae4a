#include "pinning/cgroup/control_files.hpp"

#include <cstdlib>

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;
using std::chrono::microseconds;
using Version = CgroupMount::Version;

namespace {

/// A folder with the files of an unlimited group.
class Files : public TemporaryFolder {
public:
  explicit Files(Version version) {
    if (version == Version::v1) {
      put("cpu.cfs_quota_us", "-1\n");
      put("cpu.cfs_period_us", "100000\n");
      put("cpu.cfs_burst_us", "0\n");
    } else {
      put("cpu.max", "max 100000\n");
      put("cpu.max.burst", "0\n");
    }
  }
  std::string text(const std::string& file) const { return read_whole(path() / file); }
};

std::optional<CpuBandwidth> limit(microseconds::rep quota, microseconds::rep period,
                                  microseconds::rep burst = 0) {
  return CpuBandwidth{microseconds(quota), microseconds(period), microseconds(burst)};
}

} // namespace

BOOST_AUTO_TEST_SUITE(control_files)

BOOST_AUTO_TEST_CASE(writes_and_reads_a_v1_limit) {
  const Files group(Version::v1);
  write_limit(Version::v1, group.path(), limit(20'000, 50'000, 7'000));
  // A plain file keeps what it held behind a shorter text; the kernel's do not.
  BOOST_TEST(group.text("cpu.cfs_quota_us").starts_with("20000"));
  BOOST_TEST(group.text("cpu.cfs_period_us").starts_with("50000"));
  BOOST_TEST(group.text("cpu.cfs_burst_us").starts_with("7000"));
}

BOOST_AUTO_TEST_CASE(writes_and_reads_a_v2_limit) {
  const Files group(Version::v2);
  write_limit(Version::v2, group.path(), limit(20'000, 50'000, 7'000));
  BOOST_TEST(group.text("cpu.max") == "20000 50000");
  BOOST_TEST(group.text("cpu.max.burst") == "7000");
  BOOST_TEST((read_limit(Version::v2, group.path()).limit() == limit(20'000, 50'000, 7'000)));
}

BOOST_AUTO_TEST_CASE(reads_no_limit_as_none) {
  const Files v1(Version::v1), v2(Version::v2);
  BOOST_TEST(!read_limit(Version::v1, v1.path()).limit());
  BOOST_TEST(!read_limit(Version::v2, v2.path()).limit());
  BOOST_TEST(read_limit(Version::v2, v2.path()).period.count() == 100'000);
}

BOOST_AUTO_TEST_CASE(reads_a_limit_of_a_kernel_without_burst) {
  const TemporaryFolder group;
  group.put("cpu.max", "20000 100000\n");
  BOOST_TEST((read_limit(Version::v2, group.path()).limit() == limit(20'000, 100'000)));
  BOOST_CHECK_EXCEPTION(write_limit(Version::v2, group.path(), limit(20'000, 100'000, 1)),
                        Unavailable, tells("this kernel has no CPU burst"));
  write_limit(Version::v2, group.path(), limit(30'000, 100'000));
  BOOST_TEST(read_whole(group.path() / "cpu.max").starts_with("30000 100000"));
}

BOOST_AUTO_TEST_CASE(says_when_the_kernel_cannot_limit) {
  const TemporaryFolder group;
  BOOST_CHECK_EXCEPTION(read_limit(Version::v1, group.path()), Unavailable,
                        tells("CONFIG_CFS_BANDWIDTH"));
  BOOST_CHECK_EXCEPTION(write_limit(Version::v2, group.path(), limit(20'000, 100'000)), Unavailable,
                        tells("this kernel cannot limit a group's CPU time"));
  BOOST_CHECK_THROW(read_limit(Version::v1, group.path() / "gone"), OsError);
}

BOOST_AUTO_TEST_CASE(refuses_control_files_that_hold_no_number) {
  const Files v1(Version::v1), v2(Version::v2);
  v1.put("cpu.cfs_quota_us", "-2\n");
  BOOST_CHECK_EXCEPTION(read_limit(Version::v1, v1.path()), BadInput, tells("cpu.cfs_quota_us"));
  v2.put("cpu.max", "20000\n");
  BOOST_CHECK_EXCEPTION(read_limit(Version::v2, v2.path()), BadInput, tells("cpu.max"));
}

BOOST_AUTO_TEST_CASE(reads_the_usage_of_a_v1_group_that_has_cpuacct_too) {
  const TemporaryFolder group;
  group.put("cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
  BOOST_TEST(!read_stat(Version::v1, group.path()).usage);
  group.put("cpuacct.usage", "123456\n");
  BOOST_TEST(read_stat(Version::v1, group.path()).usage->count() == 123'456);
}

BOOST_AUTO_TEST_CASE(lists_processes_also_those_it_cannot_see) {
  const TemporaryFolder group;
  group.put("cgroup.procs", "12\n0\n345\n");
  BOOST_TEST(read_processes(group.path()) == (std::vector<pid_t>{12, 0, 345}),
             boost::test_tools::per_element());
  group.put("cgroup.procs", "");
  BOOST_TEST(read_processes(group.path()).empty());
  group.put("cgroup.procs", "12 13\n");
  BOOST_CHECK_THROW(read_processes(group.path()), BadInput);
}

BOOST_AUTO_TEST_CASE(knows_cpu_from_cpuset) {
  const TemporaryFolder group;
  group.put("cgroup.subtree_control", "cpuset io memory\n");
  BOOST_TEST(!hands_cpu_down(group.path()));
  group.put("cgroup.subtree_control", "cpuset cpu io\n");
  BOOST_TEST(hands_cpu_down(group.path()));
}

BOOST_AUTO_TEST_CASE(never_kills_its_own_process_group_or_itself) {
  const TemporaryFolder group;
  group.put("cgroup.procs", "0\n" + std::to_string(::getpid()) + "\n");
  BOOST_TEST(!kill_processes(Version::v1, {group.path()}, std::chrono::milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(has_nothing_to_kill_in_an_empty_group_and_leaves_its_limit) {
  const Files group(Version::v2);
  group.put("cgroup.procs", "");
  group.put("cpu.max", "20000 100000\n");
  BOOST_TEST(kill_processes(Version::v2, {group.path()}, std::chrono::milliseconds(0)));
  BOOST_TEST(group.text("cpu.max") == "20000 100000\n");
}

BOOST_AUTO_TEST_CASE(removes_an_empty_folder_and_says_why_not_a_full_one) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "group");
  BOOST_TEST(remove_group(folder.path() / "group", std::chrono::milliseconds(0)) == 0);
  BOOST_TEST(remove_group(folder.path() / "group", std::chrono::milliseconds(0)) == 0);
  folder.put("full/file", "");
  BOOST_TEST(remove_group(folder.path() / "full", std::chrono::milliseconds(0)) == ENOTEMPTY);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cpu_stat)

BOOST_AUTO_TEST_CASE(reads_v1_in_nanoseconds) {
  const auto stat = CpuStat::parse("nr_periods 42\nnr_throttled 41\nthrottled_time 3300123456\n"
                                   "nr_bursts 2\nburst_time 5000\nwait_sum 7\n");
  BOOST_TEST(stat.periods == 42);
  BOOST_TEST(stat.throttled == 41);
  BOOST_TEST(stat.throttled_time.count() == 3'300'123'456);
  BOOST_TEST(stat.bursts == 2);
  BOOST_TEST(stat.burst_time.count() == 5'000);
  BOOST_TEST(!stat.usage);
}

BOOST_AUTO_TEST_CASE(reads_v2_in_microseconds) {
  const auto stat = CpuStat::parse(
      "usage_usec 850\nuser_usec 800\nsystem_usec 50\nnice_usec 0\ncore_sched.force_idle_usec 0\n"
      "nr_periods 42\nnr_throttled 41\nthrottled_usec 3300\nnr_bursts 2\nburst_usec 5\n");
  BOOST_TEST(stat.usage->count() == 850'000);
  BOOST_TEST(stat.throttled_time.count() == 3'300'000);
  BOOST_TEST(stat.burst_time.count() == 5'000);
  BOOST_TEST(stat.throttled == 41);
}

BOOST_AUTO_TEST_CASE(refuses_a_line_that_it_cannot_read) {
  BOOST_CHECK_EXCEPTION(CpuStat::parse("nr_periods\n"), BadInput,
                        tells("'nr_periods' is not a name and a number"));
  BOOST_CHECK_EXCEPTION(CpuStat::parse("nr_periods x\n"), BadInput,
                        tells("cpu.stat: nr_periods: 'x'"));
  BOOST_CHECK_THROW(CpuStat::parse("nr_throttled -1\n"), BadInput);
  BOOST_CHECK_THROW(CpuStat::parse("throttled_usec 9223372036854775807\n"), BadInput);
}

BOOST_AUTO_TEST_CASE(subtracts_and_adds_up) {
  const auto before =
      CpuStat::parse("nr_periods 1\nnr_throttled 1\nthrottled_usec 10\nusage_usec 100\n");
  const auto after =
      CpuStat::parse("nr_periods 5\nnr_throttled 3\nthrottled_usec 40\nusage_usec 300\n");
  auto used = after - before;
  BOOST_TEST(used.periods == 4);
  BOOST_TEST(used.throttled == 2);
  BOOST_TEST(used.throttled_time.count() == 30'000);
  BOOST_TEST(used.usage->count() == 200'000);
  used += used;
  BOOST_TEST(used.periods == 8);
  BOOST_TEST(used.usage->count() == 400'000);
  used += CpuStat{};
  BOOST_TEST(!used.usage);
}

BOOST_AUTO_TEST_SUITE_END()
