#include "suite/counting/open_refusal.hpp"

#include <cerrno>

#include <fmt/format.h>
#include <linux/perf_event.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/not_supported.hpp"

namespace schedrig {
namespace {

/// Whether anything answers to cycles here, which every hardware PMU has. User mode of ourselves is
/// what any user may count.
bool has_hardware_pmu(PerfPort& perf) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_CPU_CYCLES;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  const Fd opened(perf.open(attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  return static_cast<bool>(opened);
}

NotSupported not_supported(PerfPort& perf, const Event& event) {
  if (event.kind != Event::Kind::hardware)
    return {event.name, "this kernel does not have it"};
  if (has_hardware_pmu(perf))
    return {event.name, "this machine's hardware PMU does not have it"};
  return {event.name, "this machine has no hardware PMU (a VM?), or hides it",
          "give the virtual machine a PMU (QEMU with KVM: -cpu host,pmu=on), or use a real one"};
}

Unavailable not_permitted(PerfPort& perf, const OpenRefusal& refusal) {
  const auto& event = refusal.event;
  const bool cpu_wide = refusal.cpu >= 0;
  const int most = cpu_wide ? 0 : event.exclude_kernel ? 2 : 1;
  const auto level = perf.paranoid();
  if (level && *level > most) {
    const auto* what = cpu_wide               ? "to count a whole CPU"
                       : event.exclude_kernel ? "to count even one's own tasks"
                                              : "to count kernel mode";
    return Unavailable(
        fmt::format("{}: {} takes CAP_PERFMON or perf_event_paranoid <= {}, and it is {}",
                    event.name, what, most, *level),
        fmt::format("sysctl -w kernel.perf_event_paranoid={}", most));
  }
  return Unavailable(
      fmt::format("{}: not permitted on {} although perf_event_paranoid {}: a container's system "
                  "call filter or a security module forbids it{}",
                  event.name, place_counted(refusal.process, refusal.cpu),
                  level ? fmt::format("is {}", *level) : "cannot be read",
                  cpu_wide ? "" : ", or the process is another user's"),
      "run outside the container, or as root");
}

Unavailable not_accepted(const OpenRefusal& refusal) {
  const auto& event = refusal.event;
  if (refusal.before > 0)
    return Unavailable(fmt::format("{}: does not fit on the PMU together with the {} before it",
                                   event.name, refusal.before),
                       "ask for fewer events in one pass");
  return Unavailable(fmt::format("{}: this kernel does not take it (type {}, config {:#x})",
                                 event.name, event.type, event.config));
}

Unavailable no_descriptors(PerfPort& perf, const OpenRefusal& refusal) {
  if (refusal.error == ENFILE)
    return Unavailable(
        fmt::format("{}: the whole system is out of descriptors ({}); {} are needed here",
                    refusal.event.name, errno_text(ENFILE), refusal.needed),
        "sysctl -w fs.file-max=MORE");
  return Unavailable(
      fmt::format("{}: each counter takes a descriptor; {} are needed beside those open already, "
                  "and this process may have {} ({})",
                  refusal.event.name, refusal.needed, perf.most_descriptors(), errno_text(EMFILE)),
      fmt::format("ulimit -n {}", perf.most_descriptors() + refusal.needed));
}

} // namespace

std::string place_counted(pid_t process, int cpu) {
  return cpu >= 0 ? fmt::format("CPU {}", cpu) : fmt::format("process {}", process);
}

void throw_refusal(PerfPort& perf, const OpenRefusal& refusal) {
  const auto& event = refusal.event;
  if (!refusal.control_group.empty() && (refusal.error == ENOENT || refusal.error == EBADF))
    throw Unavailable(
        fmt::format("{}: {} is not in a hierarchy of the perf_event controller", event.name,
                    refusal.control_group),
        "cgroup v2, which has it in every group; or v1 with cpu and perf_event mounted together");
  switch (refusal.error) {
  case ENOENT:
  case EOPNOTSUPP:
    throw not_supported(perf, event);
  case ENODEV:
    if (refusal.cpu < 0)
      throw not_supported(perf, event);
    throw Unavailable(fmt::format("{}: CPU {} is offline", event.name, refusal.cpu),
                      fmt::format("echo 1 > /sys/devices/system/cpu/cpu{}/online", refusal.cpu));
  case EACCES:
  case EPERM:
    throw not_permitted(perf, refusal);
  case EINVAL:
    throw not_accepted(refusal);
  case EMFILE:
  case ENFILE:
    throw no_descriptors(perf, refusal);
  case EBUSY:
    throw Unavailable(fmt::format("{}: another user holds the PMU", event.name),
                      "end the other profiler");
  case ENOSYS:
    throw Unavailable(
        fmt::format("{}: this kernel has no perf events, or a container hides them", event.name),
        "a kernel with CONFIG_PERF_EVENTS, outside the container");
  default:
    errno = refusal.error;
    checked(-1, "perf_event_open",
            fmt::format("{} on {}", event.name, place_counted(refusal.process, refusal.cpu)));
    __builtin_unreachable();
  }
}

} // namespace schedrig
