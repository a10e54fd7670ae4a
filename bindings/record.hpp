#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace schedrig {

/// The values of a record's fields, in the order in which they were declared.
pybind11::tuple values_of(pybind11::handle record);
/// "Cell(workload='empty', ...)".
pybind11::str repr_of(pybind11::handle record);
/// Whether both are records of one kind with equal fields; NotImplemented for another kind.
pybind11::object equality_of(pybind11::handle record, pybind11::handle other);

/// Open data as Python sees it, just as a frozen dataclass would be: fields that can only be read,
/// equality and hash by value, a repr that names the fields. Python cannot make one.
template <typename Struct>
class Record {
public:
  Record(pybind11::module_& module, const char* name, const char* doc) : class_(module, name, doc) {
    class_.def("__repr__", [](pybind11::handle self) { return repr_of(self); });
    class_.def("__eq__", [](pybind11::handle self, pybind11::handle other) {
      return equality_of(self, other);
    });
    class_.def("__hash__", [](pybind11::handle self) { return pybind11::hash(values_of(self)); });
  }

  /// A field that is a member, in a container converted at each look.
  template <typename Value>
  Record& field(const char* name, Value Struct::*member, const char* doc) {
    class_.def_readonly(name, member, doc);
    return declared(name);
  }

  /// A field that is computed from a `const Struct&`.
  template <typename Getter>
  Record& field(const char* name, const Getter& getter, const char* doc) {
    class_.def_property_readonly(name, getter, doc);
    return declared(name);
  }

  pybind11::class_<Struct>& python_class() noexcept { return class_; }

private:
  Record& declared(const char* name) {
    fields_.append(name);
    class_.attr("__match_args__") = pybind11::tuple(fields_);
    return *this;
  }

  pybind11::class_<Struct> class_;
  pybind11::list fields_;
};

} // namespace schedrig
