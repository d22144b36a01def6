#pragma once
// Arrays in and out. What a caller gives is checked, and its name stands in the message: anything that numpy can make a
// rectangular array of real numbers is taken, by a copy where it must be. What is given out is a view that keeps its
// owner alive.
//
//     py::array_t<double> V = doubles(object, "V", {-1, 3});    std::vector<int32_t> ids = indices(object, "nodes", n);
//     py::array x = view(state.x().data()->v, {n, 3}, owner, true);
#include <span>

#include "bindings/bindings.h"

namespace sinew::python {

using Shape = std::vector<py::ssize_t>;

// -1 in a shape: any length. Refuses what is not finite.
py::array_t<double> doubles(const py::handle& object, const std::string& name, const Shape& shape);
// Whole numbers from 0 to below `count`.
py::array_t<int32_t> integers(const py::handle& object, const std::string& name, const Shape& shape,
                              int64_t count);
// The same in one dimension, ascending and each once.
std::vector<int32_t> indices(const py::handle& object, const std::string& name, int64_t count);
// Three numbers.
math::Vec3d vector3(const py::handle& object, const std::string& name);

template <class T>
std::span<const T> span_of(const py::array_t<T>& array) {
  return {array.data(), static_cast<size_t>(array.size())};
}

template <class T>
py::array_t<T> view(const T* data, const Shape& shape, const py::handle& owner, bool writable = false) {
  py::array_t<T> array(shape, data, owner);
  if (!writable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

// A copy of its own.
template <class T>
py::array_t<T> copy_of(std::span<const T> values, const Shape& shape) {
  py::array_t<T> array(shape);
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}
inline py::array_t<double> copy_of(std::span<const math::Vec3d> values) {
  return copy_of<double>({values.empty() ? nullptr : values.data()->v, 3 * values.size()},
                         {static_cast<py::ssize_t>(values.size()), 3});
}

}  // namespace sinew::python
