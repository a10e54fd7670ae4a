#include "pinning/cpu_set.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <iterator>

#include <sched.h>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

/// The kernel's bit mask for every CPU that a CpuSet can hold: wider than glibc's cpu_set_t, which
/// ends at 1023, and without an allocation.
class CpuMask {
public:
  static constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;

  void add(int cpu) noexcept { words_[word_of(cpu)] |= bit_of(cpu); }
  bool contains(int cpu) const noexcept { return (words_[word_of(cpu)] & bit_of(cpu)) != 0; }
  bool operator==(const CpuMask&) const = default;

  int bind_calling_thread() const noexcept {
    return ::sched_setaffinity(0, sizeof words_, reinterpret_cast<const cpu_set_t*>(words_.data()));
  }
  int read_calling_thread() noexcept {
    return ::sched_getaffinity(0, sizeof words_, reinterpret_cast<cpu_set_t*>(words_.data()));
  }

private:
  static std::size_t word_of(int cpu) noexcept { return static_cast<std::size_t>(cpu) / bits; }
  static unsigned long bit_of(int cpu) noexcept {
    return 1UL << (static_cast<std::size_t>(cpu) % bits);
  }
  std::array<unsigned long, (CpuSet::largest_cpu + 1) / bits> words_{};
};

} // namespace

CpuSet::CpuSet(std::vector<int> cpus) : cpus_(std::move(cpus)) {
  std::sort(cpus_.begin(), cpus_.end());
  cpus_.erase(std::unique(cpus_.begin(), cpus_.end()), cpus_.end());
  if (!cpus_.empty() && (cpus_.front() < 0 || cpus_.back() > largest_cpu))
    throw BadInput(fmt::format("CPU {} is out of range; allowed is 0 to {}",
                               cpus_.front() < 0 ? cpus_.front() : cpus_.back(), largest_cpu));
}

CpuSet CpuSet::parse(std::string_view text, std::string_view name) {
  const auto list = trimmed(text);
  if (list.empty())
    return {};
  const auto place = fmt::format("{} '{}'", name, list);
  std::vector<int> cpus;
  for (std::size_t start = 0; start <= list.size();) {
    const auto part = list.substr(start, list.find(',', start) - start);
    start += part.size() + 1;
    const auto dash = part.find('-');
    const int first = parse_number(part.substr(0, dash), place, 0, largest_cpu);
    const int last = dash == std::string_view::npos
                         ? first
                         : parse_number(part.substr(dash + 1), place, 0, largest_cpu);
    if (last < first)
      throw BadInput(fmt::format("{}: '{}' runs backwards", place, part));
    for (int cpu = first; cpu <= last; ++cpu)
      cpus.push_back(cpu);
  }
  return CpuSet(std::move(cpus));
}

bool CpuSet::contains(int cpu) const noexcept {
  return std::binary_search(cpus_.begin(), cpus_.end(), cpu);
}

bool CpuSet::contains(const CpuSet& other) const noexcept {
  return std::includes(cpus_.begin(), cpus_.end(), other.cpus_.begin(), other.cpus_.end());
}

std::string CpuSet::text() const {
  std::string text;
  for (auto first = cpus_.begin(); first != cpus_.end();) {
    auto last = first;
    while (std::next(last) != cpus_.end() && *std::next(last) == *last + 1)
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", *first);
    if (last != first)
      text += fmt::format("-{}", *last);
    first = std::next(last);
  }
  return text;
}

CpuSet operator|(const CpuSet& a, const CpuSet& b) {
  CpuSet both;
  std::ranges::set_union(a.cpus_, b.cpus_, std::back_inserter(both.cpus_));
  return both;
}

CpuSet operator&(const CpuSet& a, const CpuSet& b) {
  CpuSet shared;
  std::ranges::set_intersection(a.cpus_, b.cpus_, std::back_inserter(shared.cpus_));
  return shared;
}

CpuSet operator-(const CpuSet& a, const CpuSet& b) {
  CpuSet rest;
  std::ranges::set_difference(a.cpus_, b.cpus_, std::back_inserter(rest.cpus_));
  return rest;
}

CpuSet own_affinity() {
  CpuMask mask;
  checked(mask.read_calling_thread(), "sched_getaffinity", "the calling thread");
  std::vector<int> cpus;
  for (int cpu = 0; cpu <= CpuSet::largest_cpu; ++cpu)
    if (mask.contains(cpu))
      cpus.push_back(cpu);
  return CpuSet(std::move(cpus));
}

int try_bind_self(const CpuSet& cpus) noexcept {
  CpuMask wanted, bound;
  for (const int cpu : cpus.cpus())
    wanted.add(cpu);
  if (wanted.bind_calling_thread() == -1 || bound.read_calling_thread() == -1)
    return errno;
  return bound == wanted ? 0 : EXDEV;
}

void bind_self(const CpuSet& cpus) {
  if (const int error = try_bind_self(cpus))
    throw OsError(error, "sched_setaffinity", "CPUs " + cpus.text());
}

} // namespace schedrig
