#include "pinning/cgroup/subtree.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/cgroup/control_files.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

using std::chrono::milliseconds;
using Path = std::filesystem::path;
using Version = CgroupMount::Version;

constexpr milliseconds patience_with_exits{500}, patience_with_the_killed{2'000};
constexpr std::string_view prefix = "schedrig-";
/// Holds ourselves where we work below the group that we ran in: v2 hands a controller down only
/// from a group without processes.
constexpr const char* leaf = "self";

/// Which process a subtree belongs to, unique over the machine until the next boot.
struct Owner {
  pid_t process;
  std::uint64_t start_time;    ///< in ticks since boot, as /proc/PID/stat tells it
  std::uint64_t pid_namespace; ///< inode number

  bool operator==(const Owner&) const = default;
};

/// Nothing when there is no such process in our pid namespace.
std::optional<std::uint64_t> start_time_of(pid_t process) {
  std::string text;
  const auto file = fmt::format("/proc/{}/stat", process);
  try {
    text = read_whole(file);
  } catch (const OsError& error) {
    if (error.error() == ENOENT || error.error() == ESRCH)
      return std::nullopt;
    throw;
  }
  // The command's name, field 2, may hold blanks and brackets of its own; field 22 is the 20th
  // behind it.
  auto rest = trimmed(std::string_view(text).substr(std::min(text.size(), text.rfind(')') + 1)));
  for (int field = 3; field < 22; ++field)
    rest.remove_prefix(std::min(rest.size(), rest.find(' ') + 1));
  return parse_number<std::uint64_t>(rest.substr(0, rest.find(' ')), file + ": field 22", 0,
                                     UINT64_MAX);
}

std::uint64_t own_pid_namespace() {
  struct stat status {};
  constexpr const char* file = "/proc/self/ns/pid";
  checked(::stat(file, &status), "stat", file);
  return status.st_ino;
}

std::string name_of(const Owner& owner) {
  return fmt::format("{}{}-{}-{}", prefix, owner.process, owner.start_time, owner.pid_namespace);
}

/// Nothing when `name` is not exactly one that `name_of` gives.
std::optional<Owner> owner_in(std::string_view name) {
  if (!name.starts_with(prefix))
    return std::nullopt;
  const auto numbers = name.substr(prefix.size());
  const auto first = numbers.find('-'), second = numbers.find('-', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos)
    return std::nullopt;
  try {
    const Owner owner{
        parse_number<pid_t>(numbers.substr(0, first), "process", 1, INT32_MAX),
        parse_number<std::uint64_t>(numbers.substr(first + 1, second - first - 1), "start time", 0,
                                    UINT64_MAX),
        parse_number<std::uint64_t>(numbers.substr(second + 1), "namespace", 0, UINT64_MAX)};
    return name_of(owner) == name ? std::optional(owner) : std::nullopt;
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

/// `group` and every group below it, each before those within it; never through a symbolic link.
std::vector<Path> tree(const Path& group) {
  std::vector<Path> groups{group};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(group))
    if (!entry.is_symlink() && entry.is_directory())
      groups.push_back(entry.path());
  return groups;
}

/// The uppermost group of the hierarchy that `group` is in, as far as it is mounted.
Path top_of(Path group) {
  std::error_code ignored;
  while (std::filesystem::exists(group.parent_path() / "cgroup.procs", ignored))
    group = group.parent_path();
  return group;
}

/// The subtrees of dead runs below `group`. Groups of others come and go meanwhile; what cannot be
/// read is passed over.
std::vector<Path> subtrees_of_the_dead(const Path& group) {
  static const auto name_space = own_pid_namespace();
  std::vector<Path> dead;
  std::error_code unreadable;
  for (std::filesystem::directory_iterator entry(group, unreadable), end;
       !unreadable && entry != end; entry.increment(unreadable)) {
    std::error_code gone;
    if (entry->is_symlink(gone) || !entry->is_directory(gone))
      continue;
    const auto owner = owner_in(entry->path().filename().native());
    if (!owner)
      std::ranges::move(subtrees_of_the_dead(entry->path()), std::back_inserter(dead));
    // Whether a process of another pid namespace lives cannot be seen from here.
    else if (owner->pid_namespace == name_space &&
             start_time_of(owner->process) != owner->start_time)
      dead.push_back(entry->path());
  }
  return dead;
}

Leftover remove_leftover(Version version, const Path& subtree) {
  Leftover leftover{subtree, 0, false, {}};
  try {
    const auto groups = tree(subtree);
    const auto processes = processes_in(groups);
    if (processes.contains(::getpid())) {
      leftover.why = "this process itself runs in it";
      return leftover;
    }
    leftover.processes = processes.size();
    if (!kill_processes(version, groups, patience_with_the_killed)) {
      leftover.why = fmt::format("processes in it do not die of SIGKILL within {} ms",
                                 patience_with_the_killed.count());
      return leftover;
    }
    for (const auto& group : std::views::reverse(groups))
      if (const int error = remove_group(group, patience_with_exits))
        throw OsError(error, "rmdir", group.native());
    leftover.removed = true;
  } catch (const std::exception& error) {
    leftover.why = error.what();
  }
  return leftover;
}

} // namespace

CgroupSubtree::CgroupSubtree(const CgroupMount& mount, std::filesystem::path path)
    : mount_(mount), path_(std::move(path)) {}

// Delegates, so that the destructor undoes what was done when anything below throws.
CgroupSubtree::CgroupSubtree(const CgroupMount& mount) : CgroupSubtree(mount, Path()) {
  const pid_t self = ::getpid();
  const auto path =
      mount.parent() / name_of({self, start_time_of(self).value(), own_pid_namespace()});
  checked(::mkdir(path.c_str(), 0755), "mkdir", path.native());
  path_ = path;
  if (mount.version() == Version::v1)
    return;
  if (!hands_cpu_down(mount.parent()))
    move_into_leaf();
  write_subtree_control(path_, "+cpu");
}

CgroupSubtree::CgroupSubtree(CgroupSubtree&& other) noexcept
    : mount_(other.mount_), path_(std::exchange(other.path_, {})),
      in_leaf_(std::exchange(other.in_leaf_, false)) {}

CgroupSubtree::~CgroupSubtree() {
  if (path_.empty())
    return;
  if (in_leaf_)
    move_out_of_leaf();
  if (const int error = remove_group(path_, patience_with_exits))
    fmt::print(stderr, "schedrig: control group {} stays: {}\n", path_.native(), errno_text(error));
}

void CgroupSubtree::move_into_leaf() {
  in_leaf_ = true;
  const auto self = path_ / leaf;
  checked(::mkdir(self.c_str(), 0755), "mkdir", self.native());
  write_process(self, ::getpid());
  write_subtree_control(mount_.parent(), "+cpu");
}

// As far as it was done: each step back is tried, also when the one before it was refused.
void CgroupSubtree::move_out_of_leaf() noexcept {
  const auto self = path_ / leaf;
  const auto try_to = [](auto step) {
    try {
      step();
    } catch (const std::exception& error) {
      fmt::print(stderr, "schedrig: moving back out of {}: {}\n", leaf, error.what());
    }
  };
  try_to([&] { write_subtree_control(path_, "-cpu"); });
  try_to([&] { write_subtree_control(mount_.parent(), "-cpu"); });
  // Also what we started meanwhile and left running.
  try_to([&] {
    for (const pid_t process : read_processes(self))
      write_process(mount_.parent(), process);
  });
  if (const int error = remove_group(self, patience_with_exits))
    fmt::print(stderr, "schedrig: control group {} stays: {}\n", self.native(), errno_text(error));
}

std::vector<Leftover> remove_leftovers(const CgroupMount& mount) {
  std::vector<Leftover> leftovers;
  for (const auto& subtree : subtrees_of_the_dead(top_of(mount.parent())))
    leftovers.push_back(remove_leftover(mount.version(), subtree));
  return leftovers;
}

} // namespace schedrig
