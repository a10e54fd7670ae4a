#include "suite/cli/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "suite/cli/command.hpp"

namespace schedrig {

namespace {

volatile sig_atomic_t stop_asked = 0;

} // namespace

StopSignals::StopSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  for (std::size_t i = 0; i < std::size(signals); ++i)
    ::sigaction(signals[i], &action, &before_[i]);
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < std::size(signals); ++i)
    ::sigaction(signals[i], &before_[i], nullptr);
}

bool StopSignals::asked() {
  return stop_asked != 0;
}

void ProgressLine::show(const Progress& progress) {
  const auto& cell = progress.trial.cell;
  const auto where = fmt::format("{} {} {}", cell.workload, cell.placement, cell.bandwidth);
  if (!redraw_) {
    fmt::print(stderr, "trial {} of {}: {}: {}; about {} left\n", progress.done, progress.total,
               where, outcome_text(progress.trial), duration_text(progress.left));
    return;
  }
  clear();
  if (progress.trial.validity != TrialRecord::Validity::valid)
    fmt::print(stderr, "{}: {}\n", where, outcome_text(progress.trial));
  const int width = output_width(0);
  const int bar = std::clamp(width - 60, 8, 30);
  const auto filled = bar * progress.done / progress.total;
  auto line = fmt::format("[{:#<{}}{:.<{}}] {}/{}, {} left  {}", "", filled, "", bar - filled,
                          progress.done, progress.total, duration_text(progress.left), where);
  fmt::print(stderr, "{}", line.substr(0, static_cast<std::size_t>(width - 1)));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::clear() {
  if (drawn_)
    fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

} // namespace schedrig
