#include "pinning/cgroup/subtree.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;

namespace {

/// A name as a run of a process that can no longer live would have made it: our own number with an
/// earlier start, in our pid namespace or another.
std::string dead_name(std::string_view start_time = "1", int other_namespace = 0) {
  struct stat status {};
  checked(::stat("/proc/self/ns/pid", &status), "stat", "/proc/self/ns/pid");
  return "schedrig-" + std::to_string(::getpid()) + "-" + std::string(start_time) + "-" +
         std::to_string(status.st_ino + static_cast<unsigned>(other_namespace));
}

CgroupMount v1_mount(const TemporaryFolder& folder) {
  return {CgroupMount::Version::v1, folder.path()};
}

} // namespace

BOOST_AUTO_TEST_SUITE(subtree)

BOOST_AUTO_TEST_CASE(has_a_folder_of_its_own_as_long_as_it_lives) {
  const TemporaryFolder folder;
  std::filesystem::path path;
  {
    CgroupSubtree subtree(v1_mount(folder));
    path = subtree.path();
    BOOST_TEST(std::filesystem::is_directory(path));
    BOOST_TEST(
        path.filename().native().starts_with("schedrig-" + std::to_string(::getpid()) + "-"));
    BOOST_CHECK_EXCEPTION(CgroupSubtree(v1_mount(folder)), OsError, tells("(EEXIST)"));
    BOOST_TEST(std::filesystem::is_directory(path));
    const CgroupSubtree moved = std::move(subtree);
    BOOST_TEST((moved.path() == path));
  }
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(names_the_folder_that_it_cannot_make) {
  BOOST_CHECK_EXCEPTION(CgroupSubtree(CgroupMount(CgroupMount::Version::v1, "/no/such")), OsError,
                        tells("mkdir /no/such/schedrig-"));
}

BOOST_AUTO_TEST_CASE(removes_what_a_dead_run_left_with_all_below_it) {
  const TemporaryFolder folder;
  const auto left = folder.path() / dead_name();
  std::filesystem::create_directories(left / "level-1/level-2");
  std::filesystem::create_directories(left / "self");
  const auto leftovers = remove_leftovers(v1_mount(folder));
  BOOST_REQUIRE(leftovers.size() == 1u);
  BOOST_TEST((leftovers[0].path == left));
  BOOST_TEST(leftovers[0].removed);
  BOOST_TEST(leftovers[0].processes == 0u);
  BOOST_TEST(!std::filesystem::exists(left));
}

BOOST_AUTO_TEST_CASE(removes_what_a_run_of_another_login_left) {
  const TemporaryFolder folder;
  const auto left = folder.path() / "user.slice/session-2" / dead_name();
  std::filesystem::create_directories(left / "level-1");
  folder.put("user.slice/cgroup.procs", "");
  folder.put("user.slice/session-1/cgroup.procs", "");
  folder.put("cgroup.procs", "");
  const auto leftovers =
      remove_leftovers({CgroupMount::Version::v1, folder.path() / "user.slice/session-1"});
  BOOST_REQUIRE(leftovers.size() == 1u);
  BOOST_TEST((leftovers[0].path == left));
  BOOST_TEST(!std::filesystem::exists(left));
  BOOST_TEST(std::filesystem::exists(folder.path() / "user.slice/session-2"));
}

BOOST_AUTO_TEST_CASE(leaves_the_living_and_those_it_cannot_see_and_those_of_others) {
  const TemporaryFolder folder;
  const CgroupSubtree living(v1_mount(folder));
  for (const auto& name : {dead_name("1", 1), std::string("schedrig-1-2"), std::string("schedrig-"),
                           std::string("schedrig-x-1-1"), dead_name() + "-1", dead_name() + "x",
                           dead_name("01"), std::string("system.slice"), "my" + dead_name()})
    std::filesystem::create_directory(folder.path() / name);
  folder.put(dead_name("7"), "a file");
  folder.put("elsewhere/kept", "");
  std::filesystem::create_directory_symlink(folder.path() / "elsewhere",
                                            folder.path() / dead_name("8"));
  BOOST_TEST(remove_leftovers(v1_mount(folder)).empty());
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 13);
  BOOST_TEST(std::filesystem::exists(folder.path() / "elsewhere/kept"));
}

BOOST_AUTO_TEST_CASE(does_not_follow_a_link_out_of_a_dead_subtree) {
  const TemporaryFolder folder;
  folder.put("elsewhere/kept/file", "");
  const auto left = folder.path() / dead_name();
  std::filesystem::create_directory(left);
  std::filesystem::create_directory_symlink(folder.path() / "elsewhere", left / "link");
  const auto leftovers = remove_leftovers(v1_mount(folder));
  BOOST_REQUIRE(leftovers.size() == 1u);
  BOOST_TEST(!leftovers[0].removed);
  BOOST_TEST(leftovers[0].why.find("ENOTEMPTY") != std::string::npos, leftovers[0].why);
  BOOST_TEST(std::filesystem::exists(folder.path() / "elsewhere/kept/file"));
}

BOOST_AUTO_TEST_CASE(does_not_kill_itself_in_a_dead_subtree) {
  const TemporaryFolder folder;
  folder.put(dead_name() + "/self/cgroup.procs", std::to_string(::getpid()) + "\n");
  const auto leftovers = remove_leftovers(v1_mount(folder));
  BOOST_REQUIRE(leftovers.size() == 1u);
  BOOST_TEST(!leftovers[0].removed);
  BOOST_TEST(leftovers[0].why == "this process itself runs in it");
}

BOOST_AUTO_TEST_SUITE_END()
