#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// A set of CPUs by the kernel's numbers, printed as the kernel prints them: `0-3,8`.
class CpuSet {
public:
  /// The largest CPU number taken: the kernel's NR_CPUS limit on x86 is 8192.
  static constexpr int largest_cpu = 8191;

  CpuSet() = default; ///< empty
  /// Sorted and made unique here. Throws BadInput for a number outside 0 to `largest_cpu`.
  explicit CpuSet(std::vector<int> cpus);

  /// Reads `0-3,8`; blanks around the whole are dropped; an empty text is the empty set. Throws
  /// BadInput naming `name`, the text and the part that is wrong.
  static CpuSet parse(std::string_view text, std::string_view name = "CPU list");

  const std::vector<int>& cpus() const noexcept { return cpus_; } ///< ascending
  std::size_t size() const noexcept { return cpus_.size(); }
  bool empty() const noexcept { return cpus_.empty(); }
  bool contains(int cpu) const noexcept;
  bool contains(const CpuSet& other) const noexcept; ///< every CPU of `other` is in here
  std::string text() const;                          ///< `0-3,8`; empty for the empty set

  friend CpuSet operator|(const CpuSet& a, const CpuSet& b); ///< in either
  friend CpuSet operator&(const CpuSet& a, const CpuSet& b); ///< in both
  friend CpuSet operator-(const CpuSet& a, const CpuSet& b); ///< in `a` only
  bool operator==(const CpuSet&) const = default;

private:
  std::vector<int> cpus_;
};

/// The CPUs that the calling thread may run on (sched_getaffinity). Throws OsError.
CpuSet own_affinity();

/// Binds the calling thread to exactly `cpus` and reads it back.
/// Throws OsError: EINVAL when none of `cpus` is online and allowed by the cpuset, EXDEV when the
/// kernel bound it to fewer CPUs than asked.
void bind_self(const CpuSet& cpus);
/// The same without a throw: 0, or the errno. Async-signal-safe, for a process that has just been
/// cloned from a threaded one.
int try_bind_self(const CpuSet& cpus) noexcept;

} // namespace schedrig
