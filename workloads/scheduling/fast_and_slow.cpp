#include "workloads/scheduling/fast_and_slow.hpp"

#include <limits>

#include "workloads/parts/burners.hpp"

namespace schedrig {

namespace {

using namespace std::chrono_literals;

constexpr auto endless = std::numeric_limits<std::int64_t>::max();
constexpr BurnLoad fast{.rounds = endless, .busy = 0ns, .idle = 0ns};
constexpr BurnLoad slow{.rounds = endless, .busy = 0ns, .idle = 10ms};

std::unique_ptr<Workload> make_fast_and_slow(const ParameterValues& values) {
  std::vector<BurnLoad> loads(static_cast<std::size_t>(values.count("tasks")), slow);
  loads.front() = fast;
  return std::make_unique<Burners>(std::chrono::seconds(values.count("seconds")), loads);
}

Needs fast_and_slow_needs(const ParameterValues& values) {
  Needs needs;
  needs.tasks = values.count("tasks");
  needs.time = std::chrono::seconds(values.count("seconds"));
  return needs;
}

} // namespace

WorkloadEntry fast_and_slow() {
  return {
      .name = "fast-and-slow",
      .summary = "one task that computes, among others that do little and sleep 10 ms",
      .work_unit = "round",
      .parameters = {{"tasks", "1", "how many, with the fast one", Parameter::Count{16, 2, 4096}},
                     {"seconds", "s", "for how long", Parameter::Count{10, 1, 86'400}}},
      .positional = {"tasks", "seconds"},
      .aliases = {},
      .make = make_fast_and_slow,
      .needs = fast_and_slow_needs,
  };
}

} // namespace schedrig
