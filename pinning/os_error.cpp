#include "pinning/os_error.hpp"

#include <cstring>

#include <fmt/format.h>

namespace schedrig {

std::string errno_text(int error) {
  const char* name = strerrorname_np(error);
  const char* text = strerrordesc_np(error);
  return fmt::format("{} ({})", text ? text : "unknown error", name ? name : std::to_string(error));
}

OsError::OsError(int error, std::string_view operation, std::string_view subject)
    : std::system_error(error, std::generic_category()), operation_(operation), subject_(subject),
      text_(fmt::format("{} {}: {}", operation, subject, errno_text(error))) {}

} // namespace schedrig
