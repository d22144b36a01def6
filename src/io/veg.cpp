#include "io/veg.h"

#include <fmt/format.h>

#include "io/id_map.h"
#include "io/mesh_file.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;

constexpr size_t max_materials = 1000;
constexpr int64_t min_members = int64_t{1} << 18;  // of all regions together, or one for each byte

struct MaterialKind {
  std::string_view word;
  std::vector<std::string_view> values;
};

const std::vector<MaterialKind>& material_kinds() {
  static const std::vector<MaterialKind> kinds = {
      {"ENU", {"density", "young", "poisson"}},
      {"MOONEYRIVLIN", {"density", "mu01", "mu10", "v1"}},
      {"ORTHOTROPIC",
       {"density", "young_1", "young_2", "young_3", "poisson_12", "poisson_23", "poisson_31", "shear_12",
        "shear_23", "shear_31"}},
  };
  return kinds;
}

struct Material {
  const MaterialKind* kind = nullptr;  // null: not one of ours
  std::vector<double> values;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, Notes* notes)
      : in_(text, name), notes_(notes), members_left_(std::max<int64_t>(min_members, in_.remaining())) {}

  bool run() {
    std::string_view section;
    while (!in_.at_end()) {
      in_.word(section);
      bool read = false;
      if (section == "*VERTICES") {
        read = read_vertices();
      } else if (section == "*ELEMENTS") {
        read = read_elements();
      } else if (section == "*MATERIAL") {
        read = read_material();
      } else if (section == "*SET") {
        read = read_set();
      } else if (section == "*REGION") {
        read = read_region();
      } else if (section == "*INCLUDE") {
        return fail_include();
      } else {
        return in_.fail(fmt::format("found {}, expected *VERTICES, *ELEMENTS, *MATERIAL, *SET or *REGION",
                                    in_quotes(section)));
      }
      if (!read) return false;
    }
    if (mesh.vertices.empty()) return in_.fail("there are no vertices in this file");
    if (mesh.elements.empty()) return in_.fail("there are no tetrahedra in this file");
    return spread_materials();
  }
  const Error& error() const { return in_.error(); }

  TetMesh mesh;
  std::vector<int64_t> line;

 private:
  bool fail_include() {
    return in_.fail(
        "*INCLUDE is not followed; the .node and .ele files it names can be read in place of this one");
  }

  // Whether the next word opens a section. Lists end there.
  bool at_section() { return in_.at_end() || in_.peek() == '*'; }

  // The first id says whether the file counts from 0 or from 1.
  bool read_id(int64_t i, int64_t& first, std::string_view what) {
    int64_t id;
    if (!in_.integer(id, 0, INT32_MAX, what)) return false;
    if (i == 0) first = id;
    if (first > 1) return in_.fail(fmt::format("the first {} is {}, expected 0 or 1", what, first));
    if (id != first + i) return in_.fail(fmt::format("found {} {}, expected {}", what, id, first + i));
    return true;
  }

  bool read_vertices() {
    int64_t count, value;
    if (!mesh.vertices.empty()) return in_.fail("a second section *VERTICES");
    if (at_section()) return fail_include();
    if (!in_.count(count, 8, "vertex count") || !in_.integer(value, 3, 3, "dimension")) return false;
    while (!in_.at_line_end())  // attributes and markers, as TetGen has them
      if (!in_.integer(value, 0, 0, "number of attributes or markers")) return false;
    mesh.vertices.reserve(count);
    for (int64_t i = 0; i < count; ++i) {
      math::Vec3d x;
      if (!read_id(i, first_vertex_, "vertex id")) return false;
      if (!in_.real(x[0]) || !in_.real(x[1]) || !in_.real(x[2])) return false;
      mesh.vertices.push_back(x);
    }
    return true;
  }

  bool read_elements() {
    std::string_view kind;
    int64_t count, value;
    if (!mesh.elements.empty()) return in_.fail("a second section *ELEMENTS");
    if (mesh.vertices.empty()) return in_.fail("*ELEMENTS before *VERTICES");
    if (!in_.word(kind)) return false;
    if (kind != "TETS" && kind != "TET")
      return in_.fail(fmt::format("elements of kind {} are not read, only TETS", in_quotes(kind)));
    if (at_section()) return fail_include();
    if (!in_.count(count, 10, "element count") || !in_.integer(value, 4, 4, "corners of an element"))
      return false;
    while (!in_.at_line_end())
      if (!in_.integer(value, 0, 0, "number of attributes")) return false;
    const auto last = first_vertex_ + static_cast<int64_t>(mesh.vertices.size()) - 1;
    mesh.elements.reserve(count);
    for (int64_t t = 0; t < count; ++t) {
      if (!read_id(t, first_element_, "element id")) return false;
      line.push_back(in_.line());
      for (int32_t& corner : mesh.elements.emplace_back()) {
        if (!in_.integer(value, first_vertex_, last, "vertex id")) return false;
        corner = static_cast<int32_t>(value - first_vertex_);
      }
    }
    return true;
  }

  // A name stands on the line of its section.
  bool read_name(std::string& name) {
    std::string_view word;
    if (in_.at_line_end()) return in_.fail("there is no name here");
    if (!in_.word(word)) return false;
    name = word;
    return true;
  }

  bool read_material() {
    std::string name;
    std::string_view word;
    if (!read_name(name) || !in_.word(word)) return false;
    if (materials_.size() == max_materials)
      return in_.fail(fmt::format("more than {} materials", max_materials));
    const auto [place, added] = materials_.emplace(name, Material{});
    if (!added) return in_.fail(fmt::format("a second material {}", in_quotes(name)));
    Material& material = place->second;
    for (const MaterialKind& kind : material_kinds())
      if (kind.word == word) material.kind = &kind;
    if (!material.kind) {
      note(notes_, fmt::format("material {} is of kind {}, whose numbers are left out", in_quotes(name),
                               in_quotes(word)));
      while (!at_section()) in_.word(word);
      return true;
    }
    for (size_t k = 0; k < material.kind->values.size(); ++k)
      if (!in_.real(material.values.emplace_back())) return false;
    return true;
  }

  bool read_set() {
    std::string name;
    int64_t id;
    if (!read_name(name)) return false;
    if (mesh.elements.empty()) return in_.fail("*SET before *ELEMENTS");
    const auto [place, added] = mesh.element_groups.emplace(name, std::vector<int32_t>{});
    if (!added) return in_.fail(fmt::format("a second set {}", in_quotes(name)));
    const auto last = first_element_ + static_cast<int64_t>(mesh.elements.size()) - 1;
    while (!at_section()) {
      if (!in_.integer(id, first_element_, last, "element id")) return false;
      place->second.push_back(static_cast<int32_t>(id - first_element_));
    }
    sort_ids(place->second);
    return true;
  }

  bool read_region() {
    std::string set, name;
    std::string_view word;
    if (!in_.word(word)) return false;
    set = word;
    if (!read_name(name)) return false;
    const auto material = materials_.find(name);
    if (material == materials_.end()) return in_.fail(fmt::format("no material {} so far", in_quotes(name)));
    if (mesh.elements.empty()) return in_.fail("*REGION before *ELEMENTS");
    of_tet_.resize(mesh.elements.size(), nullptr);
    const auto ids = mesh.element_groups.find(set);
    if (ids == mesh.element_groups.end() && set != "allElements")
      return in_.fail(fmt::format("no set {} so far", in_quotes(set)));
    const size_t count = ids == mesh.element_groups.end() ? of_tet_.size() : ids->second.size();
    members_left_ -= static_cast<int64_t>(count);
    if (members_left_ < 0) return in_.fail("the regions hold more elements than are read from such a file");
    if (ids == mesh.element_groups.end()) {
      of_tet_.assign(count, &*material);
    } else {
      for (int32_t id : ids->second) of_tet_[id] = &*material;
    }
    return true;
  }

  bool spread_materials() {
    if (of_tet_.empty()) return true;
    int64_t bare = 0;
    for (size_t t = 0; t < of_tet_.size(); ++t) {
      if (!of_tet_[t]) {
        ++bare;
        continue;
      }
      const auto& [name, material] = *of_tet_[t];
      mesh.element_groups["material_" + name].push_back(static_cast<int32_t>(t));
      for (size_t k = 0; k < material.values.size(); ++k) {
        auto& values = mesh.element_data[std::string(material.kind->values[k])].values;
        values.resize(of_tet_.size());
        values[t] = material.values[k];
      }
    }
    for (auto& [name, ids] : mesh.element_groups) sort_ids(ids);  // a set may be named material_...
    if (bare) note(notes_, fmt::format("{} tetrahedra are in no region: their material numbers are 0", bare));
    return true;
  }

  Scanner in_;
  Notes* notes_;
  int64_t members_left_;
  int64_t first_vertex_ = 0, first_element_ = 0;
  std::map<std::string, Material> materials_;
  std::vector<const std::pair<const std::string, Material>*> of_tet_;
};

}  // namespace

Result<TetMesh> parse_veg(std::string_view text, const std::string& name, Notes* notes) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  Parser parser(spaced, name, notes);
  if (!parser.run()) return parser.error();
  if (auto ok = check_tets(parser.mesh, name, parser.line, notes); !ok) return ok.error();
  return std::move(parser.mesh);
}

const MeshFormat& mesh_format_veg() {
  static const MeshFormat format = {
      .name = "Vega", .extensions = "veg", .read_tets = read_and_parse<parse_veg>};
  return format;
}

}  // namespace sinew::io
