#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <elf.h>

namespace schedrig {

/// A small ELF file of 64 bits with functions, put together byte by byte. It is loaded from offset
/// 0x1000 on at `address`.
struct WrittenElf {
  struct Function {
    std::string name;
    std::uint64_t address, bytes;
    unsigned char binding = STB_GLOBAL, type = STT_FUNC;
  };
  static constexpr std::uint64_t offset = 0x1000;

  std::uint64_t address = 0x401000; ///< 0x1000 or the like for a position-independent file
  std::vector<Function> symtab = {}, dynsym = {}; ///< an empty one has no section

  std::string bytes() const {
    std::string file(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0');
    std::vector<Elf64_Shdr> sections(1);
    add_symbols(file, sections, symtab, SHT_SYMTAB);
    add_symbols(file, sections, dynsym, SHT_DYNSYM);
    file.resize((file.size() + 7) / 8 * 8);

    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_shoff = file.size();
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 1;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = PF_R | PF_X;
    segment.p_offset = offset;
    segment.p_vaddr = address;
    segment.p_filesz = segment.p_memsz = 0x1000;
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, &segment, sizeof segment);
    file.append(reinterpret_cast<const char*>(sections.data()),
                sections.size() * sizeof sections[0]);
    file.resize(offset + 0x1000);
    return file;
  }

private:
  static void add_symbols(std::string& file, std::vector<Elf64_Shdr>& sections,
                          const std::vector<Function>& functions, Elf64_Word type) {
    if (functions.empty())
      return;
    file.resize((file.size() + 7) / 8 * 8);
    std::string names(1, '\0');
    Elf64_Shdr symbols{}, strings{};
    symbols.sh_type = type;
    symbols.sh_offset = file.size();
    symbols.sh_entsize = sizeof(Elf64_Sym);
    symbols.sh_size = (functions.size() + 1) * sizeof(Elf64_Sym);
    symbols.sh_link = static_cast<Elf64_Word>(sections.size() + 1);
    file.resize(file.size() + sizeof(Elf64_Sym));
    for (const auto& function : functions) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<Elf64_Word>(names.size());
      symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(function.binding, function.type));
      symbol.st_shndx = 1;
      symbol.st_value = function.address;
      symbol.st_size = function.bytes;
      names += function.name + '\0';
      file.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
    }
    strings.sh_type = SHT_STRTAB;
    strings.sh_offset = file.size();
    strings.sh_size = names.size();
    file += names;
    sections.push_back(symbols);
    sections.push_back(strings);
  }
};

} // namespace schedrig
