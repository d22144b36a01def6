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

// What quadrature point q of an element stands for at rest: the gradients of its shape functions, and the volume that is
// material, of a triangle with the thickness of its body.
template <class Shape>
element::ShapeGradients<Shape> rest_point(const Model& model, const Body& body, int32_t element, int q) {
  element::ShapeGradients<Shape> rest;
  if constexpr (Shape::dimension == 2) {
    rest = element::triangle_gradients(body.flat[element - body.elements.begin]);
    rest.weight *= body.thickness;
  } else {
    rest = element::shape_gradients<Shape>(element::positions(model.X, element_nodes<Shape>(model, element)),
                                           Shape::quadrature[q]);
  }
  rest.weight *= model.covered(element);
  return rest;
}

// f(shape) with the shape of a tet, and of the tets of a body.
template <class F>
decltype(auto) with_shape_of(const Model& model, int32_t element, F&& f) {
  return model.elements[element].size() == element::Tet10::nodes ? f(element::Tet10{}) : f(element::Tet4{});
}
template <class F>
decltype(auto) with_shape(const Model& model, int32_t body, F&& f) {
  return model.bodies[body].kind->nodes == element::Tet10::nodes ? f(element::Tet10{}) : f(element::Tet4{});
}

}  // namespace sinew::model
