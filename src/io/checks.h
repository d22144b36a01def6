#pragma once
// Every mesh reader calls these checks once it has the numbers: they refuse what cannot be simulated, repair what can,
// and say so in the notes. Vertices may share a position: cuts and seams are made so, and nothing is merged
// (STL alone, which has no vertices, merges corners). An id that a file gives to two vertices is an error.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"

namespace sinew::io {

// Sentences about what a reader changed or left out. Readers take a pointer that may be null.
struct Notes : std::vector<std::string> {
  using std::vector<std::string>::vector;
  bool keep_degenerate = false;  // asked of the reader: tets without volume are kept and counted, not refused
};

void note(Notes* notes, std::string text);

// Refuses a mesh without tets, a node used twice by one tet and a tet whose corners span no volume (Notes may ask to keep and
// count both); turns inverted tets over. `where(t)` is where tet t stands in the file, `line[t]` its line; empty: messages
// name the tet alone.
Result<void> check_tets_at(mesh::TetMesh& mesh, const std::string& name,
                           const std::function<std::string(size_t)>& where, Notes* notes);
Result<void> check_tets(mesh::TetMesh& mesh, const std::string& name, std::span<const int64_t> line,
                        Notes* notes);

// Refuses a mesh without triangles; drops triangles that use a vertex twice.
Result<void> check_triangles(mesh::TriMesh& mesh, const std::string& name, Notes* notes);

// A group "ref_<value>" for each value but 0 of a list of whole numbers (at most 1000 different ones), and
// the list itself as the attribute "ref" unless all are 0.
void add_refs(std::span<const int64_t> refs, mesh::Attributes& data, mesh::Groups& groups, Notes* notes);

}  // namespace sinew::io
