#pragma once

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace schedrig {

/// Something given from outside that cannot be meant: an argument, a plan, a kernel file, a line of
/// imported text.
///
/// The message names the thing, its place where it has one, what stood there, and what is allowed.
/// Python sees ValueError.
class BadInput : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

/// Parses the whole of `text` as a decimal number between `least` and `most`, both allowed.
///
/// No blanks, no sign but a leading '-', no exponent or fraction for integers, nothing behind it.
/// Throws BadInput that names `name`, what stood there, and the range. Floating-point text takes a
/// fraction and an exponent, never "nan" or "inf".
template <typename Number>
Number parse_number(std::string_view text, std::string_view name, Number least, Number most) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool whole = error != std::errc::invalid_argument && stop == end;
  if (!whole || error == std::errc::result_out_of_range || !(least <= value && value <= most))
    throw BadInput(fmt::format("{}: '{}' is {}; allowed is {} to {}", name, text,
                               whole ? "out of range" : "not a number", least, most));
  return value;
}

/// The candidate that `word` was most likely meant to be; empty when none is near (edit distance
/// above a third of its length, at least 2).
template <typename Names>
std::string nearest_name(std::string_view word, const Names& candidates);

/// Levenshtein distance: insertions, deletions and replacements that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <typename Names>
std::string nearest_name(std::string_view word, const Names& candidates) {
  std::string nearest;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates)
    if (const auto distance = edit_distance(word, candidate); distance < least)
      least = distance, nearest = candidate;
  return nearest;
}

} // namespace schedrig
