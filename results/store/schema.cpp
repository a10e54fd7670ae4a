#include "results/store/schema.hpp"

#include <array>
#include <cerrno>
#include <cstdint>

#include <fmt/format.h>

#include "results/store/store_error.hpp"

namespace schedrig {
namespace {

/// "SRig": file(1) and we tell a store from other SQLite files by it.
constexpr std::int64_t application_id = 0x53526967;

struct Step {
  const char* migrate; ///< from the version before to this one
  const char*
      stand_in; ///< temporary tables that let an older store be read as if it had been migrated
};

// A step that was released is never changed: stores made by it are out there. Further ones follow
// it.
constexpr std::array steps = {
    Step{R"(
CREATE TABLE kernel_build (
  id INTEGER PRIMARY KEY,
  build_id TEXT NOT NULL,
  release TEXT NOT NULL,
  version TEXT NOT NULL,
  config_digest TEXT NOT NULL,
  UNIQUE (build_id, release, version, config_digest)
) STRICT;

CREATE TABLE boot (
  id INTEGER PRIMARY KEY,
  kernel_build INTEGER NOT NULL REFERENCES kernel_build,
  boot_id TEXT NOT NULL,
  machine TEXT NOT NULL,
  host TEXT NOT NULL
) STRICT;
CREATE INDEX boot_by_boot_id ON boot (boot_id);

CREATE TABLE environment (
  boot INTEGER NOT NULL REFERENCES boot,
  fact TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (boot, fact)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  boot INTEGER NOT NULL REFERENCES boot,
  plan TEXT NOT NULL,           -- canonical TOML
  plan_digest TEXT NOT NULL,    -- SHA-256 of plan
  seed INTEGER NOT NULL,        -- the bits of an unsigned number
  label TEXT NOT NULL,
  started_at_ns INTEGER NOT NULL, -- since 1970
  ending TEXT NOT NULL CHECK (ending IN ('unfinished', 'finished', 'interrupted', 'failed'))
) STRICT;

CREATE TABLE mark (
  run INTEGER NOT NULL REFERENCES run,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  workload TEXT NOT NULL,
  parameters TEXT NOT NULL,
  placement TEXT NOT NULL,
  bandwidth TEXT NOT NULL,
  counting TEXT NOT NULL,
  pass TEXT NOT NULL,
  UNIQUE (workload, parameters, placement, bandwidth, counting, pass)
) STRICT;

CREATE TABLE plan_cell (
  run INTEGER NOT NULL REFERENCES run,
  position INTEGER NOT NULL,
  cell INTEGER NOT NULL REFERENCES cell,
  PRIMARY KEY (run, position),
  UNIQUE (run, cell)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  unit TEXT NOT NULL,
  better TEXT NOT NULL CHECK (better IN ('lower', 'higher', 'neither')),
  scale TEXT NOT NULL CHECK (scale IN ('ratio', 'difference')),
  extent TEXT NOT NULL CHECK (extent IN ('per_work', 'whole'))
) STRICT;

CREATE TABLE trial (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  block INTEGER NOT NULL,
  position INTEGER NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('measured', 'warm_up')),
  validity TEXT NOT NULL CHECK (validity IN ('valid', 'invalid', 'failed')),
  reason TEXT NOT NULL,
  cpus TEXT NOT NULL,
  work_unit TEXT NOT NULL,
  started_at_ns INTEGER NOT NULL, -- since 1970
  work REAL NOT NULL,
  FOREIGN KEY (run, cell) REFERENCES plan_cell (run, cell)
) STRICT;
CREATE INDEX trial_by_run ON trial (run, cell);

-- Values as they were read: totals of a trial are not divided by its work here.
CREATE TABLE reading (
  trial INTEGER NOT NULL REFERENCES trial,
  metric INTEGER NOT NULL REFERENCES metric,
  value REAL NOT NULL,
  PRIMARY KEY (trial, metric)
) STRICT, WITHOUT ROWID;

-- Most trials of a run carry the same notes.
CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE trial_note (
  trial INTEGER NOT NULL REFERENCES trial,
  position INTEGER NOT NULL,
  note INTEGER NOT NULL REFERENCES note,
  PRIMARY KEY (trial, position)
) STRICT, WITHOUT ROWID;

-- One line a reading, for people: names, the value per work where the metric is, and its unit.
CREATE VIEW observation AS
SELECT trial.run AS run, trial.id AS trial, boot.host AS host, kernel_build.release AS kernel,
       kernel_build.build_id AS build_id, boot.boot_id AS boot_id,
       cell.workload AS workload, cell.parameters AS parameters, cell.placement AS placement,
       trial.cpus AS cpus, cell.bandwidth AS bandwidth, cell.counting AS counting,
       cell.pass AS pass, trial.block AS block, trial.position AS position,
       trial.purpose AS purpose, trial.validity AS validity, trial.reason AS reason,
       metric.name AS metric,
       CASE metric.extent WHEN 'per_work' THEN reading.value / nullif(trial.work, 0)
                          ELSE reading.value END AS value,
       CASE metric.extent WHEN 'per_work' THEN metric.unit || '/' || trial.work_unit
                          ELSE metric.unit END AS unit
FROM reading
JOIN metric ON metric.id = reading.metric
JOIN trial ON trial.id = reading.trial
JOIN cell ON cell.id = trial.cell
JOIN run ON run.id = trial.run
JOIN boot ON boot.id = run.boot
JOIN kernel_build ON kernel_build.id = boot.kernel_build;
)",
         ""},
    Step{R"(
CREATE TABLE task_reading (
  trial INTEGER NOT NULL REFERENCES trial,
  task INTEGER NOT NULL,
  cpu INTEGER NOT NULL, -- bound to, else last seen on; -1: not known
  metric INTEGER NOT NULL REFERENCES metric,
  value REAL NOT NULL,
  PRIMARY KEY (trial, task, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE encoding (
  run INTEGER NOT NULL REFERENCES run,
  name TEXT NOT NULL,
  full_name TEXT NOT NULL,
  pmu TEXT NOT NULL,
  type INTEGER NOT NULL,
  config INTEGER NOT NULL, -- the bits of an unsigned number, as config1 and config2
  config1 INTEGER NOT NULL,
  config2 INTEGER NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
)",
         R"(
CREATE TEMP TABLE task_reading (trial, task, cpu, metric, value);
CREATE TEMP TABLE encoding (run, name, full_name, pmu, type, config, config1, config2);
)"},
    // Which functions ran.
    Step{R"(
CREATE TABLE sampled_function (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  object TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('kernel', 'user')),
  UNIQUE (name, object, mode)
) STRICT;

CREATE TABLE profile (
  trial INTEGER PRIMARY KEY REFERENCES trial,
  event TEXT NOT NULL,
  period INTEGER NOT NULL,  -- cycles, or ns of a clock
  samples INTEGER NOT NULL, -- of all functions
  lost INTEGER NOT NULL     -- records that found no room
) STRICT;

CREATE TABLE profile_share (
  trial INTEGER NOT NULL REFERENCES profile,
  function INTEGER NOT NULL REFERENCES sampled_function,
  samples INTEGER NOT NULL,
  PRIMARY KEY (trial, function)
) STRICT, WITHOUT ROWID;
)",
         R"(
CREATE TEMP TABLE sampled_function (id, name, object, mode);
CREATE TEMP TABLE profile (trial, event, period, samples, lost);
CREATE TEMP TABLE profile_share (trial, function, samples);
)"},
    // On a hybrid machine a name comes to another encoding on cores of another type.
    Step{R"(
CREATE TABLE cell_encoding (
  run INTEGER NOT NULL,
  cell INTEGER NOT NULL,
  name TEXT NOT NULL,
  full_name TEXT NOT NULL,
  pmu TEXT NOT NULL,
  type INTEGER NOT NULL,
  config INTEGER NOT NULL, -- the bits of an unsigned number, as config1 and config2
  config1 INTEGER NOT NULL,
  config2 INTEGER NOT NULL,
  scale TEXT NOT NULL, -- a fact: no value was multiplied with it
  unit TEXT NOT NULL,
  PRIMARY KEY (run, cell, name),
  FOREIGN KEY (run, cell) REFERENCES plan_cell (run, cell)
) STRICT, WITHOUT ROWID;
INSERT INTO cell_encoding
SELECT run, cell, name, full_name, pmu, type, config, config1, config2, '', ''
FROM encoding JOIN plan_cell USING (run);
DROP TABLE encoding;

-- As before, with what each counted event was.
DROP VIEW observation;
CREATE VIEW observation AS
SELECT trial.run AS run, trial.id AS trial, boot.host AS host, kernel_build.release AS kernel,
       kernel_build.build_id AS build_id, boot.boot_id AS boot_id,
       cell.workload AS workload, cell.parameters AS parameters, cell.placement AS placement,
       trial.cpus AS cpus, cell.bandwidth AS bandwidth, cell.counting AS counting,
       cell.pass AS pass, trial.block AS block, trial.position AS position,
       trial.purpose AS purpose, trial.validity AS validity, trial.reason AS reason,
       metric.name AS metric,
       CASE metric.extent WHEN 'per_work' THEN reading.value / nullif(trial.work, 0)
                          ELSE reading.value END AS value,
       CASE metric.extent WHEN 'per_work' THEN metric.unit || '/' || trial.work_unit
                          ELSE metric.unit END AS unit,
       cell_encoding.full_name AS event, cell_encoding.pmu AS pmu, cell_encoding.type AS type,
       CASE WHEN cell_encoding.name NOT NULL THEN printf('0x%x', config) END AS config,
       CASE WHEN cell_encoding.name NOT NULL THEN printf('0x%x', config1) END AS config1,
       CASE WHEN cell_encoding.name NOT NULL THEN printf('0x%x', config2) END AS config2
FROM reading
JOIN metric ON metric.id = reading.metric
JOIN trial ON trial.id = reading.trial
JOIN cell ON cell.id = trial.cell
JOIN run ON run.id = trial.run
JOIN boot ON boot.id = run.boot
JOIN kernel_build ON kernel_build.id = boot.kernel_build
LEFT JOIN cell_encoding ON cell_encoding.run = trial.run AND cell_encoding.cell = trial.cell
                       AND cell_encoding.name = metric.name;
)",
         R"(
CREATE TEMP VIEW cell_encoding AS
SELECT run, cell, name, full_name, pmu, type, config, config1, config2, '' AS scale, '' AS unit
FROM encoding JOIN plan_cell USING (run);
)"},
};

std::int64_t number(const Database& database, const char* sql) {
  Statement query = database.statement(sql);
  return query.step() ? query.integer(0) : 0;
}

/// The version of a store; 0 for a file in which nothing is yet. Refuses all else.
int version_of(const Database& database) {
  const auto id = number(database, "PRAGMA application_id");
  const auto version = number(database, "PRAGMA user_version");
  if (id == 0 && version == 0 && number(database, "SELECT count(*) FROM sqlite_schema") == 0)
    return 0;
  if (id != application_id || version < 1)
    throw StoreError(EINVAL, database.path(),
                     fmt::format("{} is not a schedrig store (an SQLite file of another program)",
                                 database.path().string()));
  if (version > schema_version())
    throw StoreError(
        EINVAL, database.path(),
        fmt::format("{} was written by a newer schedrig: its schema version is {}, this "
                    "program knows versions up to {}",
                    database.path().string(), version, schema_version()));
  return static_cast<int>(version);
}

} // namespace

int schema_version() noexcept {
  return static_cast<int>(steps.size());
}

void migrate(const Database& database, int version) {
  if (version_of(database) >= version)
    return;
  Transaction transaction(database, Transaction::Kind::write);
  // Another program may have migrated it while we waited for the lock.
  const int present = version_of(database);
  for (int next = present; next < version; ++next)
    database.execute(steps[static_cast<std::size_t>(next)].migrate);
  if (present < version) {
    database.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
    database.execute(fmt::format("PRAGMA user_version = {}", version).c_str());
  }
  transaction.commit();
}

void read_as_current(const Database& database) {
  const int present = version_of(database);
  if (present == 0)
    throw StoreError(
        EINVAL, database.path(),
        fmt::format("{} is empty: no run was ever kept in it", database.path().string()));
  for (int next = present; next < schema_version(); ++next)
    database.execute(steps[static_cast<std::size_t>(next)].stand_in);
}

} // namespace schedrig
