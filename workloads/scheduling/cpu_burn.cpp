#include "workloads/scheduling/cpu_burn.hpp"

#include <limits>

#include "workloads/parts/burners.hpp"

namespace schedrig {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

std::unique_ptr<Workload> make_cpu_burn(const ParameterValues& values) {
  const auto rounds = values.count("rounds");
  const BurnLoad load{.rounds = rounds == 0 ? std::numeric_limits<std::int64_t>::max() : rounds,
                      .busy = microseconds(values.count("busy_us")),
                      .idle = microseconds(values.count("idle_us"))};
  return std::make_unique<Burners>(
      milliseconds(values.count("time_ms")),
      std::vector(static_cast<std::size_t>(values.count("tasks")), load));
}

Needs cpu_burn_needs(const ParameterValues& values) {
  Needs needs;
  needs.tasks = values.count("tasks");
  needs.time = milliseconds(values.count("time_ms"));
  return needs;
}

} // namespace

WorkloadEntry cpu_burn() {
  return {
      .name = "cpu-burn",
      .summary = "tasks that compute, each by itself, all the time or in bursts",
      .work_unit = "round",
      .parameters = {{"tasks", "1", "how many compute", Parameter::Count{1, 1, 4096}},
                     {"time_ms", "ms", "for how long they do",
                      Parameter::Count{1'000, 1, 3'600'000}},
                     {"rounds", "1", "after how many rounds a task ends sooner; 0: never",
                      Parameter::Count{0, 0, 1'000'000'000'000}},
                     {"busy_us", "us", "CPU time of a burst",
                      Parameter::Count{10'000, 1, 1'000'000'000}},
                     {"idle_us", "us", "sleep after each burst; 0: one burst without end",
                      Parameter::Count{0, 0, 1'000'000'000}}},
      .positional = {"tasks"},
      .aliases = {},
      .make = make_cpu_burn,
      .needs = cpu_burn_needs,
  };
}

} // namespace schedrig
