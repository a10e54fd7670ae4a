#pragma once

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Any command line, from its start to its end, with all the processes that it starts.
///
/// Stands for whatever the user measures by hand with `perf stat -r` today. Which paths it
/// exercises, and what a better scheduler would change, only the user knows. Nothing of it is
/// checked but that it exits with 0 and leaves no process behind.
///
/// The line is run by `/bin/sh -c`, in our folder and with our environment; the shell executes a
/// simple command in its own place. Its process is there before the measured part, which begins
/// with the exec. What it prints goes to /dev/null, which some programs notice (tar, grep): append
/// `| cat >/dev/null` where that matters. It may use all CPUs of the placement, each of its
/// processes: nobody can bind tasks of which nothing is known one by one.
///
/// Its CPU time is that of the processes that were waited for, from getrusage(2): exact in sum, by
/// ticks in its shares of user and system time.
///
/// With `start=exec` the line is words as a shell quotes them, and the trial itself executes them,
/// as perf stat does: no shell and no process of ours stands between, what it prints is seen, and a
/// process that it leaves behind is not looked for.
WorkloadEntry command();

/// `words` as one line that a shell takes for the same words: {"echo", "a b"} -> "echo 'a b'".
std::string quoted(const std::vector<std::string>& words);

/// The words of such a line: blanks separate, what stands between single quotes is literal, and so
/// is what follows a backslash. Nothing is expanded. Throws BadInput for a quote that is not
/// closed, and for whatever means something else to a shell.
std::vector<std::string> words_of(std::string_view line);

} // namespace schedrig
