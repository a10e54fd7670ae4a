#include "suite/cli/command.hpp"

#include <algorithm>
#include <cstdlib>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace schedrig {

void add_store_option(CLI::App& command, std::filesystem::path& store) {
  const char* named = std::getenv("SCHEDRIG_STORE");
  store = named && *named ? named : "schedrig.db";
  command.add_option("--store", store, "the store (usual: $SCHEDRIG_STORE, else schedrig.db here)")
      ->type_name("FILE");
}

std::vector<std::string> list_parts(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string outcome_text(const TrialRecord& trial) {
  const std::string_view word = trial.validity == TrialRecord::Validity::valid     ? "valid"
                                : trial.validity == TrialRecord::Validity::invalid ? "INVALID"
                                                                                   : "failed";
  const bool warm_up = trial.purpose == TrialRecord::Purpose::warm_up;
  return fmt::format("{}{}{}{}", word, warm_up ? ", warm-up" : "", trial.reason.empty() ? "" : ": ",
                     trial.reason);
}

} // namespace schedrig
