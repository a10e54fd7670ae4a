#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "suite/profile/symbol_table.hpp"

struct Elf;

namespace schedrig {

/// The functions of an executable or a library, found by their place in the file.
///
/// From its .symtab, or where it was stripped of that from its .dynsym, which has only what others
/// may call. Of either word size and byte order.
class ElfSymbols {
public:
  /// Throws OsError for a file that cannot be read, std::runtime_error when it is no ELF file.
  static ElfSymbols of_file(const std::filesystem::path& path);
  /// Of a whole file in memory. Throws std::runtime_error likewise.
  static ElfSymbols of_memory(std::span<const std::byte> image);

  /// The function at `offset` in the file; null in none of those that have names. A
  /// position-independent file lies anywhere in memory: only its offsets stay.
  const Symbol* at_offset(std::uint64_t offset) const noexcept;
  bool empty() const noexcept { return table_.empty(); } ///< stripped

private:
  struct Segment {
    std::uint64_t offset, bytes, address;
  };
  explicit ElfSymbols(Elf* elf);

  std::vector<Segment> segments_; ///< what is loaded
  SymbolTable table_;             ///< by the file's own addresses
};

} // namespace schedrig
