#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// A column of a table, as text.
struct Column {
  std::string title;
  std::vector<std::string> entries; ///< one for each row
  int width = 0;                    ///< of the widest, the title among them

  Column(std::string title, std::vector<std::string> entries);
};

/// What stands at the left of a row, and above its figures.
struct RowHead {
  std::string label;
  std::string remark = {}; ///< said once, above the row's first figures; usually empty
};

/// Appends `line`, without blanks at its end, and a line feed.
void append_line(std::string& text, std::string_view line);

/// Appends `paragraph`, broken into lines of at most `width` columns; all but the first are
/// indented.
void append_wrapped(std::string& text, std::string_view paragraph, int width);

/// Appends the columns in as many blocks, one below the other and an empty line before each, as the
/// width makes necessary. A label that leaves no room for a column gets a line of its own.
void append_columns(std::string& text, std::span<const RowHead> rows,
                    std::span<const Column> columns, int width);

} // namespace schedrig
