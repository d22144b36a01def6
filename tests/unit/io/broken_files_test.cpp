// Files damaged everywhere; those broken on purpose are in tests/broken.
#include <gtest/gtest.h>
#include <string>

#include "io/inp.h"
#include "io/medit.h"
#include "io/obj.h"
#include "io/off.h"
#include "io/ply.h"
#include "io/stl.h"
#include "io/tetgen.h"
#include "io/vtk.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

// Whatever byte is changed, and wherever the file is cut, the readers answer.
TEST(BrokenFiles, DamagedTextNeverCrashes) {
  mesh::TetMesh mesh = *mesh::make_box({.cells = {1, 1, 1}});
  mesh.element_groups["g"] = {0, 2};
  mesh::TriMesh surface = mesh::boundary_surface(mesh).mesh;
  surface.element_groups["g"] = {1};
  const auto damage = [](const std::string& good, auto&& parse) {
    for (size_t i = 0; i < good.size(); ++i) {
      (void)parse(good.substr(0, i));
      for (char c : {'9', '-', ' ', '\n', '\0', 'e'}) {
        std::string bad = good;
        bad[i] = c;
        (void)parse(bad);
      }
    }
  };
  damage(format_medit(mesh), [](const std::string& text) { return bool(parse_medit_tets(text, "a")); });
  damage(format_inp(mesh), [](const std::string& text) { return bool(parse_inp_tets(text, "a")); });
  damage(format_vtk(mesh), [](const std::string& text) { return bool(parse_vtk_tets(text, "a")); });
  damage(format_obj(surface), [](const std::string& text) { return bool(parse_obj(text, "a")); });
  damage(format_off(surface), [](const std::string& text) { return bool(parse_off(text, "a")); });
  damage(format_ply(surface), [](const std::string& text) { return bool(parse_ply(text, "a")); });
  damage(*format_stl(surface), [](const std::string& text) { return bool(parse_stl(text, "a")); });
  const std::string ele = format_tetgen_ele(mesh), node = format_tetgen_node(mesh);
  damage(ele, [&](const std::string& text) { return bool(parse_tetgen(node, "a", text, "b")); });
  damage(node, [&](const std::string& text) { return bool(parse_tetgen(text, "a", ele, "b")); });
}

}  // namespace
}  // namespace sinew::io
