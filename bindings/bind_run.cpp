#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/chrono.h>
#include <pybind11/stl/filesystem.h>

#include "bindings/bindings.hpp"
#include "bindings/record.hpp"
#include "pinning/cgroup/subtree.hpp"
#include "results/store/words.hpp"
#include "suite/runner.hpp"
#include "suite/version.hpp"

namespace schedrig {

namespace py = pybind11;
using namespace py::literals;
namespace fs = std::filesystem;

namespace {

/// A Progress that outlives the trial it tells of.
struct KeptProgress {
  std::int64_t run;
  TrialRecord trial;
  std::int64_t done, total;
  std::chrono::seconds left;
};

/// A RunOutcome, and what the results must be read with.
struct Outcome {
  RunOutcome ran;
  std::vector<std::string> marks;
};

/// What Python raised while the run had the thread: it ends the run cleanly, and goes on its way
/// after that.
class Raised {
public:
  /// Runs Python's handlers of the signals that have come, Ctrl-C's too; true once anything was
  /// raised.
  bool by_signal() {
    const py::gil_scoped_acquire gil;
    if (!raised_ && PyErr_CheckSignals() != 0)
      raised_ = std::make_exception_ptr(py::error_already_set());
    return raised_ != nullptr;
  }

  void by_call(const py::function& listener, const Progress& progress) {
    const py::gil_scoped_acquire gil;
    try {
      listener(
          KeptProgress{progress.run, progress.trial, progress.done, progress.total, progress.left});
    } catch (const py::error_already_set&) {
      raised_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (raised_)
      std::rethrow_exception(raised_);
  }

private:
  std::exception_ptr raised_;
};

void warn_of(const Leftover& leftover) {
  const auto text = leftover.removed
                        ? fmt::format("removed {}, left by a run that died ({} processes killed)",
                                      leftover.path.native(), leftover.processes)
                        : fmt::format("{} was left by a run that died and cannot be removed: {}",
                                      leftover.path.native(), leftover.why);
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0)
    throw py::error_already_set();
}

/// This machine, once what dead runs left on it is removed.
Machine machine_for_a_run(const std::optional<fs::path>& cgroup_parent) {
  std::optional<Machine> machine;
  std::vector<Leftover> leftovers;
  {
    const py::gil_scoped_release released;
    machine = Machine::here(cgroup_parent);
    if (machine->groups)
      leftovers = remove_leftovers(*machine->groups);
  }
  for (const auto& leftover : leftovers)
    warn_of(leftover);
  return std::move(*machine);
}

Outcome run(const Plan& plan, const fs::path& store_path,
            const std::optional<py::function>& progress,
            const std::optional<fs::path>& cgroup_parent, bool allow_debug) {
  if (!allow_debug)
    require_a_measuring_build();
  const Machine machine = machine_for_a_run(cgroup_parent);

  Outcome outcome{};
  Raised raised;
  Runner::Listener listener;
  listener.on_begin = [&](const auto& marks) { outcome.marks = marks; };
  listener.interrupted = [&] { return raised.by_signal(); };
  if (progress)
    listener.on_trial = [&](const Progress& now) { raised.by_call(*progress, now); };
  {
    const py::gil_scoped_release released;
    outcome.ran = Runner(machine).run(plan, store_path, listener);
  }
  raised.rethrow();
  return outcome;
}

constexpr auto run_doc =
    R"(Carries out a plan: blocks of all its cells, each in an order drawn from its seed, warm-up
blocks first. Every trial is in the store for good before the next begins.

store: the SQLite file; made when it does not exist.
progress: called with a Progress after each trial, in this thread.
cgroup_parent: make control groups below this one instead of the one found.
allow_debug: measure with a build that is no release build; every result is marked.

The GIL is released while trials run: other threads of the program go on, but disturb what is
measured unless they keep off its CPUs; this thread does so by itself where others are allowed.

Ctrl-C, in the main thread, ends the run cleanly: no task and no group is left, the run is marked
as interrupted in the store, and KeyboardInterrupt is raised. So does whatever another signal's
handler or `progress` raises. SIGTERM kills Python at once unless the program handles it; what is
then left of groups goes at the next run, with a RuntimeWarning. The workload is killed when the
thread that started it ends: do not call this from a daemon thread.

Raises Unavailable for what this machine cannot give, or while another run measures on it; BadInput
for a CPU that is not allowed; OSError, with the store's path where it is the store that fails.

>>> plan = schedrig.Plan("empty", countings="off", repeat=2, warm_up=1)
>>> outcome = schedrig.run(plan, "new.db", progress=lambda now: print(now.done, "of", now.total),
...                        allow_debug=True)
1 of 3
2 of 3
3 of 3
>>> outcome.ending, outcome.trials.valid
('finished', 2)
)";

} // namespace

void bind_run(py::module_& module) {
  Record<KeptProgress>(module, "Progress", "How far a run has come, told after each trial.")
      .field("run", &KeptProgress::run, "Its number in the store.")
      .field("trial", &KeptProgress::trial, "The one that has just ended.")
      .field("done", &KeptProgress::done, "Trials so far, warm-up ones too.")
      .field("total", &KeptProgress::total, "Trials of the whole run.")
      .field("left", &KeptProgress::left, "About how long it will take, as a timedelta.");

  Record<Outcome>(module, "Outcome", "What came of a run.")
      .field(
          "run", [](const Outcome& outcome) { return outcome.ran.run; }, "Its number in the store.")
      .field(
          "ending", [](const Outcome& outcome) { return stored_word(outcome.ran.ending); },
          "'finished': whatever else ends a run is raised.")
      .field(
          "trials", [](const Outcome& outcome) { return outcome.ran.trials; },
          "How many, by what became of them.")
      .field(
          "without_result", [](const Outcome& outcome) { return outcome.ran.without_result; },
          "Cells of which no measured trial is valid.")
      .field("marks", &Outcome::marks, "What every result of it must be read with.");

  module.def("run", &run, run_doc, "plan"_a, "store"_a = "schedrig.db", "progress"_a = py::none(),
             "cgroup_parent"_a = py::none(), "allow_debug"_a = false);
}

} // namespace schedrig
