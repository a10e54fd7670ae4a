#include "suite/counting/open_refusal.hpp"

#include <cerrno>

#include <boost/test/unit_test.hpp>

#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/tests/fake_perf.hpp"

using namespace schedrig;

namespace {

struct Machine {
  FakePerf perf;
  Event cycles = Event::resolve("cycles");
  Event switches = Event::resolve("context-switches");

  Unavailable meaning_of(const OpenRefusal& refusal) {
    try {
      throw_refusal(perf, refusal);
    } catch (const Unavailable& unavailable) {
      BOOST_TEST_MESSAGE(unavailable.what());
      return unavailable;
    }
  }
  void has_no_pmu() {
    perf.refuse_open = [](const FakePerf::Open& open) {
      return open.attributes.type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
    };
  }
};

bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(open_refusal, Machine)

BOOST_AUTO_TEST_CASE(says_that_the_machine_has_no_pmu) {
  has_no_pmu();
  for (const int error : {ENOENT, EOPNOTSUPP, ENODEV}) {
    const auto meaning = meaning_of({error, cycles, 4711, -1, 0});
    BOOST_TEST(holds(meaning.why(), "cycles: this machine has no hardware PMU (a VM?)"));
    BOOST_TEST(holds(meaning.remedy(), "-cpu host,pmu=on"));
  }
}

BOOST_AUTO_TEST_CASE(says_that_the_pmu_lacks_the_event) {
  const auto meaning = meaning_of({ENOENT, Event::resolve("stalled-cycles-backend"), 4711, -1, 0});
  BOOST_TEST(meaning.why() ==
             "stalled-cycles-backend: this machine's hardware PMU does not have it");
  BOOST_TEST(perf.open_descriptors() == 0u);
}

BOOST_AUTO_TEST_CASE(says_that_the_kernel_lacks_a_software_event) {
  has_no_pmu();
  BOOST_TEST(meaning_of({ENOENT, switches, 4711, -1, 0}).why() ==
             "context-switches: this kernel does not have it");
}

BOOST_AUTO_TEST_CASE(says_that_the_cpu_is_offline) {
  const auto meaning = meaning_of({ENODEV, cycles, -1, 3, 0});
  BOOST_TEST(meaning.why() == "cycles: CPU 3 is offline");
  BOOST_TEST(meaning.remedy() == "echo 1 > /sys/devices/system/cpu/cpu3/online");
}

BOOST_AUTO_TEST_CASE(says_which_paranoid_level_a_whole_cpu_takes) {
  perf.paranoid_level = 1;
  const auto meaning = meaning_of({EACCES, cycles, -1, 3, 0});
  BOOST_TEST(meaning.why() == "cycles: to count a whole CPU takes CAP_PERFMON or "
                              "perf_event_paranoid <= 0, and it is 1");
  BOOST_TEST(meaning.remedy() == "sysctl -w kernel.perf_event_paranoid=0");
}

BOOST_AUTO_TEST_CASE(says_which_paranoid_level_kernel_mode_takes) {
  perf.paranoid_level = 2;
  const auto meaning = meaning_of({EACCES, cycles, 4711, -1, 0});
  BOOST_TEST(holds(meaning.why(), "to count kernel mode takes CAP_PERFMON or "
                                  "perf_event_paranoid <= 1, and it is 2"));
  BOOST_TEST(meaning.remedy() == "sysctl -w kernel.perf_event_paranoid=1");
}

BOOST_AUTO_TEST_CASE(says_which_paranoid_level_user_mode_takes) {
  perf.paranoid_level = 3;
  const auto meaning = meaning_of({EPERM, Event::resolve("cycles:u"), 4711, -1, 0});
  BOOST_TEST(holds(meaning.why(), "even one's own tasks"));
  BOOST_TEST(meaning.remedy() == "sysctl -w kernel.perf_event_paranoid=2");
}

BOOST_AUTO_TEST_CASE(suspects_a_container_where_the_level_would_allow_it) {
  perf.paranoid_level = -1;
  BOOST_TEST(holds(meaning_of({EPERM, cycles, -1, 3, 0}).why(),
                   "not permitted on CPU 3 although perf_event_paranoid is -1"));
  BOOST_TEST(holds(meaning_of({EACCES, cycles, 4711, -1, 0}).why(), "another user's"));
  perf.paranoid_level = {};
  BOOST_TEST(holds(meaning_of({EPERM, cycles, -1, 3, 0}).why(), "cannot be read"));
}

BOOST_AUTO_TEST_CASE(says_that_the_group_is_too_large) {
  const auto meaning = meaning_of({EINVAL, cycles, 4711, -1, 4});
  BOOST_TEST(meaning.why() == "cycles: does not fit on the PMU together with the 4 before it");
  BOOST_TEST(holds(meaning.remedy(), "fewer events"));
}

BOOST_AUTO_TEST_CASE(says_that_the_encoding_is_not_known) {
  BOOST_TEST(meaning_of({EINVAL, switches, 4711, -1, 0}).why() ==
             "context-switches: this kernel does not take it (type 1, config 0x3)");
}

BOOST_AUTO_TEST_CASE(says_that_another_user_holds_the_pmu) {
  BOOST_TEST(meaning_of({EBUSY, cycles, 4711, -1, 0}).why() ==
             "cycles: another user holds the PMU");
}

BOOST_AUTO_TEST_CASE(says_that_there_are_no_perf_events) {
  BOOST_TEST(holds(meaning_of({ENOSYS, cycles, 4711, -1, 0}).why(), "no perf events"));
}

BOOST_AUTO_TEST_CASE(says_how_many_descriptors_are_needed) {
  perf.descriptors_allowed = 1024;
  const auto own = meaning_of({EMFILE, cycles, -1, 3, 0, 1280});
  BOOST_TEST(holds(own.why(), "1280 are needed beside those open already, and this process may "
                              "have 1024"));
  BOOST_TEST(own.remedy() == "ulimit -n 2304");
  BOOST_TEST(holds(meaning_of({ENFILE, cycles, -1, 3, 0, 1280}).why(),
                   "the whole system is out of descriptors"));
}

BOOST_AUTO_TEST_CASE(leaves_the_rest_as_the_kernels_errors) {
  for (const int error : {ESRCH, ENOMEM, E2BIG, EBADF})
    BOOST_CHECK_EXCEPTION(
        throw_refusal(perf, {error, cycles, 4711, -1, 0}), OsError, [&](const OsError& thrown) {
          return thrown.error() == error && thrown.operation() == "perf_event_open" &&
                 thrown.subject() == "cycles on process 4711";
        });
}

BOOST_AUTO_TEST_SUITE_END()
