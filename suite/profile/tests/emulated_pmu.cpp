// Runs in the lab's guest with suite/counting's tests there: samples by the emulated PMU's own
// overflow interrupt.

#include <cstdint>
#include <filesystem>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "suite/counting/ability.hpp"
#include "suite/profile/sampling.hpp"

using namespace schedrig;

namespace lab {

/// Two instructions a round.
[[gnu::noinline]] void planted(std::uint64_t rounds) {
  asm volatile("1: subs %0, %0, #1\n"
               "   b.ne 1b"
               : "+r"(rounds)
               :
               : "cc");
}

[[gnu::noinline]] void usual(std::uint64_t rounds) {
  asm volatile("1: subs %0, %0, #1\n"
               "   b.ne 1b"
               : "+r"(rounds)
               :
               : "cc");
}

} // namespace lab

namespace {

/// Three quarters of all instructions in `planted`, one in `usual`.
void work() {
  for (int turn = 0; turn < 20; ++turn) {
    lab::planted(750'000);
    lab::usual(250'000);
  }
}

constexpr std::int64_t instructions = 20 * 2 * (750'000 + 250'000);

ProfileRecord profile_of_work(Sampler sampler, const SampledEvent& by) {
  sampler.start();
  work();
  sampler.stop();
  const auto sampled = sampler.read();
  BOOST_TEST_REQUIRE(sampled.refusal == "");
  Symbols symbols;
  return profile_of(sampled, by, symbols);
}

void check_functions(const ProfileRecord& profile) {
  BOOST_TEST_REQUIRE(profile.functions.size() >= 2u);
  for (std::size_t place = 0; place < std::min<std::size_t>(profile.functions.size(), 4); ++place) {
    const auto& [function, samples] = profile.functions[place];
    BOOST_TEST_MESSAGE(samples << " of " << profile.samples << " samples in " << function.name
                               << " of " << function.object);
  }
  const auto share = [&](std::size_t place) {
    return static_cast<double>(profile.functions[place].samples) /
           static_cast<double>(profile.samples);
  };
  const auto program = std::filesystem::read_symlink("/proc/self/exe").native();
  BOOST_TEST(profile.functions[0].function.name == "lab::planted(unsigned long)");
  BOOST_TEST(profile.functions[0].function.object == program);
  BOOST_TEST(share(0) == 0.75,
             boost::test_tools::tolerance(0.05)); // ticks and interrupts beside it
  BOOST_TEST(profile.functions[1].function.name == "lab::usual(unsigned long)");
  BOOST_TEST(share(1) == 0.25, boost::test_tools::tolerance(0.1));
}

} // namespace

BOOST_AUTO_TEST_SUITE(emulated_pmu_profile)

BOOST_AUTO_TEST_CASE(finds_a_planted_function_by_the_pmus_interrupt) {
  const SampledEvent cycles{Event::resolve("cycles"), 100'003};
  const auto profile =
      profile_of_work(Sampler::on_task(kernel_perf(), cycles, CpuSet({0}), ::getpid()), cycles);
  BOOST_TEST(profile.event == "cycles");
  BOOST_TEST(profile.lost == 0);
  BOOST_TEST(profile.samples >= instructions / 100'003); // one for each period at least
  check_functions(profile);
}

BOOST_AUTO_TEST_CASE(finds_it_on_a_whole_cpu_too) {
  const SampledEvent cycles{Event::resolve("cycles"), 100'003};
  check_functions(
      profile_of_work(Sampler::on_cpus(kernel_perf(), cycles, CpuSet({0}), ::getpid()), cycles));
}

BOOST_AUTO_TEST_CASE(cycles_are_what_a_plan_samples_by_here) {
  const auto ability = CountingAbility::probe(kernel_perf(), 0);
  const auto sampling = Sampling::probe(kernel_perf(), ability, "task", CpuSet({0}));
  BOOST_TEST(sampling.sampled().event.name == "cycles");
  BOOST_TEST(sampling.notes().empty());
}

BOOST_AUTO_TEST_SUITE_END()
