#include "workloads/command_line.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

std::vector<std::string> WorkloadCommand::arguments() const {
  return {workload, parameters, placement.name(),
          fmt::format("{}", fmt::join(placement.order(), ",")),
          placement.tasks() == Placement::Tasks::each_on_one ? "each-on-one" : "free-within"};
}

WorkloadCommand WorkloadCommand::parse(const std::vector<std::string>& arguments) {
  if (arguments.size() != 5)
    throw BadInput(fmt::format("a workload's process takes 5 arguments, not {}", arguments.size()));
  std::vector<int> order; // not a CpuSet: the order says which task gets which CPU
  for (std::size_t begin = 0; begin <= arguments[3].size();) {
    const auto end = std::min(arguments[3].find(',', begin), arguments[3].size());
    order.push_back(
        parse_number(arguments[3].substr(begin, end - begin), "CPU", 0, CpuSet::largest_cpu));
    begin = end + 1;
  }
  return {arguments[0], arguments[1],
          Placement(arguments[2], order,
                    arguments[4] == "each-on-one" ? Placement::Tasks::each_on_one
                                                  : Placement::Tasks::free_within)};
}

std::unique_ptr<Workload> WorkloadCommand::make() const {
  const auto& entry = find_workload(workload);
  return entry.make(ParameterValues::parse(entry.name, entry.parameters, parameters));
}

void WorkloadCommand::check_binding() const {
  const auto wanted = placement.for_task(0);
  if (const auto found = own_affinity(); found != wanted)
    throw std::runtime_error(
        fmt::format("bound to CPUs {} instead of {}: the kernel or a cpuset moved it", found.text(),
                    wanted.text()));
}

} // namespace schedrig
