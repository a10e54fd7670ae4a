#include "pinning/task_usage.hpp"

#include <thread>

#include <boost/test/unit_test.hpp>

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(task_usage)

BOOST_AUTO_TEST_CASE(counts_each_sleep_as_a_voluntary_switch) {
  const auto before = TaskUsage::of_this_thread();
  for (int i = 0; i < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto used = TaskUsage::of_this_thread() - before;
  BOOST_TEST(used.voluntary_switches >= 3);
  BOOST_TEST(used.cpu_time.count() > 0);
  BOOST_TEST(used.switches() == used.voluntary_switches + used.involuntary_switches);
}

BOOST_AUTO_TEST_CASE(is_of_the_calling_thread_only) {
  const auto before = TaskUsage::of_this_thread();
  TaskUsage other;
  std::thread([&] {
    for (int i = 0; i < 5; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    other = TaskUsage::of_this_thread();
  }).join();
  BOOST_TEST(other.voluntary_switches >= 5);
  BOOST_TEST((TaskUsage::of_this_thread() - before).voluntary_switches < 5);
}

BOOST_AUTO_TEST_CASE(adds_up) {
  TaskUsage sum{std::chrono::nanoseconds(1), 2, 3};
  sum += {std::chrono::nanoseconds(10), 20, 30};
  BOOST_TEST(sum.cpu_time.count() == 11);
  BOOST_TEST(sum.voluntary_switches == 22);
  BOOST_TEST(sum.involuntary_switches == 33);
}

BOOST_AUTO_TEST_CASE(tells_the_migrations_where_the_kernel_does) {
  if (const auto migrations = own_migrations())
    BOOST_TEST(*migrations >= 0);
  else
    BOOST_TEST_MESSAGE("this kernel does not tell");
}

BOOST_AUTO_TEST_SUITE_END()
