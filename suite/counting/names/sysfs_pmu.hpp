#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pinning/cpu_set.hpp"

namespace schedrig {

/// A PMU as the kernel describes it below /sys/bus/event_source/devices.
///
/// The only source for what libpfm4 does not know yet: a processor newer than it, uncore and energy
/// counters, a driver's own.
class SysfsPmu {
public:
  /// An event that the kernel names, in its own words.
  struct Named {
    std::string name;  ///< "instructions"
    std::string terms; ///< "event=0xc0,umask=0x00"
    /// What perf would multiply the count with, and the unit it then has: "2.3e-10", "Joules".
    /// Empty where the kernel gives none. Facts to be shown: no count is ever scaled here.
    std::string scale, unit;
  };
  /// Config words of perf_event_attr.
  struct Words {
    std::uint64_t config = 0, config1 = 0, config2 = 0;
    bool operator==(const Words&) const = default;
  };
  /// What terms came to.
  struct Encoding {
    Words words;
    std::string terms;       ///< without names of events: "event=0xc0,umask=0x00"
    std::string scale, unit; ///< of the event that the terms name
  };

  /// The PMU `name`; nothing where there is none. `root` stands before /sys. Throws BadInput for a
  /// description that is not as the kernel writes it.
  static std::optional<SysfsPmu> find(std::string_view name,
                                      const std::filesystem::path& root = "/");
  /// Every PMU here, by name. None where sysfs is not mounted.
  static std::vector<SysfsPmu> all(const std::filesystem::path& root = "/");

  const std::string& name() const noexcept { return name_; }
  std::uint32_t type() const noexcept { return type_; } ///< perf_event_attr.type
  /// The CPUs of one core type that it belongs to, on a hybrid machine or on Arm; empty elsewhere.
  const CpuSet& cpus() const noexcept { return cpus_; }
  const std::vector<Named>& events() const noexcept { return events_; } ///< by name
  const Named* event(std::string_view name) const;                      ///< null: not here

  /// Encodes what stands between the slashes of "cpu/event=0xc0,umask=0x01/" or
  /// "cpu/instructions/": events of this PMU, terms of its format, `config`, `config1`, `config2`.
  /// A term alone is 1. A later term replaces an earlier one of its name, so that
  /// "instructions,umask=1" changes that event. Numbers are decimal, or hexadecimal behind 0x.
  /// Throws BadInput that names the term and what is allowed: nothing known by that name (with the
  /// nearest), no number, more bits than its field has, a value that is left open ("?").
  Encoding encode(std::string_view terms) const;

private:
  SysfsPmu(std::filesystem::path folder, std::uint32_t type);

  /// Where a term's bits go: word 0, 1 or 2, and bit ranges from its lowest bit on.
  struct Field {
    int word = 0;
    std::vector<std::pair<int, int>> bits; ///< first and last, both included
    int width() const;
  };
  static Field field(std::string_view text, const std::string& path);
  void put(Words& words, std::string_view term, std::uint64_t value) const;
  std::string known_terms() const;

  std::string name_;
  std::uint32_t type_ = 0;
  CpuSet cpus_;
  std::vector<Named> events_;
  std::map<std::string, Field, std::less<>> fields_;
};

} // namespace schedrig
