#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace schedrig {

/// One test of the UnixBench set.
///
/// The set stands for a whole machine at a glance: two loads that must not move (dhrystone,
/// whetstone), and ten that live on processes, pipes, files and system calls. It is no workload:
/// an experiment runs these workloads each by itself, in one copy and in as many as there are CPUs.
/// A change of the total says that something moved; which test moved says what.
struct UnixbenchTest {
  std::string name;          ///< as its reports have it: "Execl Throughput"
  std::string workload;      ///< the phrase that runs it, without its time
  std::chrono::seconds time; ///< of one pass
  int passes;                ///< 10 for tests of 10 s, 3 for longer ones
  std::string unit;          ///< of its result: "lps"
  std::chrono::seconds per;  ///< the time that a result is per: 60 s for "lpm"
  double baseline;           ///< the result whose index is 10
  /// "execl-loop linking=dynamic seconds=30", with a time of `at_most`: less than its own is no
  /// UnixBench any more, and the report has to say so.
  std::string phrase(std::chrono::seconds at_most) const;
};

/// The twelve, in the order of the reports.
const std::vector<UnixbenchTest>& unixbench();

/// One execution of a test: the work of all copies, and the time it took.
struct UnixbenchPass {
  double work;
  std::chrono::duration<double> time;
};

/// A test's result by the classic rule: of p passes the int(p/3) with the least work are dropped,
/// and the rest's geometric mean is taken, in work per `per`. It is biased upward, the more the
/// more the passes vary: a verdict must not rest on it. Throws std::invalid_argument without
/// passes, or for one whose work or time is not positive.
double classic_result(std::vector<UnixbenchPass> passes, std::chrono::seconds per);
/// The same of all passes: unbiased, as the mean of the logarithms is.
double unbiased_result(std::span<const UnixbenchPass> passes, std::chrono::seconds per);

/// 10 where `result` is the baseline.
double unixbench_index(double result, double baseline);
/// The geometric mean of the tests' indices. Throws std::invalid_argument where there are none, or
/// one is not positive.
double unixbench_total(std::span<const double> indices);

} // namespace schedrig
