#include "results/store/database.hpp"

#include <cerrno>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_error.hpp"

namespace schedrig {
namespace {

namespace fs = std::filesystem;

/// Absolute, so that SQLite gives no name a meaning of its own (":memory:", "file:...").
std::string plain_name(const fs::path& path) {
  return fs::absolute(path).string();
}

std::string immutable_uri(const fs::path& path) {
  std::string uri = "file:";
  for (const char letter : plain_name(path))
    if (letter == '%' || letter == '?' || letter == '#')
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(letter));
    else
      uri += letter;
  return uri + "?immutable=1";
}

/// What changes when a file is written, replaced, or journaled beside.
struct Fingerprint {
  struct stat file {};
  bool journaled = false;

  explicit Fingerprint(const fs::path& path) {
    if (stat(path.c_str(), &file) != 0)
      file = {};
    for (const char* suffix : {"-wal", "-journal"}) {
      struct stat journal {};
      const std::string name = path.string() + suffix;
      journaled = journaled || (stat(name.c_str(), &journal) == 0 && journal.st_size > 0);
    }
  }
  bool operator==(const Fingerprint& other) const noexcept {
    return file.st_ino == other.file.st_ino && file.st_size == other.file.st_size &&
           file.st_mtim.tv_sec == other.file.st_mtim.tv_sec &&
           file.st_mtim.tv_nsec == other.file.st_mtim.tv_nsec && journaled == other.journaled;
  }
};

[[noreturn]] void refuse_writing(const fs::path& path) {
  const fs::path folder = fs::absolute(path).parent_path();
  int error = EACCES;
  // The journal is made in the folder, so that it has to be writable too.
  if (access(path.c_str(), W_OK) != 0 || access(folder.c_str(), W_OK) != 0)
    error = errno;
  throw StoreError(error, path,
                   fmt::format("{} cannot be written: {}", path.string(), std::strerror(error)));
}

/// The errno behind what SQLite refused just now, of the file or of its journal; 0 if there is
/// none.
int errno_behind(sqlite3* connection) {
  if (const int error = sqlite3_system_errno(connection))
    return error;
  // The connection's own is often overwritten while it cleans up, a file's is not.
  for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    int error = 0;
    if (sqlite3_file_control(connection, "main", which, &file) == SQLITE_OK && file &&
        file->pMethods &&
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK && error)
      return error;
  }
  return 0;
}

/// Why `path` cannot be opened, as an errno.
int open_refusal(const fs::path& path, int system_errno) {
  struct stat there {};
  if (stat(path.c_str(), &there) != 0 && errno != ENOENT)
    return errno;
  if (S_ISDIR(there.st_mode))
    return EISDIR;
  if (there.st_nlink > 0 && system_errno == ENOENT)
    return EACCES; // it is there; what is not, and may not be made, is the index of its journal
  return system_errno != 0 ? system_errno : EIO;
}

} // namespace

void Database::Close::operator()(sqlite3* connection) const noexcept {
  sqlite3_close_v2(connection);
}

void Database::Finalize::operator()(sqlite3_stmt* prepared) const noexcept {
  sqlite3_finalize(prepared);
}

Database::Database(const fs::path& path, Mode mode, std::chrono::milliseconds busy_timeout)
    : path_(path) {
  // A reader may write the journal too: as the last to leave it clears it away.
  open(plain_name(path), SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0));
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(busy_timeout.count()));
}

Database Database::snapshot(const fs::path& path) {
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Fingerprint before(path);
    if (before.journaled)
      throw StoreError(
          EACCES, path,
          fmt::format("{} has changes in its journal that only one who may write it can "
                      "read: copy it together with its -wal file to a folder of yours",
                      path.string()));
    Database file(path);
    file.open(immutable_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    Database copy(path);
    copy.open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY);
    sqlite3_backup* backup =
        sqlite3_backup_init(copy.connection_.get(), "main", file.connection_.get(), "main");
    if (!backup)
      copy.refuse();
    constexpr int all_pages = -1;
    const int result = sqlite3_backup_step(backup, all_pages);
    sqlite3_backup_finish(backup);
    if (Fingerprint(path) != before)
      continue;
    if (result != SQLITE_DONE)
      copy.refuse();
    return copy;
  }
  throw StoreError(EBUSY, path,
                   fmt::format("{} is being written by another program", path.string()));
}

void Database::open(const std::string& name, int flags) {
  sqlite3* connection = nullptr;
  const int result =
      sqlite3_open_v2(name.c_str(), &connection, flags | SQLITE_OPEN_EXRESCODE, nullptr);
  connection_.reset(connection); // has to be closed even when opening failed
  if (!connection)
    throw std::bad_alloc();
  if (result != SQLITE_OK)
    refuse();
}

void Database::require_writable() const {
  if (sqlite3_db_readonly(connection_.get(), "main") == 1)
    refuse_writing(path_);
}

Statement Database::statement(const char* sql) const {
  auto& prepared = prepared_[sql];
  if (!prepared) {
    sqlite3_stmt* fresh = nullptr;
    if (sqlite3_prepare_v3(connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &fresh,
                           nullptr) != SQLITE_OK)
      refuse();
    prepared.reset(fresh);
  }
  return Statement(*this, prepared.get());
}

void Database::execute(const char* sql) const {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    refuse();
}

std::int64_t Database::last_id() const noexcept {
  return sqlite3_last_insert_rowid(connection_.get());
}

void Database::refuse() const {
  const int code = sqlite3_extended_errcode(connection_.get());
  const int system_errno = errno_behind(connection_.get());
  const std::string name = path_.string();
  const auto stop = [&](int error, const std::string& sentence) {
    throw StoreError(error, path_, sentence);
  };
  const auto text = [](int error) { return std::strerror(error); };

  switch (code & 0xff) {
  case SQLITE_NOTADB:
    stop(EINVAL, fmt::format("{} is not a schedrig store (not an SQLite file)", name));
    break;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    stop(EBUSY, fmt::format("{} is locked by another program", name));
    break;
  case SQLITE_READONLY:
    refuse_writing(path_);
  case SQLITE_PERM:
  case SQLITE_AUTH:
    stop(EACCES, fmt::format("{} cannot be opened: {}", name, text(EACCES)));
    break;
  case SQLITE_FULL:
    stop(ENOSPC, fmt::format("{} cannot grow: {}", name, text(ENOSPC)));
    break;
  case SQLITE_CANTOPEN: {
    const int error = open_refusal(path_, system_errno);
    stop(error, fmt::format("{} cannot be opened: {}", name, text(error)));
    break;
  }
  case SQLITE_IOERR:
    // Quotas, limits and a full disk below the shared index come this way, not as SQLITE_FULL.
    if (system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG)
      stop(system_errno, fmt::format("{} cannot grow: {}", name, text(system_errno)));
    stop(EIO, fmt::format("{} cannot be read or written: {}", name,
                          system_errno ? text(system_errno) : sqlite3_errmsg(connection_.get())));
    break;
  case SQLITE_CORRUPT:
    stop(EIO, fmt::format("{} is damaged: {}", name, sqlite3_errmsg(connection_.get())));
    break;
  case SQLITE_NOMEM:
    throw std::bad_alloc();
  default:
    break;
  }
  throw StoreError(EINVAL, path_, fmt::format("{}: {}", name, sqlite3_errmsg(connection_.get())));
}

Transaction::Transaction(const Database& database, Kind kind) : database_(database) {
  // A transaction that begins by reading cannot wait for a lock later, so writers take it at once.
  database_.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_)
    return;
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {
    // SQLite has rolled back by itself: a full disk does that.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

} // namespace schedrig
