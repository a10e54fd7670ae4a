#pragma once

#include <stdexcept>
#include <string>

namespace schedrig {

/// This machine, or this user on it, cannot give what was asked for: a fact about the set-up, not a
/// mistake in the request.
///
/// The program ends with code 4, a hardware suite skips with the sentence, `doctor` prints both
/// parts. Python sees schedrig.Unavailable.
class Unavailable : public std::runtime_error {
public:
  /// `why` is a whole sentence without its full stop; `remedy` is the line that would change it,
  /// empty when nothing would.
  explicit Unavailable(std::string why, std::string remedy = {})
      : std::runtime_error(remedy.empty() ? why : why + "\n  to change it: " + remedy),
        why_(std::move(why)), remedy_(std::move(remedy)) {}

  const std::string& why() const noexcept { return why_; }
  const std::string& remedy() const noexcept { return remedy_; }

private:
  std::string why_, remedy_;
};

} // namespace schedrig
