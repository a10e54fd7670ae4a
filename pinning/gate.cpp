#include "pinning/gate.hpp"

#include <algorithm>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

/// The parent closed its end, which only its death does before we are finished: nobody is left to
/// work for.
[[noreturn]] void end_without_parent() noexcept {
  ::_exit(EXIT_FAILURE);
}

/// Sends one packet; -1 with errno. MSG_NOSIGNAL: a gone parent must not look like a death of
/// SIGPIPE.
ssize_t send_packet(int channel, GateWord word, std::string_view text) noexcept {
  char first = static_cast<char>(word);
  iovec parts[] = {{&first, 1}, {const_cast<char*>(text.data()), text.size()}};
  msghdr packet{};
  packet.msg_iov = parts;
  packet.msg_iovlen = 2;
  ssize_t sent;
  do
    sent = ::sendmsg(channel, &packet, MSG_NOSIGNAL);
  while (sent == -1 && errno == EINTR);
  return sent;
}

} // namespace

Gate Gate::inherited() {
  int type = 0;
  socklen_t size = sizeof type;
  constexpr std::string_view subject = "descriptor 3 (not started by schedrig?)";
  checked(::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size), "getsockopt", subject);
  if (type != SOCK_SEQPACKET)
    throw OsError(EPROTOTYPE, "getsockopt", subject);
  checked(::fcntl(descriptor, F_SETFD, FD_CLOEXEC), "fcntl", subject);
  return Gate(Fd(descriptor));
}

void Gate::started() {
  say(GateWord::started);
  wait_for(GateWord::prepare);
}

void Gate::ready() {
  say(GateWord::ready);
  wait_for(GateWord::run);
}

void Gate::done() {
  say(GateWord::done);
  wait_for(GateWord::finish);
}

void Gate::report(std::string_view text) {
  for (std::size_t start = 0; start < text.size(); start += most_text_bytes)
    say(GateWord::report_part, text.substr(start, most_text_bytes));
  say(GateWord::report_end);
}

void Gate::fail(std::string_view why) noexcept {
  send_packet(channel_.number(), GateWord::failed, why.substr(0, most_text_bytes));
}

void Gate::say(GateWord word, std::string_view text) {
  const auto sent = send_packet(channel_.number(), word, text);
  if (sent == -1 && (errno == EPIPE || errno == ECONNRESET))
    end_without_parent();
  checked(sent, "sendmsg", "the gate");
}

void Gate::wait_for(GateWord word) {
  char heard = 0;
  ssize_t size;
  do
    size = ::recv(channel_.number(), &heard, 1, 0);
  while (size == -1 && errno == EINTR);
  if (size == 0 || (size == -1 && errno == ECONNRESET))
    end_without_parent();
  checked(size, "recv", "the gate");
  if (heard != static_cast<char>(word))
    throw OsError(EPROTO, "recv",
                  fmt::format("the gate: '{}' where '{}' was due", heard, static_cast<char>(word)));
}

} // namespace schedrig
