#include "io/feb.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "io/id_map.h"
#include "io/mesh_file.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

constexpr size_t names_in_a_note = 12;

struct ElementKind {
  std::string_view type;
  int dimension, nodes;
};
constexpr ElementKind element_kinds[] = {{"tet4", 3, 4}, {"tet10", 3, 10}, {"tri3", 2, 3}};
constexpr std::string_view other_solids[] = {"hex8",  "hex20",  "hex27", "penta6", "penta15",
                                             "pyra5", "pyra13", "tet5",  "tet15",  "tet20"};

struct Elements {
  int nodes = 0;             // of each; 0 while there are none
  std::vector<int32_t> ids;  // places of nodes
  std::vector<int64_t> line;
};

// Numbers are separated by commas, blanks or both.
std::string spaced(const char* list) {
  std::string text(list);
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

class Parser {
 public:
  Parser(std::string_view text, std::string name, Notes* notes)
      : text_(text), name_(std::move(name)), notes_(notes) {}

  bool run() {
    pugi::xml_node mesh;
    if (!open(mesh)) return false;
    for (const pugi::xml_node& list : mesh.children("Nodes"))
      if (!read_nodes(list)) return false;
    if (const auto twice = node_ids_.finish())
      return fail(node_at(mesh, twice->second), fmt::format("a second node {}", twice->first));
    if (vertices.empty()) return fail(mesh, "there are no nodes in this file");
    for (const pugi::xml_node& list : mesh.children("Elements"))
      if (!read_elements(list)) return false;
    if (const auto twice = element_ids_.finish()) {
      const auto [dimension, at] = elements_[twice->second];
      return fail_on((dimension == 3 ? tets : triangles).line[at],
                     fmt::format("a second element {}", twice->first));
    }
    for (const pugi::xml_node& set : mesh.children()) {
      const std::string_view kind = set.name();
      if ((kind == "NodeSet" && !read_set(set, "node", node_ids_, node_sets_)) ||
          (kind == "ElementSet" && !read_set(set, "elem", element_ids_, element_sets_)) ||
          (kind == "Surface" && !read_surface(set)))
        return false;
    }
    read_domains(mesh.parent().child("MeshDomains"));
    if (!left_out_.empty()) note_left_out();
    return true;
  }
  const Error& error() const { return *error_; }

  // Sets of elements of this dimension stay; triangles in a tet mesh give theirs to their vertices.
  void give_groups(int dimension, mesh::Groups& vertex_groups, mesh::Groups& element_groups) {
    vertex_groups = std::move(node_sets_);
    for (const auto& [name, members] : element_sets_)
      for (int32_t member : members) {
        const auto [own, at] = elements_[member];
        if (own == dimension) {
          element_groups[name].push_back(at);
        } else if (own == 2) {
          const auto corners = triangles.ids.begin() + int64_t{3} * at;
          auto& group = vertex_groups[name];
          group.insert(group.end(), corners, corners + 3);
        }
      }
    for (mesh::Groups* groups : {&vertex_groups, &element_groups})
      for (auto& [name, ids] : *groups) sort_ids(ids);
  }

  std::vector<math::Vec3d> vertices;
  Elements tets, triangles;

 private:
  bool fail_on(int64_t line, std::string what) {
    if (!error_) error_ = input_error(fmt::format("{}: line {}", name_, line), std::move(what));
    return false;
  }
  bool fail_at(ptrdiff_t byte, std::string what) { return fail_on(line_of(byte), std::move(what)); }
  bool fail(const pugi::xml_node& node, std::string what) {
    return fail_at(node.offset_debug(), std::move(what));
  }

  // Counts on from the last place asked for.
  int64_t line_of(ptrdiff_t byte) {
    const size_t at = std::clamp<ptrdiff_t>(byte, 0, static_cast<ptrdiff_t>(text_.size()));
    if (at < counted_) counted_ = 0, line_ = 1;
    line_ += std::count(text_.begin() + counted_, text_.begin() + at, '\n');
    counted_ = at;
    return line_;
  }

  bool open(pugi::xml_node& mesh) {
    const pugi::xml_parse_result parsed = document_.load_buffer(text_.data(), text_.size());
    if (!parsed) return fail_at(parsed.offset, fmt::format("not XML: {}", parsed.description()));
    const pugi::xml_node spec = document_.child("febio_spec");
    if (!spec) return fail_at(0, "there is no <febio_spec> in this file");
    const std::string_view version = spec.attribute("version").value();
    if (version != "2.5" && version != "3.0" && version != "4.0")
      return fail(spec, fmt::format("version {} is not read, only 2.5, 3.0 and 4.0", in_quotes(version)));
    const char* const section = version == "2.5" ? "Geometry" : "Mesh";
    mesh = spec.child(section);
    if (!mesh) return fail(spec, fmt::format("there is no <{}> in this file", section));
    if (mesh.next_sibling(section))
      return fail(mesh.next_sibling(section), fmt::format("a second <{}>", section));
    if (mesh.attribute("from"))
      return fail(mesh, "other files are not followed (from=): put the mesh in this one");
    for (const char* part : {"Part", "Instance"})
      if (mesh.child(part)) return fail(mesh.child(part), fmt::format("<{}> is not read", part));
    return true;
  }

  bool read_id(const pugi::xml_node& node, int64_t& id) {
    const pugi::xml_attribute attribute = node.attribute("id");
    if (!attribute) return fail(node, fmt::format("<{}> without id", node.name()));
    Scanner in(attribute.value(), {});
    if (!in.integer(id, 0, INT64_MAX, "id")) return fail(node, in.error().what);
    return true;
  }

  static pugi::xml_node node_at(const pugi::xml_node& mesh, int32_t place) {
    for (const pugi::xml_node& list : mesh.children("Nodes"))
      for (const pugi::xml_node& node : list.children("node"))
        if (place-- == 0) return node;
    return mesh;
  }

  bool read_nodes(const pugi::xml_node& list) {
    const std::string name = list.attribute("name").value();
    std::vector<int32_t>* const set = name.empty() ? nullptr : &node_sets_[name];
    for (const pugi::xml_node& node : list.children("node")) {
      int64_t id;
      math::Vec3d x;
      if (!read_id(node, id)) return false;
      const std::string numbers = spaced(node.text().get());
      Scanner in(numbers, {});
      for (int k = 0; k < 3; ++k) {
        if (in.at_end()) return fail(node, fmt::format("{} coordinates, expected 3", k));
        if (!in.real(x[k])) return fail(node, in.error().what);
      }
      if (!in.at_end()) return fail(node, "more than three coordinates");
      if (set) set->push_back(static_cast<int32_t>(vertices.size()));
      node_ids_.add(id);
      vertices.push_back(x);
    }
    return true;
  }

  bool read_place(const pugi::xml_node& node, Scanner& in, const IdMap& ids, const char* what, int32_t& out) {
    int64_t id;
    if (!in.integer(id, 0, INT64_MAX, what)) return fail(node, in.error().what);
    out = ids.find(id);
    return out >= 0 || fail(node, fmt::format("there is no {} {}", what, id));
  }

  bool read_elements(const pugi::xml_node& list) {
    const std::string_view type = list.attribute("type").value();
    const auto* kind = std::find_if(std::begin(element_kinds), std::end(element_kinds),
                                    [&](const ElementKind& k) { return k.type == type; });
    if (kind == std::end(element_kinds)) {
      if (type.empty() ||
          std::find(std::begin(other_solids), std::end(other_solids), type) != std::end(other_solids))
        return fail(list, fmt::format("elements of type {} are not read, only tet4, tet10 and tri3",
                                      in_quotes(type)));
      if (left_out_.size() <= names_in_a_note) left_out_.insert(in_quotes(type));
      return true;
    }
    Elements& elements = kind->dimension == 3 ? tets : triangles;
    if (elements.nodes && elements.nodes != kind->nodes)
      return fail(list, fmt::format("{} beside elements of {} nodes", type, elements.nodes));
    elements.nodes = kind->nodes;
    const auto first = static_cast<int32_t>(elements_.size());
    for (const pugi::xml_node& element : list.children("elem")) {
      int64_t id;
      if (!read_id(element, id)) return false;
      const std::string numbers = spaced(element.text().get());
      Scanner in(numbers, {});
      for (int k = 0; k < kind->nodes; ++k) {
        if (in.at_end()) return fail(element, fmt::format("{} nodes, expected {}", k, kind->nodes));
        if (!read_place(element, in, node_ids_, "node", elements.ids.emplace_back())) return false;
      }
      if (!in.at_end()) return fail(element, fmt::format("an element of more than {} nodes", kind->nodes));
      element_ids_.add(id);
      elements_.emplace_back(kind->dimension, static_cast<int32_t>(elements.line.size()));
      elements.line.push_back(line_of(element.offset_debug()));
    }
    const std::string name = list.attribute("name").value(), material = list.attribute("mat").value();
    for (const std::string& group : {name, material.empty() ? "" : "material_" + material}) {
      if (group.empty()) continue;
      auto& set = element_sets_[group];
      for (auto e = first; e < static_cast<int32_t>(elements_.size()); ++e) set.push_back(e);
    }
    return true;
  }

  // Children with an id each, or from version 4 on a text with all of them.
  bool read_set(const pugi::xml_node& set, const char* member, const IdMap& ids, mesh::Groups& groups) {
    const char* what = std::string_view(member) == "node" ? "node" : "element";
    const std::string name = set.attribute("name").value();
    if (name.empty()) return fail(set, fmt::format("<{}> without name", set.name()));
    auto& group = groups[name];
    for (const pugi::xml_node& child : set.children()) {
      int64_t id;
      if (child.type() == pugi::node_element) {
        if (std::string_view(child.name()) != member)
          return fail(child, fmt::format("found {}, expected <{}>", in_quotes(child.name()), member));
        if (!read_id(child, id) || !add_member(child, id, ids, what, group)) return false;
        continue;
      }
      const std::string numbers = spaced(child.value());
      Scanner in(numbers, {});
      while (!in.at_end()) {
        if (!in.integer(id, 0, INT64_MAX, what)) return fail(set, in.error().what);
        if (!add_member(set, id, ids, what, group)) return false;
      }
    }
    return true;
  }

  // Sets may name elements that were left out.
  bool add_member(const pugi::xml_node& node, int64_t id, const IdMap& ids, std::string_view what,
                  std::vector<int32_t>& group) {
    const int32_t at = ids.find(id);
    if (at >= 0) group.push_back(at);
    return at >= 0 || (what == "element" && !left_out_.empty()) ||
           fail(node, fmt::format("there is no {} {}", what, id));
  }

  bool read_surface(const pugi::xml_node& surface) {
    const std::string name = surface.attribute("name").value();
    if (name.empty()) return fail(surface, "<Surface> without name");
    auto& group = node_sets_[name];
    for (const pugi::xml_node& facet : surface.children()) {
      if (facet.type() != pugi::node_element) continue;
      const std::string numbers = spaced(facet.text().get());
      Scanner in(numbers, {});
      while (!in.at_end())
        if (!read_place(facet, in, node_ids_, "node", group.emplace_back())) return false;
    }
    return true;
  }

  void read_domains(const pugi::xml_node& domains) {
    mesh::Groups materials;
    for (const pugi::xml_node& domain : domains.children()) {
      const auto part = element_sets_.find(domain.attribute("name").value());
      const std::string material = domain.attribute("mat").value();
      if (part == element_sets_.end() || material.empty() || !seen_.insert(part->first).second) continue;
      auto& group = materials["material_" + material];
      group.insert(group.end(), part->second.begin(), part->second.end());
    }
    for (auto& [name, ids] : materials) element_sets_[name] = std::move(ids);
  }

  void note_left_out() {
    std::string all;
    size_t count = 0;
    for (const std::string& type : left_out_)
      if (++count <= names_in_a_note) all += (all.empty() ? "" : ", ") + type;
    note(notes_,
         fmt::format("left out elements of type {}{}", all, count > names_in_a_note ? " and more" : ""));
  }

  std::string_view text_;
  std::string name_;
  Notes* notes_;
  pugi::xml_document document_;
  IdMap node_ids_, element_ids_;
  std::vector<std::pair<int, int32_t>> elements_;  // in the order of the file: dimension, place in its list
  mesh::Groups node_sets_, element_sets_;          // the latter hold places in elements_
  std::set<std::string> left_out_, seen_;
  size_t counted_ = 0;  // bytes, whose lines are counted
  int64_t line_ = 1;
  std::optional<Error> error_;
};

}  // namespace

Result<TetMesh> parse_feb_tets(std::string_view text, const std::string& name, Notes* notes) {
  Parser parser(text, name, notes);
  if (!parser.run()) return parser.error();
  TetMesh mesh;
  const Elements& tets = parser.tets;
  for (size_t t = 0; t < tets.line.size(); ++t) {
    const auto nodes = tets.ids.begin() + static_cast<int64_t>(t) * tets.nodes;
    std::copy_n(nodes, 4, mesh.elements.emplace_back().begin());
    if (tets.nodes == 10) std::copy_n(nodes + 4, 6, mesh.edge_nodes.emplace_back().begin());
  }
  parser.give_groups(3, mesh.vertex_groups, mesh.element_groups);
  mesh.vertices = std::move(parser.vertices);
  if (!tets.line.empty() && !parser.triangles.line.empty())
    note(notes, fmt::format("left out {} triangles", parser.triangles.line.size()));
  if (auto ok = check_tets(mesh, name, tets.line, notes); !ok) return ok.error();
  return mesh;
}

Result<TriMesh> parse_feb_triangles(std::string_view text, const std::string& name, Notes* notes) {
  Parser parser(text, name, notes);
  if (!parser.run()) return parser.error();
  TriMesh mesh;
  for (size_t t = 0; t < parser.triangles.line.size(); ++t)
    std::copy_n(parser.triangles.ids.begin() + static_cast<int64_t>(t) * 3, 3,
                mesh.elements.emplace_back().begin());
  parser.give_groups(2, mesh.vertex_groups, mesh.element_groups);
  mesh.vertices = std::move(parser.vertices);
  if (!parser.tets.line.empty()) note(notes, fmt::format("left out {} tetrahedra", parser.tets.line.size()));
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

const MeshFormat& mesh_format_feb() {
  static const MeshFormat format = {
      .name = "FEBio",
      .extensions = "feb",
      .read_tets = read_and_parse<parse_feb_tets>,
      .read_triangles = read_and_parse<parse_feb_triangles>,
  };
  return format;
}

}  // namespace sinew::io
