#include "suite/machine_lock.hpp"

#include <filesystem>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"

using namespace schedrig;

namespace {

struct LockFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("schedrig-test-{}.lock", ::getpid());
  ~LockFile() { std::filesystem::remove(path); }
};

/// What another process is told when it wants the lock; empty when it gets it.
std::string refusal_of_another_process(const std::filesystem::path& path) {
  int ends[2];
  checked(::pipe(ends), "pipe", "test");
  const pid_t child = checked(::fork(), "fork", "test");
  if (child == 0) {
    std::string told;
    try {
      // A fresh process would not have this flag set; a forked one inherits it, so it must exec to
      // be another one. The kernel's own word is asked instead.
      struct flock lock {};
      lock.l_type = F_WRLCK;
      const Fd file = Fd::open(path, O_RDWR);
      if (::fcntl(file.number(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        told = std::to_string(lock.l_pid);
    } catch (const std::exception& error) {
      told = error.what();
    }
    (void)!::write(ends[1], told.data(), told.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  char told[256];
  const auto size = ::read(ends[0], told, sizeof told);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return {told, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

} // namespace

BOOST_AUTO_TEST_SUITE(machine_lock)

BOOST_AUTO_TEST_CASE(another_process_sees_the_holder_until_it_lets_go) {
  const LockFile file;
  {
    const MachineLock lock(file.path);
    BOOST_TEST(refusal_of_another_process(file.path) == std::to_string(::getpid()));
  }
  BOOST_TEST(refusal_of_another_process(file.path) == "");
}

BOOST_AUTO_TEST_CASE(a_second_run_in_this_process_is_refused_and_the_first_keeps_the_lock) {
  const LockFile file;
  const MachineLock lock(file.path);
  BOOST_CHECK_THROW(MachineLock second(file.path), Unavailable);
  BOOST_TEST(refusal_of_another_process(file.path) == std::to_string(::getpid()));
}

BOOST_AUTO_TEST_CASE(a_lock_file_that_cannot_be_made_is_named) {
  try {
    const MachineLock lock("/proc/no/such/schedrig.lock");
    BOOST_ERROR("nothing was thrown");
  } catch (const OsError& error) {
    BOOST_TEST(error.subject() == "/proc/no/such/schedrig.lock");
  }
  const LockFile file;
  const MachineLock lock(file.path); // the refused one left nothing locked
}

BOOST_AUTO_TEST_SUITE_END()
