#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace schedrig {

/// A kernel as it was built. Known by its build id, not by its version text, which two builds can share.
struct KernelBuild {
  std::string build_id;      ///< GNU build id from sys/kernel/notes, hex; empty where the kernel has none
  std::string release;       ///< proc/sys/kernel/osrelease: "6.18.44"
  std::string version;       ///< proc/version, the whole line
  std::string config_digest; ///< SHA-256 of the config text (proc/config.gz, else boot/config-RELEASE), hex; empty where neither is there

  bool operator==(const KernelBuild&) const = default;
};

/// One boot of one kernel build on one machine, with the environment that its results depend on.
struct Boot {
  std::string boot_id;     ///< proc/sys/kernel/random/boot_id
  KernelBuild kernel;
  std::string machine;     ///< a name for the machine that outlives boots: SHA-256 of etc/machine-id and the DMI product, 16 hex digits
  std::string host;        ///< proc/sys/kernel/hostname
  std::map<std::string, std::string> environment; ///< fact -> value: "mitigations", "governor", "sched.features", "tool.compiler", ...

  /// Reads all of it below `root`. What a machine does not tell is absent from `environment`, or empty. Throws StoreError-free: only
  /// std::system_error when proc/sys/kernel/random/boot_id itself cannot be read, since then nothing could be kept apart.
  static Boot read(const std::filesystem::path& root = "/");
};

} // namespace schedrig
