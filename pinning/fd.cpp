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
  for (;;) {
    const auto size = ::read(file.number(), chunk.data(), chunk.size());
    if (size == 0)
      return text;
    if (size > 0)
      text.append(chunk.data(), static_cast<std::size_t>(size));
    else if (errno != EINTR)
      checked(size, "read", path.native());
  }
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
  const Fd file = Fd::open(path, O_WRONLY);
  ssize_t size;
  do
    size = ::write(file.number(), text.data(), text.size());
  while (size == -1 && errno == EINTR);
  checked(size, "write", path.native());
  // A control file takes all or nothing; what took less is not one.
  if (static_cast<std::size_t>(size) != text.size())
    throw OsError(EIO, "write", path.native());
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos
             ? std::string_view{}
             : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace schedrig
