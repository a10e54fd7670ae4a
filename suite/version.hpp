#pragma once

#include <map>
#include <string>

namespace schedrig {

/// How this program was built: facts that belong to every result it produces.
struct BuildInfo {
  std::string version; ///< "0.1.0"
  std::string
      commit; ///< `git describe --always --dirty` at the build; "unknown" outside a checkout
  std::string build_type; ///< "Release", "Debug"
  std::string compiler;   ///< "GNU 12.2.0"
  std::string flags;      ///< of everything but the workloads
  std::string workloads;  ///< compiler and flags of the workloads
  bool sanitized;         ///< built with a sanitizer

  /// Whether its figures may stand: a release build without a sanitizer.
  bool may_measure() const { return build_type == "Release" && !sanitized; }
};

const BuildInfo& build_info();

/// Throws Unavailable unless this build may measure.
void require_a_measuring_build();

/// Library -> version, as linked at run time where the library tells.
std::map<std::string, std::string> library_versions();

/// What `schedrig --version` prints.
std::string version_text();

} // namespace schedrig
