#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <pybind11/chrono.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings/arguments.hpp"
#include "bindings/bindings.hpp"
#include "suite/machine.hpp"
#include "suite/plan.hpp"
#include "suite/plan_file.hpp"

namespace schedrig {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// One text or several, as in a plan file.
using Texts = std::variant<std::string, std::vector<std::string>>;

std::vector<std::string> list_of(const Texts& texts) {
  if (const auto* one = std::get_if<std::string>(&texts))
    return {*one};
  return std::get<std::vector<std::string>>(texts);
}

double seconds_of(const py::object& given) {
  try {
    return given.cast<std::chrono::duration<double>>().count();
  } catch (const py::cast_error&) {
    throw py::type_error("deadline: neither a timedelta nor a number of seconds");
  }
}

std::optional<std::chrono::seconds> whole_seconds(const py::object& given) {
  constexpr std::int64_t most = Plan::most_deadline.count();
  if (given.is_none())
    return std::nullopt;
  if (PyIndex_Check(given.ptr()))
    return std::chrono::seconds(whole_number<std::int64_t>(given, "deadline", 1, most));
  const double seconds = seconds_of(given);
  if (!(1 <= seconds && seconds <= static_cast<double>(most)) || seconds != std::floor(seconds))
    throw BadInput(
        fmt::format("deadline: {} s; allowed are whole seconds, 1 to {}", seconds, most));
  return std::chrono::seconds(static_cast<std::int64_t>(seconds));
}

Plan make_plan(const Texts& workloads, const Texts& placements, const Texts& bandwidths,
               const Texts& countings, const Texts& events, const py::object& repeat,
               const py::object& warm_up, const py::object& seed, const py::object& deadline,
               const std::string& label) {
  return Plan(Plan::Wish{
      .workloads = list_of(workloads),
      .placements = list_of(placements),
      .bandwidths = list_of(bandwidths),
      .countings = list_of(countings),
      .passes = list_of(events),
      .repeat = whole_number_or_none<int>(repeat, "repeat", 1, Plan::most_repeats),
      .warm_up = whole_number_or_none<int>(warm_up, "warm_up", 0, Plan::most_warm_ups),
      .seed = whole_number_or_none<std::uint64_t>(seed, "seed", 0,
                                                  std::numeric_limits<std::uint64_t>::max()),
      .deadline = whole_seconds(deadline),
      .label = label,
  });
}

constexpr auto plan_doc =
    R"(The declared experiment: lists whose product is the cells, and how often and in which order
they run.

A plan cannot be changed. Plans that have the same canonical text, `toml()`, are equal.

>>> plan = schedrig.Plan("pipe-ping-pong loops=10,20", bandwidths=["none", "20000/100000"], seed=7)
>>> schedrig.Plan.from_toml(plan.toml()) == plan
True
)";

constexpr auto init_doc =
    R"(Makes a plan of what people write; each list may be a single text.

workloads: a workload with its parameters each, of which every combination is tried:
    "pipe-ping-pong loops=1000,100000".
placements: "same-cpu", "smt-pair", "same-llc", "cross-llc", "cross-node", "all", or a CPU list.
bandwidths: "none" (no group), "group" (without a limit), "QUOTA/PERIOD+BURST" in microseconds;
    nested by ':', outermost first.
countings: "cpu", "task", "off", or "auto": "cpu" where this user may, else "task",
    else "off".
events: a pass each, its events by commas.
repeat: measured trials of each cell, 1 to 1000000. warm_up: trials before these, 0 to 1000.
seed: of the order of trials, 0 to 2**64 - 1; None draws one.
deadline: for each step of a trial, a timedelta or a number of seconds; whole, 1 to 86400.
label: your name for the run.

Raises BadInput, which names the thing, what stood there and what is allowed. Whether this machine
has the CPUs is not asked here.
)";

constexpr auto from_file_doc =
    R"(The plan that a TOML file writes down, as `schedrig run --plan` reads it.

Raises OSError when the file cannot be read; BadInput with file, line and column for what is wrong
in it.

>>> with open("plan.toml", "w") as file:
...     _ = file.write('repeat = 3\n[[workload]]\nname = "empty"\n')
>>> schedrig.Plan.from_file("plan.toml").repeat
3
)";

constexpr auto from_toml_doc =
    R"(The plan that a TOML text writes down; `name` stands for the file in messages.

Raises BadInput with name, line and column.

>>> schedrig.Plan.from_toml('repeat = 3\n[[workload]]\nname = "empty"').repeat
3
)";

constexpr auto toml_doc =
    R"(The canonical text: a plan file that makes this same plan.

>>> print(schedrig.Plan("empty", seed=7, warm_up=0).toml())
placement = ["same-cpu"]
bandwidth = ["none"]
counting = ["auto"]
events = ["cycles,instructions,branches"]
repeat = 10
warm_up = 0
seed = 7
deadline_s = 300
<BLANKLINE>
[[workload]]
name = "empty"
<BLANKLINE>
)";

constexpr auto cells_doc =
    R"(Every combination once, in the order of the lists, bandwidth turning fastest. Counting "auto"
comes to what this machine gives.

Raises as machine() does, which it asks for that.

>>> [cell.parameters for cell in schedrig.Plan("pipe-ping-pong loops=10,20").cells()]
['loops=10 tasks=processes', 'loops=20 tasks=processes']
)";

} // namespace

void bind_plan(py::module_& module) {
  const std::vector<std::string> usual;
  py::class_<Plan>(module, "Plan", plan_doc)
      .def(py::init(&make_plan), init_doc, "workloads"_a, py::kw_only(), "placements"_a = usual,
           "bandwidths"_a = usual, "countings"_a = usual, "events"_a = usual,
           "repeat"_a = py::none(), "warm_up"_a = py::none(), "seed"_a = py::none(),
           "deadline"_a = py::none(), "label"_a = "")
      .def_static(
          "from_file", [](const std::filesystem::path& path) { return Plan(read_plan_file(path)); },
          from_file_doc, "path"_a)
      .def_static(
          "from_toml",
          [](const std::string& text, const std::string& name) {
            return Plan(read_plan_text(text, name));
          },
          from_toml_doc, "text"_a, "name"_a = "plan")
      .def("toml", &Plan::toml, toml_doc)
      .def(
          "cells",
          [](const Plan& plan) {
            const py::gil_scoped_release released;
            return plan.cells(Machine::here().counting.default_counting());
          },
          cells_doc)
      .def_property_readonly("digest", &Plan::digest, "SHA-256 of `toml()`, 64 hex digits.")
      .def_property_readonly("placements", &Plan::placements, "Canonical, in the given order.")
      .def_property_readonly("bandwidths", &Plan::bandwidths, "Canonical, in the given order.")
      .def_property_readonly("repeat", &Plan::repeat, "Measured trials of each cell.")
      .def_property_readonly("warm_up", &Plan::warm_up, "Trials of each cell before these.")
      .def_property_readonly("seed", &Plan::seed, "Of the order of trials.")
      .def_property_readonly("deadline", &Plan::deadline,
                             "For each step of a trial, as a timedelta.")
      .def_property_readonly("label", &Plan::label, "The user's name for the run; may be empty.")
      .def("__eq__",
           [](const Plan& plan, const py::object& other) -> py::object {
             if (!py::isinstance<Plan>(other))
               return py::reinterpret_borrow<py::object>(Py_NotImplemented);
             return py::bool_(plan.toml() == other.cast<const Plan&>().toml());
           })
      .def("__hash__", [](const Plan& plan) { return py::hash(py::str(plan.toml())); })
      .def("__repr__",
           [](const Plan& plan) { return py::str("Plan.from_toml({!r})").format(plan.toml()); });
}

} // namespace schedrig
