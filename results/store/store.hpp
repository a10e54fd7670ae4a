#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/boot.hpp"
#include "results/record/cell.hpp"
#include "results/record/encoding.hpp"
#include "results/record/run.hpp"
#include "results/record/trial.hpp"
#include "results/store/readings.hpp"
#include "results/store/store_error.hpp"
#include "results/store/stored.hpp"

namespace schedrig {

class Database;

/// The SQLite file that holds boots, runs and trials. Analysts may read it with any SQLite tool:
/// its view `observation` has one line a reading, with names and units.
///
/// A trial is in the store for good once it was added: also after a kill or a power
/// cut. Several programs may read while one writes. One Store belongs to one thread at a time, and
/// must not be used across fork. Every member throws StoreError, whose comment lists each errno.
class Store {
public:
  enum class Access {
    /// What the file holds is never changed. Of an older store, what it lacks is empty. Where the
    /// folder may not be written, a copy in memory of that moment is read.
    read,
    /// A store that does not exist is made; an older one is migrated, whole or not at all.
    write
  };

  /// Opens `path`. An operation waits up to `busy_timeout` for another program's lock.
  ///
  /// Throws StoreError: ENOENT if there is none to read, or no folder to make it in; EINVAL if it
  /// is not an SQLite file, another program's, or of a newer schema version (both versions are
  /// named); EACCES, EROFS, ENOSPC, EBUSY, EIO.
  explicit Store(const std::filesystem::path& path, Access access,
                 std::chrono::milliseconds busy_timeout = std::chrono::seconds(2));
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::filesystem::path& path() const noexcept;

  /// Keeps `boot` and returns its number: the present one where the same boot with the same
  /// environment is there already. The fact "uptime" is no part of "the same".
  std::int64_t add_boot(const Boot& boot);

  /// Begins a run of `cells_in_plan_order` within `boot` and returns its number. The order is the
  /// one in which the cells are listed and compared later. `run.ending` is kept as it is: usually
  /// unfinished. Throws EINVAL for a boot that is not in the store or a cell that is named twice.
  std::int64_t begin_run(std::int64_t boot, const RunRecord& run,
                         const std::vector<Cell>& cells_in_plan_order);

  /// Keeps what an event's name was resolved to in every cell of `run`, replacing an earlier
  /// encoding of the name.
  void add_encoding(std::int64_t run, const EventEncoding& encoding);

  /// Keeps what events were resolved to, cell by cell, in one transaction. Throws EINVAL, and keeps
  /// nothing, for a cell that is not in the run's plan.
  void add_encodings(std::int64_t run, const std::map<Cell, std::vector<EventEncoding>>& encodings);

  /// Keeps the trial whole, in one transaction that is on the disk when this returns, and returns
  /// its number. Throws EINVAL, and keeps nothing, for a run that is not in the store, a cell that
  /// is not in its plan, a metric named twice or with another meaning than the store knows it by, a
  /// value that is not finite, or a reading per work of a valid trial that did no work.
  std::int64_t add_trial(std::int64_t run, const TrialRecord& trial);

  /// The same for several trials of a run, all of them or none, in one transaction.
  void add_trials(std::int64_t run, std::span<const TrialRecord> trials);

  /// Marks the run as ended and adds `marks` to those it began with.
  void end_run(std::int64_t run, RunRecord::Ending ending,
               const std::vector<std::string>& marks = {});

  std::vector<StoredBoot> boots() const;           ///< in the order in which they were added
  StoredBoot boot(std::int64_t id) const;          ///< throws ENOENT when there is none
  std::vector<StoredRun> runs() const;             ///< in the order in which they were begun
  StoredRun run(std::int64_t id) const;            ///< throws ENOENT when there is none
  std::optional<std::int64_t> latest_run() const;  ///< the one that was begun last
  std::vector<Cell> cells(std::int64_t run) const; ///< in plan order
  std::vector<EventEncoding>
  encodings(std::int64_t run) const; ///< of all cells, each once, by name
  std::vector<EventEncoding> encodings(std::int64_t run, const Cell& cell) const; ///< by name

  enum class Detail { with_readings, without_readings };
  /// The run's trials in the order in which they ran.
  std::vector<StoredTrial> trials(std::int64_t run, Detail detail = Detail::with_readings) const;

  /// The selected readings; none is no error.
  ReadingColumns readings(const Selection& selection = {}) const;

private:
  std::int64_t insert_trial(std::int64_t run, const TrialRecord& trial); ///< within a transaction
  std::unique_ptr<Database> database_;
};

} // namespace schedrig
