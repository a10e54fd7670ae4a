#pragma once

#include <pybind11/pybind11.h>

namespace schedrig {

// Each adds one subject to the module `_core`.
void bind_errors(pybind11::module_& module);
void bind_records(pybind11::module_& module);
void bind_plan(pybind11::module_& module);
void bind_machine(pybind11::module_& module);
void bind_run(pybind11::module_& module);
void bind_store(pybind11::module_& module);
void bind_compare(pybind11::module_& module);

} // namespace schedrig
