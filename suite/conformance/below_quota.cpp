// A group that never uses up its quota is never throttled.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "suite/conformance/fixture.hpp"
#include "suite/limit_proof.hpp"
#include "suite/metrics.hpp"

using namespace schedrig;
using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;
namespace data = boost::unit_test::data;

namespace {

const std::vector<std::string> placements{"same-cpu", "all"};
constexpr milliseconds period{100};
constexpr milliseconds duration = 6 * period;

void check_never_throttled(const TrialRecord& trial) {
  BOOST_TEST(value_of(trial, metrics::throttled_periods) == 0, figures_of(trial));
  BOOST_TEST(value_of(trial, metrics::throttled_time) == 0, figures_of(trial));
}

} // namespace

BOOST_AUTO_TEST_SUITE(bandwidth, *boost::unit_test::precondition(groups_can_be_made))

// Bursts of a tenth of the period, each followed by a sleep that fills the rest of it, with half of
// each CPU as quota.
BOOST_DATA_TEST_CASE(a_group_below_its_quota_is_never_throttled, data::make(placements),
                     placement) {
  const auto cpus = static_cast<std::int64_t>(site().machine.place(placement).cpus().size());
  const CpuBandwidth limit{period * cpus / 2, period};
  const microseconds busy = period / 10, idle = period - busy;

  // The end of one burst and the beginning of the next can fall into one period; and a CPU keeps
  // what it has left of its slice from the others.
  const auto most_wanted = cpus * (2 * busy + BandwidthGrains::of_this_kernel().slice);
  BOOST_TEST_REQUIRE(most_wanted.count() < std::chrono::nanoseconds(limit.quota).count(),
                     "with slices as long as this kernel's the load is not below its quota");

  const auto trial = burn({{"tasks", std::to_string(cpus)},
                           {"time_ms", std::to_string(duration.count())},
                           {"busy_us", std::to_string(busy.count())},
                           {"idle_us", std::to_string(idle.count())}},
                          placement, Bandwidth{{limit}}.text());
  check_never_throttled(trial);
  BOOST_TEST(value_of(trial, metrics::periods) > 0, figures_of(trial)); // it was accounted
}

// The mails' grid: a limit that is there, costs its accounting, and never holds anything back.
BOOST_DATA_TEST_CASE(a_quota_of_10000000000_us_never_throttles,
                     data::make({1'000, 10'000, 100'000, 1'000'000}), period_us) {
  const CpuBandwidth limit{10'000'000'000us, microseconds(period_us)};
  const auto cpus = site().machine.place("all").cpus().size();
  check_never_throttled(
      burn({{"tasks", std::to_string(cpus)}, {"time_ms", std::to_string(duration.count())}}, "all",
           Bandwidth{{limit}}.text()));
}

BOOST_AUTO_TEST_SUITE_END()
