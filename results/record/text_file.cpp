#include "results/record/text_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace schedrig {
namespace {

[[noreturn]] void refuse(int error, const char* operation, const std::filesystem::path& path) {
  throw std::system_error(error, std::generic_category(), operation + (" " + path.string()));
}

struct Descriptor {
  int number;
  ~Descriptor() { close(number); }
};

} // namespace

std::string file_bytes(const std::filesystem::path& path) {
  // Without O_NONBLOCK a pipe that stands where a file is expected would hang us.
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0)
    refuse(errno, "open", path);
  std::string bytes;
  char chunk[16384];
  for (;;) {
    const ssize_t count = read(file.number, chunk, sizeof chunk);
    if (count > 0)
      bytes.append(chunk, static_cast<std::size_t>(count));
    else if (count == 0)
      return bytes;
    else if (errno != EINTR)
      refuse(errno, "read", path);
  }
}

std::optional<std::string> file_text(const std::filesystem::path& path) try {
  const std::string bytes = file_bytes(path);
  const std::string_view text = stripped(bytes);
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
} catch (const std::system_error&) {
  return std::nullopt;
}

std::string_view stripped(std::string_view text) noexcept {
  constexpr std::string_view white = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(white);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

} // namespace schedrig
