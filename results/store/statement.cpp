#include "results/store/statement.hpp"

#include <sqlite3.h>

#include "results/store/database.hpp"

namespace schedrig {

Statement::~Statement() {
  // Its result repeats the error that step() has thrown already.
  sqlite3_reset(prepared_);
}

bool Statement::step() {
  const int result = sqlite3_step(prepared_);
  if (result != SQLITE_ROW && result != SQLITE_DONE)
    database_.refuse();
  return result == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(prepared_);
}

std::int64_t Statement::integer(int column) const noexcept {
  return sqlite3_column_int64(prepared_, column);
}

double Statement::real(int column) const noexcept {
  return sqlite3_column_double(prepared_, column);
}

std::string_view Statement::text_view(int column) const noexcept {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(prepared_, column));
  return text ? std::string_view(text,
                                 static_cast<std::size_t>(sqlite3_column_bytes(prepared_, column)))
              : std::string_view();
}

void Statement::bind_one(int parameter, std::int64_t value) {
  if (sqlite3_bind_int64(prepared_, parameter, value) != SQLITE_OK)
    database_.refuse();
}

void Statement::bind_one(int parameter, double value) {
  if (sqlite3_bind_double(prepared_, parameter, value) != SQLITE_OK)
    database_.refuse();
}

void Statement::bind_one(int parameter, std::string_view value) {
  // A null pointer would bind NULL instead of an empty text.
  if (sqlite3_bind_text64(prepared_, parameter, value.empty() ? "" : value.data(), value.size(),
                          SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK)
    database_.refuse();
}

} // namespace schedrig
