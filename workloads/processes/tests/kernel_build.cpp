#include "workloads/processes/kernel_build.hpp"

#include <fstream>

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "workloads/parts/work_folder.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;

namespace {

namespace fs = std::filesystem;

bool can_build() {
  Needs needs;
  needs.programs = {"make", "gcc"};
  const auto missing = lacking(needs);
  for (const auto& sentence : missing)
    BOOST_TEST_MESSAGE("not built: " << sentence);
  return missing.empty();
}

/// A tree that is built as a kernel is, though of one C file only.
void make_small_kernel(const fs::path& folder) {
  std::ofstream(folder / "init.c") << "int init;\n";
  std::ofstream(folder / "Makefile") << "MAKEFLAGS += -rR\n"
                                        "defconfig:\n\techo CONFIG_A=y >$(O)/.config\n"
                                        "olddefconfig:\n\tgrep -q CONFIG_B $(O)/.config\n"
                                        "vmlinux: $(O)/.config\n"
                                        "\tgcc -c -o $(O)/init.o init.c\n"
                                        "\t[ ! -e $(O)/broken ]\n"
                                        "broken:\n\t@echo it is broken; exit 7\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(kernel_build_workload)

BOOST_AUTO_TEST_CASE(its_own_tree_is_built_and_removed) {
  if (!can_build())
    return;
  const WorkFolder place("/tmp");
  const auto report =
      report_of(kernel_build(), {{"units", "2"}, {"jobs", "2"}, {"folder", place.path().native()}});
  BOOST_TEST(report.broken.empty());
  BOOST_TEST_REQUIRE(report.figures.size() == 3u);
  BOOST_TEST(report.figures[2].name == "objects");
  BOOST_TEST(report.figures[2].value == 2);
  BOOST_TEST(report.figures[0].value > report.figures[1].value); // it computes
  BOOST_TEST(fs::is_empty(place.path()));
}

BOOST_AUTO_TEST_CASE(a_kernel_is_configured_and_built_outside_its_source) {
  if (!can_build())
    return;
  const WorkFolder place("/tmp");
  const auto tree = place.path() / "linux";
  fs::create_directory(tree);
  make_small_kernel(tree);
  const auto build = [&](std::map<std::string, std::string> values) {
    values.insert({{"tree", tree.native()}, {"folder", place.path().native()}});
    return report_of(kernel_build(), values);
  };
  const auto report = build({});
  BOOST_TEST(report.broken.empty());
  BOOST_TEST_REQUIRE(report.figures.size() == 3u);
  BOOST_TEST(report.figures[2].value == 1);

  std::ofstream(place.path() / "config") << "CONFIG_B=y\n";
  BOOST_TEST(build({{"config", (place.path() / "config").native()}}).broken.empty());

  const auto broken = build({{"target", "broken"}});
  BOOST_TEST_REQUIRE(broken.broken.size() == 1u);
  BOOST_TEST(broken.broken[0].starts_with("the build exited with status 2: it is broken | make"));
  BOOST_CHECK_EXCEPTION(build({{"config", "no-such-config"}}), std::runtime_error,
                        [](const std::runtime_error& error) {
                          return std::string_view(error.what())
                              .starts_with("its configuration exited with status 2: make");
                        });
  BOOST_TEST(!fs::exists(tree / "init.o"));
}

BOOST_AUTO_TEST_CASE(another_number_of_objects_is_told) {
  BOOST_TEST(!wrong_objects(5, 5));
  BOOST_TEST(wrong_objects(4, 5).value() == "the build left 4 objects; it must be 5");
  BOOST_TEST(!wrong_objects(4, std::nullopt));
  BOOST_TEST(wrong_objects(0, std::nullopt).value() == "the build left no object");
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_no_tree_is_refused) {
  BOOST_CHECK_EXCEPTION(needs_of("kernel-build", "tree=/no/such"), BadInput,
                        [](const BadInput& error) {
                          return error.what() == std::string("workload kernel-build: parameter "
                                                             "tree: '/no/such' has no Makefile");
                        });
  BOOST_TEST(needs_of("kernel-build", "jobs=3").tasks == 2 + 3 * 4);
}

BOOST_AUTO_TEST_SUITE_END()
