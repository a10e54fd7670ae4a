#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace schedrig {

/// What a workload takes from the machine, known before it starts: the most it has at one time.
struct Needs {
  std::int64_t tasks = 1;        ///< processes and threads
  std::int64_t descriptors = 16; ///< open in one process
  std::int64_t memory_bytes = 0; ///< of all its tasks together, above what a process takes anyway
  std::int64_t file_bytes = 0;   ///< below `folder`
  std::filesystem::path folder = {};      ///< empty where it writes no files
  std::vector<std::string> programs = {}; ///< to be found in PATH: "make"; or by their paths
  std::chrono::milliseconds time{
      0}; ///< how long it runs by its own clock; 0 where its work decides
};

/// A sentence for each thing that this machine does not have: what, how much is needed, how much is
/// there. Limits that a process may raise itself (the soft one of descriptors) count as raised.
/// Throws OsError for a folder that is not there.
std::vector<std::string> lacking(const Needs& needs);

/// Raises this process's soft limit of descriptors to `wanted`, for itself and what it forks.
/// Throws OsError: EPERM above the hard limit.
void allow_descriptors(std::int64_t wanted);

} // namespace schedrig
