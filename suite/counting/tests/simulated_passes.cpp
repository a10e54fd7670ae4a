// Prints the passes that a request comes to on simulated PMUs: an Intel core with 4 general
// counters (SMT) and with 8, beside 3 fixed ones, with the NMI watchdog or without. The names are
// libpfm4's of the processor that LIBPFM_FORCE_PMU names.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/passes/fitted_passes.hpp"
#include "suite/counting/tests/simulated_pmu.hpp"

using namespace schedrig;

namespace {

/// Refuses a plan that lacks an event or has one twice.
void check(const FittedPasses& fitted, const std::vector<std::string>& asked) {
  std::vector<std::string> counted;
  for (const auto& pass : fitted.passes)
    for (const auto& name : names_in_pass(pass))
      if (name != "cycles")
        counted.push_back(name);
  for (const auto& name : asked)
    if (name != "cycles" && std::count(counted.begin(), counted.end(), name) != 1)
      throw BadInput(fmt::format("{} is in {} passes", name,
                                 std::count(counted.begin(), counted.end(), name)));
}

void print_passes(const std::string& events, int general, SimulatedPmu::Watchdog watchdog) {
  FakePerf perf;
  const SimulatedPmu pmu(perf, general, watchdog);
  const CountingAbility everything{
      .task = true, .kernel = true, .cpu_wide = true, .hardware = true, .missing = {}};
  const auto asked = names_in_pass(events);
  const auto fitted = FittedPasses::probe(perf, everything, events, "cpu", CpuSet({0}),
                                          std::filesystem::temp_directory_path() / "no-such-root");
  check(fitted, asked);
  fmt::print("simulated PMU: {} general and 3 fixed counters, NMI watchdog {}: {} events in {} "
             "passes\n",
             general, watchdog == SimulatedPmu::Watchdog::on ? "on" : "off", asked.size(),
             fitted.passes.size());
  int number = 0;
  for (const auto& pass : fitted.passes)
    fmt::print("  {:2}  {}\n", ++number, pass);
}

} // namespace

int main(int count, char** words) {
  if (count != 5 || std::strcmp(words[1], "--watchdog") != 0 ||
      std::strcmp(words[3], "--events-file") != 0) {
    std::fprintf(stderr, "usage: simulated_passes --watchdog on|off --events-file FILE\n");
    return 2;
  }
  try {
    const auto watchdog =
        std::strcmp(words[2], "on") == 0 ? SimulatedPmu::Watchdog::on : SimulatedPmu::Watchdog::off;
    std::string events;
    for (const char c : read_whole(words[4]))
      events += c == '\n' ? ' ' : c;
    for (const int general : {4, 8})
      print_passes(events, general, watchdog);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulated_passes: %s\n", error.what());
    return 1;
  }
}
