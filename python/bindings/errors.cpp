#include <fmt/format.h>

#include "bindings/bindings.h"

namespace sinew::python {
namespace {

const char* name_of(ErrorKind kind) {
  constexpr const char* names[] = {"usage", "input", "io", "not_built_in"};
  return names[static_cast<int>(kind)];
}

// Texts of files need not be UTF-8.
py::str text_of(const std::string& bytes) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

py::object exception_of(const py::module_& errors, const Error& error) {
  return errors.attr("make")(name_of(error.kind), text_of(error.where), text_of(error.path),
                             text_of(error.what));
}

[[noreturn]] void raise_object(const py::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

}  // namespace

void raise(const Error& error) {
  const py::gil_scoped_acquire gil;
  raise_object(exception_of(py::module_::import("sinew.errors"), error));
}

void raise(const json::Diagnostics& diagnostics) {
  const py::gil_scoped_acquire gil;
  const py::module_ errors = py::module_::import("sinew.errors");
  py::list list;
  for (const Error& error : diagnostics.list()) list.append(exception_of(errors, error));
  raise_object(errors.attr("make_list")(list));
}

void raise_value(const std::string& name, const std::string& what) {
  raise(Error{ErrorKind::usage, {}, {}, name + ": " + what});
}

std::string path_of(const py::object& given, const std::string& name) {
  py::object bytes;
  try {
    bytes = py::module_::import("os").attr("fsencode")(given);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_UnicodeError)) throw;
  }
  if (!bytes) raise_value(name, "expected the path of a file or folder");
  std::string path = bytes.cast<std::string>();
  if (path.empty() || path.find('\0') != std::string::npos)
    raise_value(name, "found an empty path or one with a zero byte, expected the path of a file or folder");
  return path;
}

}  // namespace sinew::python
