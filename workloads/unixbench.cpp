#include "workloads/unixbench.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace schedrig {

namespace {

using std::chrono::seconds;

template <typename Values, typename Number>
double geometric_mean(const Values& values, Number number) {
  double sum = 0, count = 0;
  for (const auto& value : values) {
    if (!(number(value) > 0))
      throw std::invalid_argument("a geometric mean of what is not positive");
    sum += std::log(number(value));
    ++count;
  }
  if (count == 0)
    throw std::invalid_argument("a geometric mean of nothing");
  return std::exp(sum / count);
}

} // namespace

std::string UnixbenchTest::phrase(seconds at_most) const {
  return fmt::format("{} seconds={}", workload, std::min(time, at_most).count());
}

const std::vector<UnixbenchTest>& unixbench() {
  static const std::vector<UnixbenchTest> tests{
      {"Dhrystone 2 using register variables", "dhrystone", seconds(10), 10, "lps", seconds(1),
       116'700},
      {"Double-Precision Whetstone", "whetstone", seconds(10), 10, "MWIPS", seconds(1), 55.0},
      {"Execl Throughput", "execl-loop linking=dynamic", seconds(30), 3, "lps", seconds(1), 43.0},
      {"File Copy 1024 bufsize 2000 maxblocks", "file-copy buffer=1024 blocks=2000", seconds(30), 3,
       "KBps", seconds(1), 3'960},
      {"File Copy 256 bufsize 500 maxblocks", "file-copy buffer=256 blocks=500", seconds(30), 3,
       "KBps", seconds(1), 1'655},
      {"File Copy 4096 bufsize 8000 maxblocks", "file-copy buffer=4096 blocks=8000", seconds(30), 3,
       "KBps", seconds(1), 5'800},
      {"Pipe Throughput", "pipe-throughput", seconds(10), 10, "lps", seconds(1), 12'440},
      {"Pipe-based Context Switching", "context-switch", seconds(10), 10, "lps", seconds(1), 4'000},
      {"Process Creation", "fork-loop", seconds(30), 3, "lps", seconds(1), 126},
      {"Shell Scripts (1 concurrent)", "shell-scripts scripts=1", seconds(60), 3, "lpm",
       seconds(60), 42.4},
      {"Shell Scripts (8 concurrent)", "shell-scripts scripts=8", seconds(60), 3, "lpm",
       seconds(60), 6.0},
      {"System Call Overhead", "syscall-loop kind=mix", seconds(10), 10, "lps", seconds(1), 15'000},
  };
  return tests;
}

double classic_result(std::vector<UnixbenchPass> passes, seconds per) {
  std::sort(passes.begin(), passes.end(),
            [](const auto& a, const auto& b) { return a.work < b.work; });
  return unbiased_result(std::span(passes).subspan(passes.size() / 3), per);
}

double unbiased_result(std::span<const UnixbenchPass> passes, seconds per) {
  return geometric_mean(passes, [per](const auto& pass) { return pass.work * (per / pass.time); });
}

double unixbench_index(double result, double baseline) {
  return 10 * result / baseline;
}

double unixbench_total(std::span<const double> indices) {
  return geometric_mean(indices, [](double index) { return index; });
}

} // namespace schedrig
