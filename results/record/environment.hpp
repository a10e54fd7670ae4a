#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace schedrig {

/// What results of one boot depend on besides the kernel build: fact -> value, as the kernel words
/// it.
///
/// | fact                                  | from, below the root |
/// |---------------------------------------|-------------------------------------------------------|
/// | cmdline, tainted, clocksource         | proc/cmdline, proc/sys/kernel/tainted,
/// sys/devices/system/clocksource | | mitigation.NAME                       |
/// sys/devices/system/cpu/vulnerabilities/NAME           | | cpu.model, cpu.microcode, cpu.count |
/// proc/cpuinfo; several values by ", "                  | | cpu.online, cpu.isolated,
/// cpu.nohz_full | sys/devices/system/cpu                              | | governor, scaling_driver
/// | sys/devices/system/cpu/cpu*/cpufreq; several by ", "  | | turbo | "on" or "off":
/// intel_pstate/no_turbo, else cpufreq/boost | | smt                                   |
/// sys/devices/system/cpu/smt/control                    | | nmi_watchdog, aslr,
/// perf_event_paranoid | proc/sys/kernel                                     | | thp | the chosen
/// one of sys/kernel/mm/transparent_hugepage/enabled | | sched.features, sched.preempt, sched.NAME
/// | sys/kernel/debug/sched                            | | sysctl.kernel.sched_NAME              |
/// proc/sys/kernel/sched_NAME                            | | hypervisor | "none", or what the CPU,
/// sys/hypervisor and DMI tell  | | uptime                                | proc/uptime at the
/// reading, in whole seconds          |
using Environment = std::map<std::string, std::string>;

/// Reads these facts below `root`. One that the machine does not tell, or does not let us read, is
/// absent. Throws nothing but std::bad_alloc.
Environment read_environment(const std::filesystem::path& root = "/");

} // namespace schedrig
