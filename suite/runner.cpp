#include "suite/runner.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "pinning/cgroup/bandwidth.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/machine_lock.hpp"
#include "suite/trial.hpp"
#include "suite/version.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

namespace {

using std::chrono::steady_clock;
using Purpose = TrialRecord::Purpose;
using Validity = TrialRecord::Validity;

/// Keeps the calling thread off the CPUs that are measured while it lives; where no other is
/// allowed, it stays.
class StandAside {
public:
  StandAside(const CpuSet& allowed, const CpuSet& measured) : before_(own_affinity()) {
    if (const auto others = allowed - measured; !others.empty())
      bind_self(others);
  }
  StandAside(const StandAside&) = delete;
  ~StandAside() {
    try {
      bind_self(before_);
    } catch (const OsError&) { // the CPUs went offline meanwhile: where we are is as good as any
    }
  }

private:
  CpuSet before_;
};

/// How long trials of each cell take, for the time left.
class Pace {
public:
  /// `trials`: of each cell, warm-up ones too.
  explicit Pace(const std::vector<int>& trials)
      : spent_(trials.size()), done_(trials.size()), trials_(trials) {}

  void add(std::size_t cell, steady_clock::duration spent) {
    spent_[cell] += spent;
    ++done_[cell];
  }

  /// For the trials that are not yet done; a cell not yet seen counts as the mean of those seen.
  std::chrono::seconds left() const {
    const auto all = std::accumulate(spent_.begin(), spent_.end(), steady_clock::duration::zero());
    const auto mean = all / std::max(1, std::accumulate(done_.begin(), done_.end(), 0));
    auto left = steady_clock::duration::zero();
    for (std::size_t cell = 0; cell < spent_.size(); ++cell)
      left += (done_[cell] ? spent_[cell] / done_[cell] : mean) * (trials_[cell] - done_[cell]);
    return std::chrono::round<std::chrono::seconds>(left);
  }

private:
  std::vector<steady_clock::duration> spent_;
  std::vector<int> done_, trials_;
};

/// The order of one block of these cells: a Fisher-Yates shuffle spelled out with Boost.Random, so
/// that a seed means the same order wherever it is repeated.
std::vector<std::size_t> shuffled(std::vector<std::size_t> order,
                                  boost::random::mt19937_64& random) {
  for (std::size_t last = order.size(); last > 1; --last)
    std::swap(order[last - 1],
              order[boost::random::uniform_int_distribution<std::size_t>(0, last - 1)(random)]);
  return order;
}

/// The cells that have a trial in `block`: those with fewer trials drop out of the later blocks.
std::vector<std::size_t> cells_of(int block, const std::vector<int>& trials) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < trials.size(); ++cell)
    if (block < trials[cell])
      cells.push_back(cell);
  return cells;
}

RunRecord record_of(const Plan& plan, const std::vector<std::string>& marks) {
  RunRecord record;
  record.plan = plan.toml();
  record.plan_digest = plan.digest();
  record.seed = plan.seed();
  record.label = plan.label();
  record.started_at_ns = now_ns();
  record.marks = marks;
  return record;
}

/// Marks the run as failed; where even that cannot be written, the error that is on its way tells
/// more.
void end_as_failed(Store& store, std::int64_t run) noexcept {
  try {
    store.end_run(run, RunRecord::Ending::failed);
  } catch (const std::exception&) {
  }
}

/// Every workload's needs, looked at before anything starts. Throws Unavailable with all that is
/// lacking.
void check_needs(const std::vector<Cell>& cells) {
  std::set<std::string> sentences;
  for (const auto& cell : cells)
    for (const auto& sentence : lacking(needs_of(cell.workload, cell.parameters)))
      sentences.insert(fmt::format("workload {} {}: {}", cell.workload, cell.parameters, sentence));
  if (!sentences.empty())
    throw Unavailable(fmt::format("{}", fmt::join(sentences, "\n")));
}

/// How long to wait for a cell's trial: a workload that runs for a time of its own has that first.
Patience patience_for(const Cell& cell, const Plan& plan, const Runner::Listener& listener) {
  return {plan.deadline() + needs_of(cell.workload, cell.parameters).time, listener.interrupted};
}

TrialRecord executed(const Cell& cell, const Preparation& preparation, const Site& site,
                     const Patience& patience) {
  const auto command = launched_command(cell.workload, cell.parameters);
  return command.empty() ? run_trial(cell, preparation, site, patience)
                         : run_launched_trial(cell, command, preparation, site, patience);
}

/// Counters that count nothing, of the events of commands that trials execute themselves. While one
/// is open, the kernel need not patch its own code at each trial's begin and end, which stops all
/// CPUs and can take longer than the command does.
std::vector<CounterGroup> idle_counters(const Machine& machine, const std::vector<Cell>& cells,
                                        const Preparations& preparations) {
  std::vector<CounterGroup> idle;
  std::set<std::string> passes;
  for (const auto& cell : cells)
    if (machine.counting.cpu_wide && cell.counting == "task" &&
        !launched_command(cell.workload, cell.parameters).empty() &&
        passes.insert(cell.pass).second)
      idle.push_back(CounterGroup::on_cpus(*machine.perf, preparations.of(cell).pass.events(),
                                           CpuSet({machine.allowed.cpus().front()})));
  return idle;
}

/// The trials that are on their way to the store.
///
/// Each goes there by itself, and is then told to the listener, unless the listener can wait: then
/// what ended meanwhile goes together.
class Deliveries {
public:
  Deliveries(Store& store, std::int64_t run, const Runner::Listener& listener)
      : store_(store), run_(run), listener_(listener) {}

  void add(TrialRecord trial, std::int64_t done, std::int64_t total, std::chrono::seconds left) {
    trials_.push_back(std::move(trial));
    last_ = {done, total, left};
    if (steady_clock::now() - delivered_ >= listener_.delivery)
      deliver();
  }

  /// Throws StoreError; what it could not deliver it forgets.
  void deliver() {
    const auto trials = std::exchange(trials_, {});
    if (!trials.empty())
      store_.add_trials(run_, trials);
    delivered_ = steady_clock::now();
    const auto behind = static_cast<std::int64_t>(trials.size());
    for (std::int64_t at = 0; listener_.on_trial && at < behind; ++at)
      listener_.on_trial({run_, trials[static_cast<std::size_t>(at)], last_.done - behind + at + 1,
                          last_.total, last_.left});
  }

private:
  struct Last {
    std::int64_t done = 0, total = 0;
    std::chrono::seconds left{0};
  };
  Store& store_;
  const std::int64_t run_;
  const Runner::Listener& listener_;
  std::vector<TrialRecord> trials_;
  Last last_;
  steady_clock::time_point delivered_ = steady_clock::now();
};

bool wants_group(const Cell& cell) {
  return Bandwidth::parse(cell.bandwidth).has_group();
}

} // namespace

Runner::Feasible Runner::feasible(const Plan& plan) const {
  Feasible feasible{plan.cells(machine_.counting.default_counting()), {}};
  for (const auto& placement : plan.placements())
    machine_.place(placement);

  if (!machine_.groups && std::any_of(feasible.cells.begin(), feasible.cells.end(), wants_group)) {
    if (::geteuid() == 0)
      throw Unavailable(*machine_.no_groups);
    std::erase_if(feasible.cells, wants_group);
    if (feasible.cells.empty())
      throw Unavailable(*machine_.no_groups);
    feasible.marks.push_back("cells with a control group are left out: " +
                             machine_.no_groups->why());
  }
  for (const auto& cell : feasible.cells)
    if (cell.counting == "task" && !machine_.counting.cpu_wide) {
      feasible.marks.push_back("counted by task: this user may not count CPUs");
      break;
    }
  check_needs(feasible.cells);
  if (!build_info().may_measure())
    feasible.marks.push_back(fmt::format("measured by a {} build", build_info().build_type));
  return feasible;
}

RunOutcome Runner::run(const Plan& plan, const std::filesystem::path& store_path,
                       const Listener& listener) {
  auto [cells, marks] = feasible(plan);
  const MachineLock lock;
  cells = in_passes_that_fit(machine_, cells, marks);
  const Preparations preparations(machine_, cells);
  Store store(store_path, Store::Access::write);
  std::optional<CgroupSubtree> subtree;
  if (std::any_of(cells.begin(), cells.end(), wants_group))
    subtree.emplace(*machine_.groups);

  const auto run =
      store.begin_run(store.add_boot(this_boot(machine_)), record_of(plan, marks), cells);
  store.add_encodings(run, preparations.encodings());
  if (listener.on_begin)
    listener.on_begin(marks);
  RunOutcome outcome{run, RunRecord::Ending::finished, {}, {}};
  try {
    carry_out(plan, cells, preparations, subtree ? &*subtree : nullptr, store, listener, outcome);
  } catch (const Interrupted&) {
    outcome.ending = RunRecord::Ending::interrupted;
  } catch (...) {
    end_as_failed(store, run);
    throw;
  }
  store.end_run(run, outcome.ending);
  return outcome;
}

void Runner::carry_out(const Plan& plan, const std::vector<Cell>& cells,
                       const Preparations& preparations, const CgroupSubtree* subtree, Store& store,
                       const Listener& listener, RunOutcome& outcome) {
  const StandAside aside(machine_.allowed, preparations.measured_cpus());
  Symbols symbols;
  const auto idle = idle_counters(machine_, cells, preparations);
  const Site site{machine_, subtree, &symbols};
  boost::random::mt19937_64 random(plan.seed());
  std::vector<int> trials; // of each cell
  for (const auto& cell : cells)
    trials.push_back(plan.warm_up() + plan.repeat_of(cell));
  Pace pace(trials);
  Deliveries deliveries(store, outcome.run, listener);
  std::set<std::size_t> with_result;
  const auto blocks = *std::max_element(trials.begin(), trials.end());
  const auto total = std::accumulate(trials.begin(), trials.end(), std::int64_t{0});
  std::int64_t done = 0;

  try {
    for (int block = 0; block < blocks; ++block) {
      auto order = shuffled(cells_of(block, trials), random);
      for (int position = 0; !order.empty(); ++position) {
        if (listener.interrupted && listener.interrupted())
          throw Interrupted();
        const auto index = order.back();
        order.pop_back();

        const auto began = steady_clock::now();
        auto trial = executed(cells[index], preparations.of(cells[index]), site,
                              patience_for(cells[index], plan, listener));
        trial.block = block;
        trial.position = position;
        trial.purpose = block < plan.warm_up() ? Purpose::warm_up : Purpose::measured;

        outcome.trials.add(trial);
        if (trial.purpose == Purpose::measured && trial.validity == Validity::valid)
          with_result.insert(index);
        pace.add(index, steady_clock::now() - began);
        deliveries.add(std::move(trial), ++done, total, pace.left());
      }
    }
  } catch (...) { // what has ended is kept, whatever ends the run
    deliveries.deliver();
    throw;
  }
  deliveries.deliver();
  for (std::size_t index = 0; index < cells.size(); ++index)
    if (!with_result.contains(index))
      outcome.without_result.push_back(cells[index]);
}

} // namespace schedrig
