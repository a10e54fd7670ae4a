#pragma once

#include "pinning/unavailable.hpp"

namespace schedrig {

/// An event that this machine does not have at all: `<not supported>`, where a refused permission
/// or a PMU in use is something else.
class NotSupported : public Unavailable {
public:
  using Unavailable::Unavailable;
};

} // namespace schedrig
