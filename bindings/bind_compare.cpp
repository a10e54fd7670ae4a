#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "bindings/arguments.hpp"
#include "bindings/bindings.hpp"
#include "bindings/readable_store.hpp"
#include "bindings/record.hpp"
#include "results/compare/comparison.hpp"
#include "results/report/text_table.hpp"
#include "results/statistics/welch.hpp"

namespace schedrig {

namespace py = pybind11;
using namespace py::literals;

namespace {

std::string_view word(Difference::Unit unit) {
  return unit == Difference::Unit::percent ? "percent" : "plain";
}

std::string_view word(Difference::Kind kind) {
  switch (kind) {
  case Difference::Kind::without_error:
    return "without_error";
  case Difference::Kind::estimated:
    return "estimated";
  case Difference::Kind::exact:
    return "exact";
  case Difference::Kind::none:
    break;
  }
  return "none";
}

std::vector<Comparison> compare(const ReadableStore& store, std::optional<std::int64_t> run) {
  return store.ask([&](const Store& open) {
    const auto wanted = run ? run : open.latest_run();
    if (!wanted)
      throw BadInput(fmt::format("{} holds no run yet", open.path().native()));
    return compare_cells(open, *wanted);
  });
}

/// Throws BadInput for a metric that none of `comparisons` has.
void require_measured(const std::vector<Comparison>& comparisons,
                      const std::vector<std::string>& metrics) {
  for (const auto& name : metrics)
    if (std::none_of(comparisons.begin(), comparisons.end(), [&](const Comparison& comparison) {
          return std::ranges::count(comparison.columns, name, &Metric::name) > 0;
        }))
      throw BadInput(fmt::format("metrics: '{}' was not measured in these comparisons", name));
}

std::string table(std::vector<Comparison> comparisons, const py::object& width,
                  const std::optional<std::vector<std::string>>& metrics) {
  const int columns = whole_number<int>(width, "width", 40, 1000);
  if (metrics)
    require_measured(comparisons, *metrics);
  for (auto& comparison : comparisons)
    keep_columns(comparison, metrics ? *metrics : usual_columns(comparison));
  return text_table(comparisons, columns);
}

/// numpy's conversion to a contiguous array of doubles, checked.
using Sample = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::span<const double> values_of_sample(const Sample& sample, std::string_view name) {
  if (sample.ndim() != 1)
    throw BadInput(fmt::format("{} has {} dimensions; allowed is 1", name, sample.ndim()));
  const std::span values(sample.data(), static_cast<std::size_t>(sample.size()));
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    throw BadInput(fmt::format("{} holds a value that is not finite", name));
  return values;
}

Difference welch(const Sample& base, const Sample& candidate, const std::string& scale,
                 double confidence) {
  const auto base_values = values_of_sample(base, "base");
  const auto candidate_values = values_of_sample(candidate, "candidate");
  if (!(0 < confidence && confidence < 1))
    throw BadInput(
        fmt::format("confidence: {} is out of range; allowed is between 0 and 1", confidence));
  if (scale == "ratio")
    return welch_ratio(base_values, candidate_values, confidence);
  if (scale == "difference")
    return welch_difference(base_values, candidate_values, confidence);
  throw BadInput(fmt::format("scale: '{}' is none of: ratio, difference", scale));
}

constexpr auto frame_doc =
    R"(What the comparison estimates as a pandas DataFrame, one row a cell and metric, in the
comparison's order.

==========================  ========  =============================================================
label, metric, unit         category  the cell's label, 'wall_time', 'ns/loop'
n                           int64     measured, valid trials
mean                        float64   of them, in `unit`
estimate, low, high         float64   against the first cell, with its interval; in `estimate_unit`
estimate_unit               category  'percent', or `unit` for what is compared by difference
p                           float64   two-sided, of no difference
caveat                      object    why something is missing; empty when all is said
==========================  ========  =============================================================

What cannot be said is NaN, as in the first cell itself.

>>> comparison, = schedrig.compare(schedrig.Store("example.db"))
>>> frame = comparison.frame()
>>> frame[frame.metric == "wall_time"][["label", "n", "estimate_unit"]]
      label  n estimate_unit
0  loops=10  3           NaN
...
)";

constexpr auto compare_doc =
    R"(The cells of a run side by side, each against the first: one Comparison for each workload,
counting and pass, because a percentage between two of these would mean nothing.

run: its number in the store; None: the latest. Warm-up, invalid and failed trials are counted,
never used.

Raises BadInput when the store holds no run, FileNotFoundError when it does not hold this one.

>>> comparison, = schedrig.compare(schedrig.Store("example.db"))
>>> [row.label for row in comparison.rows]
['loops=10', 'loops=20']
)";

constexpr auto text_table_doc =
    R"(The comparisons as `schedrig compare` prints them.

width: columns of the text, 40 to 1000; no line is longer unless a single word is.
metrics: the names of those to show, in this order; None: those that a reader looks at first.

Raises BadInput for another width, and for a metric that was not measured.

>>> comparisons = schedrig.compare(schedrig.Store("example.db"))
>>> print(schedrig.text_table(comparisons, width=100))
pipe-ping-pong ...
)";

constexpr auto welch_doc =
    R"(Welch's difference of the means of two independent samples, with its interval and
Satterthwaite's degrees of freedom.

base, candidate: one-dimensional, finite; positive means that the candidate has more.
scale: "ratio", through logarithms, in percent of the base; or "difference", in the values' unit.
confidence: of the interval, between 0 and 1.

Raises BadInput. Samples of none, of one or without any variation are no error: `kind` and `caveat`
say what they came to.

>>> difference = schedrig.welch([100.0, 101.0, 99.0], [110.0, 112.0, 108.0])
>>> f"{difference.estimate:+.1f} % from {difference.interval.lower:.1f}"
'+10.0 % from 6.0'
)";

void bind_statistics(py::module_& module) {
  Record<Interval>(module, "Interval", "A closed interval, both ends finite.")
      .field("lower", &Interval::lower, "In the estimate's unit.")
      .field("upper", &Interval::upper, "In the estimate's unit.");

  Record<Difference>(module, "Difference",
                     "How much a candidate differs from a base; positive: the candidate has more.")
      .field(
          "unit", [](const Difference& difference) { return word(difference.unit); },
          "'percent' of the base, or 'plain': in the metric's own unit.")
      .field(
          "kind", [](const Difference& difference) { return word(difference.kind); },
          "'estimated'; 'exact': neither sample varies; 'without_error': no interval; 'none'.")
      .field("estimate", &Difference::estimate, "None with kind 'none'.")
      .field("interval", &Difference::interval, "None where the error is not known.")
      .field("degrees_of_freedom", &Difference::degrees_of_freedom, "Satterthwaite's, or None.")
      .field("p", &Difference::p, "Two-sided, of no difference; or None.")
      .field("caveat", &Difference::caveat, "Why something is missing; empty when all is said.");

  Record<Summary>(module, "Summary", "A sample in a few numbers, all finite.")
      .field("n", &Summary::n, "At least 1.")
      .field("mean", &Summary::mean, "Arithmetic.")
      .field("median", &Summary::median, "The mean of the two middle values where `n` is even.")
      .field("minimum", &Summary::minimum, "The smallest value.")
      .field("maximum", &Summary::maximum, "The largest value.")
      .field("standard_deviation", &Summary::standard_deviation, "With n - 1; None for one value.")
      .field("geometric_mean", &Summary::geometric_mean, "None unless every value is above 0.");
}

void bind_comparison(py::module_& module) {
  Record<ComparisonFigure>(module, "ComparisonFigure", "What a row says about one metric.")
      .field("summary", &ComparisonFigure::summary,
             "Of the valid trials, per work where the metric is; None without data.")
      .field("difference", &ComparisonFigure::difference,
             "Against the first row; None in the first row itself.");

  Record<ThrottleFigures>(module, "ThrottleFigures", "How far a limit held a row's tasks back.")
      .field("periods", &ThrottleFigures::periods,
             "In which the group had something to run; total of the valid trials.")
      .field("throttled_periods", &ThrottleFigures::throttled_periods, "Of these.")
      .field("delivered_cpus", &ThrottleFigures::delivered_cpus, "CPU time over wall time.")
      .field("allowed_cpus", &ThrottleFigures::allowed_cpus, "Quota over period.")
      .field("bound_cpus", &ThrottleFigures::bound_cpus,
             "The most that quota, tick and slice let through.");

  Record<ComparisonRow>(module, "ComparisonRow", "One cell of a comparison.")
      .field("cell", &ComparisonRow::cell, "The cell.")
      .field("label", &ComparisonRow::label, "What sets it apart: 'no group', '20000/100000'.")
      .field("cpus", &ComparisonRow::cpus, "The CPUs it ran on; empty without a trial.")
      .field("trials", &ComparisonRow::trials, "How many, by what became of them.")
      .field("reasons", &ComparisonRow::reasons,
             "Why trials were invalid or failed -> how many of them.")
      .field("figures", &ComparisonRow::figures, "One for each of the comparison's columns.")
      .field("throttle", &ComparisonRow::throttle, "None without a group or its figures.");

  Record<Comparison>(module, "Comparison", "The cells of one run, each against the first.")
      .field("run", &Comparison::run, "Its number in the store.")
      .field("run_label", &Comparison::run_label, "The user's name for the run; may be empty.")
      .field("boot", &Comparison::boot, "In which it ran.")
      .field("shared", &Comparison::shared, "What all rows have in common; the rest is empty.")
      .field("cpus", &Comparison::cpus, "The CPUs, where they are common to all rows.")
      .field("work_unit", &Comparison::work_unit, "'loop'; empty without a trial.")
      .field("confidence", &Comparison::confidence, "Of every interval: 0.95.")
      .field("columns", &Comparison::columns, "The metrics.")
      .field("rows", &Comparison::rows, "In plan order; at least one.")
      .field("marks", &Comparison::marks,
             "What it must be read with: the run's marks, and how it ended.")
      .field("notes", &Comparison::notes, "What its trials measured smaller than asked.")
      .python_class()
      .def(
          "frame",
          [](const py::object& self) {
            return py::module_::import("schedrig.frames").attr("comparison_frame")(self);
          },
          frame_doc);
}

} // namespace

void bind_compare(py::module_& module) {
  bind_statistics(module);
  bind_comparison(module);
  module.def("compare", &compare, compare_doc, "store"_a, "run"_a = py::none());
  module.def("text_table", &table, text_table_doc, "comparisons"_a, "width"_a = 80,
             "metrics"_a = py::none());
  module.def("welch", &welch, welch_doc, "base"_a, "candidate"_a, "scale"_a = "ratio",
             "confidence"_a = 0.95);
}

} // namespace schedrig
