#include "suite/counting/passes/pmu_user.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {
namespace {

namespace fs = std::filesystem;

/// Empty where it cannot be read.
std::string text_of(const fs::path& path) {
  try {
    return std::string(trimmed(read_whole(path)));
  } catch (const OsError&) {
    return {};
  }
}

std::size_t counters_of(const fs::path& process) {
  std::size_t counters = 0;
  std::error_code gone; // or another user's
  for (const auto& file : fs::directory_iterator(process / "fd", gone))
    counters += fs::read_symlink(file.path(), gone) == "anon_inode:[perf_event]";
  return counters;
}

bool is_process(const fs::path& folder) {
  const auto name = folder.filename().native();
  return name.find_first_not_of("0123456789") == name.npos && name != std::to_string(::getpid());
}

} // namespace

std::vector<PmuUser> PmuUser::find(const fs::path& root) {
  std::vector<PmuUser> users;
  if (text_of(root / "proc/sys/kernel/nmi_watchdog") == "1")
    users.push_back({"the NMI watchdog holds a counter of each CPU for cycles",
                     "sysctl -w kernel.nmi_watchdog=0"});

  // AMD's threads have their counters to themselves, and so have Intel's since Ice Lake.
  if (text_of(root / "sys/devices/system/cpu/smt/active") == "1" &&
      text_of(root / "proc/cpuinfo").find("GenuineIntel") != std::string::npos)
    users.push_back({"SMT is on: up to Skylake each of a core's two threads has 4 of its 8 "
                     "general counters",
                     "turn SMT off in the firmware (at run time it gives none back)"});

  std::error_code none;
  for (const auto& folder : fs::directory_iterator(root / "proc", none))
    if (is_process(folder.path()))
      if (const auto counters = counters_of(folder.path()); counters > 0)
        users.push_back(
            {fmt::format("process {} ({}) has {} counter{} open", folder.path().filename().native(),
                         text_of(folder.path() / "comm"), counters, counters == 1 ? "" : "s"),
             fmt::format("end process {}", folder.path().filename().native())});
  return users;
}

} // namespace schedrig
