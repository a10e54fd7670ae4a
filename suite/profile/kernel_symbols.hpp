#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "suite/profile/symbol_table.hpp"

namespace schedrig {

/// The running kernel's functions, those of its modules and of BPF programs included.
struct KernelSymbols {
  SymbolTable table; ///< by address; each symbol's object is "[kernel]" or the module, "[ext4]"
  /// Why there are none, with what would change it; empty when there are.
  std::string hidden;

  /// Reads /proc/kallsyms below `root`. Throws nothing of the kernel's refusals: `hidden` has them.
  static KernelSymbols read(const std::filesystem::path& root = "/");
  /// From the text of kallsyms; a line that is none is passed over.
  static KernelSymbols parse(std::string_view kallsyms);
};

} // namespace schedrig
