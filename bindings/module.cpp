#include "bindings/bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ side of schedrig; the package re-exports all of it.";
  // What is bound below belongs to the package for help(), pickle and doctest, which go by this
  // name.
  const pybind11::object own_name = module.attr("__name__");
  module.attr("__name__") = "schedrig";
  schedrig::bind_errors(module);
  schedrig::bind_records(module);
  schedrig::bind_plan(module);
  schedrig::bind_machine(module);
  schedrig::bind_run(module);
  schedrig::bind_store(module);
  schedrig::bind_compare(module);
  module.attr("__name__") = own_name;
}
