#pragma once

#include <optional>
#include <string>

namespace schedrig {

/// A closed interval of an estimate, in the estimate's unit. `lower <= upper`, both finite.
struct Interval {
  double lower = 0, upper = 0;

  double half_width() const noexcept { return (upper - lower) / 2; }
  bool contains(double value) const noexcept { return lower <= value && value <= upper; }
};

/// How much a candidate differs from a base. Positive means that the candidate has more.
///
/// Nothing in it is ever NaN or infinite: what cannot be said is absent, and `caveat` says why.
struct Difference {
  enum class Unit {
    percent, ///< of the base: 100 * (candidate / base - 1)
    plain    ///< candidate - base, in the metric's own unit
  };
  enum class Kind {
    none,          ///< no difference can be told: no `estimate`, and `caveat` says why
    without_error, ///< an `estimate` whose error is not known: no `interval`, and `caveat` says why
    estimated,     ///< `estimate`, `interval`, `degrees_of_freedom` and `p`
    exact          ///< neither sample varies at all: `interval` is the estimate alone, and no `p`
  };

  Unit unit = Unit::percent;
  Kind kind = Kind::none;
  std::optional<double> estimate = {};
  std::optional<Interval> interval = {};
  std::optional<double> degrees_of_freedom = {};
  std::optional<double> p = {}; ///< two-sided, of no difference
  std::string caveat = {};      ///< a sentence without its full stop; empty when all is said
};

} // namespace schedrig
