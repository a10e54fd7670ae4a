#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/record/cell.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

/// The declared experiment: lists whose product is the cells, and how often and in which order they
/// run.
///
/// The command line and a plan file make the same Plan; `toml()` is its canonical text, which the
/// store keeps and digests. All lists hold canonical texts and are never empty; every member is
/// checked before a Plan exists.
class Plan {
public:
  /// How cells are counted: on the placement's CPUs, by task, by control group, on all CPUs that
  /// are online, not at all, or (auto) on the CPUs where this user may and by task elsewhere.
  static constexpr std::string_view countings[] = {"auto",   "cpu",    "task",
                                                   "cgroup", "system", "off"};
  static constexpr std::string_view usual_pass = "cycles,instructions,branches";
  static constexpr std::size_t most_cells = 100'000;
  static constexpr int most_repeats = 1'000'000;
  static constexpr int most_warm_ups = 1'000;
  static constexpr std::chrono::seconds most_deadline{24 * 3600};

  /// What is asked for, as people write it. Empty lists and absent numbers take what is usual.
  struct Wish {
    std::vector<std::string> workloads;  ///< phrases: "pipe-ping-pong loops=1000,100000"
    std::vector<std::string> placements; ///< usual: same-cpu; all for experiments
    std::vector<std::string> bandwidths; ///< usual: none
    std::vector<std::string> countings;  ///< usual: auto
    std::vector<std::string>
        passes;                 ///< lists of events by commas; usual: cycles,instructions,branches
    std::optional<int> repeat;  ///< measured trials of each cell; usual: 10, or the experiment's
    std::optional<int> warm_up; ///< trials of each cell before these; usual: 1; 0 for experiments
    std::optional<std::uint64_t>
        seed; ///< of the order; usual: chosen at random when the Plan is made
    std::optional<std::chrono::seconds> deadline; ///< for each step of a trial; usual: 5 minutes
    std::string label;                            ///< the user's name for the run
    bool profile = false; ///< each cell is sampled too, in trials of its own
  };

  /// Throws BadInput that names the thing, what stood there, and what is allowed. Whether this
  /// machine has the CPUs is not asked here; how many this process may use is, where an experiment
  /// (unixbench) has as many copies, and the Plan then says the number.
  explicit Plan(const Wish& wish);

  /// Every combination once, in the order of the lists, bandwidth turning fastest. `automatic` is
  /// what counting "auto" comes to. With `profile`, profile_pass is one more pass, where "off" is
  /// sampled as "auto" is.
  std::vector<Cell> cells(std::string_view automatic) const;
  std::string toml() const;   ///< a plan file that makes this same Plan
  std::string digest() const; ///< SHA-256 of toml(), hex

  const std::vector<std::string>& placements() const noexcept { return placements_; }
  const std::vector<std::string>& bandwidths() const noexcept { return bandwidths_; }
  int repeat() const noexcept { return repeat_; } ///< of cells that are of no experiment
  int repeat_of(const Cell& cell) const;          ///< measured trials of this cell of the plan
  int warm_up() const noexcept { return warm_up_; }
  std::uint64_t seed() const noexcept { return seed_; }
  std::chrono::seconds deadline() const noexcept { return deadline_; }
  const std::string& label() const noexcept { return label_; }
  bool profile() const noexcept { return profile_; }

private:
  /// Workloads with their parameters, as cells have them.
  using Load = std::pair<std::string, std::string>;
  void take_apart(WorkloadPhrase& phrase);

  std::vector<WorkloadPhrase> workloads_; ///< as they are written
  std::vector<WorkloadPhrase> parts_;     ///< the same with the parts of experiments in their place
  std::map<Load, int> trials_;            ///< of the parts of experiments
  std::vector<std::string> placements_, bandwidths_, countings_, passes_;
  int repeat_, warm_up_;
  std::uint64_t seed_;
  std::chrono::seconds deadline_;
  std::string label_;
  bool profile_;
};

} // namespace schedrig
