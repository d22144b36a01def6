#pragma once
// A mesh file in a pane: tets or triangles, one frame, its attributes as fields. Tets come with their volume and shape,
// triangles with their area.
//
//     auto source = open_mesh("bunny.msh");
#include <memory>
#include <string>

#include "mesh/mesh.h"
#include "view/source.h"

namespace sinew::view {

// `unit`: metres in one of the file's.
Result<std::unique_ptr<Source>> open_mesh(const std::string& path, double unit = 1);
std::unique_ptr<Source> show_mesh(const std::string& name, const mesh::TetMesh& mesh,
                                  std::vector<std::string> notes = {});
std::unique_ptr<Source> show_mesh(const std::string& name, const mesh::TriMesh& mesh,
                                  std::vector<std::string> notes = {});

}  // namespace sinew::view
