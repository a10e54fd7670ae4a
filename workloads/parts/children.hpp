#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "workloads/parts/child.hpp"

namespace schedrig {

/// Many Children, numbered from 0 in the order of their start, each the part of a workload that
/// `part` names: "sender 3 of group 2".
class Children {
public:
  Children(std::size_t most, std::function<std::string(std::size_t child)> part);

  /// As Child does it. Throws OsError naming the part.
  void start(const CpuSet& cpus, const std::function<void()>& body);
  std::size_t size() const noexcept { return children_.size(); }

  /// Throws std::runtime_error naming a child that has ended, where none may have yet.
  void throw_if_any_ended();
  /// Waits for the end of each. Allocates nothing. Throws OsError.
  void reap();
  /// Throws std::runtime_error naming a reaped child that did not exit with 0: one that was killed
  /// if there is any, since the others then failed for want of it.
  void throw_if_any_failed() const;

private:
  std::vector<Child> children_;
  std::vector<int> statuses_; ///< of the children that were reaped
  std::function<std::string(std::size_t)> part_;
};

} // namespace schedrig
