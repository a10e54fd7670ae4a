#include "pinning/fd.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"

using namespace schedrig;

namespace {

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) != -1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(fd)

BOOST_AUTO_TEST_CASE(closes_what_it_owns_once) {
  int number = -1;
  {
    Fd file = Fd::open("/dev/null", O_RDONLY);
    number = file.number();
    BOOST_TEST(::fcntl(number, F_GETFD) == FD_CLOEXEC);
    const Fd other = std::move(file);
    BOOST_TEST(!file);
    BOOST_TEST(other.number() == number);
    BOOST_TEST(is_open(number));
  }
  BOOST_TEST(!is_open(number));
}

BOOST_AUTO_TEST_CASE(closes_at_once_what_is_replaced_by_nothing) {
  Fd file = Fd::open("/dev/null", O_RDONLY);
  const int number = file.number();
  file = Fd();
  BOOST_TEST(!is_open(number));
}

BOOST_AUTO_TEST_CASE(reads_files_longer_than_a_page_and_those_of_proc) {
  const TemporaryFolder folder;
  const std::string text(100'000, 'x');
  folder.put("long", text);
  BOOST_TEST((read_whole(folder.path() / "long") == text));
  BOOST_TEST(!read_whole("/proc/self/stat").empty());
}

BOOST_AUTO_TEST_CASE(names_the_file_it_cannot_open) {
  BOOST_CHECK_EXCEPTION(read_whole("/no/such/file"), OsError,
                        tells("open /no/such/file: No such file or directory (ENOENT)"));
  BOOST_CHECK_EXCEPTION(write_whole("/no/such/file", "1"), OsError, tells("open /no/such/file"));
  BOOST_CHECK_EXCEPTION(read_whole("/"), OsError, tells("read /: Is a directory (EISDIR)"));
}

BOOST_AUTO_TEST_CASE(writes_only_into_what_exists) {
  const TemporaryFolder folder;
  BOOST_CHECK_THROW(write_whole(folder.path() / "new", "1"), OsError);
  folder.put("old", "");
  write_whole(folder.path() / "old", "20000 100000");
  BOOST_TEST(read_whole(folder.path() / "old") == "20000 100000");
}

BOOST_AUTO_TEST_CASE(trims_white_space_at_both_ends_only) {
  BOOST_TEST(trimmed(" a b\n") == "a b");
  BOOST_TEST(trimmed(" \n") == "");
  BOOST_TEST(trimmed("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
