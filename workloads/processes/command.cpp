#include "workloads/processes/command.hpp"

#include <sys/mman.h>

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

} // namespace

WorkloadEntry command() {
  return {
      .name = "command",
      .summary = "any command line, with all that it starts",
      .work_unit = "run",
      .parameters = {{"line", "", "what /bin/sh is to do", Parameter::Text{"true", "a line"}}},
      .positional = {"line"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<Command>(values); },
      .needs = [](const ParameterValues&) { return Needs{.tasks = 3, .programs = {shell}}; },
  };
}

} // namespace schedrig
