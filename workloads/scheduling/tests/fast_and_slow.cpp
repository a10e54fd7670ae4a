#include "workloads/scheduling/fast_and_slow.hpp"

#include <limits>

#include <boost/test/unit_test.hpp>

#include "workloads/parts/burners.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fast_and_slow_workload)

BOOST_AUTO_TEST_CASE(the_fast_task_does_most_and_the_slow_ones_little) {
  constexpr auto endless = std::numeric_limits<std::int64_t>::max();
  Burners load(30ms, {{.rounds = endless, .busy = 0ns, .idle = 0ns},
                      {.rounds = endless, .busy = 0ns, .idle = 10ms}});
  load.prepare({"all", own_affinity().cpus(), Placement::Tasks::free_within});
  load.run();
  const auto report = load.finish();

  BOOST_TEST_REQUIRE(report.tasks.size() == 4u); // rounds and CPU time of each
  double rounds = 0;
  for (const auto& told : report.tasks) {
    BOOST_TEST(own_affinity().contains(told.cpu));
    if (told.figure.name == "rounds")
      rounds += told.figure.value;
  }
  BOOST_TEST(report.work == rounds);
  BOOST_TEST(report.tasks[0].figure.value > report.tasks[2].figure.value);
  BOOST_TEST(report.tasks[2].figure.value >= 1);
  BOOST_TEST(report.tasks[2].figure.value <= 4); // a burst each 10 ms
  BOOST_TEST(report.tasks[1].figure.name == "task_cpu_time");
  BOOST_TEST(report.tasks[1].figure.value > 0);
}

BOOST_AUTO_TEST_CASE(its_entry_makes_one_task_fast) {
  const auto phrase = parse_phrase("fast_and_slow 4 1");
  BOOST_TEST(phrase.workload == "fast-and-slow");
  BOOST_TEST(needs_of(phrase.workload, "tasks=4 seconds=1").tasks == 4);
  const auto entry = fast_and_slow();
  entry.make(ParameterValues(entry.name, entry.parameters, {{"tasks", "4"}}));
  BOOST_CHECK_THROW(ParameterValues(entry.name, entry.parameters, {{"tasks", "1"}}),
                    std::exception);
}

BOOST_AUTO_TEST_SUITE_END()
