#include "bindings/arrays.h"

#include <algorithm>
#include <cmath>

namespace sinew::python {
namespace {

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (size_t k = 0; k < shape.size(); ++k)
    text += (k > 0 ? ", " : "") + (shape[k] < 0 ? std::string("any") : std::to_string(shape[k]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

// `kinds`: those of numpy's dtypes that are taken.
py::array array_of(const py::handle& object, const std::string& name, const Shape& shape,
                   const std::string& kinds, const std::string& what) {
  const std::string expected = "expected " + what + " of shape " + shape_text(shape);
  if (object.is_none()) raise_value(name, "found None, " + expected);
  py::array array = py::array::ensure(object);
  if (!array) {
    PyErr_Clear();
    raise_value(name, "found something that is no array, " + expected);
  }
  const Shape found(array.shape(), array.shape() + array.ndim());
  // An empty list has no type of its own.
  if (array.size() > 0 && kinds.find(array.dtype().kind()) == std::string::npos)
    raise_value(name,
                "found numbers of type " + py::str(array.dtype()).cast<std::string>() + ", " + expected);
  bool fits = found.size() == shape.size();
  for (size_t k = 0; fits && k < shape.size(); ++k) fits = shape[k] < 0 || shape[k] == found[k];
  if (!fits) raise_value(name, "found an array of shape " + shape_text(found) + ", " + expected);
  return array;
}

}  // namespace

py::array_t<double> doubles(const py::handle& object, const std::string& name, const Shape& shape) {
  const py::array given = array_of(object, name, shape, "fiu", "real numbers");
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) throw py::error_already_set();
  const std::span<const double> values(array.data(), static_cast<size_t>(array.size()));
  const auto bad = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    const auto at = static_cast<py::ssize_t>(bad - values.begin());
    const py::ssize_t width = shape.size() > 1 ? shape.back() : 1;
    raise_value(name,
                "found " +
                    std::string(std::isnan(*bad) ? "a value that is not a number" : "an infinite value") +
                    " at row " + std::to_string(at / std::max<py::ssize_t>(width, 1)) +
                    " (counted from 0), expected finite numbers");
  }
  return py::array_t<double>(array);
}

py::array_t<int32_t> integers(const py::handle& object, const std::string& name, const Shape& shape,
                              int64_t count) {
  const py::array given = array_of(object, name, shape, "iu", "whole numbers");
  const auto wide = py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!wide) throw py::error_already_set();
  py::array_t<int32_t> result(Shape(wide.shape(), wide.shape() + wide.ndim()));
  for (py::ssize_t i = 0; i < wide.size(); ++i) {
    const int64_t id = wide.data()[i];
    if (id < 0 || id >= count)
      raise_value(name, "found the index " + std::to_string(id) + " at place " + std::to_string(i) +
                            " (counted from 0), expected 0 to " + std::to_string(count - 1));
    result.mutable_data()[i] = static_cast<int32_t>(id);
  }
  return result;
}

std::vector<int32_t> indices(const py::handle& object, const std::string& name, int64_t count) {
  const py::array_t<int32_t> given = integers(object, name, {-1}, count);
  std::vector<int32_t> ids(given.data(), given.data() + given.size());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

math::Vec3d vector3(const py::handle& object, const std::string& name) {
  const py::array_t<double> v = doubles(object, name, {3});
  return {v.data()[0], v.data()[1], v.data()[2]};
}

}  // namespace sinew::python
