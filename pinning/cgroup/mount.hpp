#pragma once

#include <filesystem>
#include <optional>

namespace schedrig {

/// Where groups with a CPU limit can be made: the hierarchy that carries the `cpu` controller and
/// the folder in it below which we may work.
///
/// Found by what is there, not by a version: a hybrid machine has a v2 mount without the controller
/// and a v1 one with it.
///
/// v1: below the group that this process is in.
///
/// v2: the deepest of this process's own group and those above it that hands `cpu` to its children
/// and lets us make one; else our own group, delegated to us (systemd-run --scope -p Delegate=yes)
/// and without other processes, below which CgroupSubtree moves us into a leaf.
class CgroupMount {
public:
  enum class Version { v1, v2 };

  /// Reads proc/self/mountinfo and proc/self/cgroup below `root`. `parent`, when given, is the
  /// folder to work below instead of the one found. Throws Unavailable with the reason and the line
  /// that would change it: no cpu controller mounted; none that this user may write (EACCES,
  /// EROFS); a v2 parent that does not hand `cpu` down.
  static CgroupMount find(const std::filesystem::path& root = "/",
                          const std::optional<std::filesystem::path>& parent = {});
  /// A folder that already is what `find` would have found; for tests on a temporary folder.
  CgroupMount(Version version, std::filesystem::path parent);

  Version version() const noexcept { return version_; }
  const std::filesystem::path& parent() const noexcept { return parent_; }

private:
  Version version_;
  std::filesystem::path parent_;
};

} // namespace schedrig
