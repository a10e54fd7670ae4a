#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <linux/perf_event.h>

#include "suite/counting/perf_port.hpp"

namespace schedrig {

/// A kernel with counters for tests: what it hands out are real descriptors (eventfds), what it
/// counts and refuses is scripted through the public members.
///
/// Time passes only between an enable and its disable: `enabled_for`, in which every event counts
/// `counts_for` it. A group's values come last member first, so that only their ids tell.
class FakePerf final : public PerfPort {
public:
  /// One perf_event_open as it was asked for.
  struct Open {
    perf_event_attr attributes;
    pid_t process;
    int cpu, group;
    unsigned long flags;
    std::size_t number; ///< how many opens came before it
    int fd;             ///< -1 when it was refused
  };

  /// The errno an open is refused with, or 0. By default the machine has everything.
  std::function<int(const Open&)> refuse_open = [](const Open&) { return 0; };
  std::optional<int> paranoid_level = 2;
  std::chrono::nanoseconds enabled_for{1'000'000};
  std::function<std::uint64_t(const Open&)> counts_for = [](const Open&) { return 1000; };
  std::set<int> shared_on; ///< on these CPUs (-1: of tasks) groups run for half of the time
  std::set<int> lost_on;   ///< on these CPUs (-1: of tasks) a started group reads 0 bytes
  /// Whether a group, leader first, gets onto the PMU when it is enabled. One that does not is
  /// lost where its leader is pinned, and stays enabled without running where it is not.
  std::function<bool(const std::vector<Open>&)> gets_on = [](const auto&) { return true; };
  std::set<int> idle_on;             ///< CPUs on which what is counted never runs
  std::set<int> offline_since_start; ///< CPUs that are counted for a tenth of the time only
  std::chrono::nanoseconds tick{0};  ///< how far the clock goes on at each look at it
  std::uint64_t descriptors_allowed = 1024;
  int refuse_read = 0;             ///< errno of every read, or 0
  std::size_t bytes_held_back = 0; ///< by each read
  int interruptions = 0;           ///< so many calls from now on fail with EINTR
  int refuse_control = 0;          ///< errno of every enable and disable, or 0

  std::size_t most_mapped_bytes = std::size_t{1} << 30; ///< a larger map fails with EPERM
  std::uint64_t lost_samples = 0; ///< what each event says it lost, where the open asked for it

  std::vector<Open> opens; ///< all of them, refused ones too

  int open(perf_event_attr& attributes, pid_t process, int cpu, int group,
           unsigned long flags) override;
  int control(int event, unsigned long request, unsigned long argument) override;
  int identify(int event, std::uint64_t& id) override;
  ssize_t read(int event, void* into, std::size_t bytes) override;
  void* map(int event, std::size_t bytes) override;
  void unmap(void* memory, std::size_t bytes) noexcept override;
  std::optional<int> paranoid() override { return paranoid_level; }
  std::chrono::nanoseconds now() override { return clock_ += tick; }
  std::uint64_t most_descriptors() override { return descriptors_allowed; }

  /// Writes a record to where `event` writes, round the end if need be. As the kernel does, not
  /// when there is no room: false, and it is lost.
  bool write(int event, std::span<const std::byte> record);
  void run_over(int event); ///< moves the end of what is written on by a whole buffer

  /// The group of that leader as it is now, leader first.
  std::vector<Open> group(int leader) const;
  /// How many of its descriptors are still open.
  std::size_t open_descriptors() const;
  bool is_enabled(int event) const { return events_.at(event).enabled; }

private:
  struct Counter {
    Open open;
    std::uint64_t id = 0, count = 0, enabled_ns = 0, running_ns = 0;
    bool enabled = false, lost = false, waits = false;
    int output = -1;        ///< the event with the memory; -1: itself
    void* memory = nullptr; ///< its own, while it is mapped
    std::size_t data_bytes = 0;
  };
  bool interrupted();
  std::vector<int> group_of(int leader) const; ///< leader first

  std::map<int, Counter> events_;
  std::chrono::nanoseconds clock_{0};
};

} // namespace schedrig
