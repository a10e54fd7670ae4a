#define BOOST_TEST_MODULE counting_hardware
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "pinning/cpu_set.hpp"
#include "suite/counting/ability.hpp"

namespace {

constexpr int nothing_could_run = 77;

bool init() {
  return true;
}

} // namespace

int main(int argc, char** argv) {
  using namespace schedrig;
  const auto ability = CountingAbility::probe(kernel_perf(), own_affinity().cpus().front());
  for (const auto& sentence : ability.missing)
    std::fprintf(stderr, "%s\n", sentence.c_str());
  if (!ability.task || !ability.kernel) {
    const char* required = std::getenv("SCHEDRIG_REQUIRE_HARDWARE");
    return required && std::string_view(required) == "1" ? EXIT_FAILURE : nothing_could_run;
  }
  return boost::unit_test::unit_test_main(&init, argc, argv);
}
