#include "pinning/task_usage.hpp"

#include <string>
#include <string_view>

#include <sys/resource.h>
#include <time.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {

TaskUsage TaskUsage::of_this_thread() {
  timespec time{};
  rusage usage{};
  checked(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), "clock_gettime",
          "CLOCK_THREAD_CPUTIME_ID");
  checked(::getrusage(RUSAGE_THREAD, &usage), "getrusage", "RUSAGE_THREAD");
  return {std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec),
          usage.ru_nvcsw, usage.ru_nivcsw};
}

TaskUsage operator-(const TaskUsage& after, const TaskUsage& before) {
  return {after.cpu_time - before.cpu_time, after.voluntary_switches - before.voluntary_switches,
          after.involuntary_switches - before.involuntary_switches};
}

TaskUsage& TaskUsage::operator+=(const TaskUsage& other) {
  cpu_time += other.cpu_time;
  voluntary_switches += other.voluntary_switches;
  involuntary_switches += other.involuntary_switches;
  return *this;
}

namespace {

std::optional<std::int64_t> migrations_in(const std::string& file) {
  std::string text;
  try {
    text = read_whole(file);
  } catch (const OsError& error) {
    if (error.error() == ENOENT)
      return std::nullopt;
    throw;
  }
  constexpr std::string_view key = "se.nr_migrations";
  const auto line = text.find(key);
  if (line == std::string::npos)
    return std::nullopt;
  const auto value =
      std::string_view(text).substr(line + key.size(), text.find('\n', line) - line - key.size());
  return parse_number<std::int64_t>(trimmed(value.substr(value.find(':') + 1)),
                                    file + ": se.nr_migrations", 0, INT64_MAX);
}

} // namespace

std::optional<std::int64_t> own_migrations() {
  return migrations_in("/proc/thread-self/sched");
}

std::optional<std::int64_t> migrations_of(pid_t process) {
  return migrations_in("/proc/" + std::to_string(process) + "/sched");
}

} // namespace schedrig
