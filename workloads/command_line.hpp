#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pinning/placement.hpp"
#include "workloads/workload.hpp"

namespace schedrig {

/// What the process of a workload is told on its command line; both ends of that line are here.
struct WorkloadCommand {
  std::string workload;   ///< a name of the catalogue
  std::string parameters; ///< "loops=100000 tasks=processes"
  Placement placement;

  std::vector<std::string> arguments() const; ///< parse() gives the same back
  static WorkloadCommand parse(const std::vector<std::string>& arguments); ///< throws BadInput

  std::unique_ptr<Workload> make() const; ///< throws BadInput as ParameterValues does
  /// Throws std::runtime_error when the calling thread is not bound as task 0 of the placement
  /// should be.
  void check_binding() const;
};

} // namespace schedrig
