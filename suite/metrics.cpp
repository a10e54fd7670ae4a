#include "suite/metrics.hpp"

namespace schedrig::metrics {

Metric of_event(const Event& event) {
  const bool time =
      event.name == "task-clock" || event.name == "cpu-clock"; // perf counts these in nanoseconds
  const bool often_zero = event.kind == Event::Kind::software && !time;
  return {event.name, time ? "ns" : "1", Better::lower,
          often_zero ? Scale::difference : Scale::ratio, Extent::per_work};
}

Metric of_figure(const WorkFigure& figure) {
  const auto better = figure.better == WorkFigure::Better::lower    ? Better::lower
                      : figure.better == WorkFigure::Better::higher ? Better::higher
                                                                    : Better::neither;
  return {figure.name, figure.unit, better, Scale::difference, Extent::whole};
}

} // namespace schedrig::metrics
