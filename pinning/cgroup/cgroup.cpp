#include "pinning/cgroup/cgroup.hpp"

#include <algorithm>
#include <cassert>
#include <ranges>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/cgroup/control_files.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"

namespace schedrig {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Path = std::filesystem::path;

/// How long a task that has left its last instruction behind may still keep its group from being
/// removed.
constexpr milliseconds patience_with_exits{500};

double ratio(const std::optional<CpuBandwidth>& limit) {
  return limit ? static_cast<double>(limit->quota.count()) /
                     static_cast<double>(limit->period.count())
               : std::numeric_limits<double>::infinity();
}

} // namespace

CpuStat CpuStat::parse(std::string_view text) {
  CpuStat stat;
  for (std::size_t start = 0; start < text.size();) {
    const auto line = text.substr(start, text.find('\n', start) - start);
    start += line.size() + 1;
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos)
      throw BadInput(fmt::format("cpu.stat: '{}' is not a name and a number", line));
    const auto key = line.substr(0, blank);
    const auto value = [&](std::int64_t unit = 1) {
      return unit * parse_number<std::int64_t>(line.substr(blank + 1),
                                               fmt::format("cpu.stat: {}", key), 0,
                                               INT64_MAX / unit);
    };
    constexpr std::int64_t ns_per_us = 1'000;
    if (key == "nr_periods")
      stat.periods = value();
    else if (key == "nr_throttled")
      stat.throttled = value();
    else if (key == "nr_bursts")
      stat.bursts = value();
    else if (key == "throttled_time")
      stat.throttled_time = nanoseconds(value());
    else if (key == "throttled_usec")
      stat.throttled_time = nanoseconds(value(ns_per_us));
    else if (key == "burst_time")
      stat.burst_time = nanoseconds(value());
    else if (key == "burst_usec")
      stat.burst_time = nanoseconds(value(ns_per_us));
    else if (key == "usage_usec")
      stat.usage = nanoseconds(value(ns_per_us));
  }
  return stat;
}

CpuStat operator-(const CpuStat& after, const CpuStat& before) {
  CpuStat stat{after.periods - before.periods,
               after.throttled - before.throttled,
               after.throttled_time - before.throttled_time,
               after.bursts - before.bursts,
               after.burst_time - before.burst_time,
               std::nullopt};
  if (after.usage && before.usage)
    stat.usage = *after.usage - *before.usage;
  return stat;
}

CpuStat& CpuStat::operator+=(const CpuStat& other) {
  periods += other.periods;
  throttled += other.throttled;
  throttled_time += other.throttled_time;
  bursts += other.bursts;
  burst_time += other.burst_time;
  if (usage && other.usage)
    *usage += *other.usage;
  else
    usage.reset();
  return *this;
}

Cgroup::Cgroup(CgroupMount::Version version) : version_(version) {}

// Delegates, so that the destructor removes what was made when anything below throws.
Cgroup::Cgroup(const CgroupSubtree& subtree, const Bandwidth& bandwidth)
    : Cgroup(subtree.mount().version()) {
  if (!bandwidth.has_group())
    throw BadInput("bandwidth 'none' has no group to make");
  auto path = subtree.path();
  for (std::size_t level = 1; level <= bandwidth.levels.size(); ++level) {
    if (level > 1 && version_ == CgroupMount::Version::v2)
      write_subtree_control(path, "+cpu");
    path /= fmt::format("level-{}", level);
    checked(::mkdir(path.c_str(), 0755), "mkdir", path.native());
    paths_.push_back(path);
  }
  if (version_ == CgroupMount::Version::v2)
    folder_ = Fd::open(path, O_RDONLY | O_DIRECTORY);
  limit(bandwidth);
}

Cgroup::Cgroup(Cgroup&&) noexcept = default;

Cgroup::~Cgroup() {
  for (const auto& path : std::views::reverse(paths_))
    if (const int error = remove_group(path, patience_with_exits)) {
      fmt::print(stderr, "schedrig: control group {} stays: {}\n", path.native(),
                 errno_text(error));
      return;
    }
}

// v1 refuses a child that is allowed more than its parent: those that rise go first, from the
// outside in; then those that fall, from the inside out.
void Cgroup::limit(const Bandwidth& bandwidth) {
  if (bandwidth.levels.size() != paths_.size())
    throw BadInput(fmt::format("bandwidth '{}' has {} levels where the groups have {}",
                               bandwidth.text(), bandwidth.levels.size(), paths_.size()));
  const auto now = read_back();
  const auto rises = [&](std::size_t level) {
    return ratio(bandwidth.levels[level]) >= ratio(now.levels[level]);
  };
  const auto write = [&](std::size_t level) {
    if (bandwidth.levels[level] != now.levels[level])
      write_limit(version_, paths_[level], bandwidth.levels[level]);
  };
  for (std::size_t level = 0; level < paths_.size(); ++level)
    if (rises(level))
      write(level);
  for (std::size_t level = paths_.size(); level-- > 0;)
    if (!rises(level))
      write(level);
  // v2 multiplies without a look at the bounds and keeps what is left of it.
  if (const auto kept = read_back(); kept != bandwidth)
    throw Unavailable(fmt::format("the kernel keeps the limit {} where {} was written to {}",
                                  kept.text(), bandwidth.text(), paths_.back().native()));
}

Bandwidth Cgroup::read_back() const {
  Bandwidth bandwidth;
  for (const auto& path : paths_)
    bandwidth.levels.push_back(read_limit(version_, path).limit());
  return bandwidth;
}

std::vector<CpuStat> Cgroup::stats() const {
  std::vector<CpuStat> stats;
  for (const auto& path : paths_)
    stats.push_back(read_stat(version_, path));
  return stats;
}

void Cgroup::join(pid_t process) const {
  write_process(path(), process);
}

std::vector<pid_t> Cgroup::processes() const {
  std::vector<pid_t> processes;
  for (const auto& path : paths_)
    std::ranges::copy(read_processes(path), std::back_inserter(processes));
  return processes;
}

bool Cgroup::kill_all(milliseconds patience) const noexcept {
  return kill_processes(version_, paths_, patience);
}

} // namespace schedrig
