#include "io/feb.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "io/id_map.h"
#include "io/mesh_file.h"
#include "io/scanner.h"
#include "io/xml.h"

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

// Numbers are separated by commas, blanks or both; comments may stand among them.
std::string spaced(std::string_view list) {
  std::string text;
  while (!list.empty()) {
    const size_t comment = std::min(list.find("<!--"), list.size());
    text += list.substr(0, comment);
    list.remove_prefix(comment);
    const size_t end = list.find("-->");
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 3);
    text += ' ';
  }
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

class Parser {
 public:
  Parser(std::string_view text, std::string name, Notes* notes)
      : text_(text), name_(std::move(name)), notes_(notes) {}

  // Nodes, then elements, then sets: each may name what the ones before hold, wherever it stands.
  bool run() {
    if (!walk([&](int depth, const XmlTag& tag) { return open_nodes(depth, tag); },
              [&](int depth, const XmlTag& tag, std::string_view text) {
                return depth != 4 || list_ != "Nodes" || tag.name != "node" || read_node(tag, text);
              }))
      return false;
    if (section_.empty()) return fail_file("there is no <febio_spec> in this file");
    if (!sections_) return fail_file(fmt::format("there is no <{}> in this file", section_));
    if (vertices.empty()) return fail_file("there are no nodes in this file");
    if (const auto twice = node_ids_.finish())
      return fail(node_line_[twice->second], fmt::format("a second node {}", twice->first));
    if (!walk([&](int depth,
                  const XmlTag& tag) { return depth != 3 || list_ != "Elements" || open_elements(tag); },
              [&](int depth, const XmlTag& tag, std::string_view text) {
                return close_elements(depth, tag, text);
              }))
      return false;
    if (const auto twice = element_ids_.finish()) {
      const auto [dimension, at] = elements_[twice->second];
      return fail((dimension == 3 ? tets : triangles).line[at],
                  fmt::format("a second element {}", twice->first));
    }
    if (!walk(
            [&](int depth, const XmlTag& tag) { return open_set(depth, tag); },
            [&](int depth, const XmlTag& tag, std::string_view text) { return close_set(depth, tag, text); }))
      return false;
    for (auto& [name, ids] : materials_) element_sets_[name] = std::move(ids);
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
  bool fail_file(std::string what) {
    if (!error_) error_ = input_error(name_, std::move(what));
    return false;
  }
  bool fail(int64_t line, std::string what) {
    if (!error_) error_ = input_error(fmt::format("{}: line {}", name_, line), std::move(what));
    return false;
  }

  // Calls open(depth, tag) and close(depth, tag, text): the root has depth 1, the mesh 2, its lists 3, their
  // entries 4. `list_` is the name of the list we are in, or MeshDomains, or empty elsewhere.
  template <class Open, class Close>
  bool walk(const Open& open, const Close& close) {
    Scanner in(text_, name_);
    XmlReader xml(in);
    XmlTag tag, opened[5];
    int64_t begin[5] = {};
    while (xml.next(tag) && tag.kind != XmlTag::end) {
      const auto& path = xml.path();
      const size_t depth = path.size() + (tag.kind == XmlTag::close);
      if (depth > 4) continue;
      if (tag.kind == XmlTag::close) {
        const int64_t size = std::max<int64_t>(0, tag.text_end - begin[depth]);
        if (!close(static_cast<int>(depth), opened[depth], text_.substr(begin[depth], size))) return false;
        continue;
      }
      opened[depth] = tag;
      begin[depth] = in.position();
      if (depth < 4) {
        const bool domains = depth == 3 && path[1] == "MeshDomains";
        list_ = domains ? "MeshDomains" : depth == 3 && path[1] == section_ ? tag.name : "";
      }
      if (!open(static_cast<int>(depth), tag)) return false;
    }
    if (!in.ok() && !error_) error_ = in.error();
    return in.ok();
  }

  bool open_nodes(int depth, const XmlTag& tag) {
    if (depth == 1) {
      if (tag.name != "febio_spec") return fail(tag.line, "there is no <febio_spec> in this file");
      const std::string_view version = tag.value("version");
      if (version != "2.5" && version != "3.0" && version != "4.0")
        return fail(tag.line,
                    fmt::format("version {} is not read, only 2.5, 3.0 and 4.0", in_quotes(version)));
      section_ = version == "2.5" ? "Geometry" : "Mesh";
    } else if (depth == 2 && tag.name == section_) {
      if (++sections_ > 1) return fail(tag.line, fmt::format("a second <{}>", section_));
      if (!tag.value("from").empty())
        return fail(tag.line, "other files are not followed (from=): put the mesh in this one");
    } else if (list_ == "Part" || list_ == "Instance") {
      return fail(tag.line, fmt::format("<{}> is not read", list_));
    } else if (depth == 3 && list_ == "Nodes") {
      set_ = tag.value("name").empty() ? nullptr : &node_sets_[std::string(tag.value("name"))];
    }
    return true;
  }

  bool read_id(const XmlTag& tag, int64_t& id) {
    const std::string_view text = tag.value("id");
    if (text.empty()) return fail(tag.line, fmt::format("<{}> without id", tag.name));
    Scanner in(text, {});
    if (!in.integer(id, 0, INT64_MAX, "id")) return fail(tag.line, in.error().what);
    return in.at_end() || fail(tag.line, fmt::format("found id {}, expected one number", in_quotes(text)));
  }

  bool read_node(const XmlTag& tag, std::string_view text) {
    int64_t id;
    math::Vec3d x;
    if (!read_id(tag, id)) return false;
    const std::string numbers = spaced(text);
    Scanner in(numbers, {});
    for (int k = 0; k < 3; ++k) {
      if (in.at_end()) return fail(tag.line, fmt::format("{} coordinates, expected 3", k));
      if (!in.real(x[k])) return fail(tag.line, in.error().what);
    }
    if (!in.at_end()) return fail(tag.line, "more than three coordinates");
    if (set_) set_->push_back(static_cast<int32_t>(vertices.size()));
    node_ids_.add(id);
    node_line_.push_back(tag.line);
    vertices.push_back(x);
    return true;
  }

  bool read_place(const XmlTag& tag, Scanner& in, int32_t& out) {
    int64_t id;
    if (!in.integer(id, 0, INT64_MAX, "node")) return fail(tag.line, in.error().what);
    out = node_ids_.find(id);
    return out >= 0 || fail(tag.line, fmt::format("there is no node {}", id));
  }

  bool open_elements(const XmlTag& list) {
    const std::string_view type = list.value("type");
    first_ = elements_.size();
    kind_ = std::find_if(std::begin(element_kinds), std::end(element_kinds),
                         [&](const ElementKind& k) { return k.type == type; });
    if (kind_ == std::end(element_kinds)) {
      kind_ = nullptr;
      if (type.empty() ||
          std::find(std::begin(other_solids), std::end(other_solids), type) != std::end(other_solids))
        return fail(list.line, fmt::format("elements of type {} are not read, only tet4, tet10 and tri3",
                                           in_quotes(type)));
      if (left_out_.size() <= names_in_a_note) left_out_.insert(in_quotes(type));
      return true;
    }
    Elements& elements = kind_->dimension == 3 ? tets : triangles;
    if (elements.nodes && elements.nodes != kind_->nodes)
      return fail(list.line, fmt::format("{} beside elements of {} nodes", type, elements.nodes));
    elements.nodes = kind_->nodes;
    return true;
  }

  bool close_elements(int depth, const XmlTag& tag, std::string_view text) {
    if (list_ != "Elements" || !kind_) return true;
    if (depth == 4) return tag.name != "elem" || read_element(tag, text);
    if (depth != 3) return true;
    const std::string name(tag.value("name")), material(tag.value("mat"));
    for (const std::string& group : {name, material.empty() ? "" : "material_" + material}) {
      if (group.empty()) continue;
      auto& set = element_sets_[group];
      for (size_t e = first_; e < elements_.size(); ++e) set.push_back(static_cast<int32_t>(e));
    }
    return true;
  }

  bool read_element(const XmlTag& tag, std::string_view text) {
    Elements& elements = kind_->dimension == 3 ? tets : triangles;
    int64_t id;
    if (!read_id(tag, id)) return false;
    const std::string numbers = spaced(text);
    Scanner in(numbers, {});
    for (int k = 0; k < kind_->nodes; ++k) {
      if (in.at_end()) return fail(tag.line, fmt::format("{} nodes, expected {}", k, kind_->nodes));
      if (!read_place(tag, in, elements.ids.emplace_back())) return false;
    }
    if (!in.at_end()) return fail(tag.line, fmt::format("an element of more than {} nodes", kind_->nodes));
    element_ids_.add(id);
    elements_.emplace_back(kind_->dimension, static_cast<int32_t>(elements.line.size()));
    elements.line.push_back(tag.line);
    return true;
  }

  bool is_set() const { return list_ == "NodeSet" || list_ == "ElementSet" || list_ == "Surface"; }

  bool open_set(int depth, const XmlTag& tag) {
    if (depth != 3) return true;
    const std::string name(tag.value("name"));
    if (is_set()) {
      if (name.empty()) return fail(tag.line, fmt::format("<{}> without name", list_));
      set_ = &(list_ == "ElementSet" ? element_sets_ : node_sets_)[name];
      entries_ = 0;
    } else if (list_ == "MeshDomains" && !tag.value("mat").empty()) {
      // A domain gives a material to the list of elements that has its name.
      const auto part = element_sets_.find(name);
      if (part == element_sets_.end() || !domains_.insert(name).second) return true;
      auto& group = materials_["material_" + std::string(tag.value("mat"))];
      group.insert(group.end(), part->second.begin(), part->second.end());
    }
    return true;
  }

  // Sets have an entry for each member, or from version 4 on a text with all of them.
  bool close_set(int depth, const XmlTag& tag, std::string_view text) {
    if (!is_set() || depth < 3) return true;
    int64_t id;
    const bool surface = list_ == "Surface";
    entries_ += depth == 4;
    if (depth == 4 && !surface) {
      const std::string_view member = list_ == "NodeSet" ? "node" : "elem";
      if (tag.name != member)
        return fail(tag.line, fmt::format("found {}, expected <{}>", in_quotes(tag.name), member));
      return read_id(tag, id) && add_member(tag, id);
    }
    if (depth == 3 && (surface || entries_)) return true;
    const std::string numbers = spaced(text);
    Scanner in(numbers, {});
    while (!in.at_end()) {
      if (surface) {
        if (!read_place(tag, in, set_->emplace_back())) return false;
        continue;
      }
      if (!in.integer(id, 0, INT64_MAX, list_ == "NodeSet" ? "node" : "element"))
        return fail(tag.line, in.error().what);
      if (!add_member(tag, id)) return false;
    }
    return true;
  }

  // Sets may name elements that were left out.
  bool add_member(const XmlTag& tag, int64_t id) {
    const bool nodes = list_ == "NodeSet";
    const int32_t at = (nodes ? node_ids_ : element_ids_).find(id);
    if (at >= 0) set_->push_back(at);
    return at >= 0 || (!nodes && !left_out_.empty()) ||
           fail(tag.line, fmt::format("there is no {} {}", nodes ? "node" : "element", id));
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
  std::string section_;  // "Geometry" or "Mesh"
  int sections_ = 0;
  std::string list_;
  std::vector<int32_t>* set_ = nullptr;  // that the list fills
  int64_t entries_ = 0;                  // of the set so far
  const ElementKind* kind_ = nullptr;    // of the list of elements; null: they are left out
  size_t first_ = 0;                     // element of the list
  IdMap node_ids_, element_ids_;
  std::vector<int64_t> node_line_;
  std::vector<std::pair<int, int32_t>> elements_;  // in the order of the file: dimension, place in its list
  mesh::Groups node_sets_, element_sets_, materials_;  // the latter two hold places in elements_
  std::set<std::string> left_out_, domains_;
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
