#pragma once

#include <string>

#include "pinning/unavailable.hpp"

namespace schedrig {

/// An event that this machine does not have at all: `<not supported>`, where a refused permission
/// or a PMU in use is something else.
class NotSupported : public Unavailable {
public:
  /// `event` is its name, `reason` half a sentence, `remedy` as in Unavailable.
  NotSupported(const std::string& event, std::string reason, std::string remedy = {})
      : Unavailable(event + ": " + reason, std::move(remedy)), reason_(std::move(reason)) {}

  /// Why, without the event's name: the same for all that are missing for the same reason.
  const std::string& reason() const noexcept { return reason_; }

private:
  std::string reason_;
};

} // namespace schedrig
