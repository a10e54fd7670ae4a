#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace schedrig {

/// A kernel as it was built. Known by its build id, not by its version text, which two builds can
/// share. What a kernel does not tell is empty.
struct KernelBuild {
  std::string build_id; ///< GNU build id from sys/kernel/notes, hex
  std::string release;  ///< proc/sys/kernel/osrelease: "6.18.44"
  std::string version;  ///< proc/version, the whole line
  /// SHA-256 of the config's text, hex: of proc/config.gz, else of boot/config-RELEASE.
  std::string config_digest;

  /// Reads all of it below `root`. Throws nothing but std::bad_alloc.
  static KernelBuild read(const std::filesystem::path& root = "/");

  bool operator==(const KernelBuild&) const = default;
};

/// The GNU build id within ELF notes of this machine's byte order, as sys/kernel/notes holds them,
/// in hex; empty where there is none or the notes are cut off before it.
std::string gnu_build_id(std::string_view notes);

} // namespace schedrig
