#include "workloads/controls/file_copy.hpp"

#include <filesystem>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "pinning/os_error.hpp"
#include "workloads/parts/work_folder.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

namespace {

std::string first_of(const std::vector<std::string>& sentences) {
  return sentences.empty() ? "" : sentences.front();
}

} // namespace

BOOST_AUTO_TEST_SUITE(file_copy_workload)

BOOST_DATA_TEST_CASE(the_whole_file_is_copied_so_many_times,
                     boost::unit_test::data::make({"1", "3"}), copies) {
  const auto report =
      report_of(file_copy(), {{"buffer", "256"}, {"blocks", "20"}, {"files", copies}});
  BOOST_TEST(report.work == 5 * std::stod(copies)); // KB
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.broken.empty(), first_of(report.broken));
  BOOST_TEST_REQUIRE(report.figures.size() == 3u);
  for (const auto& figure : report.figures)
    BOOST_TEST(figure.value > 0, figure.name);
}

BOOST_AUTO_TEST_CASE(a_named_folder_is_used_and_left_empty) {
  const WorkFolder folder(std::filesystem::temp_directory_path());
  const auto load =
      make(file_copy(), {{"blocks", "3"}, {"files", "2"}, {"folder", folder.path().native()}});
  load->prepare(everywhere());
  BOOST_TEST(std::filesystem::is_empty(folder.path())); // also when it is killed now
  load->run();
  const auto report = load->finish();
  BOOST_TEST(report.work == 6);
  BOOST_TEST(report.broken.empty(), first_of(report.broken));
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_named) {
  BOOST_CHECK_EXCEPTION(make(file_copy(), {{"folder", "/no/such/folder"}})->prepare(everywhere()),
                        OsError, [](const OsError& error) {
                          return error.error() == ENOENT && error.subject() == "/no/such/folder";
                        });
}

BOOST_AUTO_TEST_CASE(what_it_needs_is_where_the_files_are) {
  const auto in_memory = needs_of("file-copy", "buffer=4096 blocks=8000");
  BOOST_TEST(in_memory.memory_bytes == 2 * 4096 * 8000);
  BOOST_TEST(in_memory.folder.empty());
  BOOST_TEST(in_memory.time.count() == 34'000);
  const auto in_folder = needs_of("file-copy", "folder=/tmp files=1");
  BOOST_TEST(in_folder.file_bytes == 2 * 1024 * 2000);
  BOOST_TEST(in_folder.memory_bytes == 0);
  BOOST_TEST(in_folder.folder == "/tmp");
  BOOST_TEST(in_folder.time.count() == 0);
}

BOOST_AUTO_TEST_CASE(a_file_of_another_size_is_told) {
  BOOST_TEST(!wrong_size("the file", 5, 5));
  BOOST_TEST(wrong_size("its copy", 4, 5).value() == "its copy has 4 bytes instead of 5");
}

BOOST_AUTO_TEST_SUITE_END()
