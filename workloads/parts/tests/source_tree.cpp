#include "workloads/parts/source_tree.hpp"

#include <cstdint>

#include <boost/test/unit_test.hpp>

using namespace schedrig;

namespace {

std::uint64_t digest_of(const std::vector<SourceFile>& files) { // FNV-1a
  std::uint64_t digest = 14695981039346656037U;
  for (const auto& file : files)
    for (const char character : file.name.native() + '\0' + file.text)
      digest = (digest ^ static_cast<unsigned char>(character)) * 1099511628211U;
  return digest;
}

} // namespace

BOOST_AUTO_TEST_SUITE(source_tree_of_a_build)

BOOST_AUTO_TEST_CASE(it_is_the_same_text_always) {
  // Another text is another workload: its results cannot be compared with those of before.
  BOOST_TEST(digest_of(source_tree(200)) == 1104846632926763186U);
}

BOOST_AUTO_TEST_CASE(it_has_a_c_file_for_each_unit_and_a_header_for_each_ten) {
  for (const int units : {1, 10, 11, 25}) {
    int sources = 0, headers = 0;
    for (const auto& file : source_tree(units)) {
      sources += file.name.extension() == ".c";
      headers += file.name.extension() == ".h";
      BOOST_TEST(file.text.find('@') ==
                     (file.name == "Makefile" ? file.text.find("$@") + 1 : std::string::npos),
                 file.name); // no pattern left unfilled
    }
    BOOST_TEST(sources == units);
    BOOST_TEST(headers == 1 + (units + 9) / 10);
  }
}

BOOST_AUTO_TEST_SUITE_END()
