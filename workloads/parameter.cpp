#include "workloads/parameter.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

std::string Parameter::usual() const {
  if (const auto* count = std::get_if<Count>(&kind))
    return std::to_string(count->usual);
  return std::get<Choice>(kind).words.front();
}

std::string Parameter::allowed() const {
  if (const auto* count = std::get_if<Count>(&kind))
    return fmt::format("{} to {}", count->least, count->most);
  return fmt::format("{}", fmt::join(std::get<Choice>(kind).words, ", "));
}

std::string Parameter::accept(std::string_view text, std::string_view workload) const {
  const std::string where = fmt::format("workload {}: parameter {}", workload, name);
  if (const auto* count = std::get_if<Count>(&kind))
    return std::to_string(parse_number(text, where, count->least, count->most));
  const auto& words = std::get<Choice>(kind).words;
  if (std::find(words.begin(), words.end(), text) == words.end())
    throw BadInput(fmt::format("{}: '{}' is not one of: {}", where, text, allowed()));
  return std::string(text);
}

ParameterValues::ParameterValues(std::string_view workload, const std::vector<Parameter>& declared,
                                 const std::map<std::string, std::string>& given) {
  for (const auto& parameter : declared) {
    const auto found = given.find(parameter.name);
    order_.push_back(parameter.name);
    values_[parameter.name] =
        found == given.end() ? parameter.usual() : parameter.accept(found->second, workload);
  }
  for (const auto& [name, value] : given) {
    if (values_.contains(name))
      continue;
    const auto nearest = nearest_name(name, order_);
    throw BadInput(
        fmt::format("workload {}: there is no parameter '{}'{}; there is: {}", workload, name,
                    nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                    order_.empty() ? "none" : fmt::format("{}", fmt::join(order_, ", "))));
  }
}

ParameterValues ParameterValues::parse(std::string_view workload,
                                       const std::vector<Parameter>& declared,
                                       std::string_view text) {
  std::map<std::string, std::string> given;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty())
      continue;
    const auto equals = word.find('=');
    if (equals == std::string_view::npos)
      throw BadInput(
          fmt::format("workload {}: '{}' is not a parameter; write NAME=VALUE", workload, word));
    if (!given.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
      throw BadInput(fmt::format("workload {}: parameter {} is given twice", workload,
                                 word.substr(0, equals)));
  }
  return ParameterValues(workload, declared, given);
}

std::int64_t ParameterValues::count(const std::string& name) const {
  return std::stoll(values_.at(name));
}

const std::string& ParameterValues::choice(const std::string& name) const {
  return values_.at(name);
}

std::string ParameterValues::text() const {
  std::string text;
  for (const auto& name : order_)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, values_.at(name));
  return text;
}

} // namespace schedrig
