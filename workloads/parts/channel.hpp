#pragma once

#include "pinning/fd.hpp"

namespace schedrig {

/// A way for bytes from one task to another, in order; closed with its owner.
struct Channel {
  Fd read_end, write_end;
};

Channel pipe_channel();   ///< throws OsError: EMFILE, ENFILE
Channel socket_channel(); ///< of Unix stream sockets; throws OsError: EMFILE, ENFILE

/// Over TCP: a connection to 127.0.0.1, with every option as the kernel sets it. The listener that
/// it takes for a moment has a port that the kernel chooses. Throws OsError: EMFILE, ENFILE,
/// EADDRNOTAVAIL (no port left).
Channel tcp_channel();

} // namespace schedrig
