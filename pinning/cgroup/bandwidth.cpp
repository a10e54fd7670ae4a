#include "pinning/cgroup/bandwidth.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

namespace {

using std::chrono::microseconds;

constexpr std::string_view forms =
    "none, group, QUOTA/PERIOD or QUOTA/PERIOD+BURST in microseconds, "
    "or a path of these such as group:50000/100000";

microseconds parse_time(std::string_view text, std::string_view place, std::string_view part,
                        microseconds least, microseconds most) {
  return microseconds(parse_number<microseconds::rep>(
      text, fmt::format("{}: {} in us", place, part), least.count(), most.count()));
}

CpuBandwidth parse_limit(std::string_view text, std::string_view place) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos)
    throw BadInput(fmt::format("{}: '{}' is not a limit; allowed is {}", place, text, forms));
  const auto plus = text.find('+', slash);
  CpuBandwidth limit{};
  limit.quota = parse_time(text.substr(0, slash), place, "quota", CpuBandwidth::least_quota,
                           CpuBandwidth::most_quota);
  limit.period = parse_time(text.substr(slash + 1, plus - slash - 1), place, "period",
                            CpuBandwidth::least_period, CpuBandwidth::most_period);
  // The kernel wants a burst of at most the quota, and their sum within the quota's own bound.
  if (plus != std::string_view::npos)
    limit.burst = parse_time(text.substr(plus + 1), place, "burst", microseconds(0),
                             std::min(limit.quota, CpuBandwidth::most_quota - limit.quota));
  return limit;
}

std::string level_text(const std::optional<CpuBandwidth>& level) {
  if (!level)
    return "group";
  auto text = fmt::format("{}/{}", level->quota.count(), level->period.count());
  if (level->burst.count() != 0)
    text += fmt::format("+{}", level->burst.count());
  return text;
}

} // namespace

Bandwidth Bandwidth::parse(std::string_view text) {
  Bandwidth bandwidth;
  if (text == "none")
    return bandwidth;
  const auto place = fmt::format("bandwidth '{}'", text);
  for (std::size_t start = 0; start <= text.size();) {
    const auto level = text.substr(start, text.find(':', start) - start);
    start += level.size() + 1;
    if (level == "group")
      bandwidth.levels.emplace_back();
    else
      bandwidth.levels.emplace_back(parse_limit(level, place));
  }
  return bandwidth;
}

std::string Bandwidth::text() const {
  std::string text;
  for (const auto& level : levels)
    text += (text.empty() ? "" : ":") + level_text(level);
  return has_group() ? text : "none";
}

std::optional<double> Bandwidth::allowed_cpus() const {
  std::optional<double> least;
  for (const auto& level : levels)
    if (level) {
      const double cpus =
          static_cast<double>(level->quota.count()) / static_cast<double>(level->period.count());
      least = std::min(cpus, least.value_or(cpus));
    }
  return least;
}

} // namespace schedrig
