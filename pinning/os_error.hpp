#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace schedrig {

/// A call into the kernel that was refused: its errno, what was tried, and on what.
///
/// `what()` reads "open /sys/fs/cgroup/cpu/cpu.stat: No such file or directory (ENOENT)". Python
/// sees OSError(errno, text, subject). Thrown through `checked`, at the call itself, so that errno
/// is still the call's; directly only where the errno came as a value.
class OsError : public std::system_error {
public:
  OsError(int error, std::string_view operation, std::string_view subject);

  int error() const noexcept { return code().value(); } ///< errno, above 0
  /// "open", "sched_setaffinity", ...
  const std::string& operation() const noexcept { return operation_; }
  const std::string& subject() const noexcept { return subject_; } ///< a path, an event, a CPU list
  const char* what() const noexcept override { return text_.c_str(); }

private:
  std::string operation_, subject_, text_;
};

/// The name and the text of an errno: "No such file or directory (ENOENT)".
std::string errno_text(int error);

/// Returns `result` unless it is -1, the kernel's sign of a refusal; then throws OsError with the
/// current errno.
template <typename Result>
Result checked(Result result, std::string_view operation, std::string_view subject) {
  if (result == static_cast<Result>(-1))
    throw OsError(errno, operation, subject);
  return result;
}

} // namespace schedrig
