#include "results/report/columns.hpp"

#include <algorithm>
#include <utility>

#include "results/report/layout.hpp"

namespace schedrig {
namespace {

constexpr int gap = 2; // blanks between columns
constexpr int note_indent = 2;

enum class Remarks { shown, left_out };

/// One block of the table: all rows, some of the columns.
class Block {
public:
  Block(std::span<const RowHead> rows, std::span<const Column> columns, int label_width, int width)
      : rows_(rows), columns_(columns), label_width_(label_width), width_(width) {}

  void append_to(std::string& text, Remarks remarks) const {
    std::string titles(static_cast<std::size_t>(label_width_), ' ');
    for (const Column& column : columns_)
      titles += std::string(gap, ' ') + padded_left(column.title, column.width);
    append_line(text, titles);
    for (std::size_t row = 0; row < rows_.size(); ++row)
      append_row(text, row, remarks);
  }

private:
  void append_row(std::string& text, std::size_t index, Remarks remarks) const {
    const RowHead& row = rows_[index];
    std::string line = padded_right(row.label, label_width_);
    if (display_width(line) > label_width_) {
      append_line(text, line);
      line = padded_right("", label_width_);
    }
    if (remarks == Remarks::shown) {
      const int indent = label_width_ + gap;
      for (const std::string& part : wrapped(row.remark, std::max(width_ - indent, 1))) {
        append_line(text, line + std::string(gap, ' ') + part);
        line = padded_right("", label_width_);
      }
    }
    for (const Column& column : columns_)
      line += std::string(gap, ' ') + padded_left(column.entries[index], column.width);
    append_line(text, line);
  }

  std::span<const RowHead> rows_;
  std::span<const Column> columns_;
  int label_width_, width_;
};

} // namespace

Column::Column(std::string title_, std::vector<std::string> entries_)
    : title(std::move(title_)), entries(std::move(entries_)), width(display_width(title)) {
  for (const std::string& entry : entries)
    width = std::max(width, display_width(entry));
}

void append_line(std::string& text, std::string_view line) {
  text.append(line.substr(0, line.find_last_not_of(' ') + 1)) += '\n';
}

void append_wrapped(std::string& text, std::string_view paragraph, int width) {
  for (const std::string& line : wrapped(paragraph, width, note_indent))
    append_line(text, line);
}

void append_columns(std::string& text, std::span<const RowHead> rows,
                    std::span<const Column> columns, int width) {
  int widest_column = 0, label_width = 0;
  for (const Column& column : columns)
    widest_column = std::max(widest_column, column.width);
  for (const RowHead& row : rows)
    label_width = std::max(label_width, display_width(row.label));
  constexpr int least_label_width = 2;
  label_width = std::clamp(width - gap - widest_column, least_label_width,
                           std::max(label_width, least_label_width));

  auto remarks = Remarks::shown;
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t last = first;
    int used = label_width;
    do
      used += gap + columns[last++].width;
    while (last < columns.size() && used + gap + columns[last].width <= width);
    text += '\n';
    Block(rows, columns.subspan(first, last - first), label_width, width).append_to(text, remarks);
    remarks = Remarks::left_out; // once is enough
    first = last;
  }
}

} // namespace schedrig
