#include "workloads/processes/command.hpp"

#include <optional>

#include <fmt/format.h>
#include <sys/mman.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "workloads/parts/program.hpp"

namespace schedrig {

namespace {

constexpr const char* shell = "/bin/sh";

class Command final : public Workload {
public:
  explicit Command(const ParameterValues& values) : line_(values.text("line")) {}

  void prepare(const Placement& placement) override {
    const auto log = checked(::memfd_create("errors", MFD_CLOEXEC), "memfd_create", "errors");
    program_.emplace(placement.cpus(),
                     Program::Start{.command = {shell, "-c", line_}, .log = Fd(log)});
  }
  void run() override { program_->run(); }
  WorkReport finish() override { return program_->finish("the command"); }

private:
  const std::string line_;
  std::optional<Program> program_;
};

std::vector<std::string> launch(const ParameterValues& values) {
  if (values.choice("start") == "shell")
    return {};
  auto words = words_of(values.text("line"));
  if (words.empty())
    throw BadInput("workload command: line: nothing to execute");
  return words;
}

constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                   "@%+=:,./-_";

} // namespace

std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) {
    if (!line.empty())
      line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char character : word)
      if (character == '\'')
        line += "'\\''";
      else
        line += character;
    line += '\'';
  }
  return line;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char character = line[at];
    if (character == ' ' || character == '\t') {
      if (word)
        words.push_back(std::move(*word));
      word.reset();
      continue;
    }
    if (!word)
      word.emplace();
    if (character == '\'') {
      const auto end = line.find('\'', at + 1);
      if (end == line.npos)
        throw BadInput(fmt::format("'{}': a single quote is not closed", line));
      *word += line.substr(at + 1, end - at - 1);
      at = end;
    } else if (character == '\\' && at + 1 < line.size()) {
      *word += line[++at];
    } else if (plain.find(character) != plain.npos) {
      *word += character;
    } else {
      throw BadInput(fmt::format("'{}': '{}' is not expanded here; put it between single quotes, "
                                 "or use start=shell",
                                 line, character));
    }
  }
  if (word)
    words.push_back(std::move(*word));
  return words;
}

WorkloadEntry command() {
  return {
      .name = "command",
      .summary = "any command line, with all that it starts",
      .work_unit = "run",
      .parameters = {{"line", "", "what /bin/sh is to do", Parameter::Text{"true", "a line"}},
                     {"start", "", "by /bin/sh, or by exec alone, in the measured process's place",
                      Parameter::Choice{{"shell", "exec"}}}},
      .positional = {"line"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<Command>(values); },
      .needs =
          [](const ParameterValues& values) {
            const auto launched = launch(values);
            return Needs{.tasks = 3, .programs = {launched.empty() ? shell : launched.front()}};
          },
      .launch = launch,
  };
}

} // namespace schedrig
