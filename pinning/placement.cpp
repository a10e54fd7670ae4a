#include "pinning/placement.hpp"

#include <fmt/format.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

Placement::Placement(std::string name, std::vector<int> cpus, Tasks tasks)
    : name_(std::move(name)), order_(std::move(cpus)), tasks_(tasks) {
  if (order_.empty())
    throw BadInput(fmt::format("placement '{}' without a CPU", name_));
}

CpuSet Placement::for_task(std::size_t index) const {
  return tasks_ == Tasks::each_on_one ? CpuSet({order_[index % order_.size()]}) : cpus();
}

} // namespace schedrig
