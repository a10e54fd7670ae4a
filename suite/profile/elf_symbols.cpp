#include "suite/profile/elf_symbols.hpp"

#include <memory>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>

#include "pinning/fd.hpp"

namespace schedrig {
namespace {

struct EndElf {
  void operator()(Elf* elf) const noexcept { ::elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, EndElf>;

void choose_version() {
  if (::elf_version(EV_CURRENT) == EV_NONE)
    throw std::runtime_error("libelf is of another version than its header");
}

/// `elf`, or a refusal of what is none.
ElfHandle checked_elf(Elf* elf, const std::string& name) {
  ElfHandle handle(elf);
  if (!handle || ::elf_kind(elf) != ELF_K_ELF)
    throw std::runtime_error(name + " is no ELF file");
  return handle;
}

bool is_function(const GElf_Sym& symbol) {
  const auto type = GELF_ST_TYPE(symbol.st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_value != 0;
}

/// The functions of all sections of `type`.
std::vector<Symbol> functions_of(Elf* elf, GElf_Word type) {
  std::vector<Symbol> functions;
  for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!::gelf_getshdr(section, &header) || header.sh_type != type || header.sh_entsize == 0)
      continue;
    Elf_Data* const data = ::elf_getdata(section, nullptr);
    const auto count = header.sh_size / header.sh_entsize;
    for (GElf_Xword i = 0; data && i < count; ++i) {
      GElf_Sym symbol;
      if (!::gelf_getsym(data, static_cast<int>(i), &symbol) || !is_function(symbol))
        continue;
      const char* name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name && *name)
        functions.push_back({.start = symbol.st_value,
                             .bytes = symbol.st_size,
                             .name = name,
                             .global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL});
    }
  }
  return functions;
}

} // namespace

ElfSymbols::ElfSymbols(Elf* elf) {
  std::size_t headers = 0;
  if (::elf_getphdrnum(elf, &headers) == 0)
    for (std::size_t i = 0; i < headers; ++i) {
      GElf_Phdr header;
      if (::gelf_getphdr(elf, static_cast<int>(i), &header) && header.p_type == PT_LOAD)
        segments_.push_back({header.p_offset, header.p_filesz, header.p_vaddr});
    }
  auto functions = functions_of(elf, SHT_SYMTAB);
  if (functions.empty())
    functions = functions_of(elf, SHT_DYNSYM);
  table_ = SymbolTable(std::move(functions));
}

ElfSymbols ElfSymbols::of_file(const std::filesystem::path& path) {
  choose_version();
  const Fd file = Fd::open(path, O_RDONLY);
  const auto elf = checked_elf(::elf_begin(file.number(), ELF_C_READ, nullptr), path.native());
  return ElfSymbols(elf.get());
}

ElfSymbols ElfSymbols::of_memory(std::span<const std::byte> image) {
  choose_version();
  // libelf writes into what it is given when it must turn bytes round.
  std::vector<std::byte> copy(image.begin(), image.end());
  const auto elf = checked_elf(::elf_memory(reinterpret_cast<char*>(copy.data()), copy.size()),
                               "the image in memory");
  return ElfSymbols(elf.get());
}

const Symbol* ElfSymbols::at_offset(std::uint64_t offset) const noexcept {
  for (const auto& [start, bytes, address] : segments_)
    if (offset >= start && offset - start < bytes)
      return table_.at(offset - start + address);
  return nullptr;
}

} // namespace schedrig
