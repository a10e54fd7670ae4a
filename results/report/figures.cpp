#include "results/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace schedrig {
namespace {

constexpr int most_decimals = 4;

/// The decimals whose last one is of the order of `size`: 0.03 has two, 3 none.
int decimals_of(double size) {
  return std::clamp(static_cast<int>(-std::floor(std::log10(size))), 0, most_decimals);
}

/// Decimals without which a value would say too little.
int needed_decimals(double value, Metric::Scale scale) {
  if (value == std::round(value) && scale == Metric::Scale::difference)
    return 0; // a count
  if (scale == Metric::Scale::difference)
    return 1;
  return value == 0 ? 0 : decimals_of(std::abs(value) / 100); // 1 % shows
}

int difference_decimals(const Difference& difference) {
  const int least = difference.unit == Difference::Unit::percent ? 1 : 0;
  constexpr int most = 2;
  if (difference.kind == Difference::Kind::exact)
    return *difference.estimate == std::round(*difference.estimate) ? least : most;
  return std::clamp(decimals_of(difference.interval->half_width()), least, most);
}

} // namespace

int value_decimals(const Metric& metric, std::span<const ComparisonFigure> figures) {
  int needed = 0;
  std::optional<int> warranted;
  for (const ComparisonFigure& figure : figures) {
    if (!figure.summary)
      continue;
    needed = std::max(needed, needed_decimals(figure.summary->mean, metric.scale));
    if (const auto interval = interval_of_mean(*figure.summary);
        interval && interval->half_width() > 0)
      warranted = std::min(warranted.value_or(most_decimals), decimals_of(interval->half_width()));
  }
  return std::max(needed, warranted.value_or(0));
}

std::string value_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_of("123456789") == std::string::npos && text.front() == '-')
    text.erase(0, 1); // a rounded "-0.0"
  const auto point = std::min(text.find('.'), text.size());
  const std::size_t first_digit = text.front() == '-' ? 1 : 0;
  for (std::size_t place = point; place > first_digit + 3; place -= 3)
    text.insert(place - 3, ",");
  return text;
}

std::string difference_text(const Difference& difference) {
  if (!difference.estimate || !difference.interval)
    return "-";
  const int decimals = difference_decimals(difference);
  std::string text = value_text(std::abs(*difference.estimate), decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  text.insert(0, *difference.estimate < 0 && !is_zero ? "-" : "+");
  if (difference.kind == Difference::Kind::exact)
    return difference.unit == Difference::Unit::percent ? text + " ±0" : text;
  // An interval that is there is never printed as if it were none.
  const double smallest = std::pow(10, -decimals);
  return text + " ±" + value_text(std::max(difference.interval->half_width(), smallest), decimals);
}

std::string metric_title(const Metric& metric, std::string_view work_unit) {
  std::string title;
  std::string_view rest = metric.name;
  if (rest == "context_switches")
    rest = "switches";
  if (rest.find_first_of(":/") != rest.npos) { // an event's: its underscores are its own
    title = rest;
    rest = {};
  }
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('_'));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (!title.empty())
      title += ' ';
    if (word == "cpu" || word == "tsc")
      for (const char letter : word)
        title += static_cast<char>(letter - 'a' + 'A');
    else if (word == "cpus")
      title += "CPUs";
    else
      title += word;
  }
  if (metric.extent == Metric::Extent::per_work)
    title += fmt::format("/{}", work_unit);
  return title;
}

} // namespace schedrig
