#include "workloads/parts/work_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_begin = "schedrig-work-";
constexpr int open_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool is_still(const fs::path& path, const struct stat& folder) {
  struct stat there {};
  return ::lstat(path.c_str(), &there) == 0 && there.st_dev == folder.st_dev &&
         there.st_ino == folder.st_ino;
}

/// The folder `path`, locked; nothing when it is another user's, is locked already, or is gone.
Fd locked(const fs::path& path) {
  Fd folder(::open(path.c_str(), open_flags));
  if (!folder) {
    if (errno == ENOENT || errno == EACCES || errno == ENOTDIR || errno == ELOOP)
      return {};
    throw OsError(errno, "open", path.native());
  }
  struct stat status {};
  checked(::fstat(folder.number(), &status), "fstat", path.native());
  if (status.st_uid != ::geteuid())
    return {};
  if (::flock(folder.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return {};
    throw OsError(errno, "flock", path.native());
  }
  return is_still(path, status) ? std::move(folder) : Fd();
}

void remove_tree(const fs::path& path) noexcept {
  std::error_code ignored; // what cannot be removed is in nobody's way
  fs::remove_all(path, ignored);
}

void remove_leftovers(const fs::path& place) {
  std::error_code error;
  fs::directory_iterator entries(place, error);
  if (error)
    throw OsError(error.value(), "opendir", place.native());
  for (const auto& entry : entries)
    if (entry.path().filename().native().starts_with(name_begin))
      if (const Fd folder = locked(entry.path()))
        remove_tree(entry.path());
}

} // namespace

WorkFolder::WorkFolder(const fs::path& place) {
  remove_leftovers(place);
  // Another that starts at this moment may find the folder before it is locked, and remove it.
  while (!folder_) {
    std::string name = place / (std::string(name_begin) + "XXXXXX");
    if (!::mkdtemp(name.data()))
      throw OsError(errno, "mkdtemp", name);
    path_ = name;
    folder_ = locked(path_);
  }
}

WorkFolder::~WorkFolder() {
  remove_tree(path_);
}

} // namespace schedrig
