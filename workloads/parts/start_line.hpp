#pragma once

#include <cstdint>
#include <functional>

#include "workloads/parts/channel.hpp"

namespace schedrig {

/// Where the tasks of a workload wait until all of them are there, and from where all are let go at
/// once.
///
/// Each writes a byte when it has come. A single byte that nobody reads lets them all go: each sees
/// the same pipe become readable. For processes forked after it was made, and for threads. Serves
/// once, also at the end, where tasks wait to be let tear down. Takes four descriptors.
class StartLine {
public:
  static constexpr std::int64_t descriptors = 4;

  /// A task's part: says that it has come, waits until it is let go. Throws OsError.
  void wait() const;

  /// Returns when `tasks` have come. Calls `look` every 100 ms in which one is missing; it may
  /// throw, which ends the wait: a task that died never comes. Throws OsError.
  void await(std::int64_t tasks, const std::function<void()>& look) const;
  void let_go() const; ///< One write. Throws OsError

private:
  Channel came_ = pipe_channel(), go_ = pipe_channel();
};

} // namespace schedrig
