#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/trial.hpp"

namespace CLI {
class App;
}

namespace schedrig {

/// What the program says with its exit status.
enum class Exit {
  fine = 0,
  regression = 1,
  wrong_use = 2,
  inconclusive = 3,
  invalid = 4,
  nothing_could_run = 77,
  interrupted = 130
};

/// What a subcommand does once its arguments are read; the result is the program's exit status.
/// Errors are thrown: the program's main turns them into a message and a status.
using Action = std::function<Exit()>;

// Each adds one subcommand to `program` and sets `action` when it is the one that was called.
void add_run(CLI::App& program, Action& action);
/// `launched`: what split_off_command gave, before the action is called.
void add_stat(CLI::App& program, Action& action, const std::vector<std::string>& launched);
void add_compare(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_doctor(CLI::App& program, Action& action);

/// Takes the command that `stat` is to run off `words`, its arguments: all from the first that is
/// neither one of its options nor an option's value, or from behind "--". The command's options are
/// none of ours.
std::vector<std::string> split_off_command(const CLI::App& stat, std::vector<std::string>& words);

/// Adds `--store FILE` to a subcommand; `store` becomes SCHEDRIG_STORE where that is set, else
/// schedrig.db in this folder.
void add_store_option(CLI::App& command, std::filesystem::path& store);

/// The parts of a list by commas, in order; an empty text is one empty part.
std::vector<std::string> list_parts(std::string_view list);

/// What came of a trial, in a few words: "valid", "INVALID: ...", "failed, warm-up: ...".
std::string outcome_text(const TrialRecord& trial);

} // namespace schedrig
