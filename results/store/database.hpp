#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "results/store/statement.hpp"

struct sqlite3;

namespace schedrig {

/// A connection to an SQLite file, whose refusals are StoreErrors with an errno and a sentence.
class Database {
public:
  enum class Mode {
    create,  ///< reads and writes; the file is made when it does not exist
    existing ///< never changes what the file holds
  };

  Database(const std::filesystem::path& path, Mode mode, std::chrono::milliseconds busy_timeout);

  /// A copy in memory of a file that SQLite's own locks cannot protect, because neither they nor
  /// the folder may be written. Throws EBUSY when the file changes all the time.
  static Database snapshot(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }

  /// Throws the StoreError that says why the file may not be written, if it may not. SQLite itself
  /// opens it all the same and refuses only later.
  void require_writable() const;

  /// `sql` prepared, once for the life of the connection. It must be a literal: its address is the
  /// key. Only one use of it at a time.
  Statement statement(const char* sql) const;
  void execute(const char* sql) const;   ///< any number of statements without results
  std::int64_t last_id() const noexcept; ///< of the row that was inserted last

  /// Throws the StoreError for what SQLite refused just now.
  [[noreturn]] void refuse() const;

private:
  struct Close {
    void operator()(sqlite3* connection) const noexcept;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* prepared) const noexcept;
  };

  explicit Database(const std::filesystem::path& path) : path_(path) {}
  void open(const std::string& name, int flags);

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> connection_;
  mutable std::map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> prepared_;
};

/// A transaction that is undone unless it is committed.
class Transaction {
public:
  enum class Kind {
    read, ///< all that is read in it is of one moment
    write ///< no other program writes until it ends
  };
  Transaction(const Database& database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit(); ///< Once it returns, the change is on the disk.

private:
  const Database& database_;
  bool open_ = true;
};

} // namespace schedrig
