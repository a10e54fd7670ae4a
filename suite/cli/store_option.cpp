#include <cstdlib>

#include <CLI/CLI.hpp>

#include "suite/cli/command.hpp"

namespace schedrig {

void add_store_option(CLI::App& command, std::filesystem::path& store) {
  const char* named = std::getenv("SCHEDRIG_STORE");
  store = named && *named ? named : "schedrig.db";
  command.add_option("--store", store, "the store (usual: $SCHEDRIG_STORE, else schedrig.db here)")
      ->type_name("FILE");
}

} // namespace schedrig
