#pragma once

#include <string>
#include <string_view>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// A process that replaces itself by exec, again and again, carrying its count along.
///
/// Stands for the start of programs, without the fork: shells, build tools and servers do it all
/// day. It exercises exec balancing (the moment at which a task has least to lose by moving), the
/// end of one address space and the birth of another, and page faults; the task itself, its place
/// in its group and its CPU time stay the same throughout. A better scheduler shows by what exec
/// balancing costs and by where it moves the task. Most of its time is memory management, which is
/// not the scheduler's; it says nothing of wakeups, nor of many tasks.
///
/// The program is schedrig-execl, which does nothing else, installed beside the workloads' own
/// program and started without an environment: the same for everybody. That program itself would be
/// the wrong one, since most of what were measured then is the dynamic linker's work on a dozen
/// libraries. It is statically linked: execve and a few page faults. `linking=dynamic` takes a twin
/// that needs the C library alone, as programs usually do and as in exec loops of old.
///
/// The time, on the monotonic clock, runs from just before the first execve to the start of main in
/// the last program. The process that does this is task 0; the one that waits for it does nothing.
WorkloadEntry execl_loop();

/// The path of schedrig-execl, or of its twin for the linking "dynamic": beside the running
/// program. Throws std::filesystem::filesystem_error without /proc.
std::string execl_program(std::string_view linking);

} // namespace schedrig
