#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pinning/cgroup/mount.hpp"

namespace schedrig {

/// The folder of groups that belongs to one run of this process: `schedrig-PID-STARTTIME-PIDNS`
/// below the mount's parent.
///
/// The name tells whose it is, so that the groups of a run that died (SIGKILL, a crash) are known
/// from those of one that lives, also in another pid namespace (which we leave alone: we cannot see
/// whether its process lives).
class CgroupSubtree {
public:
  /// Makes the folder; on v2 hands `cpu` to its children. Where the parent is the delegated group
  /// that we run in ourselves, it first moves this process into a leaf of the folder, since v2
  /// hands a controller down only from a group without processes; the destructor moves it back.
  /// Throws OsError naming the path: EACCES and EROFS where it is not ours to write.
  explicit CgroupSubtree(const CgroupMount& mount);
  CgroupSubtree(CgroupSubtree&&) noexcept;
  ~CgroupSubtree(); ///< removes it; one still occupied stays and is named on stderr

  const CgroupMount& mount() const noexcept { return mount_; }
  const std::filesystem::path& path() const noexcept { return path_; }

private:
  CgroupSubtree(const CgroupMount& mount, std::filesystem::path path);
  void move_into_leaf();
  void move_out_of_leaf() noexcept;

  CgroupMount mount_;
  std::filesystem::path path_; ///< empty when it owns none
  bool in_leaf_ = false;       ///< v2, delegated: this process was moved out of the parent
};

/// What a run that died left behind.
struct Leftover {
  std::filesystem::path path;
  std::size_t processes; ///< killed in it
  bool removed;          ///< false: `why` says what is in the way
  std::string why;
};

/// Kills the processes in the subtrees of dead runs and removes the folders, in all of the
/// hierarchy that `mount` is part of: the dead run may have been started from another group
/// (another login). Never touches those of a living run, of another pid namespace, or of a name
/// that is not ours. Waits at most two seconds for the killed to go.
std::vector<Leftover> remove_leftovers(const CgroupMount& mount);

} // namespace schedrig
