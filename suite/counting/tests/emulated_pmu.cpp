// Runs in the lab's guest, which ci/lab/counting boots: an arm64 kernel on an emulated PMU that
// counts to the instruction. One CPU, nobody else at work, 7 counters.

#include <cstdint>
#include <iomanip>
#include <string>
#include <string_view>
#include <utility>

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/cpu_set.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/ability.hpp"
#include "suite/counting/counter_group.hpp"
#include "suite/counting/pass.hpp"
#include "suite/counting/passes/fitted_passes.hpp"

using namespace schedrig;

namespace {

constexpr std::uint64_t instructions_a_round = 2;
constexpr int cpu = 0;

/// Two instructions a round, whatever the compiler does around it.
void loop(std::uint64_t rounds) {
  asm volatile("1: subs %0, %0, #1\n"
               "   b.ne 1b"
               : "+r"(rounds)
               :
               : "cc");
}

using Work = void (*)(std::uint64_t rounds);

/// A child that fails leaves the count too small.
void in_a_child(Work work, std::uint64_t rounds) {
  const pid_t child = ::fork();
  if (child == 0) {
    work(rounds);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

void loop_in_a_child(std::uint64_t rounds) {
  in_a_child(loop, rounds);
}

void loop_in_a_grandchild(std::uint64_t rounds) {
  in_a_child(loop_in_a_child, rounds);
}

CounterGroup on_self(std::string_view events) {
  return CounterGroup::on_task(kernel_perf(), resolve_pass(events), ::gettid());
}

CounterGroup on_cpu(std::string_view events) {
  return CounterGroup::on_cpus(kernel_perf(), resolve_pass(events), CpuSet({cpu}));
}

Counted count(CounterGroup& counters, Work work, std::uint64_t rounds) {
  counters.start();
  work(rounds);
  counters.stop();
  return counters.read();
}

/// The first event's count. Whole, or the test ends.
std::uint64_t count_first(CounterGroup& counters, Work work, std::uint64_t rounds) {
  const auto counted = count(counters, work, rounds);
  BOOST_TEST_REQUIRE(counted.refusal == "");
  return counted.values.at(0).count;
}

/// That a longer loop counts more by exactly its further rounds, in user mode. Subtracted is what
/// one round counts: the way from the system call that enables to the loop, from there to the one
/// that disables, and what else the work does.
void check_exact(std::string_view title, CounterGroup counters, Work work = loop) {
  count_first(counters, work, 1); // what happens only the first time (the linker) has happened
  const auto one = count_first(counters, work, 1);
  BOOST_TEST_MESSAGE(title << "\n         1 round : " << one);
  for (const std::uint64_t rounds : {10u, 1'000u, 100'000u, 10'000'000u}) {
    const auto counted = count_first(counters, work, rounds);
    BOOST_TEST_MESSAGE(std::setw(10) << rounds << " rounds: " << one << " + " << counted - one);
    BOOST_TEST(counted - one == instructions_a_round * (rounds - 1));
  }
}

/// That user and kernel mode add up to both, without a remainder: they stand and go together.
void check_split(std::string_view title, CounterGroup counters, Work work) {
  const auto counted = count(counters, work, 100'000);
  BOOST_TEST_REQUIRE(counted.refusal == "");
  const auto both = counted.values.at(0).count, user = counted.values.at(1).count,
             kernel = counted.values.at(2).count;
  BOOST_TEST_MESSAGE("instructions " << title << ":\n"
                                     << both << " = " << user << " user + " << kernel << " kernel");
  BOOST_TEST(both == user + kernel);
  BOOST_TEST(user > instructions_a_round * 100'000);
  BOOST_TEST(kernel > 0u);
}

/// The emulated PMU has 7 counters, one of them for cycles only.
const std::string seven_events =
    "cycles,cycles:u,cycles:k,instructions,instructions:u,instructions:k,cpu-cycles";
const std::string eight_events = seven_events + ",cpu-cycles:u";

Pass probe(std::string_view counting, std::string_view asked) {
  static const auto ability = CountingAbility::probe(kernel_perf(), cpu);
  return Pass::probe(kernel_perf(), ability, asked, counting, CpuSet({cpu}));
}

/// Why `asked` cannot be a pass; empty when it can.
std::string refusal_of(std::string_view counting, std::string_view asked) {
  try {
    probe(counting, asked);
    return {};
  } catch (const Unavailable& refused) {
    return refused.what();
  }
}

void check_refused(const Counted& counted, std::string_view why) {
  BOOST_TEST_MESSAGE("refused: " << counted.refusal);
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(counted.refusal.find(why) != std::string::npos, counted.refusal);
}

} // namespace

BOOST_AUTO_TEST_SUITE(emulated_pmu)

BOOST_AUTO_TEST_CASE(has_everything_that_counting_can_want) {
  const auto ability = CountingAbility::probe(kernel_perf(), cpu);
  for (const auto& sentence : ability.missing)
    BOOST_ERROR(sentence);
  BOOST_TEST(ability.hardware);
  BOOST_TEST(ability.default_counting() == "cpu");
}

BOOST_AUTO_TEST_CASE(counts_a_loop_of_the_task_to_the_instruction) {
  check_exact("instructions:u of the task", on_self("instructions:u"));
}

BOOST_AUTO_TEST_CASE(counts_a_loop_on_the_cpu_to_the_instruction) {
  check_exact("instructions:u on the CPU", on_cpu("instructions:u"));
}

BOOST_AUTO_TEST_CASE(counts_libpfm4s_event_as_the_kernels_own) {
  check_exact("arm_ac57::INST_RETIRED:u of the task", on_self("arm_ac57::INST_RETIRED:u"));
  check_exact("arm_ac57::INST_RETIRED:u on the CPU", on_cpu("arm_ac57::INST_RETIRED:u"));
}

BOOST_AUTO_TEST_CASE(counts_what_a_child_does_to_the_instruction) {
  check_exact("instructions:u of the task, the loop in its child", on_self("instructions:u"),
              loop_in_a_child);
}

BOOST_AUTO_TEST_CASE(counts_what_a_grandchild_does_to_the_instruction) {
  check_exact("instructions:u of the task, the loop in its grandchild", on_self("instructions:u"),
              loop_in_a_grandchild);
}

BOOST_AUTO_TEST_CASE(splits_a_count_into_user_and_kernel_mode) {
  const std::string split = "instructions,instructions:u,instructions:k";
  check_split("of the task", on_self(split), loop);
  check_split("of the task, the loop in its child", on_self(split), loop_in_a_child);
  check_split("on the CPU", on_cpu(split), loop);
  check_split("on the CPU, the loop in a child", on_cpu(split), loop_in_a_child);
}

BOOST_AUTO_TEST_CASE(finds_what_fits_on_the_pmu_together) {
  for (const std::string counting : {"cpu", "task"}) {
    BOOST_CHECK_NO_THROW(probe(counting, seven_events));

    // The kernel takes an eighth: it leaves out a leader that is disabled when it looks whether a
    // group fits.
    const auto eighth = refusal_of(counting, eight_events);
    BOOST_TEST(eighth.find("do not fit on the PMU together") != std::string::npos, eighth);
    BOOST_TEST(eighth.find("--events A,B --events C,D") != std::string::npos, eighth);

    const auto ninth = refusal_of(counting, eight_events + ",instructions:uk");
    BOOST_TEST(ninth.find("does not fit on the PMU together with the 8 before it") !=
                   std::string::npos,
               ninth);
    BOOST_TEST_MESSAGE("8 events by " << counting << ": " << eighth);
    BOOST_TEST_MESSAGE("9 events by " << counting << ": " << ninth);
  }
}

BOOST_AUTO_TEST_CASE(counts_in_two_passes_what_does_not_fit_in_one) {
  for (const std::string counting : {"cpu", "task"}) {
    std::uint64_t count_of_first_pass = 0;
    for (const auto& [asked, repeated] :
         {std::pair{"cycles,cycles:u,cycles:k,instructions", "cycles:u"},
          std::pair{"instructions:u,instructions:k,cpu-cycles,cpu-cycles:u", "cpu-cycles:u"}}) {
      const auto pass = probe(counting, asked);
      BOOST_TEST(pass.notes().empty());
      auto counters = pass.open(kernel_perf(), CpuSet({cpu}), ::gettid());
      count(counters, loop, 1);
      const auto counted = count(counters, loop, 100'000);
      BOOST_TEST_REQUIRE(counted.refusal == "");
      for (const auto& [event, count] : counted.values)
        if (event.name == repeated) {
          BOOST_TEST_MESSAGE(asked << " by " << counting << ": " << count << " " << repeated);
          BOOST_TEST((count_of_first_pass == 0 || count == count_of_first_pass));
          count_of_first_pass = count;
        }
    }
    BOOST_TEST(count_of_first_pass > instructions_a_round * 100'000);
  }
}

BOOST_AUTO_TEST_CASE(cuts_what_does_not_fit_into_passes_that_do) {
  const auto ability = CountingAbility::probe(kernel_perf(), cpu);
  for (const std::string counting : {"cpu", "task"}) {
    const auto fitted = FittedPasses::probe(
        kernel_perf(), ability, eight_events + ",instructions:uk", counting, CpuSet({cpu}));
    BOOST_TEST_REQUIRE(fitted.passes.size() == 2u);
    for (const auto& pass : fitted.passes) {
      BOOST_TEST_MESSAGE("9 events by " << counting << ", a pass: " << pass);
      BOOST_TEST(pass.starts_with("cycles,"));
      BOOST_CHECK_NO_THROW(probe(counting, pass)); // counts for a moment
    }
  }
}

BOOST_AUTO_TEST_CASE(refuses_a_cpus_group_that_another_keeps_off_the_pmu) {
  auto other = on_cpu(seven_events), counters = on_cpu("instructions,cycles");
  other.start();
  check_refused(count(counters, loop, 100'000), "the group lost the PMU, or never got onto it");
  other.stop();
  BOOST_TEST(other.read().refusal == "");

  // It was the other, and nothing else.
  auto alone = on_cpu("instructions,cycles");
  count_first(alone, loop, 100'000);
}

BOOST_AUTO_TEST_CASE(refuses_a_tasks_group_that_another_keeps_off_the_pmu) {
  auto other = on_cpu("cycles,cycles:u,cycles:k,instructions"),
       counters = on_self("instructions:u,instructions:k,instructions,cycles");
  other.start();
  const auto counted = count(counters, loop, 100'000);
  check_refused(counted, "was on the PMU for 0 of ");
  BOOST_TEST(counted.running.count() == 0);
  BOOST_TEST(counted.enabled.count() > 0);
  other.stop();
  BOOST_TEST(other.read().refusal == "");

  count_first(counters, loop, 100'000); // whole, as soon as the other has gone
}

BOOST_AUTO_TEST_CASE(refuses_tasks_groups_that_take_turns_on_the_pmu) {
  // Longer than the 4 ms of a turn, at 1 ns an instruction.
  constexpr std::uint64_t several_turns = 20'000'000;
  auto one = on_self("instructions:u,instructions:k,instructions,cycles"),
       two = on_self("cycles:u,cycles:k,cycles,instructions:u");
  one.start();
  two.start();
  loop(several_turns);
  two.stop();
  one.stop();
  for (const auto& counted : {one.read(), two.read()}) {
    check_refused(counted, "others share it, or its group does not fit");
    BOOST_TEST(counted.running.count() > 0);
    BOOST_TEST(counted.running.count() < counted.enabled.count());
  }

  count_first(one, loop, several_turns); // alone it is whole
}

BOOST_AUTO_TEST_SUITE_END()
