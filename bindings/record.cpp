#include "bindings/record.hpp"

namespace schedrig {

namespace py = pybind11;

namespace {

py::tuple fields_of(py::handle record) {
  return py::type::handle_of(record).attr("__match_args__");
}

} // namespace

py::tuple values_of(py::handle record) {
  py::list values;
  for (const auto field : fields_of(record))
    values.append(record.attr(field));
  return py::tuple(values);
}

py::str repr_of(py::handle record) {
  py::list parts;
  for (const auto field : fields_of(record))
    parts.append(py::str("{}={!r}").format(field, record.attr(field)));
  return py::str("{}({})").format(py::type::handle_of(record).attr("__qualname__"),
                                  py::str(", ").attr("join")(parts));
}

py::object equality_of(py::handle record, py::handle other) {
  if (!py::type::handle_of(record).is(py::type::handle_of(other)))
    return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  return py::bool_(values_of(record).equal(values_of(other)));
}

} // namespace schedrig
