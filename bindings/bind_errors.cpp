#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "bindings/bindings.hpp"
#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "pinning/task.hpp"
#include "pinning/unavailable.hpp"
#include "results/store/store_error.hpp"

namespace schedrig {

namespace py = pybind11;

namespace {

/// A text that may hold a path, whose bytes need not be UTF-8.
py::object text_of(std::string_view text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

void raise(const py::object& error) {
  PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
}

/// OSError chooses its subclass by errno: FileNotFoundError, PermissionError, ...
template <typename... Subject>
void raise_os_error(int error, std::string_view text, const Subject&... subject) {
  raise(py::handle(PyExc_OSError)(error, text_of(text), text_of(subject)...));
}

void raise_unavailable(py::handle type, const Unavailable& error) {
  const py::object unavailable = type(text_of(error.what()));
  unavailable.attr("why") = text_of(error.why());
  unavailable.attr("remedy") = text_of(error.remedy());
  raise(unavailable);
}

/// The classes live as long as the module, which is never unloaded.
py::handle bad_input_type, unavailable_type;

py::object new_exception(const char* name, const char* doc, PyObject* base) {
  return py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(name, doc, base, nullptr));
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown)
      std::rethrow_exception(std::move(thrown));
  } catch (const BadInput& error) {
    raise(bad_input_type(text_of(error.what())));
  } catch (const Unavailable& error) {
    raise_unavailable(unavailable_type, error);
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const StoreError& error) {
    raise_os_error(error.error(), error.what(), error.path().native());
  } catch (const OsError& error) {
    raise_os_error(error.error(),
                   fmt::format("{}: {}", error.operation(), errno_text(error.error())),
                   error.subject());
  } catch (const std::filesystem::filesystem_error& error) {
    raise_os_error(error.code().value(), error.code().message(), error.path1().native());
  } catch (const std::system_error& error) {
    raise_os_error(error.code().value(), error.what());
  }
}

constexpr auto bad_input_doc =
    R"(Something given that cannot be meant: a word of a plan, a number out of its range.

The message names the thing, its place where it has one, what stood there, and what is allowed.

>>> schedrig.Plan("pipe-ping-bong")
Traceback (most recent call last):
    ...
schedrig.BadInput: there is no workload 'pipe-ping-bong'; did you mean 'pipe-ping-pong'?
)";

constexpr auto unavailable_doc =
    R"(This machine, or this user on it, cannot give what was asked for.

``why`` is the sentence that says so; ``remedy`` the line that would change it, empty when nothing
would.
)";

} // namespace

void bind_errors(py::module_& module) {
  py::object bad_input = new_exception("schedrig.BadInput", bad_input_doc, PyExc_ValueError);
  py::object unavailable =
      new_exception("schedrig.Unavailable", unavailable_doc, PyExc_RuntimeError);
  module.add_object("BadInput", bad_input);
  module.add_object("Unavailable", unavailable);
  bad_input_type = bad_input.release();
  unavailable_type = unavailable.release();
  // Local: another module's std::system_error is not ours to translate.
  py::register_local_exception_translator(translate);
}

} // namespace schedrig
