#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace schedrig {

/// An open file descriptor, closed by its only owner.
class Fd {
public:
  Fd() noexcept = default; ///< owns nothing
  explicit Fd(int number) noexcept : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Fd();

  /// Opens `path` with O_CLOEXEC added to `flags`. Throws OsError naming the path.
  static Fd open(const std::filesystem::path& path, int flags, unsigned mode = 0);

  int number() const noexcept { return number_; } ///< -1 when it owns nothing
  explicit operator bool() const noexcept { return number_ >= 0; }

private:
  int number_ = -1;
};

/// The whole text of a small file, such as one of /proc or /sys. Throws OsError naming the path.
std::string read_whole(const std::filesystem::path& path);

/// Writes `text` into an existing file with one write(2), as control files want it. Throws OsError
/// naming the path.
void write_whole(const std::filesystem::path& path, std::string_view text);

/// `text` without white space at its ends.
std::string_view trimmed(std::string_view text) noexcept;

} // namespace schedrig
