#pragma once
// Selections: sets of nodes or tets of one body, at rest. A tet is inside a box, sphere, plane or distance
// when its centre is, in a vertex group when its four nodes are, on the surface when one of its faces is.
#include "scene/building.h"

namespace sinew::scene {

// Evaluates every entry of every body's "select"; one that is wrong or matches nothing is a problem.
void make_selections(Building& building);

// The nodes of "body.selection" as model ids, ascending; empty with a problem. Under the selection's name: an
// entry of "select", a group of the mesh, `all` or `surface`.
struct What {
  int body = -1;
  std::string selection;
  std::vector<int32_t> nodes;
};
What select_what(Building& building, const Json& what, const std::string& path);

// One mark for each tet of the body; empty with a problem.
std::vector<char> select_tets(Building& building, int body, const Json& name, const std::string& path);

}  // namespace sinew::scene
