#include "workloads/unixbench.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

namespace {

using std::chrono::seconds;

constexpr auto name = "unixbench";
constexpr seconds longest{60};

/// The values that are asked for; 0 alone where none are.
std::vector<std::int64_t> numbers(const WorkloadPhrase& asked, const std::string& parameter) {
  std::vector<std::int64_t> numbers;
  if (const auto given = asked.values.find(parameter); given != asked.values.end())
    for (const auto& value : given->second)
      numbers.push_back(std::stoll(value));
  return numbers.empty() ? std::vector<std::int64_t>{0} : numbers;
}

/// The one value that may be asked for; nothing for 0 or where none is.
std::optional<std::int64_t> number(const WorkloadPhrase& asked, const std::string& parameter) {
  const auto given = numbers(asked, parameter);
  if (given.size() > 1)
    throw BadInput(fmt::format("workload {}: parameter {}: one value, not {}: it holds for all "
                               "tests of a set",
                               name, parameter, given.size()));
  return given.front() > 0 ? std::optional(given.front()) : std::nullopt;
}

std::vector<ExperimentPart> parts_of(const WorkloadPhrase& asked) {
  const seconds at_most(number(asked, "seconds").value_or(longest.count()));
  const auto passes = number(asked, "passes");
  std::vector<ExperimentPart> parts;
  for (const auto copies : numbers(asked, "copies")) {
    if (copies == 0)
      throw BadInput(fmt::format("workload {}: parameter copies: with several placements there is "
                                 "no usual number; write copies=1,4",
                                 name));
    for (const auto& test : unixbench_tests())
      parts.push_back({parse_phrase(test.phrase(at_most, copies)),
                       static_cast<int>(passes.value_or(test.passes))});
  }
  return parts;
}

/// 0 becomes one copy and one a CPU.
void spell_out(WorkloadPhrase& asked, std::size_t cpus) {
  std::vector<std::string> copies;
  for (const auto number : numbers(asked, "copies"))
    if (number > 0)
      copies.push_back(std::to_string(number));
    else
      for (const auto& usual : {std::string("1"), std::to_string(cpus)})
        if (std::find(copies.begin(), copies.end(), usual) == copies.end())
          copies.push_back(usual);
  asked.values["copies"] = copies;
}

} // namespace

std::string UnixbenchTest::phrase(seconds at_most, std::int64_t copies) const {
  return fmt::format("{} seconds={} copies={}", workload, std::min(time, at_most).count(), copies);
}

const std::vector<UnixbenchTest>& unixbench_tests() {
  static const std::vector<UnixbenchTest> tests{
      {"Dhrystone 2 using register variables", "dhrystone", seconds(10), 10, "lps", seconds(1),
       116'700},
      {"Double-Precision Whetstone", "whetstone", seconds(10), 10, "MWIPS", seconds(1), 55.0},
      {"Execl Throughput", "execl-loop linking=dynamic", seconds(30), 3, "lps", seconds(1), 43.0},
      {"File Copy 1024 bufsize 2000 maxblocks", "file-copy buffer=1024 blocks=2000", seconds(30), 3,
       "KBps", seconds(1), 3'960},
      {"File Copy 256 bufsize 500 maxblocks", "file-copy buffer=256 blocks=500", seconds(30), 3,
       "KBps", seconds(1), 1'655},
      {"File Copy 4096 bufsize 8000 maxblocks", "file-copy buffer=4096 blocks=8000", seconds(30), 3,
       "KBps", seconds(1), 5'800},
      {"Pipe Throughput", "pipe-throughput", seconds(10), 10, "lps", seconds(1), 12'440},
      {"Pipe-based Context Switching", "context-switch", seconds(10), 10, "lps", seconds(1), 4'000},
      {"Process Creation", "fork-loop", seconds(30), 3, "lps", seconds(1), 126},
      {"Shell Scripts (1 concurrent)", "shell-scripts scripts=1", seconds(60), 3, "lpm",
       seconds(60), 42.4},
      {"Shell Scripts (8 concurrent)", "shell-scripts scripts=8", seconds(60), 3, "lpm",
       seconds(60), 6.0},
      {"System Call Overhead", "syscall-loop kind=mix", seconds(10), 10, "lps", seconds(1), 15'000},
  };
  return tests;
}

WorkloadEntry unixbench() {
  return {
      .name = name,
      .summary = "twelve tests as one experiment, of which 'compare' prints the UnixBench index",
      .work_unit = "test",
      .parameters = {{"copies", "1", "of each test at once; 0: 1, and one a CPU of the placement",
                      Parameter::Count{0, 0, 1000}},
                     {"seconds", "s", "the longest a test takes; less than its own is marked",
                      Parameter::Count{longest.count(), 1, longest.count()}},
                     {"passes", "1", "of each test; 0: its own 10 or 3; fewer are marked",
                      Parameter::Count{0, 0, 1000}}},
      .positional = {},
      .aliases = {},
      .make = [](const ParameterValues&) -> std::unique_ptr<Workload> {
        throw BadInput(fmt::format("{} is an experiment of several workloads, not one", name));
      },
      .experiment = Experiment{.spell_out = spell_out, .parts = parts_of},
  };
}

std::optional<UnixbenchCell> unixbench_cell(std::string_view workload,
                                            std::string_view parameters) {
  for (std::size_t test = 0; test < unixbench_tests().size(); ++test) {
    const auto phrase = parse_phrase(unixbench_tests()[test].workload);
    if (phrase.workload != workload)
      continue;
    const auto& entry = find_workload(workload);
    const auto cell = ParameterValues::parse(entry.name, entry.parameters, parameters);
    std::map<std::string, std::string> wanted;
    for (const auto& [parameter, values] : phrase.values)
      wanted[parameter] = values.front();
    const UnixbenchCell found{test, cell.count("copies"), seconds(cell.count("seconds"))};
    wanted["copies"] = std::to_string(found.copies);
    wanted["seconds"] = std::to_string(found.time.count());
    if (ParameterValues(entry.name, entry.parameters, wanted).text() == cell.text())
      return found;
  }
  return std::nullopt;
}

} // namespace schedrig
