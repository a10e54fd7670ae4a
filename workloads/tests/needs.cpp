#include "workloads/needs.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include "pinning/os_error.hpp"
#include "workloads/catalogue.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(needs)

BOOST_AUTO_TEST_CASE(a_small_workload_lacks_nothing) {
  BOOST_TEST(lacking(Needs{}).empty());
}

BOOST_AUTO_TEST_CASE(what_is_lacking_is_told_with_what_is_needed_and_what_is_there) {
  Needs needs;
  needs.tasks = 5'000'000'000;
  needs.descriptors = 5'000'000'000;
  needs.file_bytes = INT64_MAX;
  needs.folder = "/tmp";
  const auto sentences = lacking(needs);
  BOOST_TEST_REQUIRE(sentences.size() == 4u); // so many tasks want memory too
  BOOST_TEST(sentences[0].starts_with("tasks: 5000000000 needed, "));
  BOOST_TEST(sentences[1].starts_with("open descriptors in a process: 5000000000 needed, "));
  BOOST_TEST(sentences[2].starts_with("bytes of memory: "));
  BOOST_TEST(sentences[3].starts_with("bytes of free space in /tmp: "));
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_named) {
  Needs needs;
  needs.folder = "/no/such/folder";
  BOOST_CHECK_EXCEPTION(lacking(needs), OsError,
                        [](const OsError& error) { return error.subject() == "/no/such/folder"; });
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_named) {
  Needs needs;
  needs.programs = {"sh", "/bin/sh"};
  BOOST_TEST(lacking(needs).empty());
  needs.programs = {"no-such-program", "/no/such/program", "/etc", "/etc/passwd", ""};
  const auto sentences = lacking(needs);
  BOOST_TEST_REQUIRE(sentences.size() == 5u);
  BOOST_TEST(sentences[0].starts_with("program no-such-program: needed, but not in PATH (/"));
  BOOST_TEST(sentences[1].starts_with("program /no/such/program: "));
}

BOOST_AUTO_TEST_CASE(the_soft_limit_of_descriptors_can_be_raised_to_the_hard_one) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit low{64, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  allow_descriptors(128);
  rlimit after{};
  ::getrlimit(RLIMIT_NOFILE, &after);
  BOOST_TEST(after.rlim_cur == 128u);
  allow_descriptors(1); // never lowers it
  ::getrlimit(RLIMIT_NOFILE, &after);
  BOOST_TEST(after.rlim_cur == 128u);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

BOOST_AUTO_TEST_CASE(every_entry_tells_its_needs) {
  for (const auto& entry : catalogue())
    BOOST_TEST(needs_of(entry.name, "").tasks >= 1, entry.name);
}

BOOST_AUTO_TEST_SUITE_END()
