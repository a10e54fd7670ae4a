#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// CPU time a group may use: `quota` in every `period`, and up to `burst` saved from quieter
/// periods.
///
/// 150 ms per 100 ms period is one and a half CPUs.
struct CpuBandwidth {
  std::chrono::microseconds quota;
  std::chrono::microseconds period{100'000};
  std::chrono::microseconds burst{0};

  static constexpr std::chrono::microseconds least_quota{1'000};
  /// 2^44-1 us, also for quota and burst together: above, the kernel refuses or wraps.
  static constexpr std::chrono::microseconds most_quota{17'592'186'044'415};
  static constexpr std::chrono::microseconds least_period{1'000};
  static constexpr std::chrono::microseconds most_period{1'000'000};

  bool operator==(const CpuBandwidth&) const = default;
};

/// How a cell is limited: no group at all, or nested groups, outermost first, each with a limit or
/// without.
///
/// | text                  | groups                                            |
/// | `none`                | none: the task stays where schedrig runs          |
/// | `group`               | one, without a limit                              |
/// | `20000/100000`        | one, 20 ms in every 100 ms                        |
/// | `20000/100000+5000`   | the same with 5 ms of burst                       |
/// | `group:50000/100000`  | a limited group inside one without a limit        |
struct Bandwidth {
  std::vector<std::optional<CpuBandwidth>> levels; ///< empty: no group

  /// Reads the forms above. Throws BadInput that names the part, what stood there and the kernel's
  /// bounds.
  static Bandwidth parse(std::string_view text);
  std::string text() const; ///< parses back to the same
  bool has_group() const noexcept { return !levels.empty(); }
  /// The tightest quota/period of all levels in CPUs; nothing when no level is limited.
  std::optional<double> allowed_cpus() const;

  bool operator==(const Bandwidth&) const = default;
};

} // namespace schedrig
