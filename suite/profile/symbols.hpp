#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/profile.hpp"
#include "suite/profile/elf_symbols.hpp"
#include "suite/profile/kernel_symbols.hpp"

namespace schedrig {

/// Names functions by their addresses: the kernel's, and those of the files that are executed. What
/// was read once is kept, for as long as the file stays the same.
///
/// A file is looked for where it was mapped from, after the fact: what was deleted or replaced
/// meanwhile, or lies in another mount namespace, is told by its own name with functions
/// "[unknown]". Not to be shared between threads.
class Symbols {
public:
  /// The kernel's are read below `root` when first asked for.
  explicit Symbols(std::filesystem::path root = "/") : root_(std::move(root)) {}

  SampledFunction of_kernel(std::uint64_t address);
  /// `file` as it was mapped: a path, "[vdso]", or "//anon" and the like for memory of no file,
  /// where code that was made at run time lies. C++ names are demangled.
  SampledFunction of_file(std::string_view file, std::uint64_t offset);

  /// What names must be read with so far: why the kernel's are not to be had.
  std::vector<std::string> notes() const;

private:
  struct File {
    std::filesystem::file_time_type changed;
    std::uintmax_t bytes = 0;
    std::unique_ptr<const ElfSymbols> symbols; ///< null where there are none to read
  };
  const ElfSymbols* symbols_of(const std::string& path);
  const ElfSymbols* vdso();

  std::filesystem::path root_;
  std::unique_ptr<const KernelSymbols> kernel_;
  std::map<std::string, File, std::less<>> files_;
  bool vdso_was_read_ = false;
  std::unique_ptr<const ElfSymbols> vdso_;
};

/// A C++ function's name as people write it; any other name as it is.
std::string demangled(const std::string& name);

} // namespace schedrig
