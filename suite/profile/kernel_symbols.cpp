#include "suite/profile/kernel_symbols.hpp"

#include <charconv>

#include <fmt/format.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {
namespace {

/// The first word of `line`, which is taken off it.
std::string_view taken_word(std::string_view& line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == line.npos)
    return {};
  line.remove_prefix(first);
  const auto word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

bool is_function(std::string_view type) {
  return type == "t" || type == "T" || type == "w" || type == "W";
}

/// The kernel's own limits on who sees addresses, as a sentence's end.
std::string settings_text(const std::filesystem::path& root) {
  const auto value = [&](const char* name) -> std::string {
    try {
      return std::string(trimmed(read_whole(root / "proc/sys/kernel" / name)));
    } catch (const OsError&) {
      return "unknown";
    }
  };
  return fmt::format("kernel.kptr_restrict is {}, kernel.perf_event_paranoid {}",
                     value("kptr_restrict"), value("perf_event_paranoid"));
}

} // namespace

KernelSymbols KernelSymbols::parse(std::string_view kallsyms) {
  std::vector<Symbol> symbols;
  bool any_function = false;
  while (!kallsyms.empty()) {
    auto line = kallsyms.substr(0, kallsyms.find('\n'));
    kallsyms.remove_prefix(std::min(line.size() + 1, kallsyms.size()));
    const auto digits = taken_word(line), type = taken_word(line), name = taken_word(line);
    const auto module = taken_word(line);
    std::uint64_t start = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), start, 16);
    if (error != std::errc() || stop != digits.data() + digits.size() || name.empty() ||
        !is_function(type))
      continue;
    any_function = true;
    if (start != 0) // hidden from us
      symbols.push_back({.start = start,
                         .name = std::string(name),
                         .object = module.empty() ? "[kernel]" : std::string(module),
                         .global = type == "T" || type == "W"});
  }
  KernelSymbols kernel{SymbolTable(std::move(symbols)), {}};
  if (kernel.table.empty())
    kernel.hidden = any_function ? "/proc/kallsyms shows no addresses to this user"
                                 : "/proc/kallsyms lists no functions";
  return kernel;
}

KernelSymbols KernelSymbols::read(const std::filesystem::path& root) {
  const auto path = root / "proc/kallsyms";
  KernelSymbols kernel;
  try {
    kernel = parse(read_whole(path));
  } catch (const OsError& error) {
    kernel.hidden = error.what();
  }
  if (!kernel.hidden.empty())
    kernel.hidden = fmt::format("kernel functions have no names: {} ({})\n  to change it: run as "
                                "root, or sysctl -w kernel.kptr_restrict=0 "
                                "kernel.perf_event_paranoid=1",
                                kernel.hidden, settings_text(root));
  return kernel;
}

} // namespace schedrig
