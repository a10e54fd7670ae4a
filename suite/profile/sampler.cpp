#include "suite/profile/sampler.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/open_refusal.hpp"
#include "suite/profile/address_spaces.hpp"
#include "suite/profile/ring.hpp"

namespace schedrig {
namespace {

constexpr std::size_t largest_ring = std::size_t{8} << 20, smallest_ring = std::size_t{64} << 10;
/// All rings together: their memory is locked.
constexpr std::size_t most_ring_bytes = std::size_t{256} << 20;

/// Calls again for as long as a signal comes in between.
template <typename Call>
auto retried(Call call) {
  for (;;)
    if (const auto result = call(); result != -1 || errno != EINTR)
      return result;
}

/// What both events of a CPU have alike, as they write into one ring.
perf_event_attr shared_attributes() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  attributes.sample_id_all = 1;
  attributes.watermark = 1;
  return attributes;
}

/// Counts nothing, and writes down what is forked, executed and mapped; also while no samples are
/// taken.
perf_event_attr following_attributes(std::size_t ring_bytes) {
  auto attributes = shared_attributes();
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.exclude_kernel = 1; // takes no more permission than the samples
  attributes.mmap = attributes.mmap2 = attributes.comm = attributes.comm_exec = attributes.task = 1;
  attributes.wakeup_watermark = static_cast<std::uint32_t>(ring_bytes / 2);
  return attributes;
}

perf_event_attr sampling_attributes(const SampledEvent& sampled) {
  auto attributes = shared_attributes();
  const Event& event = sampled.event;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.config1 = event.config1;
  attributes.config2 = event.config2;
  attributes.exclude_user = event.exclude_user;
  attributes.exclude_kernel = event.exclude_kernel;
  // A clock goes on in the idle task, cycles do not; and arm64's PMU refuses the wish.
  attributes.exclude_idle = event.kind == Event::Kind::software;
  attributes.sample_period = sampled.period;
  attributes.read_format =
      PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_LOST;
  attributes.disabled = 1;
  return attributes;
}

std::size_t ring_bytes_for(std::size_t cpus) {
  return std::clamp(std::bit_floor(most_ring_bytes / cpus), smallest_ring, largest_ring);
}

Unavailable nothing_to_lock() {
  return Unavailable("no buffer for samples may be locked in memory: perf_event_mlock_kb and "
                     "RLIMIT_MEMLOCK are used up or too small",
                     "sysctl -w kernel.perf_event_mlock_kb=2048");
}

} // namespace

/// The events and rings of all CPUs, and the thread that empties rings that fill up.
class Sampler::Events {
public:
  struct Target {
    pid_t process; ///< -1: whole CPUs
    CpuSet cpus;
    Begin begin;
    pid_t mapped; ///< whose present mappings are read; 0: nobody's
  };

  Events(PerfPort& perf, const SampledEvent& sampled, const Target& target)
      : perf_(perf), sampled_(sampled), begin_(target.begin), samples_task_(target.process >= 0) {
    if (target.cpus.empty())
      throw BadInput("samples: no CPU to take them on");
    auto ring_bytes = ring_bytes_for(target.cpus.size());
    for (const int cpu : target.cpus.cpus())
      open(target, cpu, ring_bytes);
    // After the events that follow further ones: what is mapped in between is told twice, not
    // never.
    if (target.mapped != 0)
      read_mappings(target.mapped);
    start_reader();
  }
  Events(const Events&) = delete;
  ~Events() { stop_reader(); }

  void start() {
    measuring_ = true;
    if (begin_ == Begin::at_start)
      control(PERF_EVENT_IOC_ENABLE, "enable samples");
  }

  void stop() {
    control(PERF_EVENT_IOC_DISABLE, "disable samples");
    measuring_ = false;
    stop_reader();
  }

  Sampled read() {
    stop_reader();
    if (reader_error_)
      std::rethrow_exception(reader_error_);
    Sampled result;
    std::uint64_t lost_by_records = 0, lost_by_events = 0, throttled = 0;
    std::vector<Counts> counts;
    result.records = before_;
    for (auto& cpu : cpus_) {
      // A full ring hides how much found no room behind its end.
      const auto room = cpu.ring.data_bytes() - cpu.ring.unread();
      cpu.ring.drain(cpu.bytes);
      take_records(cpu.bytes, result.records, lost_by_records, throttled);
      counts.push_back(counts_of(cpu, result));
      lost_by_events += counts.back().lost;
      constexpr std::size_t least_room = 128;
      if (!cpu.tells_lost && room < least_room)
        result.notes.push_back(fmt::format(
            "the buffer of CPU {} was full at the end: more than was counted may be lost",
            cpu.number));
    }
    judge(counts, result);
    std::stable_sort(
        result.records.begin(), result.records.end(),
        [](const PerfRecord& a, const PerfRecord& b) { return a.time_ns < b.time_ns; });
    result.lost = std::max(lost_by_records, lost_by_events);
    add_notes(result, throttled);
    return result;
  }

private:
  struct Cpu {
    int number;
    Fd follower;
    Fd sampler;
    Ring ring;
    bool tells_lost; ///< the kernel counts lost samples by event: since 6.0
    std::vector<std::byte> bytes = {};
  };

  Fd open_event(perf_event_attr& attributes, const Target& target, int cpu, const Event& event) {
    attributes.inherit = target.process >= 0;
    const auto try_open = [&] {
      return retried(
          [&] { return perf_.open(attributes, target.process, cpu, -1, PERF_FLAG_FD_CLOEXEC); });
    };
    int fd = try_open();
    if (fd == -1 && errno == EINVAL && (attributes.read_format & PERF_FORMAT_LOST)) {
      attributes.read_format &= ~std::uint64_t{PERF_FORMAT_LOST};
      fd = try_open();
    }
    if (fd == -1)
      // A task's event on one CPU is refused for the reasons that a task's is.
      throw_refusal(perf_, {errno, event, target.process, target.process >= 0 ? -1 : cpu, 0});
    return Fd(fd);
  }

  /// What follows the processes on a CPU, with the ring for all that is written there: the largest
  /// that may be had, of at most `ring_bytes`, which becomes its size.
  std::pair<Fd, Ring> open_ring(const Target& target, int number, const std::string& where,
                                std::size_t& ring_bytes) {
    Event dummy = sampled_.event;
    dummy.exclude_kernel = true;
    for (;; ring_bytes /= 2) {
      auto following = following_attributes(ring_bytes);
      Fd follower = open_event(following, target, number, dummy);
      try {
        Ring ring(perf_, follower.number(), ring_bytes, where.c_str());
        return {std::move(follower), std::move(ring)};
      } catch (const OsError& error) {
        if (error.error() != EPERM && error.error() != ENOMEM)
          throw;
        if (ring_bytes <= smallest_ring)
          throw nothing_to_lock();
      }
    }
  }

  void open(const Target& target, int number, std::size_t& ring_bytes) {
    const auto where = fmt::format("{} on CPU {}", sampled_.event.name, number);
    auto [follower, ring] = open_ring(target, number, where, ring_bytes);
    auto sampling = sampling_attributes(sampled_);
    sampling.pinned = target.process < 0 && sampled_.event.kind == Event::Kind::hardware;
    sampling.enable_on_exec = begin_ == Begin::at_exec;
    Fd sampler = open_event(sampling, target, number, sampled_.event);
    checked(retried([&] {
              return perf_.control(sampler.number(), PERF_EVENT_IOC_SET_OUTPUT,
                                   static_cast<unsigned long>(follower.number()));
            }),
            "share perf buffer", where);
    cpus_.push_back({number, std::move(follower), std::move(sampler), std::move(ring),
                     (sampling.read_format & PERF_FORMAT_LOST) != 0});
  }

  void read_mappings(pid_t process) {
    const auto path = fmt::format("/proc/{}/maps", process);
    try {
      before_ = mappings_of(process, read_whole(path));
    } catch (const OsError& error) {
      notes_.push_back(
          fmt::format("what process {} had mapped is not known: {}", process, error.what()));
    }
  }

  void control(unsigned long request, const char* operation) {
    for (const auto& cpu : cpus_)
      checked(retried([&] { return perf_.control(cpu.sampler.number(), request, 0); }), operation,
              place_text(cpu));
  }

  void start_reader() {
    stop_ = Fd(checked(::eventfd(0, EFD_CLOEXEC), "eventfd", "perf buffers"));
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for whoever waits for the trial
    reader_ = std::thread([this] {
      try {
        empty_full_rings();
      } catch (...) {
        reader_error_ = std::current_exception();
      }
    });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void stop_reader() noexcept {
    if (!reader_.joinable())
      return;
    const std::uint64_t one = 1;
    while (::write(stop_.number(), &one, sizeof one) == -1 && errno == EINTR) {
    }
    reader_.join();
  }

  void empty_full_rings() {
    std::vector<pollfd> waited{{stop_.number(), POLLIN, 0}};
    for (const auto& cpu : cpus_)
      waited.push_back({cpu.follower.number(), POLLIN, 0});
    int timeout = -1;
    for (;;) {
      const int ready = ::poll(waited.data(), waited.size(), timeout);
      if (ready == -1 && errno != EINTR)
        checked(ready, "poll", "perf buffers");
      if (ready > 0 && waited.front().revents)
        return;
      for (std::size_t i = 0; i < cpus_.size(); ++i) {
        auto& poll = waited[i + 1];
        // The task has ended, and its ring is ready for ever; what it forked may still write.
        if (ready > 0 && (poll.revents & (POLLHUP | POLLERR | POLLNVAL))) {
          poll.fd = -1;
          timeout = 100;
        }
        if (auto& ring = cpus_[i].ring; ring.unread() >= ring.data_bytes() / 2) {
          ring.drain(cpus_[i].bytes);
          if (measuring_)
            ++emptied_;
        }
      }
    }
  }

  /// Decodes `bytes` to the end of `records`; what was lost and throttled is counted instead.
  static void take_records(std::span<const std::byte> bytes, std::vector<PerfRecord>& records,
                           std::uint64_t& lost, std::uint64_t& throttled) {
    for (auto& record : decode_records(bytes))
      if (const auto* gone = std::get_if<PerfRecord::Lost>(&record.what))
        lost += gone->records;
      else if (std::holds_alternative<PerfRecord::Throttled>(record.what))
        ++throttled;
      else
        records.push_back(std::move(record));
  }

  /// What an event itself says.
  struct Counts {
    std::uint64_t value, enabled_ns, running_ns, lost;
  };
  Counts counts_of(const Cpu& cpu, Sampled& result) {
    Counts counts{};
    const auto bytes = cpu.tells_lost ? sizeof counts : sizeof counts - sizeof counts.lost;
    const auto where = place_text(cpu);
    const auto got =
        checked(retried([&] { return perf_.read(cpu.sampler.number(), &counts, bytes); }),
                "read samples' counter", where);
    if (static_cast<std::size_t>(got) != bytes)
      result.refusal = fmt::format("{}: lost the PMU, or never got onto it", where);
    return counts;
  }

  /// Whether the events were on the PMU all the time.
  void judge(const std::vector<Counts>& counts, Sampled& result) const {
    if (!result.refusal.empty())
      return;
    if (!samples_task_) {
      for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].running_ns != counts[i].enabled_ns)
          result.refusal =
              fmt::format("{}: sampled for {} of {} ns: something shares the PMU",
                          place_text(cpus_[i]), counts[i].running_ns, counts[i].enabled_ns);
      return;
    }
    // A task's event on one CPU is enabled while the task runs anywhere, and runs there only.
    std::uint64_t enabled = 0, running = 0;
    for (const auto& count : counts) {
      enabled = std::max(enabled, count.enabled_ns);
      running += count.running_ns;
    }
    // They are enabled one after the other, each at a time of its own.
    constexpr std::uint64_t enabling_ns = 1'000'000;
    if (running + enabled / 100 + enabling_ns < enabled)
      result.refusal =
          fmt::format("{}: sampled for {} of {} ns: something shares the PMU, or the task ran on "
                      "other CPUs than those that are sampled",
                      sampled_.event.name, running, enabled);
  }

  std::string place_text(const Cpu& cpu) const {
    return fmt::format("{} on CPU {}", sampled_.event.name, cpu.number);
  }

  void add_notes(Sampled& result, std::uint64_t throttled) const {
    result.notes.insert(result.notes.end(), notes_.begin(), notes_.end());
    if (emptied_ > 0)
      result.notes.push_back("samples were read while the workload ran: their buffer, which "
                             "kernel.perf_event_mlock_kb bounds, was too small for all of them");
    if (throttled > 0)
      result.notes.push_back("the kernel left out samples, above kernel.perf_event_max_sample_rate "
                             "a second: their shares are no shares of all that ran");
  }

  PerfPort& perf_;
  const SampledEvent sampled_;
  const Begin begin_;
  const bool samples_task_;
  std::vector<Cpu> cpus_;
  std::vector<PerfRecord> before_;
  std::vector<std::string> notes_;

  Fd stop_; ///< readable once the reader is to end
  std::thread reader_;
  std::atomic<bool> measuring_{false};
  std::atomic<int> emptied_{0};
  std::exception_ptr reader_error_; ///< read after the reader ended
};

Sampler::Sampler() = default;
Sampler::Sampler(std::unique_ptr<Events> events) : events_(std::move(events)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

Sampler Sampler::on_cpus(PerfPort& perf, const SampledEvent& sampled, const CpuSet& cpus,
                         pid_t process) {
  return Sampler(
      std::make_unique<Events>(perf, sampled, Events::Target{-1, cpus, Begin::at_start, process}));
}

Sampler Sampler::on_task(PerfPort& perf, const SampledEvent& sampled, const CpuSet& cpus,
                         pid_t process, Begin begin) {
  return Sampler(
      std::make_unique<Events>(perf, sampled, Events::Target{process, cpus, begin, process}));
}

void Sampler::start() {
  if (events_)
    events_->start();
}

void Sampler::stop() {
  if (events_)
    events_->stop();
}

Sampled Sampler::read() {
  return events_ ? events_->read() : Sampled{};
}

} // namespace schedrig
