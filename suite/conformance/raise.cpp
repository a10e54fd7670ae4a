// A task that is throttled runs on as soon as its quota is raised: it does not wait for the period
// to end.

#include <cmath>
#include <thread>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "suite/conformance/fixture.hpp"
#include "suite/conformance/promise.hpp"
#include "suite/metrics.hpp"
#include "workloads/command_line.hpp"

using namespace schedrig;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;
namespace data = boost::unit_test::data;

namespace {

constexpr CpuBandwidth tight{1ms, 1s};
const std::vector<std::string> raised{"1000000/1000000", "group"};

/// As many rounds as take `cpu_time`, found where no limit holds.
std::int64_t rounds_in(nanoseconds cpu_time) {
  const auto trial = burn({{"time_ms", "50"}}, "same-cpu", "none");
  return std::llround(static_cast<double>(cpu_time.count()) * trial.work /
                      value_of(trial, metrics::cpu_time));
}

/// Fails in place of the exception, so that the circumstances are told with it.
void wait_until_done(Task& task) {
  try {
    task.wait_until_done();
  } catch (const TaskFailed& error) {
    BOOST_FAIL("it was not freed: " << error.what());
  }
}

/// Waits for the first period that ends with the group throttled; returns the moment.
Clock::time_point wait_until_throttled(const Cgroup& group) {
  const auto end = Clock::now() + 5 * tight.period;
  while (group.stats().front().throttled == 0) {
    BOOST_TEST_REQUIRE((Clock::now() < end), "five periods have passed and none was throttled");
    std::this_thread::sleep_for(1ms);
  }
  return Clock::now();
}

} // namespace

BOOST_AUTO_TEST_SUITE(bandwidth, *boost::unit_test::precondition(groups_can_be_made))

BOOST_DATA_TEST_CASE(raising_the_quota_frees_a_throttled_task_at_once, data::make(raised), ample) {
  const auto grains = BandwidthGrains::of_this_kernel();
  const auto placement = site().machine.place("same-cpu");
  BOOST_TEST_INFO_SCOPE(circumstances(
      placement.cpus(), fmt::format("{}, raised to {}", Bandwidth{{tight}}.text(), ample)));
  // Ten periods of the tight limit, even if each of them were overrun by a tick.
  const auto rounds = rounds_in(10 * (nanoseconds(tight.quota) + grains.tick));
  const WorkloadCommand load{"cpu-burn", fmt::format("rounds={} time_ms=60000", rounds), placement};
  auto command = load.arguments();
  command.insert(command.begin(), site().machine.workload_program);

  Cgroup group(*site().subtree, Bandwidth::parse(ample)); // ample until it is ready to run
  const Patience patience{std::chrono::duration_cast<std::chrono::milliseconds>(5 * tight.period),
                          {}};
  Task task(command, placement.for_task(0), &group, patience);
  task.prepare();
  group.limit({{tight}});
  task.open_gate();
  const auto period_began = wait_until_throttled(group);
  std::this_thread::sleep_for(tight.period / 10); // what that period gave is used up, too

  const auto before = group.stats().front();
  group.limit(Bandwidth::parse(ample));
  wait_until_done(task);
  const auto done = Clock::now();
  const auto after = group.stats().front();
  const auto work = WorkReport::parse(task.finish());

  BOOST_TEST(work.usage.cpu_time.count() > most_delivered(tight, 1, work.elapsed, grains).count(),
             "the old limit would have been enough");
  BOOST_TEST((done < period_began + tight.period),
             fmt::format("done {:.3f} s after a period of the old limit had begun",
                         std::chrono::duration<double>(done - period_began).count()));
  BOOST_TEST(after.throttled == before.throttled);
}

BOOST_AUTO_TEST_SUITE_END()
