#include "suite/counting/tests/fake_perf.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

namespace schedrig {
namespace {

int refuse(int error) {
  errno = error;
  return -1;
}

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

} // namespace

bool FakePerf::interrupted() {
  if (interruptions == 0)
    return false;
  --interruptions;
  errno = EINTR;
  return true;
}

int FakePerf::open(perf_event_attr& attributes, pid_t process, int cpu, int group,
                   unsigned long flags) {
  if (interrupted())
    return -1;
  Open asked{attributes, process, cpu, group, flags, opens.size(), -1};
  if (const int error = refuse_open(asked); error != 0) {
    opens.push_back(asked);
    return refuse(error);
  }
  asked.fd = ::eventfd(0, EFD_CLOEXEC);
  opens.push_back(asked);
  if (asked.fd != -1)
    // A number that was closed and is handed out again is a new event.
    events_[asked.fd] = {.open = asked, .id = 100 + asked.number, .enabled = !attributes.disabled};
  return asked.fd;
}

std::vector<int> FakePerf::group_of(int leader) const {
  std::map<std::size_t, int> members; // in the order in which they were opened
  for (const auto& [fd, counter] : events_)
    if (counter.open.group == leader && is_open(fd))
      members.emplace(counter.open.number, fd);
  std::vector<int> group{leader};
  for (const auto& [number, fd] : members)
    group.push_back(fd);
  return group;
}

std::vector<FakePerf::Open> FakePerf::group(int leader) const {
  std::vector<Open> group;
  for (const int fd : group_of(leader))
    group.push_back(events_.at(fd).open);
  return group;
}

int FakePerf::control(int event, unsigned long request, unsigned long argument) {
  if (interrupted())
    return -1;
  if (refuse_control != 0)
    return refuse(refuse_control);
  auto& leader = events_.at(event);
  if (request == PERF_EVENT_IOC_SET_OUTPUT) {
    leader.output = static_cast<int>(argument);
    return 0;
  }
  const bool enable = request == PERF_EVENT_IOC_ENABLE;
  if (!enable && leader.enabled) {
    auto enabled_ns = static_cast<std::uint64_t>(enabled_for.count());
    if (offline_since_start.contains(leader.open.cpu))
      enabled_ns /= 10;
    if (idle_on.contains(leader.open.cpu))
      enabled_ns = 0;
    const bool shares = shared_on.contains(leader.open.cpu);
    for (const int fd : group_of(event)) {
      auto& counter = events_.at(fd);
      counter.enabled_ns += enabled_ns;
      if (leader.waits || enabled_ns == 0)
        continue;
      counter.count += counts_for(counter.open);
      counter.running_ns += shares ? enabled_ns / 2 : enabled_ns;
    }
  }
  leader.enabled = enable;
  if (enable)
    leader.waits = !gets_on(group(event));
  leader.lost =
      (leader.waits && leader.open.attributes.pinned) || lost_on.contains(leader.open.cpu);
  return 0;
}

int FakePerf::identify(int event, std::uint64_t& id) {
  if (interrupted())
    return -1;
  id = events_.at(event).id;
  return 0;
}

ssize_t FakePerf::read(int event, void* into, std::size_t bytes) {
  if (interrupted())
    return -1;
  if (refuse_read != 0)
    return refuse(refuse_read);
  const auto& counter = events_.at(event);
  if (counter.lost)
    return 0;
  std::vector<std::uint64_t> words;
  if (counter.open.attributes.read_format & PERF_FORMAT_GROUP) {
    auto group = group_of(event);
    words = {group.size(), counter.enabled_ns, counter.running_ns};
    std::ranges::reverse(group);
    for (const int fd : group)
      words.insert(words.end(), {events_.at(fd).count, events_.at(fd).id});
  } else {
    words = {counter.count, counter.enabled_ns, counter.running_ns};
    if (counter.open.attributes.read_format & PERF_FORMAT_ID)
      words.push_back(counter.id);
    if (counter.open.attributes.read_format & PERF_FORMAT_LOST)
      words.push_back(lost_samples);
  }
  const auto size = words.size() * sizeof words[0];
  if (bytes < size)
    return refuse(ENOSPC);
  std::memcpy(into, words.data(), size - bytes_held_back);
  return static_cast<ssize_t>(size - bytes_held_back);
}

void* FakePerf::map(int event, std::size_t bytes) {
  if (bytes > most_mapped_bytes) {
    errno = EPERM;
    return MAP_FAILED;
  }
  auto& counter = events_.at(event);
  counter.memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (counter.memory == MAP_FAILED)
    return MAP_FAILED;
  auto* page = static_cast<perf_event_mmap_page*>(counter.memory);
  page->data_offset = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  page->data_size = counter.data_bytes = bytes - page->data_offset;
  return counter.memory;
}

void FakePerf::unmap(void* memory, std::size_t bytes) noexcept {
  for (auto& [fd, counter] : events_)
    if (counter.memory == memory)
      counter.memory = nullptr;
  ::munmap(memory, bytes);
}

bool FakePerf::write(int event, std::span<const std::byte> record) {
  const auto& writer = events_.at(event);
  const auto& owner = writer.output == -1 ? writer : events_.at(writer.output);
  auto* page = static_cast<perf_event_mmap_page*>(owner.memory);
  const auto tail = __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE);
  if (owner.data_bytes - (page->data_head - tail) < record.size())
    return false;
  auto* data = static_cast<std::byte*>(owner.memory) + page->data_offset;
  for (std::size_t i = 0; i < record.size(); ++i)
    data[(page->data_head + i) % owner.data_bytes] = record[i];
  __atomic_store_n(&page->data_head, page->data_head + record.size(), __ATOMIC_RELEASE);
  return true;
}

void FakePerf::run_over(int event) {
  const auto& counter = events_.at(event);
  static_cast<perf_event_mmap_page*>(counter.memory)->data_head += counter.data_bytes;
}

std::size_t FakePerf::open_descriptors() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(events_, [](const auto& event) { return is_open(event.first); }));
}

} // namespace schedrig
