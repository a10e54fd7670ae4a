#include "workloads/parts/work_folder.hpp"

#include <csignal>
#include <fstream>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/child.hpp"

using namespace schedrig;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

} // namespace

BOOST_AUTO_TEST_SUITE(work_folder)

BOOST_AUTO_TEST_CASE(it_goes_with_its_owner_and_with_all_that_is_in_it) {
  fs::path path;
  {
    const WorkFolder folder(fs::temp_directory_path());
    path = folder.path();
    fs::create_directory(path / "within");
    std::ofstream(path / "within" / "file") << "text";
    BOOST_TEST(fs::exists(path / "within" / "file"));
  }
  BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_CASE(what_a_killed_owner_left_is_removed_by_the_next_and_nothing_else) {
  const WorkFolder place(fs::temp_directory_path());
  fs::create_directory(place.path() / "another");
  {
    const auto made = pipe_channel();
    Child owner(own_affinity(), [&] {
      const WorkFolder folder(place.path());
      std::ofstream(folder.path() / "file") << "text";
      ::write(made.write_end.number(), "", 1) == 1 ? ::pause() : 0;
    });
    char byte = 0;
    BOOST_TEST(::read(made.read_end.number(), &byte, 1) == 1);
    const WorkFolder beside(place.path()); // a living owner's is left alone
    BOOST_TEST(entries(place.path()) == 3);
  } // the owner is killed
  BOOST_TEST(entries(place.path()) == 2);
  const WorkFolder next(place.path());
  BOOST_TEST(entries(place.path()) == 2);
  BOOST_TEST(fs::exists(next.path()));
  BOOST_TEST(fs::exists(place.path() / "another"));
}

BOOST_AUTO_TEST_CASE(a_place_that_is_not_there_is_named) {
  BOOST_CHECK_EXCEPTION(WorkFolder("/no/such/place"), OsError, [](const OsError& error) {
    return error.error() == ENOENT && error.subject() == "/no/such/place";
  });
}

BOOST_AUTO_TEST_SUITE_END()
