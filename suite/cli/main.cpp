// schedrig: the program. Arguments are read here and in the add_* functions; what is done is done
// in the floors below.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/cgroup/subtree.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "results/store/store_error.hpp"
#include "suite/cli/command.hpp"
#include "suite/version.hpp"

using namespace schedrig;
namespace fs = std::filesystem;

namespace {

constexpr auto footer =
    "\nExit status: 0 fine, 1 a regression, 2 wrong use or unreadable input, 3 inconclusive,\n"
    "4 invalid measurements or environment, 77 nothing could run, 130 interrupted.\n"
    "'schedrig NAME' runs the program schedrig-NAME when NAME is none of the above.";

/// Removes what a run that died left behind, before anything else is done; where we may not, it
/// stays for one who may.
void clean_up_after_the_dead() {
  try {
    for (const auto& leftover : remove_leftovers(CgroupMount::find()))
      if (leftover.removed)
        fmt::print(stderr, "schedrig: removed {}, left by a run that died ({} processes killed)\n",
                   leftover.path.native(), leftover.processes);
      else
        fmt::print(stderr, "schedrig: {} was left by a run that died and cannot be removed: {}\n",
                   leftover.path.native(), leftover.why);
  } catch (const Unavailable&) { // no groups here, so none left either
  } catch (const OsError& error) {
    fmt::print(stderr, "schedrig: looking for what dead runs left: {}\n", error.what());
  }
}

/// As git does: `schedrig lab` is the program schedrig-lab, beside this one or in PATH. Returns
/// when there is none.
void become_external_program(int count, char** words) {
  if (count < 2 || words[1][0] == '-' ||
      std::string_view(words[1]).find('/') != std::string_view::npos)
    return;
  const std::string name = fmt::format("schedrig-{}", words[1]);
  if (name == "schedrig-workload") // beside us in a build folder, but not for people
    return;
  std::vector<char*> arguments(words + 1, words + count + 1);
  const auto beside = fs::read_symlink("/proc/self/exe").parent_path() / name;
  ::execv(beside.c_str(), arguments.data());
  ::execvp(name.c_str(), arguments.data());
}

Exit status_of(const StoreError& error) {
  const bool unreadable = error.error() == ENOENT || error.error() == EINVAL;
  return unreadable ? Exit::wrong_use : Exit::invalid;
}

Exit guarded(const Action& action) {
  const auto refuse = [](const std::exception& error, Exit status) {
    fmt::print(stderr, "schedrig: {}\n", error.what());
    return status;
  };
  try {
    return action();
  } catch (const BadInput& error) {
    return refuse(error, Exit::wrong_use);
  } catch (const StoreError& error) {
    return refuse(error, status_of(error));
  } catch (const std::exception& error) { // Unavailable, OsError, no memory
    return refuse(error, Exit::invalid);
  }
}

} // namespace

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN); // `schedrig run | head` must not leave a group behind

  CLI::App program(
      "What a Linux kernel build costs scheduler-bound work, and whether a difference is real.",
      "schedrig");
  program.set_version_flag(
      "--version", [] { return version_text(); }, "version, commit, compiler, flags, libraries");
  program.require_subcommand(1);
  program.footer(footer);
  Action action;
  add_run(program, action);
  std::vector<std::string> launched;
  add_stat(program, action, launched);
  add_compare(program, action);
  add_list(program, action);
  add_doctor(program, action);

  const auto built_in = [&](std::string_view word) {
    const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == word; });
  };
  if (count > 1 && !built_in(words[1]))
    become_external_program(count, words);

  try {
    std::vector<std::string> arguments(words + 1, words + count);
    if (!arguments.empty() && arguments.front() == "stat") {
      arguments.erase(arguments.begin());
      launched = split_off_command(*program.get_subcommand("stat"), arguments);
      arguments.insert(arguments.begin(), "stat");
    }
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    program.parse(std::move(arguments));
  } catch (const CLI::CallForVersion&) {
    fmt::print("{}", version_text());
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) // --help
      return program.exit(error);
    if (count > 1 && words[1][0] != '-' && !built_in(words[1])) {
      std::vector<std::string> names;
      for (const auto* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
      const auto nearest = nearest_name(words[1], names);
      fmt::print(stderr, "schedrig: there is no command '{}', nor a program schedrig-{}{}\n",
                 words[1], words[1],
                 nearest.empty() ? "; 'schedrig --help' lists them"
                                 : fmt::format("; did you mean '{}'?", nearest));
    } else {
      fmt::print(stderr, "schedrig: {}\n", error.what());
    }
    return static_cast<int>(Exit::wrong_use);
  }
  clean_up_after_the_dead();
  const auto status = guarded(action);
  if (std::fflush(stdout) != 0) {
    std::perror("schedrig: stdout");
    return static_cast<int>(Exit::invalid);
  }
  return static_cast<int>(status);
}
