#include "suite/profile/symbol_table.hpp"

#include <algorithm>
#include <tuple>

namespace schedrig {
namespace {

/// Less is better known.
auto strangeness(const Symbol& symbol) {
  const auto letter = symbol.name.find_first_not_of('_');
  return std::tuple(letter == std::string::npos ? symbol.name.size() : letter, !symbol.global,
                    symbol.name.size(), std::string_view(symbol.name));
}

/// What lies at one place is as long as the longest of its names says.
void take_length(Symbol& kept, const Symbol& alias) {
  kept.bytes = std::max(kept.bytes, alias.bytes);
}

} // namespace

SymbolTable::SymbolTable(std::vector<Symbol> symbols) {
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
    if (a.start != b.start)
      return a.start < b.start;
    return strangeness(a) < strangeness(b);
  });
  for (Symbol& symbol : symbols)
    if (!symbols_.empty() && symbols_.back().start == symbol.start)
      take_length(symbols_.back(), symbol);
    else
      symbols_.push_back(std::move(symbol));
}

const Symbol* SymbolTable::at(std::uint64_t address) const noexcept {
  const auto after = std::upper_bound(
      symbols_.begin(), symbols_.end(), address,
      [](std::uint64_t place, const Symbol& symbol) { return place < symbol.start; });
  if (after == symbols_.begin())
    return nullptr;
  const Symbol& symbol = *std::prev(after);
  if (symbol.bytes > 0 && address - symbol.start >= symbol.bytes)
    return nullptr;
  return &symbol;
}

} // namespace schedrig
