#include "pinning/os_error.hpp"

#include <boost/test/unit_test.hpp>

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(os_error)

BOOST_AUTO_TEST_CASE(carries_errno_operation_and_subject) {
  errno = EACCES;
  try {
    checked(-1, "mkdir", "/sys/fs/cgroup/cpu/x");
    BOOST_FAIL("nothing was thrown");
  } catch (const OsError& error) {
    BOOST_TEST(error.error() == EACCES);
    BOOST_TEST(error.operation() == "mkdir");
    BOOST_TEST(error.subject() == "/sys/fs/cgroup/cpu/x");
    BOOST_TEST(error.what() == "mkdir /sys/fs/cgroup/cpu/x: Permission denied (EACCES)");
    BOOST_TEST((error.code() == std::errc::permission_denied));
  }
}

BOOST_AUTO_TEST_CASE(hands_on_what_is_not_a_refusal) {
  BOOST_TEST(checked(0, "open", "x") == 0);
  BOOST_TEST(checked(7L, "read", "x") == 7L);
}

BOOST_AUTO_TEST_CASE(has_a_text_for_an_errno_without_a_name) {
  BOOST_TEST(errno_text(9999) == "unknown error (9999)");
}

BOOST_AUTO_TEST_SUITE_END()
