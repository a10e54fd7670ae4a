#include "suite/profile/address_spaces.hpp"

#include <boost/test/unit_test.hpp>

using namespace schedrig;

namespace {

PerfRecord mapped(pid_t process, std::uint64_t start, std::uint64_t bytes, std::uint64_t offset,
                  const std::string& file) {
  return {.process = process, .what = PerfRecord::Mapping{start, bytes, offset, file}};
}

std::string place(const AddressSpaces& spaces, pid_t process, std::uint64_t address) {
  const auto found = spaces.find(process, address);
  return found ? std::string(found->file) + "+" + std::to_string(found->offset) : "nowhere";
}

} // namespace

BOOST_AUTO_TEST_SUITE(address_spaces)

BOOST_AUTO_TEST_CASE(an_address_lies_in_what_was_mapped_there_and_in_nothing_beside_it) {
  AddressSpaces spaces;
  spaces.follow(mapped(1, 1000, 100, 500, "a"));
  BOOST_TEST(place(spaces, 1, 999) == "nowhere");
  BOOST_TEST(place(spaces, 1, 1000) == "a+500");
  BOOST_TEST(place(spaces, 1, 1099) == "a+599");
  BOOST_TEST(place(spaces, 1, 1100) == "nowhere");
  BOOST_TEST(place(spaces, 2, 1000) == "nowhere");
}

BOOST_AUTO_TEST_CASE(a_new_mapping_covers_what_lay_there_and_leaves_what_stands_out) {
  AddressSpaces spaces;
  spaces.follow(mapped(1, 1000, 300, 0, "old"));
  spaces.follow(mapped(1, 1100, 100, 0, "within"));
  BOOST_TEST(place(spaces, 1, 1099) == "old+99");
  BOOST_TEST(place(spaces, 1, 1100) == "within+0");
  BOOST_TEST(place(spaces, 1, 1200) == "old+200");
  spaces.follow(mapped(1, 1050, 200, 0, "across"));
  BOOST_TEST(place(spaces, 1, 1049) == "old+49");
  BOOST_TEST(place(spaces, 1, 1150) == "across+100");
  BOOST_TEST(place(spaces, 1, 1250) == "old+250");
  BOOST_TEST(place(spaces, 1, 1299) == "old+299");
  spaces.follow(mapped(1, 900, 1000, 0, "all"));
  BOOST_TEST(place(spaces, 1, 1299) == "all+399");
}

BOOST_AUTO_TEST_CASE(a_child_has_what_its_parent_had_and_goes_its_own_way) {
  AddressSpaces spaces;
  spaces.follow(mapped(1, 1000, 100, 0, "a"));
  spaces.follow({.process = 2, .what = PerfRecord::Fork{1}});
  spaces.follow(mapped(1, 1000, 100, 0, "later"));
  BOOST_TEST(place(spaces, 2, 1000) == "a+0");
  spaces.follow({.process = 2, .what = PerfRecord::Exec{}});
  BOOST_TEST(place(spaces, 2, 1000) == "nowhere");
  BOOST_TEST(place(spaces, 1, 1000) == "later+0");
}

BOOST_AUTO_TEST_CASE(a_thread_changes_nothing_and_a_number_used_again_starts_afresh) {
  AddressSpaces spaces;
  spaces.follow(mapped(1, 1000, 100, 0, "a"));
  spaces.follow({.process = 1, .thread = 5, .what = PerfRecord::Fork{1}});
  BOOST_TEST(place(spaces, 1, 1000) == "a+0");
  spaces.follow({.process = 1, .what = PerfRecord::Fork{77}});
  BOOST_TEST(!spaces.knows(1));
}

BOOST_AUTO_TEST_CASE(reads_the_executable_lines_of_proc_maps) {
  const auto records = mappings_of(
      3, "55d0c8a00000-55d0c8a02000 r--p 00000000 fe:00 1234                       /usr/bin/cat\n"
         "55d0c8a02000-55d0c8a06000 r-xp 00002000 fe:00 1234                       /usr/bin/cat\n"
         "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
         "7ffd1c5f2000-7ffd1c5f4000 r-xp 00000000 00:00 0                          [vdso]\n"
         "7ffd1c600000-7ffd1c601000 r-xp 00000000 fe:00 99                         /tmp/a b "
         "(deleted)\n"
         "not a line\n"
         "5-4 r-xp 00000000 fe:00 1 /backwards\n");
  BOOST_REQUIRE(records.size() == 4U);
  const auto mapping = [&](std::size_t i) {
    return std::get<PerfRecord::Mapping>(records[i].what);
  };
  BOOST_TEST(records[0].process == 3);
  BOOST_TEST(mapping(0).start == 0x55d0c8a02000U);
  BOOST_TEST(mapping(0).bytes == 0x4000U);
  BOOST_TEST(mapping(0).offset == 0x2000U);
  BOOST_TEST(mapping(0).file == "/usr/bin/cat");
  BOOST_TEST(mapping(1).file == "//anon");
  BOOST_TEST(mapping(2).file == "[vdso]");
  BOOST_TEST(mapping(3).file == "/tmp/a b (deleted)");
}

BOOST_AUTO_TEST_SUITE_END()
