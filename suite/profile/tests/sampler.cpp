#include "suite/profile/sampler.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/tests/fake_perf.hpp"
#include "suite/profile/ring.hpp"
#include "suite/profile/sampling.hpp"
#include "suite/profile/tests/written_record.hpp"

using namespace schedrig;

namespace {

const SampledEvent clock_samples{Event::resolve("cpu-clock"), 1000};
const CountingAbility all_abilities{true, true, true, true, {}};
constexpr std::size_t page = 4096, smallest_ring = 65'536;

bool says(const std::vector<std::string>& notes, const std::string& part) {
  for (const auto& note : notes)
    if (note.find(part) != std::string::npos)
      return true;
  return false;
}

std::vector<std::uint64_t> addresses(const Sampled& sampled) {
  std::vector<std::uint64_t> addresses;
  for (const auto& record : sampled.records)
    if (const auto* sample = std::get_if<PerfRecord::Sample>(&record.what))
      addresses.push_back(sample->address);
  return addresses;
}

/// A sampler of CPU 0, and the descriptor that it takes samples with.
struct OnOneCpu {
  FakePerf perf;
  Sampler sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0);
  int event = perf.opens.back().fd;

  Sampled finish() {
    sampler.stop();
    return sampler.read();
  }
};

std::string refusal(FakePerf& perf, pid_t process = 0) {
  try {
    if (process)
      Sampler::on_task(perf, clock_samples, CpuSet({0}), process);
    else
      Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0);
  } catch (const Unavailable& unavailable) {
    return unavailable.what();
  }
  return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(ring)

BOOST_AUTO_TEST_CASE(reads_what_goes_round_the_end_of_the_buffer) {
  FakePerf perf;
  perf_event_attr attributes{};
  const Fd event(perf.open(attributes, -1, 0, -1, 0));
  Ring ring(perf, event.number(), page, "CPU 0");
  std::uint64_t written = 0, read = 0;
  for (int round = 0; round < 10; ++round) { // 10 * 50 records of 32 bytes: some three times round
    std::vector<std::byte> bytes;
    for (int i = 0; i < 50; ++i)
      BOOST_TEST(perf.write(event.number(), WrittenRecord::sample(1, written++, 1).bytes()));
    BOOST_TEST(ring.unread() == 50U * 32);
    ring.drain(bytes);
    for (const auto& record : decode_records(bytes))
      BOOST_TEST(std::get<PerfRecord::Sample>(record.what).address == read++);
  }
  BOOST_TEST(read == written);
  BOOST_TEST(ring.unread() == 0U);
}

BOOST_AUTO_TEST_CASE(a_buffer_can_be_filled_to_its_last_byte) {
  FakePerf perf;
  perf_event_attr attributes{};
  const Fd event(perf.open(attributes, -1, 0, -1, 0));
  Ring ring(perf, event.number(), page, "CPU 0");
  int fitted = 0;
  while (perf.write(event.number(), WrittenRecord::sample(1, 5, 1).bytes()))
    ++fitted;
  BOOST_TEST(fitted == 128);
  std::vector<std::byte> bytes;
  ring.drain(bytes);
  BOOST_TEST(decode_records(bytes).size() == 128U);
  BOOST_TEST(perf.write(event.number(), WrittenRecord::sample(1, 5, 1).bytes()));
}

BOOST_AUTO_TEST_CASE(refuses_a_head_that_cannot_be) {
  FakePerf perf;
  perf_event_attr attributes{};
  const Fd event(perf.open(attributes, -1, 0, -1, 0));
  Ring ring(perf, event.number(), page, "CPU 0");
  while (perf.write(event.number(), WrittenRecord::sample(1, 5, 1).bytes())) {
  }
  perf.run_over(event.number());
  BOOST_CHECK_THROW(ring.unread(), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sampler)

BOOST_AUTO_TEST_CASE(opens_a_follower_and_a_sampler_for_each_cpu_that_share_a_buffer) {
  FakePerf perf;
  auto sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0, 2}), 0);
  BOOST_REQUIRE(perf.opens.size() == 4U);
  const auto &follower = perf.opens[0], &samples = perf.opens[1];
  BOOST_TEST(follower.cpu == 0);
  BOOST_TEST(follower.process == -1);
  BOOST_TEST(follower.attributes.config == PERF_COUNT_SW_DUMMY);
  BOOST_TEST(+follower.attributes.disabled == 0);
  BOOST_TEST(+follower.attributes.mmap2 == 1);
  BOOST_TEST(+follower.attributes.task == 1);
  BOOST_TEST(+samples.attributes.freq == 0);
  BOOST_TEST(samples.attributes.sample_period == 1000U);
  BOOST_TEST(+samples.attributes.disabled == 1);
  BOOST_TEST(+samples.attributes.inherit == 0);
  BOOST_TEST(samples.attributes.sample_type == follower.attributes.sample_type);
  BOOST_TEST(perf.opens[3].cpu == 2);
  BOOST_TEST(!perf.is_enabled(samples.fd));
  sampler.start();
  BOOST_TEST(perf.is_enabled(samples.fd));
  BOOST_TEST(perf.is_enabled(perf.opens[3].fd));
  sampler.stop();
  BOOST_TEST(!perf.is_enabled(samples.fd));
}

BOOST_AUTO_TEST_CASE(a_task_is_sampled_by_an_inherited_event_on_each_cpu) {
  FakePerf perf;
  const auto sampler = Sampler::on_task(perf, clock_samples, CpuSet({0, 1}), ::getpid());
  BOOST_REQUIRE(perf.opens.size() == 4U);
  for (const auto& open : perf.opens) {
    BOOST_TEST(open.process == ::getpid());
    BOOST_TEST(+open.attributes.inherit == 1);
    BOOST_TEST(+open.attributes.enable_on_exec == 0);
  }
  BOOST_TEST(perf.opens[2].cpu == 1);
}

BOOST_AUTO_TEST_CASE(sampling_may_begin_at_the_tasks_exec) {
  FakePerf perf;
  auto sampler =
      Sampler::on_task(perf, clock_samples, CpuSet({0}), ::getpid(), Sampler::Begin::at_exec);
  BOOST_TEST(+perf.opens[1].attributes.enable_on_exec == 1);
  sampler.start();
  BOOST_TEST(!perf.is_enabled(perf.opens[1].fd));
}

BOOST_AUTO_TEST_CASE(gives_what_was_mapped_before_and_then_all_records_by_time) {
  FakePerf perf;
  auto sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0, 1}), ::getpid());
  sampler.start();
  perf.write(perf.opens[3].fd, WrittenRecord::sample(7, 2, 20).bytes());
  perf.write(perf.opens[1].fd, WrittenRecord::sample(7, 3, 30).bytes());
  perf.write(perf.opens[0].fd, WrittenRecord::mapping(7, 1, 1, 0, "f", 10).bytes());
  perf.write(perf.opens[1].fd, WrittenRecord::sample(7, 4, 40).bytes());
  sampler.stop();
  const auto sampled = sampler.read();
  BOOST_TEST(addresses(sampled) == (std::vector<std::uint64_t>{2, 3, 4}),
             boost::test_tools::per_element());
  BOOST_REQUIRE(sampled.records.size() > 4U); // this program, its libraries
  BOOST_TEST(sampled.records.front().process == ::getpid());
  BOOST_TEST(std::get<PerfRecord::Mapping>(sampled.records.rbegin()[3].what).file == "f");
  BOOST_TEST(sampled.lost == 0U);
  BOOST_TEST(sampled.refusal == "");
  BOOST_TEST(sampled.notes.empty());
}

BOOST_FIXTURE_TEST_CASE(lost_records_are_counted_by_what_the_buffer_says, OnOneCpu) {
  sampler.start();
  perf.write(event, WrittenRecord::lost(5).bytes());
  perf.write(event, WrittenRecord::lost(7).bytes());
  BOOST_TEST(finish().lost == 12U);
}

BOOST_FIXTURE_TEST_CASE(lost_records_are_counted_by_what_the_event_says_where_that_is_more,
                        OnOneCpu) {
  sampler.start();
  perf.write(event, WrittenRecord::lost(5).bytes());
  perf.lost_samples = 90; // those behind the last that was written
  BOOST_TEST(finish().lost == 90U);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_does_not_count_what_is_lost_is_asked_for_less) {
  FakePerf perf;
  perf.refuse_open = [](const FakePerf::Open& open) {
    return open.attributes.read_format & PERF_FORMAT_LOST ? EINVAL : 0;
  };
  perf.most_mapped_bytes = smallest_ring + page;
  auto sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0);
  sampler.start();
  while (perf.write(perf.opens.back().fd, WrittenRecord::sample(7, 1, 1).bytes())) {
  }
  sampler.stop();
  const auto sampled = sampler.read();
  BOOST_TEST(addresses(sampled).size() == smallest_ring / 32);
  BOOST_TEST(says(sampled.notes, "the buffer of CPU 0 was full at the end"));
}

BOOST_FIXTURE_TEST_CASE(throttling_is_told, OnOneCpu) {
  sampler.start();
  perf.write(event, WrittenRecord(PERF_RECORD_THROTTLE).word(1).word(1).word(1).end(1, 1).bytes());
  BOOST_TEST(says(finish().notes, "kernel.perf_event_max_sample_rate"));
}

BOOST_FIXTURE_TEST_CASE(an_event_that_shared_the_pmu_is_refused, OnOneCpu) {
  perf.shared_on = {0};
  sampler.start();
  const auto refusal = finish().refusal;
  BOOST_TEST(refusal.find("cpu-clock on CPU 0: sampled for 500000 of 1000000 ns") == 0U, refusal);
}

BOOST_AUTO_TEST_CASE(a_tasks_events_are_on_the_pmu_in_turn_on_its_cpus) {
  for (const bool whole : {true, false}) {
    FakePerf perf;
    perf.enabled_for = std::chrono::milliseconds(100);
    perf.shared_on = {0, 1}; // half of the time on the one, half on the other
    auto sampler =
        Sampler::on_task(perf, clock_samples, whole ? CpuSet({0, 1}) : CpuSet({0}), ::getpid());
    sampler.start();
    sampler.stop();
    const auto refusal = sampler.read().refusal;
    BOOST_TEST(refusal.empty() == whole, refusal);
    if (!whole)
      BOOST_TEST(refusal.find("sampled for 50000000 of 100000000 ns") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(an_event_that_lost_the_pmu_is_refused, OnOneCpu) {
  perf.lost_on = {0};
  sampler.start();
  BOOST_TEST(finish().refusal == "cpu-clock on CPU 0: lost the PMU, or never got onto it");
}

BOOST_AUTO_TEST_CASE(goes_on_after_signals) {
  FakePerf perf;
  perf.interruptions = 3;
  auto sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0);
  perf.interruptions = 3;
  sampler.start();
  perf.interruptions = 3;
  sampler.stop();
  perf.interruptions = 3;
  BOOST_TEST(sampler.read().refusal == "");
}

BOOST_AUTO_TEST_CASE(takes_the_largest_buffer_that_may_be_locked) {
  FakePerf perf;
  perf.most_mapped_bytes = 600'000; // perf_event_mlock_kb 516 and some
  auto sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0);
  BOOST_TEST(perf.opens.rbegin()[1].attributes.wakeup_watermark == 524'288U / 2);
  BOOST_TEST(perf.open_descriptors() == 2U);
}

BOOST_AUTO_TEST_CASE(says_so_when_no_buffer_may_be_locked) {
  FakePerf perf;
  perf.most_mapped_bytes = 1000;
  BOOST_TEST(refusal(perf).find("kernel.perf_event_mlock_kb") != std::string::npos);
  BOOST_TEST(perf.open_descriptors() == 0U);
}

BOOST_AUTO_TEST_CASE(explains_what_is_not_permitted) {
  FakePerf perf;
  perf.refuse_open = [](const FakePerf::Open&) { return EACCES; };
  perf.paranoid_level = 2;
  BOOST_TEST(refusal(perf).find("a whole CPU takes CAP_PERFMON or perf_event_paranoid <= 0") !=
             std::string::npos);
  perf.paranoid_level = 3;
  BOOST_TEST(refusal(perf, ::getpid()).find("sysctl -w kernel.perf_event_paranoid=2") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(passes_on_what_is_no_fact_about_the_machine) {
  FakePerf perf;
  perf.refuse_open = [](const FakePerf::Open&) { return ENOMEM; };
  BOOST_CHECK_EXCEPTION(Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0), OsError,
                        [](const OsError& error) { return error.error() == ENOMEM; });
  FakePerf fine;
  BOOST_CHECK_THROW(Sampler::on_cpus(fine, clock_samples, CpuSet(), 0), BadInput);
}

BOOST_AUTO_TEST_CASE(a_buffer_that_is_half_full_is_emptied_meanwhile_and_that_is_told) {
  FakePerf perf;
  perf.most_mapped_bytes = smallest_ring + page;
  auto sampler = Sampler::on_cpus(perf, clock_samples, CpuSet({0}), 0);
  sampler.start();
  const auto &follower = perf.opens.rbegin()[1], &samples = perf.opens.rbegin()[0];
  std::uint64_t written = 0;
  while (written < smallest_ring / 32 / 2)
    perf.write(samples.fd, WrittenRecord::sample(7, written++, 1).bytes());
  const std::uint64_t one = 1;
  BOOST_TEST(::write(follower.fd, &one, sizeof one) == 8); // ready, as the kernel makes it
  // There is room for as many again only once the reader has been there.
  while (written < smallest_ring / 32 * 2)
    if (perf.write(samples.fd, WrittenRecord::sample(7, written, 1).bytes()))
      ++written;
    else
      std::this_thread::yield();
  sampler.stop();
  const auto sampled = sampler.read();
  BOOST_TEST(addresses(sampled).size() == written);
  BOOST_TEST(addresses(sampled).back() == written - 1);
  BOOST_TEST(says(sampled.notes, "were read while the workload ran"));
}

BOOST_AUTO_TEST_CASE(a_sampler_of_nothing_samples_nothing) {
  Sampler sampler;
  sampler.start();
  sampler.stop();
  BOOST_TEST(sampler.read().records.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sampling)

BOOST_AUTO_TEST_CASE(samples_by_cycles_where_there_is_a_pmu_and_by_the_clock_elsewhere) {
  FakePerf perf;
  CountingAbility ability = all_abilities;
  const auto by_cycles = Sampling::probe(perf, ability, "cpu", CpuSet({0}));
  BOOST_TEST(by_cycles.sampled().event.name == "cycles");
  BOOST_TEST(by_cycles.notes().empty());
  BOOST_TEST(+perf.opens.back().attributes.pinned == 1);
  ability.hardware = false;
  const auto by_clock = Sampling::probe(perf, ability, "task", CpuSet({0}));
  BOOST_TEST(by_clock.sampled().event.name == "cpu-clock");
  BOOST_TEST(says(by_clock.notes(), "no hardware PMU"));
  BOOST_TEST(+perf.opens.back().attributes.inherit == 1);
}

BOOST_AUTO_TEST_CASE(a_user_who_may_not_see_the_kernel_gets_user_mode_and_is_told) {
  FakePerf perf;
  const CountingAbility ability{true, false, false, false, {}};
  const auto sampling = Sampling::probe(perf, ability, "task", CpuSet({0}));
  for (const auto& open : perf.opens)
    BOOST_TEST(+open.attributes.exclude_kernel == 1);
  BOOST_TEST(says(sampling.notes(), "user functions only"));
}

BOOST_AUTO_TEST_CASE(refuses_a_user_who_may_not_even_count_and_a_pmu_that_is_shared) {
  FakePerf perf;
  BOOST_CHECK_THROW(Sampling::probe(perf, {}, "off", CpuSet({0})), Unavailable);
  perf.shared_on = {0};
  const CountingAbility ability = all_abilities;
  BOOST_CHECK_THROW(Sampling::probe(perf, ability, "cpu", CpuSet({0})), Unavailable);
}

BOOST_AUTO_TEST_SUITE_END()
