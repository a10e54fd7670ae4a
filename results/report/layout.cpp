#include "results/report/layout.hpp"

#include <algorithm>

namespace schedrig {
namespace {

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

} // namespace

int display_width(std::string_view text) noexcept {
  const auto begins_code_point = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  };
  return static_cast<int>(std::count_if(text.begin(), text.end(), begins_code_point));
}

std::string padded_left(std::string_view text, int width) {
  return blanks(width - display_width(text)).append(text);
}

std::string padded_right(std::string_view text, int width) {
  return std::string(text) + blanks(width - display_width(text));
}

std::vector<std::string> wrapped(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  std::string line;
  bool line_is_empty = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty())
      continue;
    if (!line_is_empty && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(std::move(line));
      line = blanks(indent);
      line_is_empty = true;
    }
    if (!line_is_empty)
      line += ' ';
    line += word;
    line_is_empty = false;
  }
  if (!line_is_empty)
    lines.push_back(std::move(line));
  return lines;
}

} // namespace schedrig
