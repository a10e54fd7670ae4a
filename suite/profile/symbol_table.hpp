#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedrig {

/// A function by its place: in memory, or as an object file counts.
struct Symbol {
  std::uint64_t start = 0;
  std::uint64_t bytes = 0; ///< 0: unknown, up to the next
  std::string name;
  std::string object = {}; ///< "[kernel]", "[ext4]"; empty where it is the file itself
  bool global = false;
};

/// Functions, found by an address within them.
///
/// Of several names for one place the one that people know is kept: the fewest leading underscores,
/// a global before a local one, the shorter, the first by alphabet.
class SymbolTable {
public:
  SymbolTable() = default;
  explicit SymbolTable(std::vector<Symbol> symbols); ///< in any order

  /// The function that `address` lies in; null when it lies in none.
  const Symbol* at(std::uint64_t address) const noexcept;
  bool empty() const noexcept { return symbols_.empty(); }
  std::size_t size() const noexcept { return symbols_.size(); }

private:
  std::vector<Symbol> symbols_; ///< by start, each start once
};

} // namespace schedrig
