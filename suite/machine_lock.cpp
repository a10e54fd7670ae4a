#include "suite/machine_lock.hpp"

#include <algorithm>
#include <atomic>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>

#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"

namespace schedrig {

namespace {

/// The kernel's locks are the process's own: a second run in this process would get one too.
std::atomic_flag held_by_this_process = ATOMIC_FLAG_INIT;

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// Opened without O_CREAT first: where another user made the file, the kernel refuses O_CREAT in a
/// sticky folder (fs.protected_regular).
Fd open_lock_file(const std::filesystem::path& path) {
  if (const int number = ::open(path.c_str(), O_RDWR | O_CLOEXEC); number >= 0)
    return Fd(number);
  if (errno != ENOENT)
    throw OsError(errno, "open", path.native());
  Fd file = Fd::open(path, O_RDWR | O_CREAT, 0666);
  checked(::fchmod(file.number(), 0666), "fchmod",
          path.native()); // whatever the umask: every user may lock it
  return file;
}

std::string describe(pid_t holder) {
  const auto folder = fmt::format("/proc/{}", holder);
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0)
    return fmt::format("process {} (not visible from here)", holder);
  const passwd* user = ::getpwuid(status.st_uid);
  std::string command;
  try {
    command = read_whole(folder + "/cmdline");
    std::replace(command.begin(), command.end(), '\0', ' ');
  } catch (const OsError&) { // it ended meanwhile
  }
  return fmt::format("process {} of {}, since {:%H:%M:%S}: {}", holder,
                     user ? user->pw_name : std::to_string(status.st_uid),
                     fmt::localtime(status.st_mtim.tv_sec), trimmed(command));
}

constexpr auto remedy = "wait until it has ended, or stop it";

void lock(const Fd& file, const std::filesystem::path& path) {
  auto wanted = whole_file(F_WRLCK);
  if (::fcntl(file.number(), F_SETLK, &wanted) == 0)
    return;
  if (errno != EACCES && errno != EAGAIN)
    throw OsError(errno, "lock", path.native());
  auto holder = whole_file(F_WRLCK);
  checked(::fcntl(file.number(), F_GETLK, &holder), "lock", path.native());
  const bool seen = holder.l_type != F_UNLCK && holder.l_pid > 0;
  throw Unavailable("another run is measuring on this machine: " +
                        (seen ? describe(holder.l_pid) : "one in another pid namespace"),
                    remedy);
}

} // namespace

MachineLock::MachineLock(const std::filesystem::path& path) {
  if (held_by_this_process
          .test_and_set()) // before the file is opened: closing it would give the lock back
    throw Unavailable("this process is already measuring on this machine", remedy);
  try {
    file_ = open_lock_file(path);
    lock(file_, path);
  } catch (...) {
    held_by_this_process.clear();
    throw;
  }
}

MachineLock::~MachineLock() {
  file_ = Fd();
  held_by_this_process.clear();
}

} // namespace schedrig
