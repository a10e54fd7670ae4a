#include "results/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

namespace schedrig {
namespace {

constexpr int most_decimals = 4;

/// The decimals whose last one is of the order of `size`: 0.03 has two, 3 none.
int decimals_of(double size) {
  return std::clamp(static_cast<int>(-std::floor(std::log10(size))), 0, most_decimals);
}

/// Decimals enough for three significant digits, in which 1 % shows.
int least_decimals(const Metric::Scale, double) = delete;

/// Half the 95 % interval of a mean; nothing for a single value.
std::optional<double> uncertainty(const Summary& summary) {
  if (!summary.standard_deviation)
    return std::nullopt;
  const boost::math::students_t distribution(static_cast<double>(summary.n - 1));
  return boost::math::quantile(boost::math::complement(distribution, .025)) *
         *summary.standard_deviation / std::sqrt(static_cast<double>(summary.n));
}

/// Decimals enough for three significant digits, in which 1 % shows; none for 0.
int showing_one_percent(double value) {
  return value == 0 ? 0 : decimals_of(std::abs(value) / 100);
}

/// `number` with its sign and no less than `least` decimals, finer only as far as `half_width` allows.
int difference_decimals(double half_width, int least) {
  constexpr int most = 2;
  return half_width > 0 ? std::clamp(decimals_of(half_width), least, most) : least;
}

} // namespace

int value_decimals(std::span<const ComparisonFigure> figures) {
  int warranted = most_decimals;
  int needed = 0;
  for (const ComparisonFigure& figure : figures) {
    if (!figure.summary)
      continue;
    const auto error = uncertainty(*figure.summary);
    const int visible = showing_one_percent(figure.summary->mean);
    needed = std::max(needed, visible);
    warranted = std::min(warranted, error && *error > 0 ? decimals_of(*error) : visible);
  }
  return std::max(warranted == most_decimals ? needed : warranted, needed);
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
  const double half_width = difference.interval->half_width();
  const bool percent = difference.unit == Difference::Unit::percent;
  const int decimals = difference_decimals(half_width, percent ? 1 : 0);
  std::string text = value_text(std::abs(*difference.estimate), decimals);
  const bool minus = *difference.estimate < 0 && text.find_first_of("123456789") != std::string::npos;
  text.insert(0, minus ? "-" : "+");
  if (difference.kind == Difference::Kind::exact)
    return text + " ±0";
  // An interval that is there is never printed as if it were none.
  const double smallest = std::pow(10, -decimals);
  return text + " ±" + value_text(std::max(half_width, smallest), decimals);
}

std::string metric_title(const Metric& metric, std::string_view work_unit) {
  std::string title;
  std::string_view rest = metric.name == "context_switches" ? "switches" : metric.name;
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
