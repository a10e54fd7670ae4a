#include "results/store/store.hpp"

#include <bit>
#include <cerrno>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "results/store/database.hpp"
#include "results/store/names.hpp"
#include "results/store/schema.hpp"
#include "results/store/selected_readings.hpp"
#include "results/store/words.hpp"

namespace schedrig {
namespace {

using Kind = Transaction::Kind;

[[noreturn]] void refuse_record(const Database& database, int error, const std::string& why) {
  throw StoreError(error, database.path(), fmt::format("{}: {}", database.path().string(), why));
}

Database opened_for_writing(const std::filesystem::path& path, std::chrono::milliseconds timeout) {
  Database database(path, Database::Mode::create, timeout);
  database.require_writable();
  migrate(database);
  // WAL lets others read while a run writes; FULL syncs it at every commit, not only now and then.
  database.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  return database;
}

Database opened_for_reading(const std::filesystem::path& path, std::chrono::milliseconds timeout) {
  const auto prepare = [](Database database) {
    database.execute("PRAGMA temp_store = MEMORY");
    read_as_current(database);
    database.execute("PRAGMA query_only = ON");
    return database;
  };
  Database database(path, Database::Mode::existing, timeout);
  try {
    return prepare(std::move(database));
  } catch (const StoreError& error) {
    if (error.error() != EACCES && error.error() != EROFS)
      throw;
    // Even readers write the shared index beside a WAL file, which is forbidden here.
    return prepare(Database::snapshot(path));
  }
}

std::int64_t kernel_build_id(const Database& database, const KernelBuild& kernel) {
  database
      .statement("INSERT INTO kernel_build (build_id, release, version, config_digest)"
                 " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")
      .bind(kernel.build_id, kernel.release, kernel.version, kernel.config_digest)
      .run();
  Statement query = database.statement("SELECT id FROM kernel_build WHERE build_id = ?1 AND"
                                       " release = ?2 AND version = ?3 AND config_digest = ?4");
  query.bind(kernel.build_id, kernel.release, kernel.version, kernel.config_digest).step();
  return query.integer(0);
}

void require_finite(const Database& database, const Metric& metric, double value) {
  if (!std::isfinite(value))
    refuse_record(database, EINVAL, fmt::format("{} is {}, not a number", metric.name, value));
}

void require_keepable(const Database& database, const ProfileRecord& profile) {
  std::int64_t samples = 0;
  for (const auto& [function, count] : profile.functions) {
    if (count < 1)
      refuse_record(database, EINVAL, fmt::format("{} has {} samples", function.name, count));
    samples += count;
  }
  if (samples != profile.samples || profile.lost < 0 || profile.period < 1)
    refuse_record(
        database, EINVAL,
        fmt::format("a profile of {} samples, one in {}, {} lost, whose functions have {}",
                    profile.samples, profile.period, profile.lost, samples));
}

void require_keepable(const Database& database, const TrialRecord& trial) {
  if (!std::isfinite(trial.work) || trial.work < 0)
    refuse_record(database, EINVAL, fmt::format("a trial's work is {}", trial.work));
  for (const auto& [metric, value] : trial.readings) {
    require_finite(database, metric, value);
    if (trial.validity == TrialRecord::Validity::valid && trial.work == 0 &&
        metric.extent == Metric::Extent::per_work)
      refuse_record(database, EINVAL,
                    fmt::format("{} is counted per {}, but the trial did none", metric.name,
                                trial.work_unit));
  }
  for (const TaskReading& reading : trial.task_readings)
    require_finite(database, reading.metric, reading.value);
  if (trial.profile)
    require_keepable(database, *trial.profile);
}

bool in_plan(const Database& database, std::int64_t run, std::int64_t cell) {
  Statement query = database.statement("SELECT 1 FROM plan_cell WHERE run = ?1 AND cell = ?2");
  return query.bind(run, cell).step();
}

void insert_readings(const Database& database, std::int64_t trial_id, const TrialRecord& trial) {
  Statement insert = database.statement("INSERT INTO reading (trial, metric, value)"
                                        " VALUES (?1, ?2, ?3)");
  for (const auto& [metric, value] : trial.readings)
    insert.bind(trial_id, metric_id(database, metric), value).run();

  Statement insert_task =
      database.statement("INSERT INTO task_reading (trial, task, cpu, metric, value)"
                         " VALUES (?1, ?2, ?3, ?4, ?5)");
  for (const TaskReading& reading : trial.task_readings)
    insert_task
        .bind(trial_id, reading.task, reading.cpu, metric_id(database, reading.metric),
              reading.value)
        .run();
}

void insert_profile(const Database& database, std::int64_t trial_id, const ProfileRecord& profile) {
  database
      .statement("INSERT INTO profile (trial, event, period, samples, lost)"
                 " VALUES (?1, ?2, ?3, ?4, ?5)")
      .bind(trial_id, profile.event, profile.period, profile.samples, profile.lost)
      .run();
  Statement name = database.statement("INSERT INTO sampled_function (name, object, mode)"
                                      " VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING");
  Statement insert = database.statement("INSERT INTO profile_share (trial, function, samples)"
                                        " SELECT ?1, id, ?5 FROM sampled_function"
                                        " WHERE name = ?2 AND object = ?3 AND mode = ?4");
  for (const auto& [function, samples] : profile.functions) {
    const auto mode = stored_word(function.mode);
    name.bind(function.name, function.object, mode).run();
    insert.bind(trial_id, function.name, function.object, mode, samples).run();
  }
}

void insert_encoding(const Database& database, std::int64_t run, std::int64_t cell,
                     const EventEncoding& encoding) {
  database
      .statement("INSERT OR REPLACE INTO cell_encoding (run, cell, name, full_name, pmu, type,"
                 " config, config1, config2, scale, unit)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
      .bind(run, cell, encoding.name, encoding.full_name, encoding.pmu, std::int64_t{encoding.type},
            std::bit_cast<std::int64_t>(encoding.config),
            std::bit_cast<std::int64_t>(encoding.config1),
            std::bit_cast<std::int64_t>(encoding.config2), encoding.scale, encoding.unit)
      .run();
}

void insert_notes(const Database& database, std::int64_t trial_id,
                  const std::vector<std::string>& notes) {
  int position = 0;
  for (const std::string& note : notes) {
    database.statement("INSERT INTO note (text) VALUES (?1) ON CONFLICT DO NOTHING")
        .bind(note)
        .run();
    database
        .statement("INSERT INTO trial_note (trial, position, note)"
                   " SELECT ?1, ?2, id FROM note WHERE text = ?3")
        .bind(trial_id, position++, note)
        .run();
  }
}

void insert_marks(const Database& database, std::int64_t run,
                  const std::vector<std::string>& marks) {
  Statement insert =
      database.statement("INSERT INTO mark (run, position, text)"
                         " SELECT ?1, ifnull(max(position), -1) + 1, ?2 FROM mark WHERE run = ?1");
  for (const std::string& mark : marks)
    insert.bind(run, mark).run();
}

Environment environment_of(const Database& database, std::int64_t boot) {
  Environment environment;
  Statement query = database.statement("SELECT fact, value FROM environment WHERE boot = ?1");
  query.bind(boot);
  while (query.step())
    environment.emplace(query.text(0), query.text(1));
  return environment;
}

StoredBoot boot_of(const Database& database, const Statement& row) {
  StoredBoot stored;
  stored.id = row.integer(0);
  stored.boot.boot_id = row.text(1);
  stored.boot.machine = row.text(2);
  stored.boot.host = row.text(3);
  stored.boot.kernel = {row.text(4), row.text(5), row.text(6), row.text(7)};
  stored.boot.environment = environment_of(database, stored.id);
  return stored;
}

/// What makes two readings of one boot the same: all but the time that has passed.
Boot without_uptime(Boot boot) {
  boot.environment.erase("uptime");
  return boot;
}

constexpr auto boots_sql =
    "SELECT boot.id, boot_id, machine, host, build_id, release, version, config_digest"
    " FROM boot JOIN kernel_build ON kernel_build.id = boot.kernel_build"
    " WHERE (?1 = 0 OR boot.id = ?1) AND (?2 = '' OR boot_id = ?2) ORDER BY boot.id";

/// The boots of that number or boot id; 0 and "" restrict nothing.
std::vector<StoredBoot> boots_where(const Database& database, std::int64_t id,
                                    std::string_view boot_id) {
  std::vector<StoredBoot> boots;
  Statement query = database.statement(boots_sql);
  query.bind(id, boot_id);
  while (query.step())
    boots.push_back(boot_of(database, query));
  return boots;
}

constexpr auto runs_sql =
    "SELECT run.id, boot, plan, plan_digest, seed, label, run.started_at_ns, ending,"
    " count(*) FILTER (WHERE purpose = 'measured' AND validity = 'valid'),"
    " count(*) FILTER (WHERE purpose = 'measured' AND validity = 'invalid'),"
    " count(*) FILTER (WHERE purpose = 'measured' AND validity = 'failed'),"
    " count(*) FILTER (WHERE purpose = 'warm_up'),"
    " ifnull(min(trial.started_at_ns), 0), ifnull(max(trial.started_at_ns), 0)"
    " FROM run LEFT JOIN trial ON trial.run = run.id"
    " WHERE run.id BETWEEN ?1 AND ?2 GROUP BY run.id ORDER BY run.id";

/// The runs numbered `first` to `last`.
std::vector<StoredRun> runs_between(const Database& database, std::int64_t first,
                                    std::int64_t last) {
  std::vector<StoredRun> runs;
  Statement query = database.statement(runs_sql);
  query.bind(first, last);
  while (query.step()) {
    StoredRun stored;
    stored.id = query.integer(0);
    stored.boot = query.integer(1);
    stored.record.plan = query.text(2);
    stored.record.plan_digest = query.text(3);
    stored.record.seed = std::bit_cast<std::uint64_t>(query.integer(4));
    stored.record.label = query.text(5);
    stored.record.started_at_ns = query.integer(6);
    stored.record.ending = from_stored_word<RunRecord::Ending>(query.text_view(7));
    stored.trials = {query.integer(8), query.integer(9), query.integer(10), query.integer(11)};
    stored.first_trial_at_ns = query.integer(12);
    stored.last_trial_at_ns = query.integer(13);
    Statement marks = database.statement("SELECT text FROM mark WHERE run = ?1 ORDER BY position");
    marks.bind(stored.id);
    while (marks.step())
      stored.record.marks.push_back(marks.text(0));
    runs.push_back(std::move(stored));
  }
  return runs;
}

EventEncoding encoding_of(const Statement& row) {
  return {row.text(0),
          row.text(1),
          row.text(2),
          static_cast<std::uint32_t>(row.integer(3)),
          std::bit_cast<std::uint64_t>(row.integer(4)),
          std::bit_cast<std::uint64_t>(row.integer(5)),
          std::bit_cast<std::uint64_t>(row.integer(6)),
          row.text(7),
          row.text(8)};
}

/// Calls `append` on the trial that each row of `query` belongs to; both are ordered by trial.
template <typename Append>
void for_each_of_trials(std::vector<StoredTrial>& trials, Statement& query, Append append) {
  auto trial = trials.begin();
  while (query.step()) {
    while (trial->id != query.integer(0))
      ++trial;
    append(trial->record);
  }
}

void read_readings(const Database& database, std::int64_t run, std::vector<StoredTrial>& trials) {
  const auto metrics = all_metrics(database);
  Statement query = database.statement(
      "SELECT trial, metric, value FROM trial JOIN reading ON reading.trial = trial.id"
      " WHERE run = ?1 ORDER BY trial.id, metric");
  query.bind(run);
  for_each_of_trials(trials, query, [&](TrialRecord& trial) {
    trial.readings.push_back({metrics.at(query.integer(1)), query.real(2)});
  });
  Statement tasks =
      database.statement("SELECT trial, task, cpu, metric, value FROM trial"
                         " JOIN task_reading ON task_reading.trial = trial.id WHERE run = ?1"
                         " ORDER BY trial.id, task, metric");
  tasks.bind(run);
  for_each_of_trials(trials, tasks, [&](TrialRecord& trial) {
    trial.task_readings.push_back({static_cast<int>(tasks.integer(1)),
                                   static_cast<int>(tasks.integer(2)), metrics.at(tasks.integer(3)),
                                   tasks.real(4)});
  });
}

void read_profiles(const Database& database, std::int64_t run, std::vector<StoredTrial>& trials) {
  Statement query = database.statement(
      "SELECT trial.id, event, period, samples, lost FROM trial"
      " JOIN profile ON profile.trial = trial.id WHERE run = ?1 ORDER BY trial.id");
  query.bind(run);
  for_each_of_trials(trials, query, [&](TrialRecord& trial) {
    trial.profile =
        ProfileRecord{query.text(1), query.integer(2), query.integer(3), query.integer(4), {}};
  });
  Statement shares = database.statement(
      "SELECT trial.id, name, object, mode, samples FROM trial"
      " JOIN profile_share AS share ON share.trial = trial.id"
      " JOIN sampled_function AS function ON function.id = share.function WHERE run = ?1"
      " ORDER BY trial.id, samples DESC, name, object");
  shares.bind(run);
  for_each_of_trials(trials, shares, [&](TrialRecord& trial) {
    trial.profile->functions.push_back(
        {{shares.text(1), shares.text(2),
          from_stored_word<SampledFunction::Mode>(shares.text_view(3))},
         shares.integer(4)});
  });
}

} // namespace

Store::Store(const std::filesystem::path& path, Access access,
             std::chrono::milliseconds busy_timeout)
    : database_(std::make_unique<Database>(access == Access::write
                                               ? opened_for_writing(path, busy_timeout)
                                               : opened_for_reading(path, busy_timeout))) {}

Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::filesystem::path& Store::path() const noexcept {
  return database_->path();
}

std::int64_t Store::add_boot(const Boot& boot) {
  Transaction transaction(*database_, Kind::write);
  const Boot wanted = without_uptime(boot);
  for (StoredBoot& known : boots_where(*database_, 0, boot.boot_id))
    if (without_uptime(std::move(known.boot)) == wanted)
      return known.id;

  database_
      ->statement("INSERT INTO boot (kernel_build, boot_id, machine, host) VALUES (?1, ?2, ?3, ?4)")
      .bind(kernel_build_id(*database_, boot.kernel), boot.boot_id, boot.machine, boot.host)
      .run();
  const std::int64_t id = database_->last_id();
  Statement insert =
      database_->statement("INSERT INTO environment (boot, fact, value) VALUES (?1, ?2, ?3)");
  for (const auto& [fact, value] : boot.environment)
    insert.bind(id, fact, value).run();
  transaction.commit();
  return id;
}

std::int64_t Store::begin_run(std::int64_t boot, const RunRecord& run,
                              const std::vector<Cell>& cells_in_plan_order) {
  Transaction transaction(*database_, Kind::write);
  if (boots_where(*database_, boot, "").size() != 1)
    refuse_record(*database_, EINVAL, fmt::format("there is no boot {} to run in", boot));
  database_
      ->statement("INSERT INTO run (boot, plan, plan_digest, seed, label, started_at_ns, ending)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      .bind(boot, run.plan, run.plan_digest, std::bit_cast<std::int64_t>(run.seed), run.label,
            run.started_at_ns, stored_word(run.ending))
      .run();
  const std::int64_t id = database_->last_id();
  insert_marks(*database_, id, run.marks);
  if (std::set(cells_in_plan_order.begin(), cells_in_plan_order.end()).size() !=
      cells_in_plan_order.size())
    refuse_record(*database_, EINVAL, "a plan names a cell twice");
  Statement insert =
      database_->statement("INSERT INTO plan_cell (run, position, cell) VALUES (?1, ?2, ?3)");
  int position = 0;
  for (const Cell& cell : cells_in_plan_order)
    insert.bind(id, position++, cell_id(*database_, cell)).run();
  transaction.commit();
  return id;
}

void Store::add_encoding(std::int64_t run, const EventEncoding& encoding) {
  Transaction transaction(*database_, Kind::write);
  Statement query = database_->statement("SELECT cell FROM plan_cell WHERE run = ?1");
  query.bind(run);
  while (query.step())
    insert_encoding(*database_, run, query.integer(0), encoding);
  transaction.commit();
}

void Store::add_encodings(std::int64_t run,
                          const std::map<Cell, std::vector<EventEncoding>>& encodings) {
  Transaction transaction(*database_, Kind::write);
  for (const auto& [cell, of_cell] : encodings) {
    const std::int64_t id = cell_id(*database_, cell);
    if (!in_plan(*database_, run, id))
      refuse_record(*database_, EINVAL,
                    fmt::format("an event's cell is not in the plan of run {}", run));
    for (const EventEncoding& encoding : of_cell)
      insert_encoding(*database_, run, id, encoding);
  }
  transaction.commit();
}

std::int64_t Store::add_trial(std::int64_t run, const TrialRecord& trial) {
  Transaction transaction(*database_, Kind::write);
  const auto id = insert_trial(run, trial);
  transaction.commit();
  return id;
}

void Store::add_trials(std::int64_t run, std::span<const TrialRecord> trials) {
  Transaction transaction(*database_, Kind::write);
  for (const auto& trial : trials)
    insert_trial(run, trial);
  transaction.commit();
}

std::int64_t Store::insert_trial(std::int64_t run, const TrialRecord& trial) {
  require_keepable(*database_, trial);
  const std::int64_t cell = cell_id(*database_, trial.cell);
  if (!in_plan(*database_, run, cell))
    refuse_record(*database_, EINVAL,
                  fmt::format("a trial's cell is not in the plan of run {}", run));
  database_
      ->statement("INSERT INTO trial (run, cell, block, position, purpose, validity, reason, cpus,"
                  " work_unit, started_at_ns, work)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")
      .bind(run, cell, trial.block, trial.position, stored_word(trial.purpose),
            stored_word(trial.validity), trial.reason, trial.cpus, trial.work_unit,
            trial.started_at_ns, trial.work)
      .run();
  const std::int64_t id = database_->last_id();
  insert_readings(*database_, id, trial);
  if (trial.profile)
    insert_profile(*database_, id, *trial.profile);
  insert_notes(*database_, id, trial.notes);
  return id;
}

void Store::end_run(std::int64_t run, RunRecord::Ending ending,
                    const std::vector<std::string>& marks) {
  Transaction transaction(*database_, Kind::write);
  Statement update = database_->statement("UPDATE run SET ending = ?2 WHERE id = ?1 RETURNING id");
  if (!update.bind(run, stored_word(ending)).step())
    refuse_record(*database_, EINVAL, fmt::format("there is no run {} to end", run));
  update.run();
  insert_marks(*database_, run, marks);
  transaction.commit();
}

std::vector<StoredBoot> Store::boots() const {
  const Transaction moment(*database_, Kind::read);
  return boots_where(*database_, 0, "");
}

StoredBoot Store::boot(std::int64_t id) const {
  const Transaction moment(*database_, Kind::read);
  auto boots = boots_where(*database_, id, "");
  if (id == 0 || boots.empty())
    refuse_record(*database_, ENOENT, fmt::format("there is no boot {}", id));
  return std::move(boots.front());
}

std::vector<StoredRun> Store::runs() const {
  const Transaction moment(*database_, Kind::read);
  return runs_between(*database_, 1, std::numeric_limits<std::int64_t>::max());
}

StoredRun Store::run(std::int64_t id) const {
  const Transaction moment(*database_, Kind::read);
  auto runs = runs_between(*database_, id, id);
  if (runs.empty())
    refuse_record(*database_, ENOENT, fmt::format("there is no run {}", id));
  return std::move(runs.front());
}

std::optional<std::int64_t> Store::latest_run() const {
  Statement query = database_->statement("SELECT id FROM run ORDER BY id DESC LIMIT 1");
  return query.step() ? std::optional(query.integer(0)) : std::nullopt;
}

std::vector<Cell> Store::cells(std::int64_t run) const {
  std::vector<Cell> cells;
  Statement query = database_->statement(
      "SELECT workload, parameters, placement, bandwidth, counting, pass FROM plan_cell"
      " JOIN cell ON cell.id = plan_cell.cell WHERE run = ?1 ORDER BY position");
  query.bind(run);
  while (query.step())
    cells.push_back(
        {query.text(0), query.text(1), query.text(2), query.text(3), query.text(4), query.text(5)});
  return cells;
}

std::vector<EventEncoding> Store::encodings(std::int64_t run) const {
  std::vector<EventEncoding> encodings;
  Statement query = database_->statement(
      "SELECT DISTINCT name, full_name, pmu, type, config, config1, config2, scale, unit"
      " FROM cell_encoding WHERE run = ?1 ORDER BY name, pmu, config");
  query.bind(run);
  while (query.step())
    encodings.push_back(encoding_of(query));
  return encodings;
}

std::vector<EventEncoding> Store::encodings(std::int64_t run, const Cell& cell) const {
  std::vector<EventEncoding> encodings;
  Statement query = database_->statement(
      "SELECT name, full_name, pmu, type, config, config1, config2, scale, unit FROM cell_encoding"
      " WHERE run = ?1 AND cell = (SELECT id FROM cell WHERE workload = ?2 AND parameters = ?3"
      " AND placement = ?4 AND bandwidth = ?5 AND counting = ?6 AND pass = ?7) ORDER BY name");
  query.bind(run, cell.workload, cell.parameters, cell.placement, cell.bandwidth, cell.counting,
             cell.pass);
  while (query.step())
    encodings.push_back(encoding_of(query));
  return encodings;
}

std::vector<StoredTrial> Store::trials(std::int64_t run, Detail detail) const {
  const Transaction moment(*database_, Kind::read);
  std::vector<StoredTrial> trials;
  Statement query = database_->statement(
      "SELECT trial.id, workload, parameters, placement, bandwidth, counting, pass, block,"
      " position, purpose, validity, reason, cpus, work_unit, started_at_ns, work"
      " FROM trial JOIN cell ON cell.id = trial.cell WHERE run = ?1 ORDER BY trial.id");
  query.bind(run);
  while (query.step()) {
    StoredTrial stored;
    stored.id = query.integer(0);
    stored.run = run;
    TrialRecord& trial = stored.record;
    trial.cell = {query.text(1), query.text(2), query.text(3),
                  query.text(4), query.text(5), query.text(6)};
    trial.block = static_cast<int>(query.integer(7));
    trial.position = static_cast<int>(query.integer(8));
    trial.purpose = from_stored_word<TrialRecord::Purpose>(query.text_view(9));
    trial.validity = from_stored_word<TrialRecord::Validity>(query.text_view(10));
    trial.reason = query.text(11);
    trial.cpus = query.text(12);
    trial.work_unit = query.text(13);
    trial.started_at_ns = query.integer(14);
    trial.work = query.real(15);
    trials.push_back(std::move(stored));
  }
  Statement notes = database_->statement(
      "SELECT trial.id, text FROM trial JOIN trial_note ON trial_note.trial = trial.id"
      " JOIN note ON note.id = trial_note.note WHERE run = ?1"
      " ORDER BY trial.id, trial_note.position");
  notes.bind(run);
  for_each_of_trials(trials, notes,
                     [&](TrialRecord& trial) { trial.notes.push_back(notes.text(1)); });
  if (detail == Detail::with_readings) {
    read_readings(*database_, run, trials);
    read_profiles(*database_, run, trials);
  }
  return trials;
}

ReadingColumns Store::readings(const Selection& selection) const {
  const Transaction moment(*database_, Kind::read);
  return selected_readings(*database_, selection);
}

} // namespace schedrig
