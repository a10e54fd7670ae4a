#include "workloads/parts/children.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "pinning/os_error.hpp"

namespace schedrig {

Children::Children(std::size_t most, std::function<std::string(std::size_t)> part)
    : part_(std::move(part)) {
  children_.reserve(most);
  statuses_.reserve(most);
}

void Children::start(const CpuSet& cpus, const std::function<void()>& body) {
  try {
    children_.emplace_back(cpus, body);
  } catch (const OsError& error) {
    throw OsError(error.error(), error.operation(), part_(children_.size()));
  }
}

void Children::throw_if_any_ended() {
  for (std::size_t child = 0; child < children_.size(); ++child)
    if (children_[child].ended()) {
      const int status = children_[child].wait();
      throw std::runtime_error(
          fmt::format("{} {} before its time", part_(child), how_it_ended(status)));
    }
}

void Children::reap() {
  for (auto& child : children_)
    statuses_.push_back(child.wait());
}

void Children::throw_if_any_failed() const {
  auto cause = std::find_if(statuses_.begin(), statuses_.end(),
                            [](int status) { return WIFSIGNALED(status); });
  if (cause == statuses_.end())
    cause =
        std::find_if(statuses_.begin(), statuses_.end(), [](int status) { return status != 0; });
  if (cause != statuses_.end())
    throw std::runtime_error(fmt::format(
        "{} {}", part_(static_cast<std::size_t>(cause - statuses_.begin())), how_it_ended(*cause)));
}

} // namespace schedrig
