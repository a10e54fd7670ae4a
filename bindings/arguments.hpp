#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

#include "pinning/bad_input.hpp"

namespace schedrig {

/// A whole number that Python gives, of whatever size, within bounds.
///
/// Throws BadInput that names `name` and the range; raises TypeError for what is no whole number.
template <typename Number>
Number whole_number(pybind11::handle given, std::string_view name, Number least, Number most) {
  const auto number = pybind11::reinterpret_steal<pybind11::object>(PyNumber_Index(given.ptr()));
  if (!number)
    throw pybind11::error_already_set();
  return parse_number<Number>(std::string(pybind11::str(number)), name, least, most);
}

/// The same, where None stands for the usual.
template <typename Number>
std::optional<Number> whole_number_or_none(pybind11::handle given, std::string_view name,
                                           Number least, Number most) {
  return given.is_none() ? std::nullopt : std::optional(whole_number(given, name, least, most));
}

} // namespace schedrig
