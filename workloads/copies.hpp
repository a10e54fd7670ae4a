#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pinning/fd.hpp"
#include "workloads/catalogue.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/parts/start_line.hpp"

namespace schedrig {

/// Several copies of one workload at once, reported as one.
///
/// Stands for a machine on which everybody does the same: what a load does alone, it does beside
/// its like, for CPUs, caches and the kernel's locks. Copies know nothing of each other; what a
/// better scheduler changes is their sum and how even they are.
///
/// Each copy is a Child that prepares, runs and finishes a workload of its own, on the placement
/// turned by its number: its task 0 is where the placement's task of that number would be. This
/// process only waits. Copies start together, and none tears down before all are done. One that
/// dies, throws, or does not come long after another did ends all: what() names it.
class Copies final : public Workload {
public:
  /// `copies` of what `make` makes, which is called in each of them. A copy is waited for until ten
  /// times as long as the first one took, and at least for `patience`.
  Copies(std::size_t copies, std::function<std::unique_ptr<Workload>()> make,
         std::chrono::milliseconds patience = std::chrono::minutes(1));

  void prepare(const Placement& placement) override;
  void run() override;
  /// Sums of work, usage, migrations and the workload's own figures, which have to be rates; the
  /// time from the common start to the end of the last copy; what each copy did as a task of its
  /// number; its broken invariants as "copy 3: ...".
  WorkReport finish() override;

private:
  enum Stage { preparing, ready, done, reported };

  /// What a copy tells of itself.
  struct Account {
    std::atomic<Stage> stage = preparing;
    std::atomic<bool> failed = false;         ///< its text says why, else it is its report
    std::int64_t end_ns = 0;                  ///< CLOCK_MONOTONIC, after its last unit
    std::int64_t text_at = 0, text_bytes = 0; ///< in `texts_`
  };

  void live(std::size_t copy);
  void reach(std::size_t copy, Stage stage);
  void tell(std::size_t copy, const std::string& text);
  void await(Stage stage);
  void throw_if_any_ended();
  void throw_if_any_hangs(Stage stage);
  [[noreturn]] void fail(std::size_t copy);
  std::string text_of(std::size_t copy) const;

  const std::function<std::unique_ptr<Workload>()> make_;
  const std::chrono::milliseconds patience_;
  std::optional<Placement> placement_;
  std::array<StartLine, 3> lines_; ///< where copies that are ready, done, and reported wait
  SharedArray<Account> accounts_;
  Fd texts_;                                    ///< a file in memory; each copy writes its own part
  Shared<std::atomic<std::int64_t>> texts_end_; ///< the next part begins here
  std::chrono::steady_clock::time_point start_, awaiting_since_;
  std::optional<std::chrono::nanoseconds> first_took_; ///< to the stage that is awaited
  std::vector<Child> children_;                        ///< killed before the rest goes
};

/// `entry` with the parameter "copies", 1 to 1000: above 1 it runs as Copies, and needs as many
/// times as much. With 1 it is what it was. For workloads that leave "copies" free and whose own
/// figures are rates.
WorkloadEntry with_copies(WorkloadEntry entry);

} // namespace schedrig
