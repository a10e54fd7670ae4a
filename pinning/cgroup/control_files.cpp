#include "pinning/cgroup/control_files.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"

namespace schedrig {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Version = CgroupMount::Version;
using Path = std::filesystem::path;

constexpr milliseconds pause_between_tries{1};

constexpr const char* quota_file = "cpu.cfs_quota_us";
constexpr const char* period_file = "cpu.cfs_period_us";

const char* burst_file(Version version) {
  return version == Version::v1 ? "cpu.cfs_burst_us" : "cpu.max.burst";
}

bool is_missing(const OsError& error) {
  return error.error() == ENOENT;
}

std::optional<std::string> read_if_there(const Path& file) {
  try {
    return read_whole(file);
  } catch (const OsError& error) {
    if (is_missing(error))
      return std::nullopt;
    throw;
  }
}

/// Whether `cpu` is among the controllers of a v2 file, which separates them by blanks.
bool names_cpu(const Path& file) {
  const auto controllers = fmt::format(" {} ", trimmed(read_whole(file)));
  return controllers.find(" cpu ") != std::string::npos;
}

microseconds parse_time(std::string_view text, const Path& file) {
  return microseconds(parse_number<microseconds::rep>(trimmed(text), file.native(), 0,
                                                      microseconds::max().count()));
}

/// Runs an access to the files of a limit; a missing one means that the kernel was built without
/// them.
template <typename Access>
auto with_bandwidth_control(const Path& group, Access access) {
  try {
    return access();
  } catch (const OsError& error) {
    std::error_code ignored;
    if (!is_missing(error) || !std::filesystem::exists(group, ignored))
      throw;
    throw Unavailable(
        fmt::format("this kernel cannot limit a group's CPU time: {} is missing", error.subject()),
        "a kernel with CONFIG_CFS_BANDWIDTH");
  }
}

void write_burst(Version version, const Path& group, microseconds burst) {
  const auto file = group / burst_file(version);
  try {
    write_whole(file, std::to_string(burst.count()));
  } catch (const OsError& error) {
    if (!is_missing(error))
      throw;
    throw Unavailable(fmt::format("this kernel has no CPU burst: {} is missing", file.native()),
                      "Linux 5.14 or later");
  }
}

void lift_limit(Version version, const Path& group) {
  try {
    write_limit(version, group, std::nullopt);
  } catch (const std::exception&) {
    // Without the lift its tasks die all the same, only later.
  }
}

/// cgroup.kill, which misses no child that is being forked; groups have it from Linux 5.14 on.
void kill_by_the_kernel(const Path& group) {
  try {
    write_whole(group / "cgroup.kill", "1");
  } catch (const OsError&) {
    // Then one by one.
  }
}

// v1 has a file each for quota and period, and refuses a group that is allowed more than its parent
// or less than a child. Where neither order of the two writes stays between the old and the new
// ratio, the way leads over no limit, which neither parent nor child can object to.
void write_quota_v1(const Path& group, const LimitFiles& now, const CpuBandwidth& limit) {
  const auto write_quota = [&](microseconds::rep quota) {
    write_whole(group / quota_file, std::to_string(quota));
  };
  const auto write_period = [&] {
    write_whole(group / period_file, std::to_string(limit.period.count()));
  };
  if (now.period == limit.period) {
    write_quota(limit.quota.count());
    return;
  }
  const bool both_raise = now.quota && limit.quota >= *now.quota && limit.period <= now.period;
  const bool both_lower = now.quota && limit.quota <= *now.quota && limit.period >= now.period;
  if (now.quota && !both_raise && !both_lower)
    write_quota(-1);
  write_period();
  write_quota(limit.quota.count());
}

} // namespace

std::optional<CpuBandwidth> LimitFiles::limit() const {
  if (!quota)
    return std::nullopt;
  return CpuBandwidth{*quota, period, burst};
}

LimitFiles read_limit(Version version, const Path& group) {
  LimitFiles files;
  with_bandwidth_control(group, [&] {
    if (version == Version::v1) {
      const auto quota = read_whole(group / quota_file);
      if (trimmed(quota) != "-1")
        files.quota = parse_time(quota, group / quota_file);
      files.period = parse_time(read_whole(group / period_file), group / period_file);
    } else {
      const auto file = group / "cpu.max";
      const auto text = read_whole(file);
      const auto both = trimmed(text);
      const auto blank = both.find(' ');
      if (both.substr(0, blank) != "max")
        files.quota = parse_time(both.substr(0, blank), file);
      files.period =
          parse_time(blank == std::string_view::npos ? "" : both.substr(blank + 1), file);
    }
  });
  const auto file = group / burst_file(version);
  if (const auto burst = read_if_there(file))
    files.burst = parse_time(*burst, file);
  return files;
}

void write_limit(Version version, const Path& group, const std::optional<CpuBandwidth>& limit) {
  const auto now = read_limit(version, group);
  const auto burst = limit ? limit->burst : microseconds(0);
  // The kernel wants the burst to be at most the quota at any moment.
  if (burst < now.burst)
    write_burst(version, group, burst);
  with_bandwidth_control(group, [&] {
    if (version == Version::v2)
      write_whole(group / "cpu.max",
                  limit ? fmt::format("{} {}", limit->quota.count(), limit->period.count())
                        : "max");
    else if (limit)
      write_quota_v1(group, now, *limit);
    else
      write_whole(group / quota_file, "-1");
  });
  if (burst > now.burst)
    write_burst(version, group, burst);
}

CpuStat read_stat(Version version, const Path& group) {
  auto stat = CpuStat::parse(read_whole(group / "cpu.stat"));
  if (version == Version::v1) {
    const auto file = group / "cpuacct.usage";
    if (const auto usage = read_if_there(file))
      stat.usage = std::chrono::nanoseconds(
          parse_number<std::int64_t>(trimmed(*usage), file.native(), 0, INT64_MAX));
  }
  return stat;
}

std::vector<pid_t> read_processes(const Path& group) {
  const auto file = group / "cgroup.procs";
  const auto text = read_whole(file);
  std::vector<pid_t> processes;
  for (std::size_t start = 0; start < text.size();) {
    const auto line = std::string_view(text).substr(start, text.find('\n', start) - start);
    start += line.size() + 1;
    processes.push_back(parse_number<pid_t>(line, file.native(), 0, INT32_MAX));
  }
  return processes;
}

std::set<pid_t> processes_in(const std::vector<Path>& groups) {
  std::set<pid_t> processes;
  for (const auto& group : groups)
    try {
      const auto own = read_processes(group);
      processes.insert(own.begin(), own.end());
    } catch (const OsError& error) {
      if (!is_missing(error) && error.error() != ENODEV)
        throw;
    }
  return processes;
}

void write_process(const Path& group, pid_t process) {
  write_whole(group / "cgroup.procs", std::to_string(process));
}

bool hands_cpu_down(const Path& group) {
  return names_cpu(group / "cgroup.subtree_control");
}

bool is_handed_cpu(const Path& group) {
  return names_cpu(group / "cgroup.controllers");
}

void write_subtree_control(const Path& group, std::string_view change) {
  write_whole(group / "cgroup.subtree_control", change);
}

bool kill_processes(Version version, const std::vector<Path>& groups,
                    milliseconds patience) noexcept try {
  const auto end = Clock::now() + patience;
  auto left = processes_in(groups);
  if (left.empty())
    return true;
  for (const auto& group : groups)
    lift_limit(version, group);
  const pid_t self = ::getpid();
  if (version == Version::v2 && !left.contains(self))
    kill_by_the_kernel(groups.front());
  std::set<pid_t> killed;
  for (;;) {
    bool new_ones = false;
    for (const pid_t process : left)
      // 0 is not a process but one that we cannot see; to kill(2) it would be our own process
      // group.
      if (process != 0 && process != self) {
        ::kill(process, SIGKILL);
        new_ones |= killed.insert(process).second;
      }
    // While it goes on forking, every pause would let it get ahead.
    if (!new_ones)
      std::this_thread::sleep_for(pause_between_tries);
    left = processes_in(groups);
    if (left.empty())
      return true;
    if (Clock::now() >= end)
      return false;
  }
} catch (const std::exception&) {
  return false;
}

int remove_group(const Path& group, milliseconds patience) noexcept try {
  const auto end = Clock::now() + patience;
  while (::rmdir(group.c_str()) == -1) {
    const int error = errno;
    if (error == ENOENT)
      return 0;
    if (error != EBUSY || Clock::now() >= end || !processes_in({group}).empty())
      return error;
    std::this_thread::sleep_for(pause_between_tries);
  }
  return 0;
} catch (const OsError& error) {
  return error.error();
} catch (const std::exception&) {
  return EIO;
}

} // namespace schedrig
