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
#include "results/statistics/fairness.hpp"
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

std::string_view word(SpreadDifference::Test test) {
  switch (test) {
  case SpreadDifference::Test::trials:
    return "trials";
  case SpreadDifference::Test::tasks:
    return "tasks";
  case SpreadDifference::Test::none:
    break;
  }
  return "none";
}

std::string_view word(SpreadDifference::Conclusion conclusion) {
  switch (conclusion) {
  case SpreadDifference::Conclusion::within_noise:
    return "within_noise";
  case SpreadDifference::Conclusion::more_even:
    return "more_even";
  case SpreadDifference::Conclusion::less_even:
    return "less_even";
  case SpreadDifference::Conclusion::unknown:
    break;
  }
  return "unknown";
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
          return std::ranges::count(metric_names(comparison), name) > 0;
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

std::optional<Fairness> fairness(const Sample& amounts,
                                 const std::optional<std::vector<int>>& cpus) {
  const auto values = values_of_sample(amounts, "amounts");
  if (cpus && cpus->size() != values.size())
    throw BadInput(
        fmt::format("cpus has {} elements; there are {} amounts", cpus->size(), values.size()));
  std::vector<TaskShare> shares;
  for (std::size_t task = 0; task < values.size(); ++task) {
    if (values[task] < 0)
      throw BadInput(
          fmt::format("amounts: {} is out of range; allowed is 0 or above", values[task]));
    shares.push_back({values[task], cpus ? (*cpus)[task] : -1});
  }
  return fairness_of(shares);
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

constexpr auto fairness_doc =
    R"(How evenly equal tasks were served.

amounts: what each got, one-dimensional, finite, 0 or above: its rounds, its CPU time.
cpus: the CPU that each was on, -1 where that is not known; None: none is known.

None for no amounts. Raises BadInput.

>>> fairness = schedrig.fairness([2, 4, 4, 4, 5, 5, 7, 9])
>>> fairness.mean, fairness.standard_deviation, fairness.range, round(fairness.jain_index, 3)
(5.0, 2.0, 7.0, 0.862)
>>> two_cpus = schedrig.fairness([694, 695, 694, 693, 796, 797, 795, 796], cpus=[1] * 4 + [0] * 4)
>>> [(mode.mean, mode.tasks, mode.cpus) for mode in two_cpus.modes]
[(694.0, 4, [1]), (796.0, 4, [0])]
)";

constexpr auto fairness_tables_doc =
    R"(How evenly the tasks of each row were served: one FairnessTable for each metric that the
workload tells of each of its tasks, as massive-intr does of its rounds. Empty for the others.

>>> plan = schedrig.Plan("massive-intr tasks=4 seconds=1 work_us=1000", countings="off",
...                      placements="all", repeat=1, warm_up=0)
>>> outcome = schedrig.run(plan, "fair.db", allow_debug=True)
>>> comparison, = schedrig.compare(schedrig.Store("fair.db"))
>>> table, = comparison.fairness
>>> row, = table.rows
>>> table.metric.name, [trial.tasks for trial in row.trials]
('rounds', [4])
>>> 0.25 <= row.jain_index.summary.mean <= 1
True
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

void bind_fairness(py::module_& module) {
  Record<Fairness::Group>(module, "FairnessMode", "Tasks that got about the same.")
      .field("lower", &Fairness::Group::lower, "The least that one of them got.")
      .field("upper", &Fairness::Group::upper, "The most that one of them got.")
      .field("mean", &Fairness::Group::mean, "Of what they got.")
      .field("tasks", &Fairness::Group::tasks, "How many they are.")
      .field("cpus", &Fairness::Group::cpus,
             "The fewest CPUs that nine in ten of them were on; empty where none is known.")
      .field("on_cpus", &Fairness::Group::on_cpus, "How many of them were on these.");

  Record<Fairness>(module, "Fairness", "How evenly the tasks of one trial were served.")
      .field("tasks", &Fairness::tasks, "At least 1.")
      .field("mean", &Fairness::mean, "Of what they got.")
      .field("standard_deviation", &Fairness::standard_deviation,
             "With n: they are all that there were.")
      .field("range", &Fairness::range, "The most less the least.")
      .field("jain_index", &Fairness::jain_index,
             "1 when all got the same, 1/tasks when one got all; None when nobody got anything.")
      .field("coefficient_of_variation", &Fairness::coefficient_of_variation,
             "The deviation in parts of the mean; None when nobody got anything.")
      .field("modes", &Fairness::modes, "Around which they gather, ascending.");

  Record<FairnessFigure>(module, "FairnessFigure", "One figure of each of a row's trials.")
      .field("summary", &FairnessFigure::summary, "Of the trials; its mean is what a table shows.")
      .field("interval", &FairnessFigure::interval, "Of that mean; None for a single trial.");

  Record<SpreadDifference>(module, "SpreadDifference",
                           "How far a row's coefficient of variation is from the first row's.")
      .field(
          "test", [](const SpreadDifference& spread) { return word(spread.test); },
          "'trials': of several; 'tasks': of a single trial a side, task by task; or 'none'.")
      .field("difference", &SpreadDifference::difference,
             "In percent; where either is 0 plainly, as coefficients.")
      .field(
          "conclusion", [](const SpreadDifference& spread) { return word(spread.conclusion); },
          "'within_noise', 'more_even', 'less_even' or 'unknown'.");

  Record<FairnessRow>(module, "FairnessRow", "How evenly the tasks of one row were served.")
      .field("trials", &FairnessRow::trials,
             "Of each valid trial that tells its tasks apart, in the order in which they ran.")
      .field("mean", &FairnessRow::mean, "None without a trial.")
      .field("standard_deviation", &FairnessRow::standard_deviation, "None without a trial.")
      .field("range", &FairnessRow::range, "None without a trial.")
      .field("coefficient_of_variation", &FairnessRow::coefficient_of_variation,
             "None also where no task of a trial got anything.")
      .field("jain_index", &FairnessRow::jain_index,
             "None also where no task of a trial got anything.")
      .field("caveat", &FairnessRow::caveat, "Why its spread means nothing; empty where it does.")
      .field("spread", &FairnessRow::spread,
             "Against the first row; None in the first row itself.");

  Record<FairnessTable>(module, "FairnessTable", "How evenly the tasks of each row were served.")
      .field("metric", &FairnessTable::metric, "What is known of each task: 'rounds'.")
      .field("rows", &FairnessTable::rows, "One for each of the comparison's rows.");
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
      .field("fairness", &Comparison::fairness, fairness_tables_doc)
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
  bind_fairness(module);
  bind_comparison(module);
  module.def("compare", &compare, compare_doc, "store"_a, "run"_a = py::none());
  module.def("text_table", &table, text_table_doc, "comparisons"_a, "width"_a = 80,
             "metrics"_a = py::none());
  module.def("fairness", &fairness, fairness_doc, "amounts"_a, "cpus"_a = py::none());
  module.def("welch", &welch, welch_doc, "base"_a, "candidate"_a, "scale"_a = "ratio",
             "confidence"_a = 0.95);
}

} // namespace schedrig
