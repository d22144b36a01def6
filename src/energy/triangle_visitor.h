#pragma once
// Triangles of sheets seen from their nodes (element/node_star.h). Per node and triangle: the gradients of the shape functions
// of the two others and the volume, five numbers, the ids of the others, and the law's parameters where they vary: 48 bytes in
// double and 28 in single precision, three times a triangle and sweep.
#include <span>
#include <vector>

#include "element/shape.h"
#include "energy/node_local.h"
#include "model/model.h"

namespace sinew::energy {

// The triangles of one set, and the place of each in it: around a node they come in the order of the set. Their nodes are
// stencils that the blocks know.
struct VisitedTriangles {
  const model::Model& model;
  const model::ElasticSet& set;
  std::span<const element::NodeIds<element::Tri3>> nodes;
  std::span<const int32_t> place;

  Stencils stencils() const { return {3, std::span(nodes.data()->data(), 3 * nodes.size())}; }
};

template <class T>
NodeVisitorPointer<T> make_triangle_visitor(const VisitedTriangles& triangles, const material::Law& law,
                                            const std::vector<model::ParamField>& fields,
                                            const NodeBlocks& blocks);

}  // namespace sinew::energy
