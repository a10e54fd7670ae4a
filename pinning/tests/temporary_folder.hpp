#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "pinning/os_error.hpp"

namespace schedrig {

/// A folder of its own for one test, removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "schedrig-test-XXXXXX";
    checked(::mkdtemp(name.data()) ? 0 : -1, "mkdtemp", name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const noexcept { return path_; }

  /// Writes `text` into `file` below the folder, and makes the folders on the way.
  void put(const std::filesystem::path& file, std::string_view text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << text;
  }

private:
  std::filesystem::path path_;
};

/// For BOOST_CHECK_EXCEPTION: whether an error's text holds `part`.
inline auto tells(std::string part) {
  return [part = std::move(part)](const std::exception& error) {
    const bool found = std::string_view(error.what()).find(part) != std::string_view::npos;
    if (!found)
      std::fprintf(stderr, "the error reads: %s\n", error.what());
    return found;
  };
}

} // namespace schedrig
