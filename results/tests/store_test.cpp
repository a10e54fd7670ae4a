#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <limits>
#include <optional>

#include <boost/test/unit_test.hpp>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/store/database.hpp"
#include "results/store/schema.hpp"
#include "results/store/store.hpp"
#include "results/tests/temporary_folder.hpp"

namespace schedrig {

// Aggregates of the records are compared here only.
static bool operator==(const Reading& a, const Reading& b) {
  return a.metric == b.metric && a.value == b.value;
}
static bool operator==(const TaskReading& a, const TaskReading& b) {
  return a.task == b.task && a.cpu == b.cpu && a.metric == b.metric && a.value == b.value;
}

namespace {

using namespace std::chrono_literals;
using Access = Store::Access;

const Metric wall_time{"wall_time", "ns", Metric::Better::lower, Metric::Scale::ratio,
                       Metric::Extent::per_work};
const Metric migrations{"migrations", "1", Metric::Better::lower, Metric::Scale::difference,
                        Metric::Extent::whole};

Cell cell(const std::string& bandwidth) {
  return {"pipe-ping-pong", "loops=1000 tasks=processes", "same-cpu", bandwidth, "off", ""};
}

Boot boot() {
  Boot boot;
  boot.boot_id = "11111111-2222";
  boot.kernel = {"85c7e4e2", "6.18.44", "Linux version 6.18.44", "c0ffee"};
  boot.machine = "0123456789abcdef";
  boot.host = "lab1";
  boot.environment = {{"governor", "performance"}, {"uptime", "100"}, {"empty", ""}};
  return boot;
}

RunRecord run_record() {
  RunRecord run;
  run.plan = "loops = 1000\n";
  run.plan_digest = "abc";
  run.seed = std::numeric_limits<std::uint64_t>::max();
  run.label = "before the patch";
  run.started_at_ns = 1'700'000'000'000'000'000;
  run.marks = {"no PMU"};
  return run;
}

TrialRecord trial(const std::string& bandwidth, double wall = 2'000'000) {
  TrialRecord trial;
  trial.cell = cell(bandwidth);
  trial.cpus = "1";
  trial.work_unit = "loop";
  trial.block = 3;
  trial.position = 1;
  trial.started_at_ns = 1'700'000'000'000'000'001;
  trial.work = 1000;
  trial.readings = {{wall_time, wall}, {migrations, 2}};
  trial.notes = {"cycles: <not supported>", "second note"};
  return trial;
}

/// A store file in a folder of its own, with one run of two cells begun.
struct Fixture : TemporaryFolder {
  std::filesystem::path file = path() / "lab.schedrig";
  std::optional<Store> store{std::in_place, file, Access::write};
  std::int64_t run =
      store->begin_run(store->add_boot(boot()), run_record(), {cell("none"), cell("group")});

  /// Runs SQL on the file by a connection of its own.
  void execute(const char* sql) const {
    Database(file, Database::Mode::existing, 0ms).execute(sql);
  }
  std::string text(const char* sql) const {
    const Database database(file, Database::Mode::existing, 0ms);
    Statement query = database.statement(sql);
    return query.step() ? query.text(0) : "(no row)";
  }
};

auto refuses(int error, const std::string& part) {
  return [=](const StoreError& refusal) {
    const bool right =
        refusal.error() == error && std::string(refusal.what()).find(part) != std::string::npos;
    if (!right)
      BOOST_TEST_MESSAGE("it said: " << refusal.what() << " (" << refusal.error() << ")");
    return right;
  };
}

/// Runs `action` in a child and returns its exit status: 0 when it returned true, 1 when false, 2
/// when it threw.
int in_child(const std::function<bool()>& action) {
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    int status = 2;
    try {
      status = action() ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    _exit(status);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

/// Runs `action` in a child without root's rights over files.
int unprivileged(const std::function<bool()>& action) {
  return in_child([&action] {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0)
      return false;
    return action();
  });
}

bool opening_is_refused(const std::filesystem::path& file, Access access, int error) {
  try {
    Store(file, access, 0ms);
  } catch (const StoreError& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return refusal.error() == error;
  }
  return false;
}

} // namespace

BOOST_AUTO_TEST_SUITE(store)

BOOST_FIXTURE_TEST_CASE(keeps_all_of_a_trial, Fixture) {
  TrialRecord kept = trial("group");
  kept.purpose = TrialRecord::Purpose::warm_up;
  kept.validity = TrialRecord::Validity::invalid;
  kept.reason = "limit did not apply";
  kept.task_readings = {{0, 1, wall_time, 7}, {1, -1, wall_time, 8}};
  const std::int64_t id = store->add_trial(run, kept);
  store.reset();

  const auto trials = Store(file, Access::read).trials(run);
  BOOST_REQUIRE(trials.size() == 1U);
  BOOST_TEST(trials[0].id == id);
  BOOST_TEST(trials[0].run == run);
  const TrialRecord& read = trials[0].record;
  BOOST_TEST((read.cell == kept.cell));
  BOOST_TEST(read.cpus == "1");
  BOOST_TEST(read.work_unit == "loop");
  BOOST_TEST(read.block == 3);
  BOOST_TEST(read.position == 1);
  BOOST_TEST((read.purpose == kept.purpose));
  BOOST_TEST((read.validity == kept.validity));
  BOOST_TEST(read.reason == kept.reason);
  BOOST_TEST(read.started_at_ns == kept.started_at_ns);
  BOOST_TEST(read.work == 1000);
  BOOST_TEST((read.readings == kept.readings));
  BOOST_TEST((read.task_readings == kept.task_readings));
  BOOST_TEST(read.notes == kept.notes, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(reads_trials_without_readings_when_told_so, Fixture) {
  store->add_trial(run, trial("none"));
  const auto trials = store->trials(run, Store::Detail::without_readings);
  BOOST_TEST(trials.at(0).record.readings.empty());
  BOOST_TEST(trials.at(0).record.notes.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(keeps_a_run_and_counts_its_trials, Fixture) {
  store->add_trial(run, trial("none"));
  TrialRecord other = trial("none");
  other.started_at_ns += 5;
  other.validity = TrialRecord::Validity::invalid;
  store->add_trial(run, other);
  other.validity = TrialRecord::Validity::failed;
  store->add_trial(run, other);
  other.purpose = TrialRecord::Purpose::warm_up;
  store->add_trial(run, other);
  store->end_run(run, RunRecord::Ending::interrupted, {"stopped by hand"});

  const StoredRun read = store->run(run);
  BOOST_TEST(read.record.plan == "loops = 1000\n");
  BOOST_TEST(read.record.plan_digest == "abc");
  BOOST_TEST(read.record.seed == run_record().seed);
  BOOST_TEST(read.record.label == "before the patch");
  BOOST_TEST(read.record.started_at_ns == run_record().started_at_ns);
  BOOST_TEST((read.record.ending == RunRecord::Ending::interrupted));
  const std::vector<std::string> marks{"no PMU", "stopped by hand"};
  BOOST_TEST(read.record.marks == marks, boost::test_tools::per_element());
  BOOST_TEST((read.trials == TrialCounts{1, 1, 1, 1}));
  BOOST_TEST(read.first_trial_at_ns == 1'700'000'000'000'000'001);
  BOOST_TEST(read.last_trial_at_ns == 1'700'000'000'000'000'006);
  BOOST_TEST(store->runs().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(knows_a_run_without_trials, Fixture) {
  const StoredRun read = store->run(run);
  BOOST_TEST((read.trials == TrialCounts{}));
  BOOST_TEST(read.first_trial_at_ns == 0);
  BOOST_TEST(*store->latest_run() == run);
  BOOST_TEST(store->trials(run).empty());
}

BOOST_AUTO_TEST_CASE(knows_no_run_in_a_new_store) {
  const TemporaryFolder folder;
  const Store store(folder.path() / "new.schedrig", Access::write);
  BOOST_TEST(!store.latest_run());
  BOOST_TEST(store.runs().empty());
  BOOST_TEST(store.readings().size() == 0U);
  BOOST_CHECK_EXCEPTION(store.run(1), StoreError, refuses(ENOENT, "there is no run 1"));
  BOOST_CHECK_EXCEPTION(store.boot(1), StoreError, refuses(ENOENT, "there is no boot 1"));
}

BOOST_FIXTURE_TEST_CASE(lists_cells_in_plan_order, Fixture) {
  const std::vector<Cell> order{cell("group"), cell("20000/100000"), cell("none")};
  const auto second = store->begin_run(store->add_boot(boot()), run_record(), order);
  BOOST_TEST((store->cells(second) == order));
  BOOST_TEST(*store->latest_run() == second);
}

BOOST_FIXTURE_TEST_CASE(keeps_a_boot_once_for_each_environment, Fixture) {
  const auto first = store->boots().at(0).id;
  Boot later = boot();
  later.environment["uptime"] = "200";
  BOOST_TEST(store->add_boot(later) == first);
  later.environment["governor"] = "powersave";
  const auto second = store->add_boot(later);
  BOOST_TEST(second != first);
  BOOST_TEST((store->boot(first).boot == boot()));
  BOOST_TEST((store->boot(second).boot == later));
  BOOST_TEST(store->boots().size() == 2U);
  BOOST_TEST(text("SELECT count(*) FROM kernel_build") == "1");
}

BOOST_FIXTURE_TEST_CASE(keeps_the_latest_encoding_of_an_event, Fixture) {
  const EventEncoding cycles{"cycles", "perf::CYCLES", "perf", 0, 0, 1, 2};
  EventEncoding raw{"raw", "skl::X:k", "skl", 4, ~0ULL, 0, 0};
  store->add_encoding(run, raw);
  store->add_encoding(run, cycles);
  raw.config1 = 9;
  store->add_encoding(run, raw);
  BOOST_TEST((store->encodings(run) == std::vector{cycles, raw}));
}

BOOST_FIXTURE_TEST_CASE(keeps_an_encoding_for_each_cell, Fixture) {
  const EventEncoding core{"cycles", "perf::CYCLES", "cpu_core", 0, 4ULL << 32, 0, 0};
  const EventEncoding atom{"cycles", "perf::CYCLES", "cpu_atom", 0, 10ULL << 32, 0, 0};
  const EventEncoding energy{
      "power/energy-pkg/", "power/event=0x02/", "power", 9, 2, 0, 0, "2.3e-10", "Joules"};
  store->add_encodings(run, {{cell("none"), {core, energy}}, {cell("group"), {atom}}});
  BOOST_TEST((store->encodings(run, cell("none")) == std::vector{core, energy}));
  BOOST_TEST((store->encodings(run, cell("group")) == std::vector{atom}));
  BOOST_TEST((store->encodings(run) == std::vector{atom, core, energy}));
}

BOOST_FIXTURE_TEST_CASE(refuses_an_encoding_of_a_cell_that_is_not_in_the_plan, Fixture) {
  const EventEncoding cycles{"cycles", "perf::CYCLES", "perf", 0, 0, 0, 0};
  BOOST_CHECK_EXCEPTION(
      store->add_encodings(run, {{cell("none"), {cycles}}, {cell("1000/2000"), {cycles}}}),
      StoreError, refuses(EINVAL, "not in the plan"));
  BOOST_TEST(store->encodings(run).empty());
}

BOOST_FIXTURE_TEST_CASE(shows_each_reading_with_what_was_counted, Fixture) {
  auto counted = trial("group");
  counted.readings = {
      {{"cycles", "1", Metric::Better::lower, Metric::Scale::ratio, Metric::Extent::per_work},
       5000}};
  store->add_trial(run, counted);
  store->add_encodings(
      run, {{cell("group"), {{"cycles", "perf::CYCLES", "cpu_core", 0, 4ULL << 32 | 1, 7, 0}}}});
  BOOST_TEST(text("SELECT event || ' ' || pmu || ' ' || type || ' ' || config || ' ' || config1"
                  " FROM observation") == "perf::CYCLES cpu_core 0 0x400000001 0x7");
  execute("DELETE FROM cell_encoding");
  BOOST_TEST(text("SELECT count(*) FROM observation WHERE config IS NULL AND event IS NULL") ==
             "1");
}

BOOST_FIXTURE_TEST_CASE(refuses_records_that_no_store_may_hold, Fixture) {
  const auto refuse = [&](TrialRecord record, const char* why) {
    BOOST_CHECK_EXCEPTION(store->add_trial(run, record), StoreError, refuses(EINVAL, why));
  };
  refuse(trial("none", std::numeric_limits<double>::quiet_NaN()), "wall_time is nan");
  refuse(trial("none", std::numeric_limits<double>::infinity()), "wall_time is inf");
  refuse(trial("20000/100000"), "not in the plan of run 1");
  TrialRecord odd = trial("none");
  odd.work = 0;
  refuse(odd, "wall_time is counted per loop, but the trial did none");
  odd.work = -1;
  refuse(odd, "work is -1");
  odd = trial("none");
  odd.readings.push_back(odd.readings[0]);
  refuse(odd, "reading");
  store->add_trial(run, trial("none"));
  odd = trial("none");
  odd.readings[0].metric.unit = "s";
  refuse(odd, "the metric wall_time has another unit or meaning");
  BOOST_CHECK_EXCEPTION(store->add_trial(99, trial("none")), StoreError,
                        refuses(EINVAL, "not in the plan of run 99"));
  BOOST_CHECK_EXCEPTION(store->begin_run(99, run_record(), {}), StoreError,
                        refuses(EINVAL, "there is no boot 99"));
  BOOST_CHECK_EXCEPTION(store->begin_run(1, run_record(), {cell("none"), cell("none")}), StoreError,
                        refuses(EINVAL, "a cell twice"));
  BOOST_CHECK_EXCEPTION(store->end_run(99, RunRecord::Ending::finished), StoreError,
                        refuses(EINVAL, "there is no run 99"));
  BOOST_TEST(store->trials(run).size() == 1U);
  BOOST_TEST(store->runs().size() == 1U);
  BOOST_TEST(text("SELECT count(*) FROM cell") == "2");
}

BOOST_FIXTURE_TEST_CASE(keeps_a_failed_trial_that_did_no_work, Fixture) {
  TrialRecord failed = trial("none");
  failed.work = 0;
  failed.validity = TrialRecord::Validity::failed;
  store->add_trial(run, failed);
  BOOST_TEST(store->trials(run).at(0).record.readings.size() == 2U);
  const auto columns = store->readings({.trials = Selection::Trials::all});
  BOOST_REQUIRE(columns.size() == 1U); // a time per loop of no loops is no number
  BOOST_TEST(columns.metrics.at(0).name == "migrations");
}

BOOST_FIXTURE_TEST_CASE(reads_readings_as_columns, Fixture) {
  const auto first = store->add_trial(run, trial("group", 3'000'000));
  TrialRecord warm_up = trial("none");
  warm_up.purpose = TrialRecord::Purpose::warm_up;
  store->add_trial(run, warm_up);
  const auto third = store->add_trial(run, trial("none", 5'000'000));

  const ReadingColumns columns = store->readings();
  const std::vector<std::int64_t> trials{first, first, third, third};
  const std::vector<std::int32_t> cells{1, 1, 0, 0}, metrics{0, 1, 0, 1}, blocks{3, 3, 3, 3};
  const std::vector<double> values{3000, 2, 5000, 2};
  BOOST_TEST(columns.trial == trials, boost::test_tools::per_element());
  BOOST_TEST(columns.run == std::vector<std::int64_t>(4, run), boost::test_tools::per_element());
  BOOST_TEST(columns.cell == cells, boost::test_tools::per_element());
  BOOST_TEST(columns.metric == metrics, boost::test_tools::per_element());
  BOOST_TEST(columns.block == blocks, boost::test_tools::per_element());
  BOOST_TEST(columns.value == values, boost::test_tools::per_element());
  BOOST_TEST((columns.cells == std::vector{cell("none"), cell("group")}));
  BOOST_TEST((columns.metrics == std::vector{wall_time, migrations}));
}

BOOST_FIXTURE_TEST_CASE(reads_only_the_selected_readings, Fixture) {
  store->add_trial(run, trial("group"));
  TrialRecord invalid = trial("none");
  invalid.validity = TrialRecord::Validity::invalid;
  store->add_trial(run, invalid);
  Boot other = boot();
  other.boot_id = "other";
  const auto other_boot = store->add_boot(other);
  Cell hackbench = cell("none");
  hackbench.workload = "hackbench";
  const auto other_run = store->begin_run(other_boot, run_record(), {hackbench});
  TrialRecord of_hackbench = trial("none");
  of_hackbench.cell = hackbench;
  store->add_trial(other_run, of_hackbench);

  BOOST_TEST(store->readings().size() == 4U);
  BOOST_TEST(store->readings({.trials = Selection::Trials::all}).size() == 6U);
  BOOST_TEST(store->readings({.run = run}).size() == 2U);
  BOOST_TEST(store->readings({.boot = other_boot}).run.at(0) == other_run);
  BOOST_TEST(store->readings({.boot = other_boot}).size() == 2U);
  const auto of_workload = store->readings({.workload = "hackbench"});
  BOOST_TEST(of_workload.size() == 2U);
  BOOST_TEST((of_workload.cells == std::vector{hackbench}));
  const auto of_metric = store->readings({.metric = "migrations"});
  BOOST_TEST(of_metric.size() == 2U);
  BOOST_TEST((of_metric.metrics == std::vector{migrations}));
  BOOST_TEST(store->readings({.run = 99}).size() == 0U);
  BOOST_TEST(store->readings({.metric = "nothing"}).size() == 0U);
}

BOOST_FIXTURE_TEST_CASE(shows_observations_with_names_and_units, Fixture) {
  store->add_trial(run, trial("group", 3'000'000));
  BOOST_TEST(text("SELECT workload || ' ' || bandwidth || ' ' || cpus || ' ' || validity || ' ' ||"
                  " purpose || ' ' || metric || ' ' || value || ' ' || unit FROM observation"
                  " ORDER BY metric DESC") ==
             "pipe-ping-pong group 1 valid measured wall_time 3000.0 ns/loop");
  BOOST_TEST(text("SELECT value || ' ' || unit || ' ' || kernel || ' ' || build_id"
                  " FROM observation ORDER BY metric") == "2.0 1 6.18.44 85c7e4e2");
}

BOOST_FIXTURE_TEST_CASE(keeps_a_journal_that_readers_need_not_wait_for, Fixture) {
  BOOST_TEST(text("PRAGMA journal_mode") == "wal");
}

BOOST_FIXTURE_TEST_CASE(is_read_while_another_program_writes, Fixture) {
  const Store reader(file, Access::read);
  BOOST_TEST(reader.trials(run).size() == 0U);
  store->add_trial(run, trial("none"));
  BOOST_TEST(reader.trials(run).size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(leaves_nothing_beside_the_file_when_all_have_closed_it, Fixture) {
  { const Store reader(file, Access::read); }
  store.reset();
  { const Store reader(file, Access::read); }
  const auto files = std::distance(std::filesystem::directory_iterator(path()), {});
  BOOST_TEST(files == 1);
}

// Files that are no store.

BOOST_AUTO_TEST_CASE(accepts_an_empty_file_for_writing_only) {
  const TemporaryFolder folder;
  folder.put("empty.schedrig", "");
  BOOST_CHECK_EXCEPTION(Store(folder.path() / "empty.schedrig", Access::read), StoreError,
                        refuses(EINVAL, "is empty: no run was ever kept in it"));
  Store(folder.path() / "empty.schedrig", Access::write).add_boot(boot());
  BOOST_TEST(Store(folder.path() / "empty.schedrig", Access::read).boots().size() == 1U);
}

BOOST_AUTO_TEST_CASE(refuses_a_file_that_is_not_sqlite) {
  const TemporaryFolder folder;
  const std::string text(5000, 'x');
  folder.put("notes.txt", text);
  for (const Access access : {Access::read, Access::write})
    BOOST_CHECK_EXCEPTION(
        Store(folder.path() / "notes.txt", access), StoreError,
        refuses(EINVAL, "notes.txt is not a schedrig store (not an SQLite file)"));
  BOOST_TEST(std::filesystem::file_size(folder.path() / "notes.txt") == 5000U);
}

BOOST_AUTO_TEST_CASE(refuses_another_programs_sqlite_file_and_leaves_it_as_it_was) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "contacts.db";
  Database(file, Database::Mode::create, 0ms).execute("CREATE TABLE contact (name)");
  const auto size = std::filesystem::file_size(file);
  for (const Access access : {Access::read, Access::write})
    BOOST_CHECK_EXCEPTION(Store(file, access), StoreError,
                          refuses(EINVAL, "an SQLite file of another program"));
  Database(file, Database::Mode::create, 0ms).execute("PRAGMA application_id = 77");
  BOOST_CHECK_EXCEPTION(Store(file, Access::write), StoreError,
                        refuses(EINVAL, "an SQLite file of another program"));
  BOOST_TEST(std::filesystem::file_size(file) == size);
}

BOOST_FIXTURE_TEST_CASE(refuses_a_newer_store_naming_both_versions, Fixture) {
  store.reset();
  execute("PRAGMA user_version = 99");
  for (const Access access : {Access::read, Access::write})
    BOOST_CHECK_EXCEPTION(Store(file, access), StoreError,
                          refuses(EINVAL, "its schema version is 99, this program knows versions "
                                          "up to " +
                                              std::to_string(schema_version())));
  BOOST_TEST(text("PRAGMA user_version") == "99");
}

BOOST_AUTO_TEST_CASE(refuses_a_store_that_does_not_exist_and_a_folder) {
  const TemporaryFolder folder;
  BOOST_CHECK_EXCEPTION(Store(folder.path() / "none.schedrig", Access::read), StoreError,
                        refuses(ENOENT, "none.schedrig cannot be opened"));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "none.schedrig"));
  BOOST_CHECK_EXCEPTION(Store(folder.path() / "no" / "folder", Access::write), StoreError,
                        refuses(ENOENT, "cannot be opened"));
  BOOST_CHECK_EXCEPTION(Store(folder.path(), Access::write), StoreError,
                        refuses(EISDIR, "Is a directory"));
  BOOST_CHECK_EXCEPTION(Store("/dev/null", Access::read), StoreError, refuses(EINVAL, "/dev/null"));
}

BOOST_FIXTURE_TEST_CASE(reports_a_damaged_store, Fixture) {
  for (int i = 0; i < 50; ++i)
    store->add_trial(run, trial("none"));
  store.reset();
  const auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, 8192);
  BOOST_REQUIRE(size > 8192U);
  BOOST_CHECK_EXCEPTION(Store(file, Access::read).trials(run), StoreError,
                        refuses(EIO, "is damaged"));
}

// Stores that cannot be written.

BOOST_FIXTURE_TEST_CASE(says_who_is_in_the_way_of_a_locked_store, Fixture) {
  const Database other(file, Database::Mode::existing, 0ms);
  other.execute("BEGIN EXCLUSIVE");
  Store impatient(file, Access::write, 0ms);
  BOOST_CHECK_EXCEPTION(impatient.add_trial(run, trial("none")), StoreError,
                        refuses(EBUSY, "is locked by another program"));
  other.execute("COMMIT");
  impatient.add_trial(run, trial("none"));
  BOOST_TEST(impatient.trials(run).size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(lets_two_programs_write_in_turns, Fixture) {
  store.reset();
  constexpr int count = 20;
  const auto add_boots = [this](const std::string& program) {
    Store writer(file, Access::write, 60s);
    for (int i = 0; i < count; ++i) {
      Boot mine = boot();
      mine.boot_id = program + std::to_string(i);
      writer.add_boot(mine); // reads before it writes: the order in which locks can be refused
    }
  };
  const pid_t other = fork();
  BOOST_REQUIRE(other >= 0);
  if (other == 0) {
    try {
      add_boots("other");
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  BOOST_CHECK_NO_THROW(add_boots("mine"));
  int status = 0;
  while (waitpid(other, &status, 0) < 0 && errno == EINTR) {
  }
  BOOST_TEST(status == 0);
  BOOST_TEST(Store(file, Access::read).boots().size() == 2U * count + 1);
}

BOOST_FIXTURE_TEST_CASE(says_so_when_it_is_locked_even_for_reading, Fixture) {
  store.reset();
  const Database other(file, Database::Mode::existing, 0ms);
  other.execute(
      "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO mark VALUES (1, 9, 'x')");
  for (const Access access : {Access::read, Access::write})
    BOOST_CHECK_EXCEPTION(Store(file, access, 0ms), StoreError,
                          refuses(EBUSY, "is locked by another program"));
}

BOOST_AUTO_TEST_CASE(calls_a_full_disk_a_full_disk) {
  const TemporaryFolder folder;
  const Database database(folder.path() / "full.db", Database::Mode::create, 0ms);
  database.execute("CREATE TABLE t (x); PRAGMA max_page_count = 3");
  BOOST_CHECK_EXCEPTION(database.execute("INSERT INTO t VALUES (zeroblob(100000))"), StoreError,
                        refuses(ENOSPC, "full.db cannot grow: No space left on device"));
}

BOOST_FIXTURE_TEST_CASE(keeps_what_it_has_when_the_file_cannot_grow, Fixture) {
  store->add_trial(run, trial("none"));
  store.reset();
  const int status = in_child([this] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{150'000, 150'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Store small(file, Access::write);
    for (int i = 0; i < 1000; ++i) {
      TrialRecord large = trial("none");
      large.notes = {std::to_string(i) + std::string(20'000, 'x')};
      try {
        small.add_trial(run, large);
      } catch (const StoreError& refusal) {
        std::fprintf(stderr, "%s\n", refusal.what());
        // It must still be usable, and hold exactly the trials before.
        return refusal.error() == EFBIG && small.trials(run).size() == std::size_t(i) + 1;
      }
    }
    return false;
  });
  BOOST_TEST(status == 0);
  store.emplace(file, Access::write);
  BOOST_TEST(store->trials(run).size() >= 2U);
  BOOST_TEST(text("PRAGMA integrity_check") == "ok");
}

BOOST_FIXTURE_TEST_CASE(forgets_the_trial_in_whose_middle_the_program_dies, Fixture) {
  store->add_trial(run, trial("none"));
  store.reset();
  const int status = in_child([this]() -> bool {
    const Database database(file, Database::Mode::existing, 0ms);
    // Spills the unfinished transaction into the journal, as a large one would be.
    database.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE");
    Statement insert = database.statement(
        "INSERT INTO trial (run, cell, block, position, purpose, validity, reason, cpus, work_unit,"
        " started_at_ns, work) VALUES (1, 1, 0, 0, 'measured', 'valid', ?1, '', '', 0, 1)");
    for (int i = 0; i < 20; ++i)
      insert.bind(std::string(5000, 'x')).run();
    kill(getpid(), SIGKILL);
    return false;
  });
  BOOST_TEST(status == 100 + SIGKILL);
  BOOST_TEST(Store(file, Access::read).trials(run).size() == 1U);
  store.emplace(file, Access::write);
  BOOST_TEST(store->trials(run).size() == 1U);
  store->add_trial(run, trial("group"));
  BOOST_TEST(store->trials(run).size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(keeps_every_finished_trial_of_a_program_that_is_killed, Fixture) {
  store.reset();
  const int status = in_child([this]() -> bool {
    Store doomed(file, Access::write);
    for (int i = 0; i < 10; ++i)
      doomed.add_trial(run, trial("none"));
    kill(getpid(), SIGKILL);
    return false;
  });
  BOOST_TEST(status == 100 + SIGKILL);
  BOOST_TEST(Store(file, Access::read).trials(run).size() == 10U);
}

BOOST_FIXTURE_TEST_CASE(reads_what_it_may_not_write, Fixture) {
  store->add_trial(run, trial("none"));
  store.reset();
  namespace fs = std::filesystem;
  fs::permissions(file, fs::perms(0444));
  fs::permissions(path(), fs::perms(0555));
  const int status = unprivileged([this] {
    return Store(file, Access::read).trials(run).size() == 1 &&
           opening_is_refused(file, Access::write, EACCES);
  });
  BOOST_TEST(status == 0);
  // A file that may be written does not help where its journal may not be made.
  fs::permissions(file, fs::perms(0666));
  const int in_closed_folder = unprivileged([this] {
    return Store(file, Access::read).trials(run).size() == 1 &&
           opening_is_refused(file, Access::write, EACCES);
  });
  BOOST_TEST(in_closed_folder == 0);
  fs::permissions(file, fs::perms(0000));
  BOOST_TEST(unprivileged([this] { return opening_is_refused(file, Access::read, EACCES); }) == 0);
  fs::permissions(path(), fs::perms(0755));
}

BOOST_FIXTURE_TEST_CASE(says_so_when_only_its_owner_can_read_the_journal_of_a_killed_run, Fixture) {
  store->add_trial(run, trial("none"));
  const auto copy = path() / "copy" / "lab.schedrig";
  std::filesystem::create_directory(copy.parent_path());
  std::filesystem::copy_file(file, copy);
  std::filesystem::copy_file(file.string() + "-wal", copy.string() + "-wal");
  std::filesystem::permissions(path(), std::filesystem::perms(0755));
  std::filesystem::permissions(copy.parent_path(), std::filesystem::perms(0555));
  BOOST_TEST(unprivileged([&] { return opening_is_refused(copy, Access::read, EACCES); }) == 0);
  std::filesystem::permissions(copy.parent_path(), std::filesystem::perms(0755));
}

// Older stores.

/// A store as the first version made it, with one trial.
struct OldStore : Fixture {
  OldStore() {
    store->add_trial(run, trial("none"));
    store.reset();
    execute("DROP TABLE profile_share; DROP TABLE profile; DROP TABLE sampled_function");
    execute("DROP TABLE task_reading; DROP VIEW observation; DROP TABLE cell_encoding;"
            " CREATE VIEW observation AS SELECT 1 AS one; PRAGMA user_version = 1");
  }
};

BOOST_AUTO_TEST_CASE(makes_the_first_version_as_the_tests_pretend) {
  const TemporaryFolder folder;
  const Database database(folder.path() / "old.schedrig", Database::Mode::create, 0ms);
  migrate(database, 1);
  Statement version = database.statement("PRAGMA user_version");
  BOOST_REQUIRE(version.step());
  BOOST_TEST(version.integer(0) == 1);
  Statement tables = database.statement(
      "SELECT count(*) FROM sqlite_schema WHERE name IN ('trial', 'task_reading', 'encoding')");
  BOOST_REQUIRE(tables.step());
  BOOST_TEST(tables.integer(0) == 1);
}

BOOST_FIXTURE_TEST_CASE(reads_an_older_store_without_changing_it, OldStore) {
  {
    const Store old(file, Access::read);
    BOOST_TEST(old.trials(run).size() == 1U);
    BOOST_TEST(old.encodings(run).empty());
  }
  BOOST_TEST(text("PRAGMA user_version") == "1");
}

BOOST_FIXTURE_TEST_CASE(migrates_an_older_store_for_writing, OldStore) {
  store.emplace(file, Access::write);
  store->add_encoding(run, {"cycles", "perf::CYCLES", "perf", 0, 0, 0, 0});
  BOOST_TEST(store->trials(run).size() == 1U);
  BOOST_TEST(store->encodings(run).size() == 1U);
  BOOST_TEST(text("PRAGMA user_version") == std::to_string(schema_version()));
}

/// A store as the second version made it, which kept one encoding of a name for all of a run.
struct SecondStore : OldStore {
  SecondStore() {
    execute("CREATE TABLE task_reading (trial, task, cpu, metric, value);"
            "CREATE TABLE encoding (run, name, full_name, pmu, type, config, config1, config2);"
            "INSERT INTO encoding VALUES (1, 'cycles', 'perf::CYCLES', 'perf', 0, -1, 2, 3);"
            "PRAGMA user_version = 2");
  }
  const EventEncoding cycles{"cycles", "perf::CYCLES", "perf", 0, ~0ULL, 2, 3};
};

BOOST_FIXTURE_TEST_CASE(reads_the_encodings_of_an_older_store, SecondStore) {
  const Store old(file, Access::read);
  BOOST_TEST((old.encodings(run) == std::vector{cycles}));
  BOOST_TEST((old.encodings(run, cell("none")) == std::vector{cycles}));
  BOOST_TEST(text("PRAGMA user_version") == "2");
}

BOOST_FIXTURE_TEST_CASE(gives_each_cell_the_encodings_that_an_older_store_had, SecondStore) {
  store.emplace(file, Access::write);
  BOOST_TEST((store->encodings(run, cell("none")) == std::vector{cycles}));
  BOOST_TEST((store->encodings(run, cell("group")) == std::vector{cycles}));
  BOOST_TEST(text("SELECT count(*) FROM sqlite_schema WHERE name = 'encoding'") == "0");
}

BOOST_FIXTURE_TEST_CASE(leaves_an_older_store_as_it_was_when_migration_fails, OldStore) {
  // Stands where the second table of the step wants to be, so that the first has been made already.
  execute("CREATE TABLE encoding (x)");
  BOOST_CHECK_EXCEPTION(Store(file, Access::write), StoreError, refuses(EINVAL, "encoding"));
  BOOST_TEST(text("PRAGMA user_version") == "1");
  BOOST_TEST(text("SELECT count(*) FROM sqlite_schema WHERE name = 'task_reading'") == "0");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
