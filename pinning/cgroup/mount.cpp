#include "pinning/cgroup/mount.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/cgroup/control_files.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"

namespace schedrig {

namespace {

using Path = std::filesystem::path;
using Version = CgroupMount::Version;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    parts.emplace_back(text.substr(start, text.find(separator, start) - start));
    start += parts.back().size() + 1;
  }
  return parts;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// A mounted control group hierarchy.
struct Hierarchy {
  std::string root; ///< the folder of the hierarchy that is mounted; not "/" in many containers
  Path point;       ///< where it is mounted
  std::string type; ///< cgroup or cgroup2
  std::vector<std::string> options; ///< of the file system: v1's controllers among them
};

/// The kernel writes blanks, tabs, line ends and backslashes of a path as \ooo.
std::string unescaped(std::string_view text) {
  const auto is_octal = [](char digit) { return digit >= '0' && digit <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  return plain;
}

/// Lines of proc(5)'s mountinfo: ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [OPTIONAL...] - TYPE
/// SOURCE SUPEROPTIONS.
std::vector<Hierarchy> parse_mountinfo(std::string_view text) {
  std::vector<Hierarchy> hierarchies;
  for (const auto& line : split(text, '\n')) {
    const auto fields = split(line, ' ');
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 10 || fields.end() - dash < 4)
      continue;
    if (const auto& type = dash[1]; type == "cgroup" || type == "cgroup2")
      hierarchies.push_back(
          {unescaped(fields[3]), unescaped(fields[4]), type, split(dash[3], ',')});
  }
  return hierarchies;
}

/// A line of proc/self/cgroup: ID:CONTROLLERS:PATH, where the path may hold colons of its own.
struct Membership {
  std::string controllers; ///< empty for v2
  std::string path;
};

std::vector<Membership> parse_memberships(std::string_view text) {
  std::vector<Membership> memberships;
  for (const auto& line : split(text, '\n')) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first != std::string::npos && second != std::string::npos)
      memberships.push_back({line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return memberships;
}

/// The folder of the group `path` below `root`; nothing where `hierarchy` does not show that group.
std::optional<Path> folder_of(const std::string& path, const Hierarchy& hierarchy,
                              const Path& root) {
  const std::string above = hierarchy.root == "/" ? "" : hierarchy.root;
  const auto within = std::string_view(path).substr(std::min(above.size(), path.size()));
  if (!path.starts_with(above) || (!within.empty() && within.front() != '/'))
    return std::nullopt;
  auto folder = root / hierarchy.point.relative_path();
  for (const auto& part : Path(within).relative_path()) {
    // So does the kernel write a group outside our cgroup namespace.
    if (part == "..")
      return std::nullopt;
    folder /= part;
  }
  return folder;
}

/// 0 when we may do `what` with `path`, by our effective user and group; else the errno.
int refused(const Path& path, int what) {
  return ::faccessat(AT_FDCWD, path.c_str(), what, AT_EACCESS) == 0 ? 0 : errno;
}

constexpr const char* delegate = "systemd-run --user --scope -p Delegate=yes schedrig ...";

/// Why we may not make groups in `group` and move processes there; nothing when we may.
std::optional<Unavailable> refusal_to_write(const Path& group, std::string_view other_remedy) {
  int error = refused(group, W_OK | X_OK);
  if (error == 0)
    error = refused(group / "cgroup.procs", W_OK);
  if (error == 0)
    return std::nullopt;
  return Unavailable(fmt::format("this user may not make control groups in {}: {}", group.native(),
                                 errno_text(error)),
                     error == EROFS ? fmt::format("mount -o remount,rw {}", group.native())
                                    : fmt::format("run as root{}", other_remedy));
}

std::optional<Unavailable> refusal_of_v1(const Path& group) {
  return refusal_to_write(group, "");
}

bool only_we_are_in(const Path& group) {
  return read_processes(group) == std::vector{::getpid()};
}

/// Why no limited group can be made in `group`; nothing when one can. One that does not hand `cpu`
/// down yet will do when we are alone in it and have moved into a leaf (CgroupSubtree); the root of
/// the hierarchy is the machine's, and not ours to change.
std::optional<Unavailable> refusal_of_v2(const Path& group) {
  if (!is_handed_cpu(group))
    return Unavailable(
        fmt::format("{} has no cpu controller", group.native()),
        fmt::format("echo +cpu > {}", (group.parent_path() / "cgroup.subtree_control").native()));
  if (auto refusal = refusal_to_write(group, fmt::format(", or {}", delegate)))
    return refusal;
  if (hands_cpu_down(group))
    return std::nullopt;
  const bool is_root = refused(group / "cgroup.type", F_OK) != 0;
  const auto control = group / "cgroup.subtree_control";
  if (!is_root && only_we_are_in(group) && refused(control, W_OK) == 0)
    return std::nullopt;
  return Unavailable(
      fmt::format("{} does not hand the cpu controller to the groups in it", group.native()),
      is_root ? fmt::format("echo +cpu > {}", control.native())
              : "systemd-run --scope -p Delegate=yes schedrig ...");
}

/// `own` and the groups above it, up to `top`.
std::vector<Path> upwards(Path own, const Path& top) {
  std::vector<Path> groups{own};
  for (; own != top && own.has_relative_path(); groups.push_back(own))
    own = own.parent_path();
  return groups;
}

/// The deepest of `own` and the groups above it that hands `cpu` down and is ours to write; else
/// `own`, if we can move into a leaf of it. Throws Unavailable for the deepest that fails for the
/// least.
Path find_v2(const Path& own, const Path& top) {
  std::optional<Unavailable> refusal;
  const auto groups = upwards(own, top);
  for (const auto& group : groups)
    if (is_handed_cpu(group) && hands_cpu_down(group)) {
      auto refused_here = refusal_of_v2(group);
      if (!refused_here)
        return group;
      if (!refusal)
        refusal = std::move(refused_here);
    }
  const auto handed = std::ranges::find_if(groups, is_handed_cpu);
  if (handed == groups.end())
    throw Unavailable(
        fmt::format("the cgroup v2 hierarchy at {} has no cpu controller", top.native()),
        "a kernel with CONFIG_CGROUP_SCHED, booted without cgroup_disable=cpu");
  if (auto refused_here = refusal_of_v2(*handed); !refused_here)
    return *handed;
  else if (!refusal)
    refusal = std::move(refused_here);
  throw *refusal;
}

std::optional<std::string> read_if_there(const Path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? std::optional(read_whole(file)) : std::nullopt;
}

CgroupMount given(const Path& group) {
  std::error_code ignored;
  const bool v2 = std::filesystem::exists(group / "cgroup.controllers", ignored);
  if (!v2 && !std::filesystem::exists(group / "cpu.shares", ignored))
    throw Unavailable(
        fmt::format("{} is not a control group with the cpu controller", group.native()));
  if (const auto refusal = v2 ? refusal_of_v2(group) : refusal_of_v1(group))
    throw *refusal;
  return {v2 ? Version::v2 : Version::v1, group};
}

/// The first of the mounts of one hierarchy that lets us make groups where this process is. Throws
/// the first one's refusal, or `nowhere` when no mount shows this process's group.
template <typename Find>
Path first_usable(const std::vector<Hierarchy>& mounts, const std::string& path, const Path& root,
                  const Unavailable& nowhere, Find find) {
  std::optional<Unavailable> refusal;
  for (const auto& mount : mounts)
    if (const auto own = folder_of(path, mount, root))
      try {
        return find(*own, mount);
      } catch (const Unavailable& here) {
        if (!refusal)
          refusal = here;
      }
  throw refusal.value_or(nowhere);
}

} // namespace

CgroupMount::CgroupMount(Version version, std::filesystem::path parent)
    : version_(version), parent_(std::move(parent)) {}

CgroupMount CgroupMount::find(const std::filesystem::path& root,
                              const std::optional<std::filesystem::path>& parent) {
  if (parent)
    return given(*parent);
  const auto memberships_text = read_if_there(root / "proc/self/cgroup");
  if (!memberships_text)
    throw Unavailable("this kernel has no control groups: /proc/self/cgroup is missing",
                      "a kernel with CONFIG_CGROUPS");
  const auto memberships = parse_memberships(*memberships_text);
  auto v1_mounts = parse_mountinfo(read_whole(root / "proc/self/mountinfo"));
  auto v2_mounts = v1_mounts;
  std::erase_if(v1_mounts, [](const auto& mount) {
    return mount.type != "cgroup" || !contains(mount.options, "cpu");
  });
  std::erase_if(v2_mounts, [](const auto& mount) { return mount.type != "cgroup2"; });

  // The controller is bound to one hierarchy only: where it is v1's, v2 has none.
  const auto v1 = std::ranges::find_if(
      memberships, [](const auto& own) { return contains(split(own.controllers, ','), "cpu"); });
  if (v1 != memberships.end()) {
    const Unavailable nowhere(
        fmt::format("the cpu controller is bound to cgroup v1 ({}), which is not mounted where "
                    "this process sees its group",
                    v1->controllers),
        fmt::format("mkdir -p /sys/fs/cgroup/cpu && mount -t cgroup -o {} none /sys/fs/cgroup/cpu",
                    v1->controllers));
    return {Version::v1,
            first_usable(v1_mounts, v1->path, root, nowhere, [](const Path& own, const Hierarchy&) {
              if (const auto refusal = refusal_of_v1(own))
                throw *refusal;
              return own;
            })};
  }
  const Unavailable nowhere("no control group hierarchy with the cpu controller is mounted",
                            "mount -t cgroup2 none /sys/fs/cgroup");
  const auto v2 = std::ranges::find(memberships, std::string(), &Membership::controllers);
  if (v2 == memberships.end())
    throw nowhere;
  return {Version::v2, first_usable(v2_mounts, v2->path, root, nowhere,
                                    [&](const Path& own, const Hierarchy& mount) {
                                      return find_v2(own, root / mount.point.relative_path());
                                    })};
}

} // namespace schedrig
