#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings/bindings.hpp"
#include "bindings/readable_store.hpp"
#include "pinning/bad_input.hpp"

namespace schedrig {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// `column` of the readings that `owner` is, as an array that shows it where it is and keeps
/// `owner` alive.
template <typename Value>
py::array_t<Value> view_of(const py::object& owner, std::vector<Value> ReadingColumns::*column) {
  const auto& values = owner.cast<const ReadingColumns&>().*column;
  py::array_t<Value> view(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  view.attr("setflags")("write"_a = false);
  return view;
}

template <typename Value>
void add_column(py::class_<ReadingColumns>& readings, const char* name,
                std::vector<Value> ReadingColumns::*column, const char* doc) {
  readings.def_property_readonly(
      name, [column](const py::object& self) { return view_of(self, column); }, doc);
}

Selection::Trials trials_of(const std::string& word) {
  if (word == "valid")
    return Selection::Trials::measured_and_valid;
  if (word == "all")
    return Selection::Trials::all;
  throw BadInput(fmt::format("trials: '{}' is none of: valid, all", word));
}

ReadingColumns select(const ReadableStore& store, std::optional<std::int64_t> run,
                      std::optional<std::int64_t> boot, const std::optional<std::string>& workload,
                      const std::optional<std::string>& metric, const std::string& trials) {
  const Selection selection{.run = run,
                            .boot = boot,
                            .workload = workload,
                            .metric = metric,
                            .trials = trials_of(trials)};
  return store.ask([&](const Store& open) { return open.readings(selection); });
}

constexpr auto readings_class_doc =
    R"(Readings as columns of equal length, ordered by trial: element i of each belongs to reading i.

The columns are numpy arrays that show the memory where the readings were read into: they copy
nothing, cannot be written, and keep the readings alive.

>>> readings = schedrig.Store("example.db").readings(metric="wall_time")
>>> names = [cell.parameters for cell in readings.cells]
>>> values = readings.value[readings.cell == names.index("loops=10 tasks=processes")]
>>> values.dtype, values.shape
(dtype('float64'), (3,))
)";

constexpr auto frame_doc =
    R"(The readings as a pandas DataFrame, one row a reading, in the same order.

============================================  ===========  ========================================
run, trial                                    int64        their numbers in the store
block                                         int32        from 0; warm-up blocks count too
workload, parameters, placement, bandwidth,   category     the cell's parts, in plan order
counting, pass
metric, unit                                  category     'wall_time', 'ns/loop'
value                                         float64      in `unit`
============================================  ===========  ========================================

The frame owns its values.

>>> frame = schedrig.Store("example.db").readings().frame()
>>> frame[frame.metric == "context_switches"].unit.unique().tolist()
['1/loop']
)";

constexpr auto store_doc =
    R"(The SQLite file that holds boots, runs and trials, open for reading: what it holds is never
changed.

Several programs may read while one run writes. Threads may share a Store: they take turns. It must
not be used across fork.

Raises OSError with errno and path: FileNotFoundError when there is none, PermissionError, EINVAL
when it is no store or one of a newer schedrig, EBUSY when another program has locked it for two
seconds, EIO when it is damaged.

>>> store = schedrig.Store("example.db")
>>> [run.trials.valid for run in store.runs]
[6]
)";

constexpr auto cells_doc =
    R"(The cells of a run, in plan order; none for a run that is not there.

>>> store = schedrig.Store("example.db")
>>> [cell.parameters for cell in store.cells(store.latest_run)]
['loops=10 tasks=processes', 'loops=20 tasks=processes']
)";

constexpr auto trials_doc =
    R"(The trials of a run with all their readings, in the order in which they ran; none for a run
that is not there.

>>> store = schedrig.Store("example.db")
>>> {trial.record.validity for trial in store.trials(store.latest_run)}
{'valid'}
)";

constexpr auto readings_doc =
    R"(The selected readings; none is no error. What is None restricts nothing.

run, boot: their numbers in the store. workload, metric: their names.
trials: "valid", the measured and valid ones, on which alone a result may stand; or "all": warm-up,
    invalid and failed ones too.

Raises BadInput for another word, OSError when the store cannot be read.

>>> len(schedrig.Store("example.db").readings(metric="wall_time"))
6
)";

void bind_readings(py::module_& module) {
  py::class_<ReadingColumns> readings(module, "Readings", readings_class_doc);
  add_column(readings, "trial", &ReadingColumns::trial, "int64: the trials' numbers, ascending.");
  add_column(readings, "run", &ReadingColumns::run, "int64: the runs' numbers.");
  add_column(readings, "cell", &ReadingColumns::cell, "int32: index into `cells`.");
  add_column(readings, "metric", &ReadingColumns::metric, "int32: index into `metrics`.");
  add_column(readings, "block", &ReadingColumns::block, "int32: from 0; warm-up blocks count too.");
  add_column(readings, "value", &ReadingColumns::value,
             "float64, finite: in the metric's unit; of one unit of work where it is per work.");
  readings
      .def_readonly("cells", &ReadingColumns::cells, "Those that occur, as plans named them first.")
      .def_readonly("metrics", &ReadingColumns::metrics, "Those that occur, as first stored.")
      .def("__len__", &ReadingColumns::size)
      .def(
          "frame",
          [](const py::object& self) {
            return py::module_::import("schedrig.frames").attr("readings_frame")(self);
          },
          frame_doc);
}

} // namespace

void bind_store(py::module_& module) {
  bind_readings(module);
  py::class_<ReadableStore>(module, "Store", store_doc)
      .def(py::init<const std::filesystem::path&>(), "Opens the store at `path`.", "path"_a)
      .def_property_readonly("path", &ReadableStore::path, "As it was given.")
      .def_property_readonly(
          "boots",
          [](const ReadableStore& self) {
            return self.ask([](auto& store) { return store.boots(); });
          },
          "All of them, in the order in which they were added.")
      .def_property_readonly(
          "runs",
          [](const ReadableStore& self) {
            return self.ask([](auto& store) { return store.runs(); });
          },
          "All of them, in the order in which they were begun.")
      .def_property_readonly(
          "latest_run",
          [](const ReadableStore& self) {
            return self.ask([](auto& store) { return store.latest_run(); });
          },
          "The number of the run that was begun last; None when there is none.")
      .def(
          "cells",
          [](const ReadableStore& self, std::int64_t run) {
            return self.ask([run](auto& store) { return store.cells(run); });
          },
          cells_doc, "run"_a)
      .def(
          "trials",
          [](const ReadableStore& self, std::int64_t run) {
            return self.ask([run](auto& store) { return store.trials(run); });
          },
          trials_doc, "run"_a)
      .def("readings", &select, readings_doc, py::kw_only(), "run"_a = py::none(),
           "boot"_a = py::none(), "workload"_a = py::none(), "metric"_a = py::none(),
           "trials"_a = "valid")
      .def("__repr__", [](const ReadableStore& self) {
        return py::str("Store({!r})").format(py::str(self.path().native()));
      });
}

} // namespace schedrig
