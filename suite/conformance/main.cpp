// schedrig-suite: whether the kernel keeps its promises on this machine.

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "suite/conformance/fixture.hpp"

using namespace schedrig;

namespace {

enum Exit { kept = 0, broken = 1, wrong_use = 2, nothing_could_run = 77 };

constexpr auto about =
    "schedrig-suite: whether this machine's kernel keeps the promises of its CPU bandwidth "
    "control.\n\n"
    "It runs alone on the machine, for less than half a minute, in control groups of its own. The\n"
    "options are Boost.Test's.\n\n"
    "Exit status: 0 every case that ran passed, 1 a case failed, 2 wrong use, 77 nothing could "
    "run\n"
    "here, for the reason that is printed. SCHEDRIG_REQUIRE_HARDWARE=1 turns what cannot run into\n"
    "a failure.\n\n";

bool name_the_suite() {
  boost::unit_test::framework::master_test_suite().p_name.value = "schedrig-suite";
  return true;
}

} // namespace

int main(int count, char** words) {
  if (std::find(words, words + count, std::string_view("--help")) != words + count)
    fmt::print("{}", about);
  const int result = boost::unit_test::unit_test_main(name_the_suite, count, words);
  for (const auto& reason : conditions().unmet)
    fmt::print(stderr, "skipped: {}\n", reason);
  if (!conditions().ever_met && !conditions().unmet.empty())
    return nothing_could_run;
  if (result == 0)
    return kept;
  return conditions().ever_met ? broken : wrong_use;
}
