#pragma once

#include <string_view>

#include "pinning/fd.hpp"

namespace schedrig {

/// The first byte of each packet between a Task and its Gate.
enum class GateWord : char {
  not_started = 'e', ///< the new process could not even be executed; the rest is a StartFailure
  failed = 'x',      ///< the rest says why
  execute = 'c',
  started = 's',
  prepare = 'p',
  ready = 'r',
  run = 'g',
  done = 'd',
  finish = 'f',
  report_part = 'R', ///< the rest is a part of the report
  report_end = 'Z',
};

/// The started process's side of a Task: it says where it is and waits to be let on.
///
///     started, bound --[prepare]--> ready --[run]--> done --[finish]--> report, exit
///
/// What stands in brackets is the parent's word for which the process waits. The protocol is one
/// SOCK_SEQPACKET socket at descriptor 3; every message is one packet whose first byte names it.
/// When the parent dies every wait ends the process at once.
class Gate {
public:
  static constexpr int descriptor = 3;
  /// The most that is put behind a packet's first byte; far below the least send buffer in use,
  /// since a packet is never split.
  static constexpr std::size_t most_text_bytes = 32'768;

  /// Takes over descriptor 3. Throws OsError: EBADF, ENOTSOCK or EPROTOTYPE when this process was
  /// not started as a Task.
  static Gate inherited();

  void started();                     ///< says so, waits for `prepare`
  void ready();                       ///< says so, waits for `run`: what follows is measured
  void done();                        ///< says so, waits for `finish`: what follows is not measured
  void report(std::string_view text); ///< any length, once
  /// Tells why this process cannot go on; the parent turns it into TaskFailed with this text. The
  /// process should exit next.
  void fail(std::string_view why) noexcept;

private:
  explicit Gate(Fd channel) : channel_(std::move(channel)) {}
  void say(GateWord word, std::string_view text = {});
  void wait_for(GateWord word);
  Fd channel_;
};

} // namespace schedrig
