#include "workloads/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pinning/bad_input.hpp"

namespace schedrig {

using std::chrono::nanoseconds;

NLOHMANN_JSON_SERIALIZE_ENUM(WorkFigure::Better, {{WorkFigure::Better::lower, "lower"},
                                                  {WorkFigure::Better::higher, "higher"},
                                                  {WorkFigure::Better::neither, "neither"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkFigure, name, unit, value, better)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskFigure, task, cpu, figure)

std::string WorkReport::text() const {
  nlohmann::json fields{{"work", work},
                        {"elapsed_ns", elapsed.count()},
                        {"cpu_time_ns", usage.cpu_time.count()},
                        {"voluntary_switches", usage.voluntary_switches},
                        {"involuntary_switches", usage.involuntary_switches},
                        {"figures", figures},
                        {"tasks", tasks},
                        {"broken", broken}};
  if (migrations)
    fields["migrations"] = *migrations;
  return fields.dump();
}

WorkReport WorkReport::parse(std::string_view text) {
  try {
    const auto fields = nlohmann::json::parse(text);
    WorkReport report;
    report.work = fields.at("work");
    report.elapsed = nanoseconds(fields.at("elapsed_ns").get<std::int64_t>());
    report.usage.cpu_time = nanoseconds(fields.at("cpu_time_ns").get<std::int64_t>());
    report.usage.voluntary_switches = fields.at("voluntary_switches");
    report.usage.involuntary_switches = fields.at("involuntary_switches");
    fields.at("figures").get_to(report.figures);
    fields.at("tasks").get_to(report.tasks);
    fields.at("broken").get_to(report.broken);
    if (const auto migrations = fields.find("migrations"); migrations != fields.end())
      report.migrations = migrations->get<std::int64_t>();
    return report;
  } catch (const nlohmann::json::exception& error) {
    throw BadInput(fmt::format("a workload's report: {}", error.what()));
  }
}

WorkReport report_of_one_task(const Placement& placement, double work, nanoseconds elapsed,
                              const Stretch& stretch) {
  WorkReport report;
  report.work = work;
  report.elapsed = elapsed;
  report.usage = stretch.usage();
  report.migrations = stretch.migrations();
  if (auto moved = moved_though_pinned(placement, report.migrations))
    report.broken.push_back(*moved);
  return report;
}

std::optional<std::int64_t> sum_of(std::optional<std::int64_t> one,
                                   std::optional<std::int64_t> other) {
  return one && other ? std::optional(*one + *other) : std::nullopt;
}

std::optional<std::string> moved_though_pinned(const Placement& placement,
                                               std::optional<std::int64_t> migrations) {
  if (!placement.pinned() || migrations.value_or(0) == 0)
    return std::nullopt;
  return fmt::format("{} migrations although every task was bound to one CPU ({})", *migrations,
                     placement.cpus().text());
}

} // namespace schedrig
