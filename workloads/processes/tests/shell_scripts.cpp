#include "workloads/processes/shell_scripts.hpp"

#include <algorithm>
#include <filesystem>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "workloads/parts/child.hpp"
#include "workloads/parts/work_folder.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;
namespace fs = std::filesystem;

namespace {

/// The folder that the workload made for itself in `place`.
fs::path own_folder(const WorkFolder& place) {
  return fs::directory_iterator(place.path())->path();
}

} // namespace

BOOST_AUTO_TEST_SUITE(shell_scripts_workload)

BOOST_DATA_TEST_CASE(every_script_succeeds_and_nothing_is_left,
                     boost::unit_test::data::make({"1", "3"}), scripts) {
  const WorkFolder place(fs::temp_directory_path());
  const auto report = report_of(
      shell_scripts(), {{"scripts", scripts}, {"loops", "2"}, {"folder", place.path().native()}});
  BOOST_TEST(report.work == 2);
  BOOST_TEST(report.elapsed.count() > 0);
  BOOST_TEST(report.usage.cpu_time.count() > 0);
  BOOST_TEST(report.usage.switches() > 0);
  BOOST_TEST(report.broken.empty());
  BOOST_TEST_REQUIRE(report.figures.size() == 1u);
  BOOST_TEST(report.figures[0].value > 0);
  BOOST_TEST(fs::is_empty(place.path()));
}

BOOST_AUTO_TEST_CASE(a_script_removes_its_own_files) {
  const WorkFolder place(fs::temp_directory_path());
  const auto load = make(shell_scripts(), {{"loops", "1"}, {"folder", place.path().native()}});
  load->prepare(everywhere());
  load->run();
  BOOST_TEST(std::distance(fs::directory_iterator(own_folder(place)), {}) == 2); // text, script
  load->finish();
}

BOOST_AUTO_TEST_CASE(a_script_that_fails_is_named_with_its_status) {
  const WorkFolder place(fs::temp_directory_path());
  const auto load = make(shell_scripts(), {{"loops", "1"}, {"folder", place.path().native()}});
  load->prepare(everywhere());
  fs::resize_file(own_folder(place) / "text", 100); // fewer lines to be found than promised
  BOOST_CHECK_EXCEPTION(load->run(), std::runtime_error, [](const std::runtime_error& error) {
    return error.what() == std::string("script 0 of loop 0 exited with status 1");
  });
}

BOOST_AUTO_TEST_CASE(the_text_is_the_same_everywhere) {
  const auto text = script_text();
  BOOST_TEST(text.size() == 8'500u);
  BOOST_TEST(text == script_text());
  BOOST_TEST(text.starts_with("a that onto where the that nothing onto the\nqueue "));
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 171);
  BOOST_TEST(lines_found_in(text) == 144);
}

BOOST_AUTO_TEST_CASE(lines_are_found_as_grep_does) {
  BOOST_TEST(lines_found_in("the\nnothing\nother the\n\nthen") == 3);
}

BOOST_AUTO_TEST_SUITE_END()
