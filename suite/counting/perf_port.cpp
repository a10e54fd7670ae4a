#include "suite/counting/perf_port.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {
namespace {

class KernelPerf final : public PerfPort {
public:
  int open(perf_event_attr& attributes, pid_t process, int cpu, int group,
           unsigned long flags) override {
    return static_cast<int>(
        ::syscall(SYS_perf_event_open, &attributes, process, cpu, group, flags));
  }
  int control(int event, unsigned long request, unsigned long argument) override {
    return ::ioctl(event, request, argument);
  }
  int identify(int event, std::uint64_t& id) override {
    return ::ioctl(event, PERF_EVENT_IOC_ID, &id);
  }
  ssize_t read(int event, void* into, std::size_t bytes) override {
    return ::read(event, into, bytes);
  }
  void* map(int event, std::size_t bytes) override {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
  }
  void unmap(void* memory, std::size_t bytes) noexcept override { ::munmap(memory, bytes); }
  std::optional<int> paranoid() override {
    constexpr const char* path = "/proc/sys/kernel/perf_event_paranoid";
    try {
      return parse_number<int>(trimmed(read_whole(path)), path, -1, 1000);
    } catch (const OsError&) {
      return {};
    } catch (const BadInput&) {
      return {};
    }
  }
};

} // namespace

std::chrono::nanoseconds PerfPort::now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

std::uint64_t PerfPort::most_descriptors() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

PerfPort& kernel_perf() {
  static KernelPerf kernel;
  return kernel;
}

} // namespace schedrig
