#include "workloads/parts/extent.hpp"

#include <fmt/format.h>

namespace schedrig {

Extent::Extent(const ParameterValues& values, const std::string& units, std::int64_t units_a_look)
    : Extent(values.count(units), std::chrono::seconds(values.count("seconds")), units_a_look) {}

Parameter Extent::seconds(std::int64_t usual, const std::string& units) {
  return {"seconds", "s", fmt::format("for how long; ignored when {} are given", units),
          Parameter::Count{usual, 1, 86'400}};
}

Parameter Extent::units(const std::string& name) {
  return {name, "1", "how many, whatever the time; 0: until the time is up",
          Parameter::Count{0, 0, 1'000'000'000'000}};
}

std::chrono::milliseconds Extent::time_of(const ParameterValues& values, const std::string& units) {
  return std::chrono::seconds(values.count(units) > 0 ? 0 : values.count("seconds"));
}

} // namespace schedrig
