#include "suite/counting/names/tracepoint.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"

namespace schedrig {
namespace {

namespace fs = std::filesystem;

constexpr const char* mount_it = "mount -t tracefs nodev /sys/kernel/tracing";

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.is_directory(none))
      names.push_back(entry.path().filename().native());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

} // namespace

bool Tracepoint::is_spelled(std::string_view name) {
  const auto colon = name.find(':');
  return colon != name.npos && is_word(name.substr(0, colon)) && is_word(name.substr(colon + 1));
}

std::optional<fs::path> Tracepoint::folder(const fs::path& root) {
  std::error_code none;
  for (const char* place : {"sys/kernel/tracing/events", "sys/kernel/debug/tracing/events"})
    if (fs::is_directory(root / place, none))
      return root / place;
  return {};
}

std::string Tracepoint::why_none(const fs::path& root) {
  if (const auto events = folder(root)) {
    std::error_code error;
    fs::directory_iterator(*events, error);
    return error ? fmt::format("{} may not be read: only root may", events->native()) : "";
  }
  return fmt::format("tracefs is not mounted, which has the tracepoints\n  to change it: {}",
                     mount_it);
}

std::optional<Tracepoint> Tracepoint::find(std::string_view name, const fs::path& root) {
  const auto events = folder(root);
  if (!events || !is_spelled(name))
    return {};
  const auto colon = name.find(':');
  const auto path = *events / name.substr(0, colon) / name.substr(colon + 1) / "id";
  try {
    return Tracepoint{std::string(name), parse_number<std::uint64_t>(trimmed(read_whole(path)),
                                                                     path.native(), 0, UINT32_MAX)};
  } catch (const OsError& error) {
    if (error.error() == EACCES || error.error() == EPERM)
      throw Unavailable(fmt::format("{}: {}", name, error.what()),
                        "run as root, or mount -o remount,mode=755 /sys/kernel/tracing");
    return {};
  }
}

std::vector<std::string> Tracepoint::names(const fs::path& root) {
  std::vector<std::string> names;
  if (const auto events = folder(root))
    for (const auto& system : folders_in(*events))
      for (const auto& event : folders_in(*events / system))
        names.push_back(fmt::format("{}:{}", system, event));
  return names;
}

} // namespace schedrig
