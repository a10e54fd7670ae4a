#include "pinning/fd.hpp"

#include <array>

#include <fcntl.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

Fd::~Fd() {
  if (number_ >= 0)
    ::close(number_);
}

Fd Fd::open(const std::filesystem::path& path, int flags, unsigned mode) {
  return Fd(checked(::open(path.c_str(), flags | O_CLOEXEC, mode), "open", path.native()));
}

std::string read_whole(const std::filesystem::path& path) {
  const Fd file = Fd::open(path, O_RDONLY);
  std::string text;
  std::array<char, 4096> chunk;
  while (const auto size = checked(::read(file.number(), chunk.data(), chunk.size()), "read", path.native()))
    text.append(chunk.data(), static_cast<std::size_t>(size));
  return text;
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
  const Fd file = Fd::open(path, O_WRONLY);
  checked(::write(file.number(), text.data(), text.size()), "write", path.native());
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace schedrig
