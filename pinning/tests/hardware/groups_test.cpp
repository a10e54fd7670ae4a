#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/cgroup/cgroup.hpp"
#include "pinning/os_error.hpp"
#include "pinning/task.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;
using std::chrono::milliseconds;

namespace {

std::string gate_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "pinning_gate_program";
}

/// A forked process that runs `work`; killed and reaped at the end.
class Child {
public:
  explicit Child(const std::function<void()>& work)
      : process_(checked(::fork(), "fork", "a child")) {
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      work();
      ::_exit(0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  pid_t process() const noexcept { return process_; }
  void end() noexcept {
    if (std::exchange(ended_, true))
      return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

private:
  pid_t process_;
  bool ended_ = false;
};

void burn_for(std::uint64_t turns) {
  for (std::atomic<std::uint64_t> turn = 0; turn < turns; ++turn) {
  }
}

[[noreturn]] void burn() {
  for (;;)
    burn_for(1'000'000);
}

[[noreturn]] void sleep_for_ever() {
  for (;;)
    ::pause();
}

/// Becomes one of several processes that go on forking children which burn a little.
[[noreturn]] void breed(int generations) {
  ::signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < 3 && generations > 0; ++i)
    if (::fork() == 0)
      breed(generations - 1);
  for (;;)
    if (::fork() == 0) {
      burn_for(100'000);
      ::_exit(0);
    }
}

bool holds(const std::vector<pid_t>& processes, pid_t process) {
  return std::ranges::find(processes, process) != processes.end();
}

/// Waits for what must come; the bound only keeps a failure from hanging.
bool comes(const std::function<bool()>& condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition())
      return true;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return false;
}

struct Groups {
  CgroupMount mount = CgroupMount::find();
  CgroupSubtree subtree{mount};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(groups, Groups)

BOOST_AUTO_TEST_CASE(keep_the_limits_they_are_given) {
  for (const auto* text : {"group", "20000/100000", "10000000000/1000", "10000000000/1000000",
                           "17592186044415/100000", "1000/1000000", "group:20000/100000",
                           "50000/100000:20000/100000", "100000/100000:group:1000/10000"}) {
    const Cgroup group(subtree, Bandwidth::parse(text));
    BOOST_TEST(group.read_back().text() == text);
    BOOST_TEST(group.stats().size() == Bandwidth::parse(text).levels.size());
    BOOST_TEST(group.processes().empty());
  }
  BOOST_TEST(std::filesystem::exists(subtree.path()));
}

BOOST_AUTO_TEST_CASE(are_gone_with_their_object) {
  std::filesystem::path path;
  {
    const Cgroup group(subtree, Bandwidth::parse("group:20000/100000"));
    path = group.path();
    BOOST_TEST(std::filesystem::is_directory(path));
    BOOST_CHECK_EXCEPTION(Cgroup(subtree, Bandwidth::parse("group")), OsError, tells("(EEXIST)"));
    BOOST_TEST(std::filesystem::is_directory(path));
  }
  BOOST_TEST(!std::filesystem::exists(path));
  BOOST_CHECK_THROW(Cgroup(subtree, Bandwidth::parse("none")), BadInput);
}

BOOST_AUTO_TEST_CASE(change_to_any_limit_from_any_other) {
  const std::vector<std::string> limits{"group:group",
                                        "20000/100000:20000/100000",
                                        "50000/50000:1000/10000",
                                        "1000/1000000:1000/1000000",
                                        "200000/10000:1000/1000",
                                        "10000000000/1000:10000000000/1000000",
                                        "group:3000/7000",
                                        "3000/7000:group"};
  Cgroup group(subtree, Bandwidth::parse("group:group"));
  for (const auto& from : limits)
    for (const auto& to : limits) {
      BOOST_TEST_CONTEXT(from << " to " << to) {
        group.limit(Bandwidth::parse(from));
        group.limit(Bandwidth::parse(to));
        BOOST_TEST(group.read_back().text() == to);
      }
    }
  BOOST_CHECK_THROW(group.limit(Bandwidth::parse("group")), BadInput);
}

BOOST_AUTO_TEST_CASE(change_their_burst_up_and_down) try {
  Cgroup group(subtree, Bandwidth::parse("20000/100000+20000"));
  for (const auto* text : {"10000/100000+5000", "1000/100000+1000", "90000/100000+90000",
                           "5000/10000", "group", "2000/10000+1"}) {
    group.limit(Bandwidth::parse(text));
    BOOST_TEST(group.read_back().text() == text);
  }
} catch (const Unavailable& reason) {
  BOOST_TEST_MESSAGE("not tried: " << reason.what());
}

BOOST_AUTO_TEST_CASE(leave_nothing_behind_when_the_kernel_refuses_the_limit) {
  auto impossible = Bandwidth::parse("group:20000/100000");
  impossible.levels[1]->quota = std::chrono::microseconds(10);
  BOOST_CHECK_EXCEPTION(Cgroup(subtree, impossible), OsError, tells("(EINVAL)"));
  BOOST_TEST(!std::filesystem::exists(subtree.path() / "level-1"));
}

BOOST_AUTO_TEST_CASE(take_a_process_in_and_count_its_throttled_periods) {
  const Cgroup group(subtree, Bandwidth::parse("group:1000/10000"));
  Child burner(burn);
  BOOST_TEST(!holds(group.processes(), burner.process()));
  group.join(burner.process());
  BOOST_TEST(holds(group.processes(), burner.process()));
  // The kernel adds the time only when the group may run again.
  BOOST_TEST(comes([&] { return group.stats().back().throttled_time.count() > 0; }));
  const auto stat = group.stats().back();
  BOOST_TEST(stat.throttled >= 1);
  BOOST_TEST(stat.periods >= stat.throttled);
  BOOST_TEST(group.stats().front().throttled == 0);
  burner.end();
  BOOST_CHECK_EXCEPTION(group.join(burner.process()), OsError, tells("(ESRCH)"));
}

BOOST_AUTO_TEST_CASE(kill_a_forking_bunch_that_is_throttled) {
  const Cgroup group(subtree, Bandwidth::parse("1000/1000000"));
  Child ancestor([&] {
    group.join(::getpid());
    breed(2);
  });
  BOOST_TEST(
      comes([&] { return group.processes().size() >= 3 && group.stats().back().throttled >= 1; }));
  BOOST_TEST(group.kill_all(std::chrono::seconds(10)));
  // Before 6.18 a throttled task dies only when it may run again.
  BOOST_TEST(group.read_back().text() == "group");
  BOOST_TEST(group.processes().empty());
  BOOST_TEST(group.kill_all(milliseconds(0)));
}

BOOST_AUTO_TEST_CASE(hold_a_task_from_its_first_instruction) {
  const Cgroup group(subtree, Bandwidth::parse("group:50000/100000"));
  Task task({gate_program(), "ok"}, own_affinity(), &group);
  BOOST_TEST(holds(group.processes(), task.process()));
  task.prepare();
  task.open_gate();
  task.wait_until_done();
  task.finish();
  BOOST_TEST(group.processes().empty());
  BOOST_TEST(group.read_back().text() == "group:50000/100000");
}

BOOST_AUTO_TEST_CASE(are_emptied_when_a_task_passes_its_deadline) {
  const Cgroup group(subtree, Bandwidth::parse("1000/1000000"));
  Child other([&] {
    group.join(::getpid());
    sleep_for_ever();
  });
  BOOST_REQUIRE(comes([&] { return group.processes().size() == 1; }));
  BOOST_CHECK_EXCEPTION(
      [&] {
        Task task({gate_program(), "hang-running"}, own_affinity(), &group,
                  {std::chrono::seconds(3), {}});
        task.prepare();
        task.open_gate();
        task.wait_until_done();
      }(),
      TaskFailed, tells("after 3000 ms, its deadline, and was killed"));
  BOOST_TEST(group.processes().empty());
}

BOOST_AUTO_TEST_CASE(of_a_dead_run_are_removed_and_those_of_a_living_one_stay) {
  const auto find_subtree_of = [&](pid_t process) {
    for (const auto& entry : std::filesystem::directory_iterator(mount.parent()))
      if (entry.path().filename().native().starts_with("schedrig-" + std::to_string(process) + "-"))
        return entry.path();
    return std::filesystem::path();
  };
  // Its child outlives the run, as whatever a workload forks can.
  const auto run = [&] {
    const CgroupSubtree own(mount);
    const Cgroup group(own, Bandwidth::parse("group:1000/1000000"));
    const pid_t child = ::fork();
    if (child == 0) {
      group.join(::getpid());
      burn();
    }
    sleep_for_ever();
  };
  Child dead(run), living(run);
  BOOST_REQUIRE(comes([&] {
    return std::filesystem::exists(find_subtree_of(dead.process()) / "level-1/level-2") &&
           std::filesystem::exists(find_subtree_of(living.process()) / "level-1/level-2") &&
           !read_whole(find_subtree_of(dead.process()) / "level-1/level-2/cgroup.procs").empty() &&
           !read_whole(find_subtree_of(living.process()) / "level-1/level-2/cgroup.procs").empty();
  }));
  const auto dead_path = find_subtree_of(dead.process());
  BOOST_TEST(remove_leftovers(mount).empty());
  dead.end();
  const auto leftovers = remove_leftovers(mount);
  BOOST_REQUIRE(leftovers.size() == 1u);
  BOOST_TEST((leftovers[0].path == dead_path));
  BOOST_TEST(leftovers[0].processes == 1u);
  BOOST_TEST(leftovers[0].removed, leftovers[0].why);
  BOOST_TEST(!std::filesystem::exists(dead_path));
  BOOST_TEST(
      !read_whole(find_subtree_of(living.process()) / "level-1/level-2/cgroup.procs").empty());
  living.end();
  BOOST_TEST(remove_leftovers(mount).size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
