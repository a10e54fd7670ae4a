#pragma once

#include <string>

#include "pinning/fd.hpp"

namespace schedrig {

/// A way for bytes from one task to another, in order; closed with its owner.
struct Channel {
  Fd read_end, write_end;
};

Channel pipe_channel();   ///< throws OsError: EMFILE, ENFILE
Channel socket_channel(); ///< of Unix stream sockets; throws OsError: EMFILE, ENFILE

/// Where channels over TCP come from: connections to 127.0.0.1, with every option as the kernel
/// sets it.
class TcpLoopback {
public:
  TcpLoopback();           ///< listens on a port that the kernel chooses. Throws OsError
  Channel channel() const; ///< throws OsError: EMFILE, ENFILE, EADDRNOTAVAIL (no port left)

private:
  Fd listener_;
};

} // namespace schedrig
