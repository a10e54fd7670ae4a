#include "workloads/parameter.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

std::string Parameter::usual() const {
  if (const auto* count = std::get_if<Count>(&kind))
    return std::to_string(count->usual);
  if (const auto* text = std::get_if<Text>(&kind))
    return escaped(text->usual);
  return std::get<Choice>(kind).words.front();
}

std::string Parameter::allowed() const {
  if (const auto* count = std::get_if<Count>(&kind))
    return fmt::format("{} to {}", count->least, count->most);
  if (const auto* text = std::get_if<Text>(&kind))
    return text->allowed;
  return fmt::format("{}", fmt::join(std::get<Choice>(kind).words, ", "));
}

std::string Parameter::accept(std::string_view text, std::string_view workload) const {
  const std::string where = fmt::format("workload {}: parameter {}", workload, name);
  std::string meant;
  try {
    meant = unescaped(text);
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{}: {}", where, error.what()));
  }
  if (const auto* count = std::get_if<Count>(&kind))
    return std::to_string(parse_number(meant, where, count->least, count->most));
  if (std::holds_alternative<Text>(kind))
    return escaped(meant);
  const auto& words = std::get<Choice>(kind).words;
  if (std::find(words.begin(), words.end(), meant) == words.end())
    throw BadInput(fmt::format("{}: '{}' is not one of: {}", where, meant, allowed()));
  return meant;
}

std::string escaped(std::string_view text) {
  std::string word;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (code <= ' ' || code == 0x7f || std::string_view(",\"%").find(character) != text.npos)
      word += fmt::format("%{:02X}", code);
    else
      word += character;
  }
  return word;
}

std::string unescaped(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] != '%') {
      text += word[at];
      continue;
    }
    const auto digits = word.substr(at + 1, 2);
    unsigned char code = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || stop - digits.data() != 2 || code == 0)
      throw BadInput(fmt::format("'{}' has a '%' that is not followed by the two hexadecimal "
                                 "digits of a character (01 to FF); '%' itself is written %25",
                                 word));
    text += static_cast<char>(code);
    at += 2;
  }
  return text;
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

std::string ParameterValues::text(const std::string& name) const {
  return unescaped(values_.at(name));
}

std::string ParameterValues::text() const {
  std::string text;
  for (const auto& name : order_)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, values_.at(name));
  return text;
}

} // namespace schedrig
