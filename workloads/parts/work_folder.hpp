#pragma once

#include <filesystem>

#include "pinning/fd.hpp"

namespace schedrig {

/// A temporary folder for files that must have names; it goes with its owner.
///
/// A process that is killed cannot remove its own. What it leaves is removed when the next
/// WorkFolder is made in the same place: each is locked (flock) while its owner lives, and one that
/// nobody has locked is nobody's. Only folders of the same user are touched.
class WorkFolder {
public:
  /// Makes one in `place`, and removes what dead owners left there. Throws OsError: ENOENT, EACCES,
  /// ENOSPC.
  explicit WorkFolder(const std::filesystem::path& place);
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder(); ///< removes it with all that is in it

  const std::filesystem::path& path() const noexcept { return path_; }
  const Fd& descriptor() const noexcept { return folder_; } ///< for fchdir, openat

private:
  std::filesystem::path path_;
  Fd folder_; ///< holds the lock
};

} // namespace schedrig
