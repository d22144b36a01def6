#pragma once
// The elements of a Model for kernels, which are templates over the shape of an element (element/shape.h).
//
//     with_shape(model, body, [&](auto shape) { ... element_nodes<decltype(shape)>(model, element) ... });
#include "element/shape.h"
#include "model/model.h"

namespace sinew::model {

template <class Shape>
element::NodeIds<Shape> element_nodes(const Model& model, int32_t element) {
  return model.elements.nodes<Shape::nodes>(element);
}

// f(shape) with the shape of an element, and of the elements of a body.
template <class F>
decltype(auto) with_shape_of(const Model& model, int32_t element, F&& f) {
  return model.elements[element].size() == element::Tet10::nodes ? f(element::Tet10{}) : f(element::Tet4{});
}
template <class F>
decltype(auto) with_shape(const Model& model, int32_t body, F&& f) {
  return model.bodies[body].kind->nodes == element::Tet10::nodes ? f(element::Tet10{}) : f(element::Tet4{});
}

}  // namespace sinew::model
