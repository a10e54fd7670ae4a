#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// Columns that UTF-8 `text` takes on a terminal: code points, of which none that a report prints
/// is wide or combines with another.
int display_width(std::string_view text) noexcept;

std::string padded_left(std::string_view text, int width);  ///< blanks before it, up to `width`
std::string padded_right(std::string_view text, int width); ///< blanks behind it, up to `width`

/// `text` broken at its blanks into lines of at most `width` columns, all but the first indented by
/// `indent`; a single longer word keeps a line to itself.
std::vector<std::string> wrapped(std::string_view text, int width, int indent = 0);

} // namespace schedrig
