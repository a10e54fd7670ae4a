#include "workloads/scheduling/hackbench.hpp"

#include <csignal>
#include <fstream>
#include <set>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/fd.hpp"

using namespace schedrig;

namespace {

using Values = std::map<std::string, std::string>;

std::unique_ptr<Workload> load_of(const Values& values) {
  const auto entry = hackbench();
  return entry.make(ParameterValues(entry.name, entry.parameters, values));
}

Needs needs_with(const Values& values) {
  const auto entry = hackbench();
  return entry.needs(ParameterValues(entry.name, entry.parameters, values));
}

Placement everywhere() {
  return {"all", own_affinity().cpus(), Placement::Tasks::free_within};
}

bool has_children() {
  return ::waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// This process's children, in the order of their birth.
std::vector<pid_t> children() {
  std::ifstream file(fmt::format("/proc/self/task/{}/children", ::getpid()));
  std::vector<pid_t> found;
  for (pid_t child; file >> child;)
    found.push_back(child);
  return found;
}

std::set<int> open_descriptors() {
  std::set<int> open;
  for (int number = 0; number < 1024; ++number)
    if (::fcntl(number, F_GETFD) >= 0)
      open.insert(number);
  return open;
}

/// The limit below which `count` numbers are free, whatever this process inherited.
rlim_t limit_that_leaves(std::int64_t count) {
  int limit = 0;
  for (; count > 0; ++limit)
    if (::fcntl(limit, F_GETFD) < 0)
      --count;
  return static_cast<rlim_t>(limit);
}

} // namespace

BOOST_AUTO_TEST_SUITE(hackbench_workload)

BOOST_DATA_TEST_CASE(every_message_arrives,
                     boost::unit_test::data::make({"sockets", "pipes", "tcp"}) *
                         boost::unit_test::data::make({"processes", "threads"}),
                     over, tasks) {
  const auto before = open_descriptors();
  {
    const auto load = load_of({{"groups", "2"},
                               {"fan", "3"},
                               {"loops", "40"},
                               {"size", "100"},
                               {"over", over},
                               {"tasks", tasks}});
    load->prepare(everywhere());
    load->run();
    const auto report = load->finish();
    BOOST_TEST(report.work == 2 * 3 * 3 * 40);
    BOOST_TEST(report.elapsed.count() > 0);
    BOOST_TEST(report.usage.cpu_time.count() > 0);
    BOOST_TEST(report.broken.empty());
    BOOST_TEST(!has_children());
  }
  BOOST_TEST((open_descriptors() == before));
}

BOOST_DATA_TEST_CASE(messages_larger_than_a_channel_arrive_in_parts,
                     boost::unit_test::data::make({"sockets", "pipes", "tcp"}), over) {
  const auto load =
      load_of({{"groups", "1"}, {"fan", "2"}, {"loops", "2"}, {"size", "1048576"}, {"over", over}});
  load->prepare(everywhere());
  load->run();
  const auto report = load->finish();
  BOOST_TEST(report.work == 1 * 2 * 2 * 2);
  BOOST_TEST(report.broken.empty());
}

BOOST_DATA_TEST_CASE(tasks_that_never_run_are_not_left_behind,
                     boost::unit_test::data::make({"processes", "threads"}), tasks) {
  load_of({{"tasks", tasks}});
  const auto load = load_of({{"groups", "2"}, {"fan", "2"}, {"tasks", tasks}});
  load->prepare(everywhere());
}

BOOST_AUTO_TEST_CASE(a_killed_sender_is_named_and_the_others_do_not_wait_for_it) {
  for (const auto* over : {"sockets", "pipes", "tcp"}) {
    const auto load = load_of({{"groups", "2"}, {"fan", "2"}, {"over", over}});
    load->prepare(everywhere());
    const auto born = children();
    if (born.empty()) {
      BOOST_TEST_MESSAGE("this kernel does not tell a process's children");
      return;
    }
    BOOST_TEST_REQUIRE(born.size() == 8u);
    ::kill(born[7], SIGKILL);
    load->run();
    BOOST_CHECK_EXCEPTION(load->finish(), std::runtime_error, [](const std::exception& error) {
      return error.what() == std::string("sender 1 of group 1 died of SIGKILL");
    });
  }
}

BOOST_AUTO_TEST_CASE(a_killed_receiver_is_named_and_its_senders_do_not_wait_for_it) {
  for (const auto* over : {"sockets", "pipes", "tcp"}) {
    const auto load = load_of({{"groups", "1"}, {"fan", "2"}, {"size", "1000"}, {"over", over}});
    load->prepare(everywhere());
    const auto born = children();
    if (born.empty())
      return;
    ::kill(born[0], SIGKILL);
    load->run();
    BOOST_CHECK_EXCEPTION(load->finish(), std::runtime_error, [](const std::exception& error) {
      return error.what() == std::string("receiver 0 of group 0 died of SIGKILL");
    });
  }
}

// GCC 12's ThreadSanitizer crashes when one thread lets go of a descriptor that another writes to.
#ifndef __SANITIZE_THREAD__
BOOST_AUTO_TEST_CASE(a_thread_that_fails_is_named_and_the_others_do_not_wait_for_it) {
  for (const auto* over : {"sockets", "pipes", "tcp"}) {
    const auto before = open_descriptors();
    const auto load =
        load_of({{"groups", "2"}, {"fan", "2"}, {"over", over}, {"tasks", "threads"}});
    load->prepare(everywhere());
    int last = -1; // an end of the last group's last channel
    for (const int number : open_descriptors())
      if (!before.contains(number))
        last = number;
    const Fd nothing = Fd::open("/dev/null", O_RDONLY);
    ::dup2(nothing.number(), last); // neither to be written to nor with anything to read
    load->run();
    BOOST_CHECK_EXCEPTION(load->finish(), std::runtime_error, [](const std::exception& error) {
      return std::string(error.what()).find(" of group 1: ") != std::string::npos;
    });
  }
}
#endif

BOOST_DATA_TEST_CASE(a_task_that_cannot_be_bound_fails_the_preparation,
                     boost::unit_test::data::make({"processes", "threads"}), tasks) {
  const Placement nowhere("0", {CpuSet::largest_cpu}, Placement::Tasks::free_within);
  const auto load = load_of({{"groups", "1"}, {"fan", "2"}, {"tasks", tasks}});
  BOOST_CHECK_EXCEPTION(load->prepare(nowhere), std::exception, [](const std::exception& error) {
    return std::string(error.what()).find(" of group 0") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(messages_that_are_missing_are_told) {
  BOOST_TEST(!missing_messages(40, 40, 40));
  BOOST_TEST(missing_messages(40, 39, 40).value() ==
             "40 messages sent and 39 received instead of 40");
  BOOST_TEST(missing_messages(39, 40, 40).has_value());
}

BOOST_AUTO_TEST_CASE(it_needs_the_descriptors_of_one_group_or_of_all_where_they_are_shared) {
  const auto processes = needs_with({{"groups", "500"}});
  BOOST_TEST(processes.tasks == 20'001);
  BOOST_TEST(processes.descriptors < 64);
  const auto threads = needs_with({{"groups", "500"}, {"tasks", "threads"}});
  BOOST_TEST(threads.tasks == 20'001);
  BOOST_TEST(threads.descriptors > 20'000);
  BOOST_TEST(
      needs_with(
          {{"groups", "10000"}, {"fan", "1000"}, {"loops", "100000000"}, {"size", "1048576"}})
          .memory_bytes > 0); // the most of all does not overflow
}

BOOST_DATA_TEST_CASE(the_descriptors_that_it_said_are_enough,
                     boost::unit_test::data::make({"processes", "threads"}), tasks) {
  const Values values{
      {"groups", "2"}, {"fan", "30"}, {"loops", "1"}, {"over", "tcp"}, {"tasks", tasks}};
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  constexpr std::int64_t own = 10; // what a workload's process has open of its own is fewer
  const rlimit tight{limit_that_leaves(needs_with(values).descriptors - own), before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &tight);
  {
    const auto load = load_of(values);
    load->prepare(everywhere());
    load->run();
    BOOST_TEST(load->finish().work == 2 * 30 * 30);
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
}

BOOST_AUTO_TEST_CASE(five_hundred_groups_are_what_people_type) {
  const auto phrase = parse_phrase("hackbench 500");
  BOOST_TEST(phrase.workload == "hackbench");
  BOOST_TEST(phrase.values.at("groups").front() == "500");
}

BOOST_AUTO_TEST_SUITE_END()
