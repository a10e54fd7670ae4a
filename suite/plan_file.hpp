#pragma once

#include <filesystem>
#include <string_view>

#include "suite/plan.hpp"

namespace schedrig {

/// A plan as a TOML file: what the command line says, to be kept and repeated.
///
///     placement = ["same-cpu"]                 # or one text: "same-cpu"
///     bandwidth = ["none", "group", "20000/100000"]
///     counting = "auto"
///     events = ["cycles,instructions,branches"] # a pass each
///     repeat = 10
///     warm_up = 1
///     seed = 7
///     deadline_s = 300
///     label = "base"
///     [[workload]]
///     name = "pipe-ping-pong"
///     loops = [1000, 100000]
///     tasks = "threads"

/// The wish that the file writes down. Throws OsError when it cannot be read; BadInput with file,
/// line and column for a syntax error, for a key that no plan has (offering the nearest), and for a
/// value of the wrong kind.
Plan::Wish read_plan_file(const std::filesystem::path& path);

/// The same from text; `name` stands for the file in messages.
Plan::Wish read_plan_text(std::string_view text, std::string_view name);

} // namespace schedrig
