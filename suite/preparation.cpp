#include "suite/preparation.hpp"

#include <algorithm>

#include "suite/counting/passes/fitted_passes.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace {

/// What a pass is found out for: the placement matters where its CPUs are counted.
std::tuple<std::string, std::string, std::string> counted_by(const Cell& cell) {
  const bool by_placement = cell.counting == "cpu" || cell.counting == "cgroup";
  return {cell.counting, cell.pass, by_placement ? cell.placement : ""};
}

} // namespace

std::vector<Cell> in_passes_that_fit(const Machine& machine, const std::vector<Cell>& cells,
                                     std::vector<std::string>& marks) {
  std::map<std::tuple<std::string, std::string, std::string>, FittedPasses> known;
  std::vector<Cell> fitting;
  for (const auto& cell : cells) {
    if (cell.is_profiled()) {
      fitting.push_back(cell);
      continue;
    }
    const auto key = counted_by(cell);
    if (!known.contains(key)) {
      known.emplace(key, FittedPasses::probe(*machine.perf, machine.counting, cell.pass,
                                             cell.counting, machine.place(cell.placement).cpus()));
      for (const auto& note : known.at(key).notes)
        if (std::find(marks.begin(), marks.end(), note) == marks.end())
          marks.push_back(note);
    }
    for (const auto& pass : known.at(key).passes) {
      auto one = cell;
      one.pass = pass;
      // Lists that overlap may come to the same pass.
      if (std::find(fitting.begin(), fitting.end(), one) == fitting.end())
        fitting.push_back(std::move(one));
    }
  }
  return fitting;
}

Preparations::Preparations(const Machine& machine, const std::vector<Cell>& cells) {
  std::map<std::tuple<std::string, std::string, std::string>, Pass> passes;
  std::map<std::tuple<std::string, std::string, std::string>, Sampling> samplings;
  std::map<std::tuple<std::string, std::string, std::string>, std::string> parameters;
  for (const auto& cell : cells) {
    const auto placement = machine.place(cell.placement);
    measured_cpus_ = measured_cpus_ | placement.cpus();

    const auto counted = counted_by(cell);
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

std::map<Cell, std::vector<EventEncoding>> Preparations::encodings() const {
  std::map<Cell, std::vector<EventEncoding>> encodings;
  for (const auto& [cell, preparation] : preparations_)
    for (const auto& event : preparation.pass.events())
      encodings[cell].push_back({event.name, event.full_name, event.pmu, event.type, event.config,
                                 event.config1, event.config2, event.scale, event.unit});
  return encodings;
}

} // namespace schedrig
