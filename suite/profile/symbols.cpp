#include "suite/profile/symbols.hpp"

#include <cstdlib>
#include <system_error>

#include <cxxabi.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "suite/profile/address_spaces.hpp"

namespace schedrig {
namespace {

constexpr const char* unknown = "[unknown]";
using Mode = SampledFunction::Mode;

/// Our own copy, which is everyone's: the kernel maps the same pages into each process.
std::unique_ptr<const ElfSymbols> own_vdso() try {
  for (const auto& record : mappings_of(::getpid(), read_whole("/proc/self/maps")))
    if (const auto& mapping = std::get<PerfRecord::Mapping>(record.what); mapping.file == "[vdso]")
      return std::make_unique<const ElfSymbols>(ElfSymbols::of_memory(
          {reinterpret_cast<const std::byte*>(mapping.start), // NOLINT(performance-no-int-to-ptr)
           mapping.bytes}));
  return nullptr;
} catch (const std::runtime_error&) { // no /proc, or no ELF: it has no names then
  return nullptr;
}

} // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z"))
    return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

SampledFunction Symbols::of_kernel(std::uint64_t address) {
  if (!kernel_)
    kernel_ = std::make_unique<const KernelSymbols>(KernelSymbols::read(root_));
  const Symbol* const symbol = kernel_->table.at(address);
  return symbol ? SampledFunction{symbol->name, symbol->object, Mode::kernel}
                : SampledFunction{unknown, "[kernel]", Mode::kernel};
}

SampledFunction Symbols::of_file(std::string_view file, std::uint64_t offset) {
  constexpr std::string_view deleted = " (deleted)";
  if (file.ends_with(deleted)) {
    file.remove_suffix(deleted.size());
    return {unknown, std::string(file), Mode::user};
  }
  if (file.empty() || file.starts_with("//") || file == "[heap]" || file == "[stack]")
    return {unknown, "[anonymous]", Mode::user};
  std::string object(file);
  const ElfSymbols* const symbols = file == "[vdso]" ? vdso() : symbols_of(object);
  const Symbol* const symbol = symbols ? symbols->at_offset(offset) : nullptr;
  return {symbol ? demangled(symbol->name) : unknown, std::move(object), Mode::user};
}

const ElfSymbols* Symbols::symbols_of(const std::string& path) {
  std::error_code error;
  const auto changed = std::filesystem::last_write_time(path, error);
  const auto bytes = error ? 0 : std::filesystem::file_size(path, error);
  if (error)
    return nullptr;
  const auto known = files_.find(path);
  if (known != files_.end() && known->second.changed == changed && known->second.bytes == bytes)
    return known->second.symbols.get();
  File& file = files_[path];
  file = {changed, bytes, nullptr};
  try {
    file.symbols = std::make_unique<const ElfSymbols>(ElfSymbols::of_file(path));
  } catch (const std::runtime_error&) { // no ELF file, or not ours to read: it has no names then
  }
  return file.symbols.get();
}

const ElfSymbols* Symbols::vdso() {
  if (!vdso_was_read_)
    vdso_ = own_vdso();
  vdso_was_read_ = true;
  return vdso_.get();
}

std::vector<std::string> Symbols::notes() const {
  if (kernel_ && !kernel_->hidden.empty())
    return {kernel_->hidden};
  return {};
}

} // namespace schedrig
