#include "workloads/scheduling/hackbench.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/children.hpp"
#include "workloads/parts/start_line.hpp"

namespace schedrig {

namespace {

struct Size {
  std::size_t groups, fan, loops, message_bytes;

  std::size_t tasks() const { return groups * 2 * fan; }
  std::size_t messages_a_task() const { return fan * loops; } ///< sent by one, received by one
  std::size_t messages() const { return groups * fan * messages_a_task(); }
};

Size size_from(const ParameterValues& values) {
  const auto number = [&](const char* name) {
    return static_cast<std::size_t>(values.count(name));
  };
  return {number("groups"), number("fan"), number("loops"), number("size")};
}

bool threads(const ParameterValues& values) {
  return values.choice("tasks") == "threads";
}

/// The most bytes that wait in a channel, with what the kernel keeps beside them.
std::int64_t channel_bytes(const Size& size, const std::string& over) {
  const auto messages = static_cast<std::int64_t>(size.messages_a_task());
  const auto bytes = static_cast<std::int64_t>(size.message_bytes);
  constexpr std::int64_t pipe = 64 * 1024, socket = 212'992, tcp = 10 * 1024 * 1024; // usual limits
  constexpr std::int64_t beside_a_socket_message = 768;
  if (over == "pipes")
    return pipe;
  if (over == "tcp")
    return std::min(tcp, 2 * messages * bytes); // it puts small ones together
  return std::min(socket, messages * (bytes + beside_a_socket_message));
}

Needs hackbench_needs(const ParameterValues& values) {
  const auto size = size_from(values);
  const auto channels = static_cast<std::int64_t>(size.groups * size.fan);
  const auto tasks = static_cast<std::int64_t>(size.tasks());
  const auto buffers = (threads(values) ? 1 : 2) * channels; // senders that are threads share one

  Needs needs;
  needs.tasks = tasks + 1;
  // In a process: those of one group, whose read ends are closed one after the other; a new channel
  // has two, and TCP a listener.
  needs.descriptors += StartLine::descriptors +
                       (threads(values) ? 2 * channels : static_cast<std::int64_t>(size.fan) + 2);
  needs.memory_bytes = channels * channel_bytes(size, values.choice("over")) +
                       buffers * static_cast<std::int64_t>(size.message_bytes);
  return needs;
}

Channel open_channel(const std::string& over) {
  if (over == "tcp")
    return tcp_channel();
  return over == "pipes" ? pipe_channel() : socket_channel();
}

void send(const Channel& channel, std::span<const char> message) {
  for (std::size_t sent = 0; sent < message.size();) {
    const auto bytes =
        ::write(channel.write_end.number(), message.data() + sent, message.size() - sent);
    if (bytes < 0 && errno != EINTR)
      throw OsError(errno, "write", "a message");
    sent += static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
  }
}

void receive(const Channel& channel, std::span<char> message) {
  for (std::size_t received = 0; received < message.size();) {
    const auto bytes =
        ::read(channel.read_end.number(), message.data() + received, message.size() - received);
    if (bytes == 0)
      throw std::runtime_error("its senders ended early");
    if (bytes < 0 && errno != EINTR)
      throw OsError(errno, "read", "a message");
    received += static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
  }
}

/// What a task leaves behind; written by it alone.
struct Account {
  Stretch stretch;
  std::int64_t messages = 0; ///< whole ones, sent or received
};

/// The threads of a workload. What one of them throws is kept, and `cut` then frees those that
/// wait for it.
class Threads {
public:
  Threads(const StartLine& start, std::size_t most, std::function<std::string(std::size_t)> name,
          std::function<void()> cut)
      : start_(start), name_(std::move(name)), cut_(std::move(cut)) {
    threads_.reserve(most);
  }

  /// Sends home those that still wait at the start.
  ~Threads() {
    if (threads_.empty())
      return;
    abandoned_ = true;
    start_.let_go();
    reap();
  }

  void start(const CpuSet& cpus, std::function<void()> body) {
    auto& part = parts_.emplace_back(Part{*this, parts_.size(), cpus, std::move(body)});
    const auto live = [](void* of) -> void* {
      static_cast<const Part*>(of)->live();
      return nullptr;
    };
    pthread_t thread{};
    if (const int error = ::pthread_create(&thread, &small_stack_.attributes, live, &part))
      throw OsError(error, "pthread_create", name_(part.number));
    threads_.push_back(thread);
  }

  void throw_if_any_ended() { throw_if_any_failed(); }

  void reap() {
    for (const auto thread : threads_)
      ::pthread_join(thread, nullptr);
    threads_.clear();
  }

  void throw_if_any_failed() const {
    const std::scoped_lock lock(failing_);
    if (!failure_.empty())
      throw std::runtime_error(failure_);
  }

private:
  struct Part {
    Threads& threads;
    std::size_t number;
    CpuSet cpus;
    std::function<void()> body;

    void live() const noexcept {
      try {
        bind_self(cpus);
        threads.start_.wait();
      } catch (const std::exception& error) {
        threads.keep(number, error);
        return;
      }
      if (threads.abandoned_)
        return;
      try {
        body();
      } catch (const std::exception& error) {
        threads.keep(number, error);
        threads.cut_();
      }
    }
  };

  /// The C library keeps 40 MB of stacks that are free again. With those of the usual size a
  /// thread's end would be a munmap, which all CPUs must hear of, in the measured part.
  struct SmallStack {
    pthread_attr_t attributes;
    SmallStack() {
      ::pthread_attr_init(&attributes);
      ::pthread_attr_setstacksize(&attributes, 64 * 1024);
    }
    SmallStack(const SmallStack&) = delete;
    ~SmallStack() { ::pthread_attr_destroy(&attributes); }
  };

  /// Of several failures the first is the cause.
  void keep(std::size_t part, const std::exception& error) {
    const std::scoped_lock lock(failing_);
    if (failure_.empty())
      failure_ = fmt::format("{}: {}", name_(part), error.what());
  }

  const StartLine& start_;
  const std::function<std::string(std::size_t)> name_;
  const std::function<void()> cut_;
  const SmallStack small_stack_;
  std::deque<Part> parts_; ///< stay where they are
  std::vector<pthread_t> threads_;
  std::atomic<bool> abandoned_ = false;
  mutable std::mutex failing_;
  std::string failure_; ///< guarded by `failing_`
};

class Hackbench final : public Workload {
public:
  explicit Hackbench(const ParameterValues& values)
      : size_(size_from(values)), needs_(hackbench_needs(values)), over_(values.choice("over")),
        message_(size_.message_bytes, 'm'), accounts_(size_.tasks()),
        tasks_(std::in_place_type<Children>, size_.tasks(), names()) {
    if (threads(values))
      tasks_.emplace<Threads>(start_, size_.tasks(), names(), [this] { cut_channels(); });
  }

  void prepare(const Placement& placement) override {
    placement_ = placement;
    std::signal(SIGPIPE, SIG_IGN); // a receiver that died is to be told by EPIPE
    allow_descriptors(needs_.descriptors);
    if (auto* threads = std::get_if<Threads>(&tasks_))
      start(*threads);
    else
      for (std::size_t group = 0; group < size_.groups; ++group)
        start_group(std::get<Children>(tasks_), group);
    start_.await(static_cast<std::int64_t>(size_.tasks()),
                 [this] { std::visit([](auto& tasks) { tasks.throw_if_any_ended(); }, tasks_); });
  }

  void run() override {
    stretch_.begin();
    const auto begin = std::chrono::steady_clock::now();
    start_.let_go();
    std::visit([](auto& tasks) { tasks.reap(); }, tasks_);
    elapsed_ = std::chrono::steady_clock::now() - begin;
    stretch_.end();
  }

  WorkReport finish() override {
    std::visit([](const auto& tasks) { tasks.throw_if_any_failed(); }, tasks_);

    WorkReport report;
    report.elapsed = elapsed_;
    report.usage = stretch_.usage();
    std::int64_t sent = 0, received = 0;
    for (std::size_t task = 0; task < accounts_.size(); ++task) {
      report.usage += accounts_[task].stretch.usage();
      (is_receiver(task) ? received : sent) += accounts_[task].messages;
    }
    report.work = static_cast<double>(received);
    if (auto missing =
            missing_messages(sent, received, static_cast<std::int64_t>(size_.messages())))
      report.broken.push_back(*missing);
    return report;
  }

private:
  // Tasks are numbered group by group, in each its receivers first.

  std::size_t receiver(std::size_t group, std::size_t index) const {
    return group * 2 * size_.fan + index;
  }
  std::size_t sender(std::size_t group, std::size_t index) const {
    return receiver(group, index) + size_.fan;
  }
  bool is_receiver(std::size_t task) const { return task % (2 * size_.fan) < size_.fan; }
  std::string name_of(std::size_t task) const {
    return fmt::format("{} {} of group {}", is_receiver(task) ? "receiver" : "sender",
                       task % size_.fan, task / (2 * size_.fan));
  }
  std::function<std::string(std::size_t)> names() const {
    return [this](std::size_t task) { return name_of(task); };
  }
  CpuSet cpus_of(std::size_t task) const { return placement_->for_task(task + 1); }

  /// No process keeps an end that it does not use: that all senders died is seen as end of file,
  /// and that a receiver did as EPIPE; none waits for ever. One group's descriptors are open at a
  /// time.
  void start_group(Children& children, std::size_t group) {
    std::vector<Channel> channels;
    channels.reserve(size_.fan);
    for (std::size_t index = 0; index < size_.fan; ++index) {
      channels.push_back(open_channel(over_));
      const auto task = receiver(group, index);
      children.start(cpus_of(task), [&, task] {
        for (auto& channel : channels)
          channel.write_end = Fd();
        std::fill(message_.begin(), message_.end(), 'r'); // its pages are its own from now on
        start_.wait();
        receive_all(task, channels.back(), message_);
      });
      channels.back().read_end = Fd();
    }
    for (std::size_t index = 0; index < size_.fan; ++index) {
      const auto task = sender(group, index);
      children.start(cpus_of(task), [&, task] {
        start_.wait();
        send_all(task, channels);
      });
    }
  }

  void start(Threads& threads) {
    // Far enough apart that no two share a cache line.
    const auto stride = size_.message_bytes + 128;
    received_.resize(size_.groups * size_.fan * stride);
    auto* free = received_.data();
    channels_.resize(size_.groups);
    for (auto& channels : channels_) {
      channels.resize(size_.fan);
      std::generate(channels.begin(), channels.end(), [&] { return open_channel(over_); });
    }
    for (std::size_t group = 0; group < size_.groups; ++group) {
      const auto& channels = channels_[group];
      for (std::size_t index = 0; index < size_.fan; ++index) {
        const auto task = receiver(group, index);
        const std::span message(free, size_.message_bytes);
        free += stride;
        threads.start(cpus_of(task), [this, task, message, &channel = channels[index]] {
          receive_all(task, channel, message);
        });
      }
      for (std::size_t index = 0; index < size_.fan; ++index) {
        const auto task = sender(group, index);
        threads.start(cpus_of(task), [this, task, &channels] { send_all(task, channels); });
      }
    }
  }

  void send_all(std::size_t task, const std::vector<Channel>& channels) {
    auto& account = accounts_[task];
    account.stretch.begin();
    std::int64_t sent = 0; // not in the account, whose cache line another task may write to
    for (std::size_t loop = 0; loop < size_.loops; ++loop)
      for (const auto& channel : channels) {
        send(channel, message_);
        ++sent;
      }
    account.stretch.end();
    account.messages = sent;
  }

  void receive_all(std::size_t task, const Channel& channel, std::span<char> message) {
    auto& account = accounts_[task];
    const auto messages = static_cast<std::int64_t>(size_.messages_a_task());
    account.stretch.begin();
    std::int64_t received = 0;
    for (; received < messages; ++received)
      receive(channel, message);
    account.stretch.end();
    account.messages = received;
  }

  /// Frees the threads that wait for one that failed: dup3 lets go of an end and leaves its number
  /// taken, which they still use.
  void cut_channels() {
    for (const auto& channels : channels_)
      for (const auto& channel : channels)
        for (const auto* end : {&channel.read_end, &channel.write_end})
          ::dup3(nothing_.number(), end->number(), O_CLOEXEC);
  }

  const Size size_;
  const Needs needs_;
  const std::string over_;
  std::vector<char> message_; ///< what senders send, and where a process receives
  std::optional<Placement> placement_;
  const Fd nothing_ = Fd::open("/dev/null", O_RDWR);
  const StartLine start_;
  SharedArray<Account> accounts_;
  std::vector<std::vector<Channel>> channels_; ///< of each group; of threads only
  std::vector<char> received_;                 ///< where each receiver receives; of threads only
  std::variant<Children, Threads> tasks_;
  Stretch stretch_; ///< the first task's, which lets the others go and reaps them
  std::chrono::nanoseconds elapsed_{0};
};

} // namespace

std::optional<std::string> missing_messages(std::int64_t sent, std::int64_t received,
                                            std::int64_t expected) {
  if (sent == expected && received == expected)
    return std::nullopt;
  return fmt::format("{} messages sent and {} received instead of {}", sent, received, expected);
}

WorkloadEntry hackbench() {
  return {
      .name = "hackbench",
      .summary = "groups of senders that write messages to all receivers of their group",
      .work_unit = "message",
      .parameters = {{"groups", "1", "how many groups", Parameter::Count{10, 1, 10'000}},
                     {"fan", "1", "senders in a group, and as many receivers",
                      Parameter::Count{20, 1, 1'000}},
                     {"loops", "1", "messages from each sender to each receiver",
                      Parameter::Count{100, 1, 100'000'000}},
                     {"size", "B", "bytes of a message", Parameter::Count{100, 1, 1'048'576}},
                     {"over", "", "what the messages go through",
                      Parameter::Choice{{"sockets", "pipes", "tcp"}}},
                     {"tasks", "", "whether the tasks of all groups share an address space",
                      Parameter::Choice{{"processes", "threads"}}}},
      .positional = {"groups"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<Hackbench>(values); },
      .needs = hackbench_needs,
  };
}

} // namespace schedrig
