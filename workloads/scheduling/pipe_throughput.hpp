#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// One process that writes 512 bytes to a pipe and reads them back.
///
/// Stands for what two programs in a pipeline pay for the pipe alone. Nobody waits for anybody: the
/// bytes are there when they are read, so no task sleeps and none is woken. It exercises the system
/// call path, the pipe's lock and the copies to and from it, and of the scheduler only what every
/// busy task meets: the tick, and the charging of its time to its group. A change to wakeups must
/// leave it alone; beside pipe-ping-pong it tells the pipe's share from the scheduler's. A better
/// scheduler changes it little. It says nothing of switches, wakeups or balancing.
WorkloadEntry pipe_throughput();

/// The sentence for bytes that did not come back; nothing when all did.
std::optional<std::string> lost_in_pipe(std::int64_t written, std::int64_t read);

} // namespace schedrig
