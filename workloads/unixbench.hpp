#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// One test of the UnixBench set: what it runs, and what its result is called and measured by.
struct UnixbenchTest {
  std::string name;          ///< as its reports have it: "Execl Throughput"
  std::string workload;      ///< the phrase that runs it, without its time
  std::chrono::seconds time; ///< of one pass
  int passes;                ///< 10 for tests of 10 s, 3 for longer ones
  std::string unit;          ///< of its result: "lps"
  std::chrono::seconds per;  ///< the time that a result is per: 60 s for "lpm"
  double baseline;           ///< the result whose index is 10

  /// "execl-loop linking=dynamic seconds=30 copies=2", with a time of `at_most`: less than its own
  /// is no UnixBench any more, and the report has to say so.
  std::string phrase(std::chrono::seconds at_most, std::int64_t copies) const;
};

/// The twelve, in the order of the reports.
const std::vector<UnixbenchTest>& unixbench_tests();

/// The UnixBench set as one experiment.
///
/// It stands for a whole machine at a glance: two loads that must not move (dhrystone, whetstone),
/// and ten that live on processes, pipes, files and system calls. It is no workload: these
/// workloads run each by itself, in one copy and in as many as the placement has CPUs, each as
/// often as UnixBench runs it. A change of the total says that something moved; which test moved
/// says what.
WorkloadEntry unixbench();

/// A cell as a test of the set.
struct UnixbenchCell {
  std::size_t test; ///< of unixbench_tests()
  std::int64_t copies;
  std::chrono::seconds time;
};

/// Which test a cell with this workload and these parameters is: one that differs from it in
/// nothing but time and copies. Nothing where it is none.
std::optional<UnixbenchCell> unixbench_cell(std::string_view workload, std::string_view parameters);

} // namespace schedrig
