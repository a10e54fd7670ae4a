#include "suite/preparation.hpp"

#include "workloads/catalogue.hpp"

namespace schedrig {

Preparations::Preparations(const Machine& machine, const std::vector<Cell>& cells) {
  std::map<std::tuple<std::string, std::string, std::string>, Pass> passes;
  std::map<std::tuple<std::string, std::string, std::string>, Sampling> samplings;
  std::map<std::tuple<std::string, std::string, std::string>, std::string> parameters;
  for (const auto& cell : cells) {
    const auto placement = machine.place(cell.placement);
    measured_cpus_ = measured_cpus_ | placement.cpus();

    const std::tuple counted(cell.counting, cell.pass,
                             cell.counting == "cpu" ? cell.placement : "");
    if (cell.is_profiled() && !samplings.contains(counted))
      samplings.emplace(counted, Sampling::probe(*machine.perf, machine.counting, cell.counting,
                                                 placement.cpus()));
    else if (!cell.is_profiled() && !passes.contains(counted))
      passes.emplace(counted, Pass::probe(*machine.perf, machine.counting, cell.pass, cell.counting,
                                          placement.cpus()));
    const std::tuple loaded(cell.workload, cell.parameters, cell.placement);
    if (!parameters.contains(loaded))
      parameters.emplace(loaded, calibrated(cell.workload, cell.parameters, placement));
    preparations_.insert({cell, {passes[counted], parameters.at(loaded), samplings[counted]}});
  }
}

std::vector<EventEncoding> Preparations::encodings() const {
  std::map<std::string, EventEncoding> encodings;
  for (const auto& [cell, preparation] : preparations_)
    for (const auto& event : preparation.pass.events())
      encodings.insert({event.name,
                        {event.name, event.full_name, event.pmu, event.type, event.config,
                         event.config1, event.config2}});
  std::vector<EventEncoding> list;
  for (auto& [name, encoding] : encodings)
    list.push_back(std::move(encoding));
  return list;
}

} // namespace schedrig
