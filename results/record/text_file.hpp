#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace schedrig {

/// The bytes of `path` up to its end, however short each read is. Throws std::system_error naming
/// the path, with any errno of open(2) or read(2).
std::string file_bytes(const std::filesystem::path& path);

/// The text of `path` without white space at its ends; nothing where it cannot be read, or is
/// blank.
std::optional<std::string> file_text(const std::filesystem::path& path);

/// `text` without white space at its ends.
std::string_view stripped(std::string_view text) noexcept;

} // namespace schedrig
