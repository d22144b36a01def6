#pragma once
// How large a body or a model is, and the words for it. Hidden nodes (Body::hidden) are unknowns and no points: they do not
// count.
//
//     size_text(size_of(model))   // "1,300 nodes, 1,234 tets and 200 triangles"
#include <string>

#include "model/model.h"

namespace sinew::model {

struct Size {
  int64_t nodes = 0, tets = 0,
          triangles = 0;  // triangles: of bodies of triangles, not of the surfaces of others
};

Size size_of(const Body& body);
Size size_of(const Model& model);

std::string elements_text(
    const Size& size);                    // "1,234 tets", "200 triangles" or "1,234 tets and 200 triangles"
std::string size_text(const Size& size);  // the nodes as well

}  // namespace sinew::model
