#pragma once

#include <iterator>

#include <signal.h>

#include "suite/cli/terminal.hpp"
#include "suite/runner.hpp"

namespace schedrig {

/// Ctrl-C, a closed terminal and a polite kill end the run cleanly while this lives.
class StopSignals {
public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  static bool asked(); ///< whether one of them came

private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(signals)];
};

/// Progress on stderr: one line that is redrawn on a terminal, a line a trial elsewhere.
class ProgressLine {
public:
  void show(const Progress& progress);
  void clear();

private:
  const bool redraw_ = progress_can_be_redrawn();
  bool drawn_ = false;
};

} // namespace schedrig
