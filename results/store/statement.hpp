#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace schedrig {

class Database;

/// One use of a prepared statement, which its Database owns. Ends the use when it goes out of
/// scope, so that the statement can be used again and holds no lock.
///
/// Every member throws StoreError as Database does.
class Statement {
public:
  Statement(const Database& database, sqlite3_stmt* prepared) noexcept
      : database_(database), prepared_(prepared) {}
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  /// Gives the parameters ?1, ?2, ... their values, which are copied.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    int parameter = 0;
    (bind_one(++parameter, values), ...);
    return *this;
  }

  bool step(); ///< true: on a row; false: done
  void run();  ///< steps to the end and makes it ready for the next values

  // Column `column` of the row, from 0. Text lives until the next step.
  std::int64_t integer(int column) const noexcept;
  double real(int column) const noexcept;
  std::string_view text_view(int column) const noexcept;
  std::string text(int column) const { return std::string(text_view(column)); }

private:
  void bind_one(int parameter, std::int64_t value);
  void bind_one(int parameter, int value) { bind_one(parameter, std::int64_t{value}); }
  void bind_one(int parameter, double value);
  void bind_one(int parameter, std::string_view value);

  const Database& database_;
  sqlite3_stmt* prepared_;
};

} // namespace schedrig
