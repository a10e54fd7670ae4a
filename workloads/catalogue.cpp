#include "workloads/catalogue.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "workloads/controls/dhrystone.hpp"
#include "workloads/controls/empty.hpp"
#include "workloads/controls/file_copy.hpp"
#include "workloads/controls/syscall_loop.hpp"
#include "workloads/controls/whetstone.hpp"
#include "workloads/copies.hpp"
#include "workloads/processes/command.hpp"
#include "workloads/processes/execl_loop.hpp"
#include "workloads/processes/fork_loop.hpp"
#include "workloads/processes/kernel_build.hpp"
#include "workloads/processes/shell_scripts.hpp"
#include "workloads/scheduling/context_switch.hpp"
#include "workloads/scheduling/cpu_burn.hpp"
#include "workloads/scheduling/fast_and_slow.hpp"
#include "workloads/scheduling/hackbench.hpp"
#include "workloads/scheduling/massive_intr.hpp"
#include "workloads/scheduling/pipe_ping_pong.hpp"
#include "workloads/scheduling/pipe_throughput.hpp"
#include "workloads/unixbench.hpp"

namespace schedrig {

const std::vector<WorkloadEntry>& catalogue() {
  static const std::vector<WorkloadEntry> entries{
      pipe_ping_pong(),
      hackbench(),
      with_copies(execl_loop()),
      with_copies(fork_loop()),
      massive_intr(),
      with_copies(pipe_throughput()),
      with_copies(context_switch()),
      with_copies(syscall_loop()),
      with_copies(file_copy()),
      with_copies(shell_scripts()),
      with_copies(dhrystone()),
      with_copies(whetstone()),
      kernel_build(),
      command(),
      cpu_burn(),
      fast_and_slow(),
      empty(),
      unixbench(),
  };
  return entries;
}

const WorkloadEntry& find_workload(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> names;
  for (const auto& entry : catalogue()) {
    if (entry.name == wanted || entry.aliases.contains(wanted))
      return entry;
    names.push_back(entry.name);
    for (const auto& [alias, parameters] : entry.aliases)
      names.push_back(alias);
  }
  const auto nearest = nearest_name(wanted, names);
  throw BadInput(fmt::format("there is no workload '{}'; {}", name,
                             nearest.empty() ? fmt::format("there is: {}", fmt::join(names, ", "))
                                             : fmt::format("did you mean '{}'?", nearest)));
}

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

/// `phrase` with what stands between double quotes escaped instead.
std::string without_quotes(std::string_view phrase) {
  std::string text;
  for (auto rest = phrase;;) {
    const auto opening = rest.find('"');
    text += rest.substr(0, opening);
    if (opening == rest.npos)
      return text;
    rest.remove_prefix(opening + 1);
    const auto closing = rest.find('"');
    if (closing == rest.npos)
      throw BadInput(fmt::format("workload {}: a '\"' without its second one", phrase));
    text += escaped(rest.substr(0, closing));
    rest.remove_prefix(closing + 1);
  }
}

} // namespace

std::string phrase_of(const std::vector<std::string>& words) {
  std::string phrase;
  for (const auto& word : words) {
    const auto value = word.find('=') + 1; // 0: a bare word
    const auto blank = word.find(' ');
    const bool literal = value > 0 && value <= blank && blank != word.npos;
    phrase += phrase.empty() ? "" : " ";
    phrase += literal ? word.substr(0, value) + escaped(word.substr(value)) : word;
  }
  return phrase;
}

WorkloadPhrase parse_phrase(std::string_view phrase) {
  auto words = split(without_quotes(phrase), ' ');
  std::erase(words, "");
  if (words.empty())
    throw BadInput("a workload is missing; 'schedrig list workloads' shows them");

  const auto& entry = find_workload(words.front());
  if (const auto alias = entry.aliases.find(words.front()); alias != entry.aliases.end()) {
    const auto implied = split(alias->second, ' ');
    words.insert(words.begin() + 1, implied.begin(), implied.end());
  }

  WorkloadPhrase read{entry.name, {}};
  std::size_t bare = 0;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    const auto equals = word->find('=');
    if (equals == std::string::npos && bare == entry.positional.size())
      throw BadInput(
          fmt::format("workload {}: '{}' is not a parameter; write NAME=VALUE", entry.name, *word));
    const auto name =
        equals == std::string::npos ? entry.positional[bare++] : word->substr(0, equals);
    const auto list = equals == std::string::npos ? *word : word->substr(equals + 1);
    const auto declared =
        std::find_if(entry.parameters.begin(), entry.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
    if (declared == entry.parameters.end())
      ParameterValues(entry.name, entry.parameters,
                      {{name, list}}); // throws, and says which there are
    auto& values = read.values[name];
    values.clear(); // a parameter named after an alias that implies it replaces it
    for (const auto& value : split(list + ',', ','))
      values.push_back(declared->accept(value, entry.name));
  }
  return read;
}

Needs needs_of(std::string_view workload, std::string_view parameters) {
  const auto& entry = find_workload(workload);
  const auto values = ParameterValues::parse(entry.name, entry.parameters, parameters);
  return entry.needs ? entry.needs(values) : Needs{};
}

std::vector<std::string> launched_command(std::string_view workload, std::string_view parameters) {
  const auto& entry = find_workload(workload);
  if (!entry.launch)
    return {};
  return entry.launch(ParameterValues::parse(entry.name, entry.parameters, parameters));
}

std::string calibrated(std::string_view workload, std::string_view parameters,
                       const Placement& placement) {
  const auto& entry = find_workload(workload);
  const auto values = ParameterValues::parse(entry.name, entry.parameters, parameters);
  if (!entry.calibrate)
    return std::string(parameters);
  std::map<std::string, std::string> given;
  for (const auto& word : split(values.text() + ' ' + entry.calibrate(values, placement), ' '))
    given[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1); // the later one stands
  return ParameterValues(entry.name, entry.parameters, given).text();
}

std::string workload_build() {
  return SCHEDRIG_WORKLOAD_BUILD;
}

} // namespace schedrig
