#include "pinning/cgroup/mount.hpp"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;
using Version = CgroupMount::Version;

namespace {

/// A machine in a folder: its /proc/self and the control groups that a test lays out.
class Machine : public TemporaryFolder {
public:
  Machine(std::string_view memberships, std::string_view mounts) {
    put("proc/self/cgroup", memberships);
    put("proc/self/mountinfo", mounts);
  }
  void put_v1(const std::string& group) const { put(group + "/cgroup.procs", ""); }
  void put_v2(const std::string& group, std::string_view controllers, std::string_view handed_down,
              std::string_view processes = "") const {
    put(group + "/cgroup.controllers", controllers);
    put(group + "/cgroup.subtree_control", handed_down);
    put(group + "/cgroup.procs", processes);
    if (group != "sys/fs/cgroup")
      put(group + "/cgroup.type", "domain\n");
  }
  /// Where groups would be made, below the machine.
  std::string parent(Version version) const {
    const auto mount = CgroupMount::find(path());
    BOOST_TEST((mount.version() == version));
    return mount.parent().lexically_relative(path());
  }
  std::string refusal() const {
    try {
      return "found " + CgroupMount::find(path()).parent().native();
    } catch (const Unavailable& error) {
      return error.what();
    }
  }
};

const std::string own_process = std::to_string(::getpid()) + "\n";

constexpr const char* v2_mount =
    "30 1 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* hybrid_mounts =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 master:1 - cgroup cgroup "
    "rw,cpu,cpuacct\n"
    "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(mount)

BOOST_AUTO_TEST_CASE(finds_v1_on_a_hybrid_machine) {
  const Machine machine("9:name=systemd:/\n3:cpuset:/\n1:cpu,cpuacct:/lab\n0::/\n", hybrid_mounts);
  machine.put_v1("sys/fs/cgroup/cpu,cpuacct/lab");
  BOOST_TEST(machine.parent(Version::v1) == "sys/fs/cgroup/cpu,cpuacct/lab");
}

BOOST_AUTO_TEST_CASE(works_below_the_root_group_without_a_slash_too_many) {
  const Machine machine("1:cpu,cpuacct:/\n0::/\n", hybrid_mounts);
  machine.put_v1("sys/fs/cgroup/cpu,cpuacct");
  BOOST_TEST(machine.parent(Version::v1) == "sys/fs/cgroup/cpu,cpuacct");
}

BOOST_AUTO_TEST_CASE(reads_blanks_and_backslashes_in_a_mount_point) {
  const Machine machine("1:cpu:/a b\n",
                        "33 31 0:30 / /my\\040groups\\134x rw - cgroup cgroup rw,cpu\n");
  machine.put_v1("my groups\\x/a b");
  BOOST_TEST(machine.parent(Version::v1) == "my groups\\x/a b");
}

BOOST_AUTO_TEST_CASE(reads_colons_in_a_path) {
  const Machine machine("1:cpu:/a:b:c\n", "33 31 0:30 / /cpu rw - cgroup cgroup rw,cpu\n");
  machine.put_v1("cpu/a:b:c");
  BOOST_TEST(machine.parent(Version::v1) == "cpu/a:b:c");
}

BOOST_AUTO_TEST_CASE(finds_its_group_where_only_a_subtree_is_mounted) {
  const Machine machine("1:cpu:/docker/abc/job\n",
                        "33 31 0:30 /docker/abc /cpu ro - cgroup cgroup rw,cpu\n");
  machine.put_v1("cpu/job");
  BOOST_TEST(machine.parent(Version::v1) == "cpu/job");
}

BOOST_AUTO_TEST_CASE(does_not_take_another_subtree_for_its_own) {
  const Machine machine("1:cpu:/docker/abcdef\n",
                        "33 31 0:30 /docker/abc /cpu rw - cgroup cgroup rw,cpu\n");
  machine.put_v1("cpu");
  BOOST_TEST(
      contains(machine.refusal(),
               "the cpu controller is bound to cgroup v1 (cpu), which is not mounted where"));
  machine.put("proc/self/cgroup", "1:cpu:/../elsewhere\n");
  machine.put("proc/self/mountinfo", "33 31 0:30 / /cpu rw - cgroup cgroup rw,cpu\n");
  BOOST_TEST(contains(machine.refusal(), "mount -t cgroup -o cpu none"));
}

BOOST_AUTO_TEST_CASE(takes_the_mount_that_shows_its_group_of_several) {
  const Machine machine("1:cpu:/lab\n", "33 31 0:30 /other /first rw - cgroup cgroup rw,cpu\n"
                                        "34 31 0:30 / /second rw - cgroup cgroup rw,cpu\n");
  machine.put_v1("second/lab");
  BOOST_TEST(machine.parent(Version::v1) == "second/lab");
}

BOOST_AUTO_TEST_CASE(is_not_misled_by_cpuset_or_by_a_hierarchy_named_cpu) {
  const Machine machine("3:cpuset:/\n2:name=cpu:/\n",
                        "32 31 0:29 / /cpuset rw - cgroup cgroup rw,cpuset\n"
                        "33 31 0:30 / /named rw - cgroup cgroup rw,name=cpu\n");
  machine.put_v1("cpuset");
  BOOST_TEST(
      contains(machine.refusal(), "no control group hierarchy with the cpu controller is mounted"));
  BOOST_TEST(contains(machine.refusal(), "mount -t cgroup2"));
}

BOOST_AUTO_TEST_CASE(takes_the_deepest_v2_group_that_hands_cpu_down) {
  const Machine machine("0::/user.slice/session.scope\n", v2_mount);
  machine.put_v2("sys/fs/cgroup", "cpuset cpu io\n", "cpu io\n");
  machine.put_v2("sys/fs/cgroup/user.slice", "cpu io\n", "cpu\n");
  machine.put_v2("sys/fs/cgroup/user.slice/session.scope", "cpu\n", "", "1\n" + own_process);
  BOOST_TEST(machine.parent(Version::v2) == "sys/fs/cgroup/user.slice");
  machine.put_v2("sys/fs/cgroup/user.slice", "cpu io\n", "io\n");
  machine.put_v2("sys/fs/cgroup/user.slice/session.scope", "\n", "");
  BOOST_TEST(machine.parent(Version::v2) == "sys/fs/cgroup");
}

BOOST_AUTO_TEST_CASE(takes_its_own_delegated_group_when_it_is_alone_in_it) {
  const Machine machine("0::/run.scope\n", v2_mount);
  machine.put_v2("sys/fs/cgroup", "cpu\n", "\n");
  machine.put_v2("sys/fs/cgroup/run.scope", "cpu\n", "\n", own_process);
  BOOST_TEST(machine.parent(Version::v2) == "sys/fs/cgroup/run.scope");
  machine.put_v2("sys/fs/cgroup/run.scope", "cpu\n", "\n", "1\n" + own_process);
  BOOST_TEST(contains(machine.refusal(),
                      "run.scope does not hand the cpu controller to the groups in it"));
  BOOST_TEST(contains(machine.refusal(), "systemd-run --scope -p Delegate=yes schedrig"));
}

BOOST_AUTO_TEST_CASE(leaves_the_root_of_the_machine_as_it_is) {
  const Machine machine("0::/\n", v2_mount);
  machine.put_v2("sys/fs/cgroup", "cpu\n", "memory\n", own_process);
  BOOST_TEST(contains(machine.refusal(),
                      "echo +cpu > " +
                          (machine.path() / "sys/fs/cgroup/cgroup.subtree_control").native()));
}

BOOST_AUTO_TEST_CASE(says_when_v2_has_no_cpu_controller) {
  const Machine machine("0::/a/b\n", v2_mount);
  machine.put_v2("sys/fs/cgroup", "cpuset io\n", "io\n");
  machine.put_v2("sys/fs/cgroup/a", "io\n", "io\n");
  machine.put_v2("sys/fs/cgroup/a/b", "io\n", "");
  BOOST_TEST(contains(machine.refusal(), "has no cpu controller"));
  BOOST_TEST(contains(machine.refusal(), "cgroup_disable=cpu"));
}

BOOST_AUTO_TEST_CASE(says_when_the_kernel_has_no_control_groups) {
  const TemporaryFolder empty;
  BOOST_CHECK_EXCEPTION(CgroupMount::find(empty.path()), Unavailable, tells("CONFIG_CGROUPS"));
}

BOOST_AUTO_TEST_CASE(says_who_may_write_where_this_user_may_not) {
  const Machine machine("1:cpu:/\n", "33 31 0:30 / /cpu rw - cgroup cgroup rw,cpu\n");
  machine.put_v1("cpu");
  std::filesystem::permissions(machine.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(machine.path() / "cpu", std::filesystem::perms(0555));
  const auto user = ::geteuid();
  constexpr uid_t nobody = 65'534;
  if (user == 0)
    checked(::seteuid(nobody), "seteuid", "nobody");
  const auto refusal = machine.refusal();
  if (user == 0)
    checked(::seteuid(user), "seteuid", "root");
  std::filesystem::permissions(machine.path() / "cpu", std::filesystem::perms(0755));
  BOOST_TEST(contains(refusal, "Permission denied (EACCES)"), refusal);
  BOOST_TEST(contains(refusal, "run as root"), refusal);
}

BOOST_AUTO_TEST_CASE(works_below_a_given_folder_of_either_version) {
  const Machine machine("", "");
  machine.put_v1("v1");
  machine.put("v1/cpu.shares", "1024\n");
  machine.put_v2("v2", "cpu\n", "cpu\n");
  BOOST_TEST((CgroupMount::find("/", machine.path() / "v1").version() == Version::v1));
  BOOST_TEST((CgroupMount::find("/", machine.path() / "v2").version() == Version::v2));
  machine.put_v2("v2", "cpu\n", "\n");
  BOOST_CHECK_EXCEPTION(CgroupMount::find("/", machine.path() / "v2"), Unavailable,
                        tells("does not hand the cpu controller"));
  BOOST_CHECK_EXCEPTION(CgroupMount::find("/", machine.path()), Unavailable,
                        tells("is not a control group with the cpu controller"));
}

BOOST_AUTO_TEST_SUITE_END()
