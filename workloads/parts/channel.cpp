#include "workloads/parts/channel.hpp"

#include <array>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

using NameCall = int (*)(int, sockaddr*, socklen_t*);

sockaddr_in name_of(const Fd& socket, NameCall call, const char* operation) {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  checked(call(socket.number(), reinterpret_cast<sockaddr*>(&name), &size), operation,
          "a TCP socket");
  return name;
}

Fd tcp_socket() {
  return Fd(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket", "TCP"));
}

} // namespace

Channel pipe_channel() {
  std::array<int, 2> ends{};
  checked(::pipe2(ends.data(), O_CLOEXEC), "pipe2", "a workload's pipe");
  return {Fd(ends[0]), Fd(ends[1])};
}

Channel socket_channel() {
  std::array<int, 2> ends{};
  checked(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair",
          "a workload's Unix stream sockets");
  return {Fd(ends[0]), Fd(ends[1])};
}

Channel tcp_channel() {
  const Fd listener = tcp_socket();
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  checked(::bind(listener.number(), reinterpret_cast<const sockaddr*>(&target), sizeof target),
          "bind", "127.0.0.1");
  checked(::listen(listener.number(), 1), "listen", "127.0.0.1");
  target = name_of(listener, ::getsockname, "getsockname");
  Channel channel{{}, tcp_socket()};
  checked(::connect(channel.write_end.number(), reinterpret_cast<const sockaddr*>(&target),
                    sizeof target),
          "connect", "127.0.0.1");
  const auto ours = name_of(channel.write_end, ::getsockname, "getsockname");
  for (;;) {
    Fd accepted(::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!accepted) {
      if (errno == EINTR || errno == ECONNABORTED)
        continue;
      throw OsError(errno, "accept4", "127.0.0.1");
    }
    // Anyone on this machine may have connected to the port before us.
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(accepted.number(), reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        peer.sin_port == ours.sin_port && peer.sin_addr.s_addr == ours.sin_addr.s_addr) {
      channel.read_end = std::move(accepted);
      return channel;
    }
  }
}

} // namespace schedrig
