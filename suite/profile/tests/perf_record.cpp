#include "suite/profile/perf_record.hpp"

#include <stdexcept>

#include <boost/test/unit_test.hpp>

#include "suite/profile/tests/written_record.hpp"

using namespace schedrig;

namespace {

std::vector<PerfRecord> decoded(const std::vector<WrittenRecord>& records) {
  std::vector<std::byte> bytes;
  for (const auto& record : records) {
    const auto more = record.bytes();
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return decode_records(bytes);
}

} // namespace

BOOST_AUTO_TEST_SUITE(perf_record)

BOOST_AUTO_TEST_CASE(a_sample_tells_where_which_thread_was_when_and_in_which_mode) {
  const auto records = decoded({WrittenRecord(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL)
                                    .word(0xffffffff81000010)
                                    .half(7)
                                    .half(8)
                                    .word(99),
                                WrittenRecord::sample(7, 0x401000, 100),
                                WrittenRecord::sample(7, 0x1, 101, PERF_RECORD_MISC_GUEST_KERNEL)});
  BOOST_REQUIRE(records.size() == 3U);
  const auto& kernel = std::get<PerfRecord::Sample>(records[0].what);
  BOOST_TEST(kernel.address == 0xffffffff81000010);
  BOOST_TEST((kernel.mode == PerfRecord::Mode::kernel));
  BOOST_TEST(records[0].process == 7);
  BOOST_TEST(records[0].thread == 8);
  BOOST_TEST(records[0].time_ns == 99U);
  BOOST_TEST((std::get<PerfRecord::Sample>(records[1].what).mode == PerfRecord::Mode::user));
  BOOST_TEST((std::get<PerfRecord::Sample>(records[2].what).mode == PerfRecord::Mode::guest));
}

BOOST_AUTO_TEST_CASE(a_mapping_tells_its_file_and_the_place_in_it) {
  const auto records =
      decoded({WrittenRecord::mapping(7, 0x7f0000001000, 0x2000, 0x3000, "/usr/lib/libc.so.6", 5)});
  BOOST_REQUIRE(records.size() == 1U);
  BOOST_TEST(records[0].process == 7);
  BOOST_TEST(records[0].time_ns == 5U);
  const auto& mapping = std::get<PerfRecord::Mapping>(records[0].what);
  BOOST_TEST(mapping.start == 0x7f0000001000U);
  BOOST_TEST(mapping.bytes == 0x2000U);
  BOOST_TEST(mapping.offset == 0x3000U);
  BOOST_TEST(mapping.file == "/usr/lib/libc.so.6");
}

BOOST_AUTO_TEST_CASE(a_fork_is_told_of_the_child_and_an_exec_is_told_from_a_new_name) {
  const auto records =
      decoded({WrittenRecord(PERF_RECORD_FORK).half(20).half(7).half(21).half(7).word(1).end(7, 3),
               WrittenRecord(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC)
                   .half(20)
                   .half(20)
                   .text("sh")
                   .end(20, 4),
               WrittenRecord(PERF_RECORD_COMM).half(20).half(20).text("worker").end(20, 5)});
  BOOST_REQUIRE(records.size() == 2U);
  BOOST_TEST(records[0].process == 20);
  BOOST_TEST(records[0].thread == 21);
  BOOST_TEST(std::get<PerfRecord::Fork>(records[0].what).parent == 7);
  BOOST_TEST(std::holds_alternative<PerfRecord::Exec>(records[1].what));
  BOOST_TEST(records[1].process == 20);
}

BOOST_AUTO_TEST_CASE(what_is_lost_or_throttled_is_told_and_what_tells_nothing_is_passed_over) {
  const auto records =
      decoded({WrittenRecord::lost(12),
               WrittenRecord(PERF_RECORD_THROTTLE).word(1).word(2).word(3).end(7, 3),
               WrittenRecord(PERF_RECORD_EXIT).half(7).half(1).half(7).half(1).word(9).end(7, 9)});
  BOOST_REQUIRE(records.size() == 2U);
  BOOST_TEST(std::get<PerfRecord::Lost>(records[0].what).records == 12U);
  BOOST_TEST(std::holds_alternative<PerfRecord::Throttled>(records[1].what));
}

BOOST_AUTO_TEST_CASE(refuses_a_record_longer_than_what_is_left_one_of_no_length_and_a_short_one) {
  auto bytes = WrittenRecord::sample(7, 1, 2).bytes();
  bytes.pop_back();
  BOOST_CHECK_THROW(decode_records(bytes), std::runtime_error);
  BOOST_CHECK_THROW(decode_records(std::vector<std::byte>(16)), std::runtime_error);
  BOOST_CHECK_THROW(decode_records(WrittenRecord(PERF_RECORD_SAMPLE).word(1).bytes()),
                    std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
