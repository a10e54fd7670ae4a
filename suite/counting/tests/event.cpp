#include "suite/counting/event.hpp"

#include <thread>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "suite/counting/libpfm.hpp"

using namespace schedrig;
namespace data = boost::unit_test::data;

namespace {

auto says(std::string words) {
  return [words = std::move(words)](const BadInput& error) {
    BOOST_TEST_MESSAGE(error.what());
    return std::string(error.what()).find(words) != std::string::npos;
  };
}

} // namespace

BOOST_AUTO_TEST_SUITE(event)

BOOST_AUTO_TEST_CASE(resolves_cycles_to_the_kernels_generic_event) {
  const auto event = Event::resolve("cycles");
  BOOST_TEST(event.name == "cycles");
  BOOST_TEST(event.full_name == "perf::PERF_COUNT_HW_CPU_CYCLES");
  BOOST_TEST(event.pmu == "perf");
  BOOST_TEST((event.kind == Event::Kind::hardware));
  BOOST_TEST(event.type == PERF_TYPE_HARDWARE);
  BOOST_TEST(event.config == PERF_COUNT_HW_CPU_CYCLES);
  BOOST_TEST(!event.exclude_user);
  BOOST_TEST(!event.exclude_kernel);
}

BOOST_AUTO_TEST_CASE(resolves_context_switches_to_a_software_event) {
  const auto event = Event::resolve("context-switches");
  BOOST_TEST(event.full_name == "perf::PERF_COUNT_SW_CONTEXT_SWITCHES");
  BOOST_TEST(event.pmu == "software");
  BOOST_TEST((event.kind == Event::Kind::software));
  BOOST_TEST(event.type == PERF_TYPE_SOFTWARE);
  BOOST_TEST(event.config == PERF_COUNT_SW_CONTEXT_SWITCHES);
}

// Left to right: a name, its type, its config, as linux/perf_event.h numbers them.
using Encoding = std::tuple<const char*, unsigned, unsigned>;
const std::vector<Encoding> encodings{
    {"cycles", 0, 0},
    {"cpu-cycles", 0, 0},
    {"instructions", 0, 1},
    {"cache-references", 0, 2},
    {"cache-misses", 0, 3},
    {"branches", 0, 4},
    {"branch-instructions", 0, 4},
    {"branch-misses", 0, 5},
    {"bus-cycles", 0, 6},
    {"stalled-cycles-frontend", 0, 7},
    {"stalled-cycles-backend", 0, 8},
    {"ref-cycles", 0, 9},
    {"cpu-clock", 1, 0},
    {"task-clock", 1, 1},
    {"page-faults", 1, 2},
    {"faults", 1, 2},
    {"context-switches", 1, 3},
    {"cs", 1, 3},
    {"cpu-migrations", 1, 4},
    {"migrations", 1, 4},
    {"minor-faults", 1, 5},
    {"major-faults", 1, 6},
    {"alignment-faults", 1, 7},
    {"emulation-faults", 1, 8},
    {"cgroup-switches", 1, 11},
};

BOOST_DATA_TEST_CASE(knows_perfs_own_names, data::make(encodings), name, type, config) {
  const auto event = Event::resolve(name);
  BOOST_TEST(event.type == type);
  BOOST_TEST(event.config == config);
  BOOST_TEST((event.kind == (type == 0 ? Event::Kind::hardware : Event::Kind::software)));
}

BOOST_DATA_TEST_CASE(agrees_with_libpfm_on_perfs_own_names, data::make(encodings), name, type,
                     config) {
  const auto answer = ask_libpfm(name);
  if (!answer.event)
    return; // it does not know all of them
  BOOST_TEST(answer.event->type == type);
  BOOST_TEST(answer.event->config == config);
}

BOOST_AUTO_TEST_CASE(restricts_to_a_mode) {
  const auto user = Event::resolve("instructions:u");
  BOOST_TEST(user.exclude_kernel);
  BOOST_TEST(!user.exclude_user);
  BOOST_TEST(user.name == "instructions:u");
  BOOST_TEST(user.full_name == "perf::PERF_COUNT_HW_INSTRUCTIONS:u");

  const auto kernel = Event::resolve("instructions:k");
  BOOST_TEST(kernel.exclude_user);
  BOOST_TEST(!kernel.exclude_kernel);
  BOOST_TEST(kernel.full_name == "perf::PERF_COUNT_HW_INSTRUCTIONS:k");
}

BOOST_DATA_TEST_CASE(takes_both_modes_as_no_restriction,
                     data::make({"cycles:uk", "cycles:ku", "cycles:u:k", "task-clock:uk"}), name) {
  const auto event = Event::resolve(name);
  BOOST_TEST(!event.exclude_user);
  BOOST_TEST(!event.exclude_kernel);
}

BOOST_DATA_TEST_CASE(refuses_a_mode_that_the_kernel_takes_but_does_not_mean,
                     data::make({"context-switches:u", "cs:u", "cpu-migrations:u", "task-clock:u",
                                 "cpu-clock:k", "cgroup-switches:u",
                                 "PERF_COUNT_SW_CONTEXT_SWITCHES:u"}),
                     name) {
  BOOST_CHECK_EXCEPTION(Event::resolve(name), BadInput, says("ask for it without"));
}

BOOST_AUTO_TEST_CASE(takes_a_mode_that_the_kernel_means) {
  BOOST_TEST(Event::resolve("context-switches:k").exclude_user);
  BOOST_TEST(Event::resolve("page-faults:u").exclude_kernel);
}

BOOST_AUTO_TEST_CASE(asks_libpfm_for_what_is_not_perfs_own) {
  const auto event = Event::resolve("L1-DCACHE-LOADS:u");
  BOOST_TEST(event.name == "L1-DCACHE-LOADS:u");
  BOOST_TEST((event.kind == Event::Kind::hardware));
  BOOST_TEST(event.type == PERF_TYPE_HW_CACHE);
  BOOST_TEST(event.config == PERF_COUNT_HW_CACHE_L1D);
  BOOST_TEST(event.exclude_kernel);
  BOOST_TEST(event.pmu == "perf");
  BOOST_TEST(event.full_name.starts_with("perf::PERF_COUNT_HW_CACHE_L1D:READ:ACCESS"));
}

BOOST_AUTO_TEST_CASE(knows_a_software_event_in_libpfms_spelling) {
  const auto event = Event::resolve("perf::PERF_COUNT_SW_PAGE_FAULTS");
  BOOST_TEST((event.kind == Event::Kind::software));
  BOOST_TEST(event.pmu == "software");
  BOOST_TEST(event.config == PERF_COUNT_SW_PAGE_FAULTS);
}

BOOST_AUTO_TEST_CASE(offers_the_nearest_name) {
  BOOST_CHECK_EXCEPTION(Event::resolve("cylces:k"), BadInput, says("did you mean 'cycles'?"));
  BOOST_CHECK_EXCEPTION(Event::resolve("context-swiches"), BadInput,
                        says("did you mean 'context-switches'?"));
  BOOST_CHECK_EXCEPTION(Event::resolve("L1-DCACHE-LOADZ"), BadInput,
                        says("did you mean 'l1-dcache-loads'?"));
}

BOOST_AUTO_TEST_CASE(names_the_event_and_what_libpfm_says) {
  BOOST_CHECK_EXCEPTION(Event::resolve("no-such-event-anywhere"), BadInput,
                        says("event 'no-such-event-anywhere': event not found"));
  BOOST_CHECK_EXCEPTION(Event::resolve("cycles:zz"), BadInput,
                        says("event 'cycles:zz': invalid event attribute"));
}

BOOST_DATA_TEST_CASE(refuses_what_is_no_name,
                     data::make({"", ":", ":u", "cycles:", "cycles::u", "perf::", " cycles"}),
                     name) {
  BOOST_CHECK_THROW(Event::resolve(name), BadInput);
}

BOOST_DATA_TEST_CASE(refuses_modifiers_that_would_sample_pin_or_move_it,
                     data::make({"cycles:period=100", "cycles:freq=100", "cycles:precise=2",
                                 "cycles:pinned", "cycles:excl=1", "cycles:cpu=1", "cycles:mg=1",
                                 "cycles:h"}),
                     name) {
  BOOST_CHECK_EXCEPTION(Event::resolve(name), BadInput, says("only the modifiers :u and :k"));
}

BOOST_AUTO_TEST_CASE(resolves_from_several_threads) {
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> configs(4);
  for (auto& config : configs)
    threads.emplace_back([&config] { config = Event::resolve("L1-DCACHE-STORES").config; });
  for (auto& thread : threads)
    thread.join();
  for (const auto config : configs)
    BOOST_TEST(config == (PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_WRITE << 8));
}

BOOST_AUTO_TEST_CASE(resolves_a_pass_in_the_order_given) {
  const auto events = resolve_pass(" cycles, instructions:u ,context-switches");
  BOOST_TEST_REQUIRE(events.size() == 3u);
  BOOST_TEST(events[0].name == "cycles");
  BOOST_TEST(events[1].name == "instructions:u");
  BOOST_TEST(events[2].name == "context-switches");
}

BOOST_AUTO_TEST_CASE(takes_a_blank_pass_as_no_events) {
  BOOST_TEST(resolve_pass("").empty());
  BOOST_TEST(resolve_pass("  ").empty());
}

BOOST_AUTO_TEST_CASE(takes_one_event_in_two_modes) {
  BOOST_TEST(resolve_pass("cycles:u,cycles:k,cycles").size() == 3u);
}

BOOST_AUTO_TEST_CASE(refuses_a_pass_that_names_an_event_twice) {
  BOOST_CHECK_EXCEPTION(resolve_pass("cycles,branches,cycles"), BadInput,
                        says("'cycles' is there twice"));
}

BOOST_DATA_TEST_CASE(refuses_a_pass_with_a_name_missing,
                     data::make({",", "cycles,", ",cycles", "cycles,,branches", "cycles, "}),
                     list) {
  BOOST_CHECK_EXCEPTION(resolve_pass(list), BadInput, says("a name is missing beside a comma"));
}

BOOST_AUTO_TEST_SUITE_END()
