#include "suite/version.hpp"

#include <boost/version.hpp>
#include <fmt/format.h>
#include <hwloc.h>
#include <perfmon/pfmlib.h>
#include <sqlite3.h>

#include "pinning/unavailable.hpp"
#include "suite/commit.hpp"
#include "workloads/catalogue.hpp"

namespace schedrig {

const BuildInfo& build_info() {
  static const BuildInfo info{.version = SCHEDRIG_VERSION,
                              .commit = SCHEDRIG_COMMIT,
                              .build_type = SCHEDRIG_BUILD_TYPE,
                              .compiler = SCHEDRIG_COMPILER,
                              .flags = SCHEDRIG_FLAGS,
                              .workloads = workload_build(),
                              .sanitized = std::string_view(SCHEDRIG_FLAGS).find("-fsanitize") !=
                                           std::string_view::npos};
  return info;
}

void require_a_measuring_build() {
  const auto& info = build_info();
  if (!info.may_measure())
    throw Unavailable(fmt::format("this is a {} build{}; only a release build may measure",
                                  info.build_type, info.sanitized ? " with a sanitizer" : ""),
                      "cmake --workflow --preset release, or allow debug builds (--allow-debug) "
                      "for figures that do not count");
}

std::map<std::string, std::string> library_versions() {
  const unsigned hwloc = hwloc_get_api_version();
  const int pfm = pfm_get_version();
  return {{"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                                BOOST_VERSION % 100)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"hwloc API", fmt::format("{}.{}.{}", hwloc >> 16, hwloc >> 8 & 0xff, hwloc & 0xff)},
          {"libpfm4 API", fmt::format("{}.{}", PFM_MAJ_VERSION(pfm), PFM_MIN_VERSION(pfm))},
          {"sqlite", sqlite3_libversion()}};
}

std::string version_text() {
  const auto& build = build_info();
  std::string text = fmt::format("schedrig {} (commit {}, {} build{})\n"
                                 "compiler:  {}\n"
                                 "flags:     {}\n"
                                 "workloads: {}\n"
                                 "libraries:",
                                 build.version, build.commit, build.build_type,
                                 build.sanitized ? ", sanitized" : "", build.compiler, build.flags,
                                 build.workloads);
  for (const auto& [library, version] : library_versions())
    text += fmt::format(" {} {}", library, version);
  return text + '\n';
}

} // namespace schedrig
