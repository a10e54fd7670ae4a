#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/needs.hpp"
#include "workloads/parameter.hpp"
#include "workloads/workload.hpp"

namespace schedrig {

/// A workload as people type it, with the values to try for each parameter that is named.
struct WorkloadPhrase {
  std::string workload; ///< the entry's own name
  std::map<std::string, std::vector<std::string>>
      values; ///< canonical; parameters not named are absent
};

/// One workload of an experiment.
struct ExperimentPart {
  WorkloadPhrase phrase;
  int trials; ///< measured ones of each of its cells
};

/// What an entry has that is no workload itself but runs several.
struct Experiment {
  /// Puts numbers in place of what the number of the placement's CPUs decides, so that the phrase
  /// means the same on any machine.
  std::function<void(WorkloadPhrase&, std::size_t cpus)> spell_out;
  /// The parts that a spelled out phrase stands for. Throws BadInput.
  std::function<std::vector<ExperimentPart>(const WorkloadPhrase&)> parts;
};

/// A workload, or an experiment of several, as it stands in the catalogue.
struct WorkloadEntry {
  std::string name;      ///< "pipe-ping-pong"
  std::string summary;   ///< one line, for `list`
  std::string work_unit; ///< "loop": what metrics are divided by
  std::vector<Parameter> parameters;
  std::vector<std::string>
      positional; ///< parameters that people give as bare numbers, in order: "hackbench 500"
  std::map<std::string, std::string> aliases; ///< other names, each with the parameters it stands
                                              ///< for: "pipe-test-100k" -> "loops=100000"
  std::function<std::unique_ptr<Workload>(const ParameterValues&)> make;
  /// What it takes from the machine; empty for one that takes next to nothing.
  std::function<Needs(const ParameterValues&)> needs = {};
  /// Finds out on the CPUs of a placement what must not be found out in a limited group: words for
  /// the parameters that stand at 0 for it, such as "calibration=5714285". Empty for one that needs
  /// nothing of the kind.
  std::function<std::string(const ParameterValues&, const Placement&)> calibrate = {};
  /// The command, program first, that the trial itself executes in the place of the workload's
  /// process, with nothing of ours in between; empty where these values don't want that. Empty for
  /// a workload that never does.
  std::function<std::vector<std::string>(const ParameterValues&)> launch = {};
  std::optional<Experiment> experiment = {}; ///< then `make` throws BadInput
};

/// Every workload, in the order they are listed.
const std::vector<WorkloadEntry>& catalogue();

/// The entry called `name` or one of whose aliases it is; '_' counts as '-'. Throws BadInput that
/// offers the nearest name.
const WorkloadEntry& find_workload(std::string_view name);

/// What `workload` takes with `parameters`, as a cell has them. Throws BadInput as ParameterValues
/// does.
Needs needs_of(std::string_view workload, std::string_view parameters);

/// `parameters`, as a cell has them, with what `workload` must find out before it runs: for the
/// workload's process in place of the cell's own. To be called outside every limited group, once a
/// run for each workload, parameters and placement, so that all trials of the run do the same work;
/// it loads the CPUs for some 50 ms. Returns the same where there is nothing to find out. Throws
/// BadInput as ParameterValues does, OsError.
std::string calibrated(std::string_view workload, std::string_view parameters,
                       const Placement& placement);

/// The command that a trial of `workload` executes itself; empty where it starts the workload's
/// process. Throws BadInput as ParameterValues does.
std::vector<std::string> launched_command(std::string_view workload, std::string_view parameters);

/// Reads "pipe-ping-pong loops=1000,100000 tasks=threads", "pipe-test-100k", "hackbench 500".
///
/// Blanks separate words and commas values. Where they are part of a value it is escaped
/// (`line=sleep%201`, see `escaped`) or stands between double quotes, all of which is taken
/// literally (`line="sleep 1"`). Throws BadInput naming the word that is wrong.
WorkloadPhrase parse_phrase(std::string_view phrase);

/// The phrase for `words` as a shell hands them over, where NAME=VALUE with a blank in VALUE is one
/// value as it stands: {"command", "line=sh -c \"exit 3, 4\""}.
std::string phrase_of(const std::vector<std::string>& words);

/// The flags and the compiler that the workloads were built with, whatever the rest was built with:
/// they are part of a result.
std::string workload_build();

} // namespace schedrig
