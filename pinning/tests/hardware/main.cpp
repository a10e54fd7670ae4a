// Real control groups: needs a cpu controller and the right to make groups. Ends with 77 and the
// reason where it cannot.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <boost/test/unit_test.hpp>

#include "pinning/cgroup/cgroup.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;

namespace {

constexpr int nothing_could_run = 77;

bool takes_the_tests() {
  return true;
}

} // namespace

int main(int count, char** words) {
  try {
    const CgroupSubtree subtree(CgroupMount::find());
    const Cgroup group(subtree, Bandwidth::parse("group"));
  } catch (const Unavailable& reason) {
    std::fprintf(stderr, "skipped: %s\n", reason.what());
    const char* required = std::getenv("SCHEDRIG_REQUIRE_HARDWARE");
    return required && std::string_view(required) == "1" ? EXIT_FAILURE : nothing_could_run;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "no control group can be made here: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return boost::unit_test::unit_test_main(takes_the_tests, count, words);
}
