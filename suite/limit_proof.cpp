#include "suite/limit_proof.hpp"

#include <algorithm>
#include <cmath>

#include <ctime>
#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "suite/metrics.hpp"

namespace schedrig {

namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds usual_slice{5'000'000};

double seconds(nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

/// The most CPU time that one level lets through in `elapsed`, whose ends may cut periods in two.
double most_seconds(const CpuBandwidth& limit, std::size_t cpus, double elapsed,
                    const BandwidthGrains& grains) {
  const double periods = std::floor(elapsed / seconds(limit.period)) + 2;
  const double overrun = seconds(grains.tick) * static_cast<double>(cpus);
  const double kept = seconds(grains.slice) * static_cast<double>(cpus - 1);
  return periods * (seconds(limit.quota + limit.burst) + overrun) + kept;
}

} // namespace

BandwidthGrains BandwidthGrains::of_this_kernel() {
  timespec resolution{};
  checked(::clock_getres(CLOCK_REALTIME_COARSE, &resolution), "clock_getres",
          "CLOCK_REALTIME_COARSE");
  const std::filesystem::path slice_file = "/proc/sys/kernel/sched_cfs_bandwidth_slice_us";
  nanoseconds slice = usual_slice;
  if (std::filesystem::exists(slice_file))
    slice = std::chrono::microseconds(parse_number<std::int64_t>(
        trimmed(read_whole(slice_file)), slice_file.native(), 1, 1'000'000'000));
  return {nanoseconds(resolution.tv_nsec), slice};
}

std::optional<double> most_cpus(const Bandwidth& bandwidth, std::size_t cpus,
                                const BandwidthGrains& grains) {
  std::optional<double> most;
  for (const auto& level : bandwidth.levels) {
    if (!level)
      continue;
    const double quota = seconds(level->quota) + seconds(grains.tick) * static_cast<double>(cpus);
    most = std::min(most.value_or(static_cast<double>(cpus)), quota / seconds(level->period));
  }
  return most;
}

LimitProof::LimitProof(const Cgroup* group, const Bandwidth& bandwidth, std::size_t cpus)
    : group_(group), bandwidth_(bandwidth), cpus_(cpus), found_(bandwidth) {
  if (!group_)
    return;
  grains_ = BandwidthGrains::of_this_kernel();
  before_ = group_->stats();
}

void LimitProof::close() {
  if (!group_)
    return;
  const auto after = group_->stats();
  for (std::size_t level = 0; level < after.size(); ++level)
    used_ += after[level] - before_[level];
  found_ = group_->read_back();
}

std::vector<Reading> LimitProof::readings(const WorkReport& work) const {
  if (!group_)
    return {};
  std::vector<Reading> readings{
      {metrics::periods, static_cast<double>(used_.periods)},
      {metrics::throttled_periods, static_cast<double>(used_.throttled)},
      {metrics::throttled_time, static_cast<double>(used_.throttled_time.count())}};
  if (work.elapsed.count() > 0)
    readings.push_back(
        {metrics::delivered_cpus, seconds(work.usage.cpu_time) / seconds(work.elapsed)});
  if (const auto allowed = bandwidth_.allowed_cpus()) {
    readings.push_back({metrics::allowed_cpus, *allowed});
    readings.push_back({metrics::delivered_cpus_bound, *most_cpus(bandwidth_, cpus_, grains_)});
  }
  return readings;
}

std::vector<std::string> LimitProof::broken(const WorkReport& work) const {
  if (!group_)
    return {};
  std::vector<std::string> broken;
  if (found_ != bandwidth_)
    broken.push_back(fmt::format("the limit {} reads back as {} after the trial", bandwidth_.text(),
                                 found_.text()));
  for (const auto& level : bandwidth_.levels)
    if (level &&
        seconds(work.usage.cpu_time) > most_seconds(*level, cpus_, seconds(work.elapsed), grains_))
      broken.push_back(fmt::format("the limit {} did not apply: {:.6f} s of CPU time in {:.6f} s",
                                   bandwidth_.text(), seconds(work.usage.cpu_time),
                                   seconds(work.elapsed)));
  return broken;
}

} // namespace schedrig
