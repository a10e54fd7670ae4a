#pragma once

#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// A shell script of a dozen small programs, run by one or by several at once, again and again.
///
/// Stands for what administration and builds do all day: short processes that start each other,
/// wait for each other and hand data on through pipes and files. It exercises birth, exec, exit,
/// wakeups and balancing together, in the proportions in which they come. With several scripts at
/// once it shows where new tasks are put and how those that become runnable preempt each other. A
/// better scheduler does more loops a minute. Most of its time is process creation and memory
/// management; it tells that something changed, not what.
///
/// The script sorts a text of 8,500 bytes, which is the same everywhere, dumps what came (od),
/// searches it (grep), copies what was found (tee), counts it (wc), checks the count, and removes
/// its files (rm). It runs by /bin/sh, with the programs of /usr/bin and /bin and no environment
/// but that path and the C locale. A loop is over when all the scripts that began together are.
///
/// The files need names, so they are in a temporary folder below `folder`. It is removed at the
/// end; after a SIGKILL (a deadline, Ctrl-C) when this workload next begins in the same `folder`.
WorkloadEntry shell_scripts();

/// The text, made anew.
std::string script_text();
/// How many lines of `text` have the word that the script searches: "the", also inside a word.
int lines_found_in(const std::string& text);

} // namespace schedrig
