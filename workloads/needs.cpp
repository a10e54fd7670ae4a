#include "workloads/needs.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
/// A task's kernel stack, its descriptor tables, its page tables and its touched pages.
constexpr std::int64_t bytes_a_task = 256 * 1024;

std::int64_t hard_limit(int resource) {
  rlimit limit{};
  checked(::getrlimit(static_cast<__rlimit_resource>(resource), &limit), "getrlimit",
          "a workload's limits");
  return limit.rlim_max == RLIM_INFINITY ? unlimited : static_cast<std::int64_t>(limit.rlim_max);
}

std::int64_t number_in(const std::filesystem::path& file) {
  return parse_number<std::int64_t>(trimmed(read_whole(file)), file.native(), 0, unlimited);
}

/// Tasks that may still be started: what the kernel takes at all, less those that are there.
std::int64_t tasks_left() {
  const auto loads = read_whole("/proc/loadavg"); // "0.00 0.01 0.05 1/123 4567": running/existing
  const auto slash = loads.find('/');
  const auto there = parse_number<std::int64_t>(
      std::string_view(loads).substr(slash + 1, loads.find(' ', slash) - slash - 1),
      "/proc/loadavg: tasks", 0, unlimited);
  auto most =
      std::min(number_in("/proc/sys/kernel/pid_max"), number_in("/proc/sys/kernel/threads-max"));
  if (::geteuid() != 0) // root is not held to it
    most = std::min(most, hard_limit(RLIMIT_NPROC));
  return most - there;
}

std::int64_t memory_left() {
  const auto text = read_whole("/proc/meminfo");
  constexpr std::string_view key = "MemAvailable:";
  const auto begin = text.find(key);
  if (begin == std::string::npos)
    return unlimited;
  const auto value = trimmed(std::string_view(text).substr(
      begin + key.size(), text.find("kB", begin) - begin - key.size()));
  return parse_number<std::int64_t>(value, "/proc/meminfo: MemAvailable", 0, unlimited / 1024) *
         1024;
}

std::int64_t space_left(const std::filesystem::path& folder) {
  struct statvfs status {};
  checked(::statvfs(folder.c_str(), &status), "statvfs", folder.native());
  return static_cast<std::int64_t>(status.f_bavail * status.f_frsize);
}

bool is_program(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

/// Whether execvp(3) would find it.
bool can_be_found(const std::string& program, std::string_view path) {
  if (program.find('/') != program.npos)
    return is_program(program);
  while (true) {
    const auto folder = path.substr(0, path.find(':')); // empty: where we are
    if (is_program(std::filesystem::path(folder) / program))
      return true;
    if (folder.size() == path.size())
      return false;
    path.remove_prefix(folder.size() + 1);
  }
}

} // namespace

std::vector<std::string> lacking(const Needs& needs) {
  std::vector<std::string> sentences;
  const auto compare = [&](std::string_view what, std::int64_t needed, std::int64_t there,
                           std::string_view limit) {
    if (needed > there)
      sentences.push_back(fmt::format("{}: {} needed, {} there ({})", what, needed, there, limit));
  };
  compare("tasks", needs.tasks, tasks_left(), "pid_max, threads-max, ulimit -u");
  compare("open descriptors in a process", needs.descriptors, hard_limit(RLIMIT_NOFILE),
          "ulimit -Hn");
  compare("bytes of memory", needs.memory_bytes + needs.tasks * bytes_a_task, memory_left(),
          "MemAvailable");
  if (!needs.folder.empty())
    compare("bytes of free space in " + needs.folder.native(), needs.file_bytes,
            space_left(needs.folder), "statvfs");
  const char* given = std::getenv("PATH");
  const std::string_view path = given ? given : "/bin:/usr/bin"; // as execvp(3) has it
  for (const auto& program : needs.programs)
    if (!can_be_found(program, path))
      sentences.push_back(fmt::format("program {}: needed, but not in PATH ({})", program, path));
  return sentences;
}

void allow_descriptors(std::int64_t wanted) {
  rlimit limit{};
  checked(::getrlimit(RLIMIT_NOFILE, &limit), "getrlimit", "open descriptors");
  if (limit.rlim_cur >= static_cast<rlim_t>(wanted))
    return;
  limit.rlim_cur = static_cast<rlim_t>(wanted);
  checked(::setrlimit(RLIMIT_NOFILE, &limit), "setrlimit",
          fmt::format("{} open descriptors", wanted));
}

} // namespace schedrig
