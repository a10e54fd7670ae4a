#pragma once

#include <chrono>
#include <string>

namespace schedrig {

/// The width to print for: `--width` where given, else the terminal's on stdout, else COLUMNS,
/// else 80.
int output_width(int wanted);

/// Whether stderr is a terminal that a line can be rewritten on.
bool progress_can_be_redrawn();

/// `1:05`, `12 s`, `2:03:04`: for people, not for files.
std::string duration_text(std::chrono::seconds duration);

} // namespace schedrig
