// schedrig-workload NAME PLACEMENT CPUS TASKS [PARAMETER=VALUE ...]
//
// The process in which a workload lives. It is started by a trial through Task, bound and in its
// group; it is not for people.

#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/gate.hpp"
#include "workloads/catalogue.hpp"
#include "workloads/command_line.hpp"

using namespace schedrig;

int main(int count, char** words) {
  std::optional<Gate> gate;
  try {
    gate = Gate::inherited();
  } catch (const std::exception&) {
    std::fprintf(stderr,
                 "schedrig-workload is started by schedrig; for people there is 'schedrig run'\n");
    return 2;
  }
  try {
    const WorkloadCommand command = WorkloadCommand::parse({words + 1, words + count});
    const auto workload = command.make();
    command.check_binding();

    gate->started();
    workload->prepare(command.placement);
    gate->ready();
    workload->run();
    gate->done();
    gate->report(workload->finish().text());
    return 0;
  } catch (const std::exception& error) {
    gate->fail(error.what());
    return 1;
  }
}
