#include "suite/cli/terminal.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

int output_width(int wanted) {
  if (wanted > 0)
    return wanted;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  if (const char* columns = std::getenv("COLUMNS"); columns && *columns)
    try {
      return parse_number(columns, "COLUMNS", 20, 10'000);
    } catch (const BadInput&) { // somebody else's variable: not ours to complain about
    }
  return 80;
}

bool progress_can_be_redrawn() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

std::string duration_text(std::chrono::seconds duration) {
  const auto seconds = duration.count();
  if (seconds < 60)
    return fmt::format("{} s", seconds);
  if (seconds < 3600)
    return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

} // namespace schedrig
