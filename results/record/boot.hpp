#pragma once

#include <filesystem>
#include <string>

#include "results/record/environment.hpp"
#include "results/record/kernel_build.hpp"

namespace schedrig {

/// One boot of one kernel build on one machine, with the environment that its results depend on.
struct Boot {
  std::string boot_id; ///< proc/sys/kernel/random/boot_id
  KernelBuild kernel;
  /// A name for the machine that outlives boots: 16 hex digits of the SHA-256 of etc/machine-id and
  /// the DMI product.
  std::string machine;
  std::string host; ///< proc/sys/kernel/hostname
  /// Fact -> value: "mitigation.meltdown", "governor", "sched.features", "tool.compiler", ...
  Environment environment;

  /// Reads all of it below `root`. What a machine does not tell is absent from `environment`, or
  /// empty. Throws std::system_error naming the file (any errno of open or read; EINVAL when it is
  /// empty) only for proc/sys/kernel/random/boot_id: without it no two boots could be kept apart.
  static Boot read(const std::filesystem::path& root = "/");

  bool operator==(const Boot&) const = default;
};

} // namespace schedrig
