#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "io/id_map.h"
#include "io/inp.h"
#include "io/inp_deck.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

constexpr int64_t largest_id = 9'999'999'999;  // ten digits, as CalculiX reads them
// Members of all sets together, ranges and sets of sets written out: a small deck must not fill the memory.
constexpr int64_t min_members = int64_t{1} << 18, members_per_byte = 4;
constexpr size_t names_in_a_note = 12;

enum class Shape { tet, triangle, other, refused };

struct ElementKind {
  Shape shape;
  int nodes;  // of each; 0 where they are not read
};

ElementKind kind_of(const std::string& type) {
  for (std::string_view tet : {"C3D10", "DC3D10"})
    if (type.starts_with(tet)) return {Shape::tet, 10};
  for (std::string_view tet : {"C3D4", "DC3D4"})
    if (type.starts_with(tet)) return {Shape::tet, 4};
  for (std::string_view solid : {"C3D", "DC3D", "AC3D", "F3D", "SC6", "SC8", "COH3D"})
    if (type.starts_with(solid)) return {Shape::refused, 0};
  for (std::string_view triangle :
       {"S3", "S3R", "S3RS", "STRI3", "M3D3", "R3D3", "SFM3D3", "DS3", "CPS3", "CPE3", "CPEG3"})
    if (type == triangle) return {Shape::triangle, 3};
  return {Shape::other, 0};
}

struct Elements {
  int nodes = 0;             // of each; 0 while there are none
  std::vector<int64_t> ids;  // of nodes, as the file has them
  std::vector<int64_t> line;
};

struct Set {
  std::string name;  // as the mesh will have it; empty: no group
  std::vector<int32_t> members;
};
using Sets = std::map<std::string, Set>;  // by name in upper case

class Parser {
 public:
  Parser(std::string_view text, std::string name, Notes* notes)
      : text_(text),
        name_(std::move(name)),
        notes_(notes),
        members_left_(std::max(min_members, members_per_byte * static_cast<int64_t>(text.size()))) {}

  bool run() {
    if (!find_blocks()) return false;
    for (const InpBlock& block : blocks_)
      if (block.keyword == "NODE" && !read_nodes(block)) return false;
    if (const auto twice = node_ids_.finish()) return fail_twice(*twice);
    if (vertices.empty()) return fail("there are no nodes in this file");
    for (const InpBlock& block : blocks_)
      if (block.keyword == "ELEMENT" && !read_elements(block)) return false;
    if (const auto twice = element_ids_.finish()) {
      const auto [shape, place] = elements_[twice->second];
      return fail_at((shape == Shape::tet ? tets : triangles).line[place],
                     fmt::format("a second element {}", twice->first));
    }
    return read_sets() && move_instance() && note_left_out();
  }
  const Error& error() const { return *error_; }

  // The corners of element i, and the nodes on its edges, as places.
  template <size_t count>
  bool nodes_of(const Elements& list, size_t i, int first, std::array<int32_t, count>& out) {
    for (size_t k = 0; k < count; ++k) {
      const int64_t id = list.ids[i * list.nodes + first + k];
      out[k] = node_ids_.find(id);
      if (out[k] < 0)
        return fail_at(list.line[i], fmt::format("node {} is not among the {} nodes", id, vertices.size()));
    }
    return true;
  }

  // Groups of elements of the shape wanted stay; those of others go to their vertices.
  bool give_groups(Shape wanted, mesh::Groups& vertex_groups, mesh::Groups& element_groups) {
    for (auto& [key, set] : node_sets_)
      if (!set.name.empty()) vertex_groups[set.name] = std::move(set.members);
    for (auto& [key, set] : element_sets_) {
      if (set.name.empty()) continue;
      for (int32_t member : set.members) {
        const auto [shape, place] = elements_[member];
        if (shape == wanted) {
          element_groups[set.name].push_back(place);
        } else if (shape == Shape::triangle && !give_nodes(place, vertex_groups[set.name])) {
          return false;
        }
      }
      if (const auto ids = element_groups.find(set.name); ids != element_groups.end()) sort_ids(ids->second);
      if (const auto ids = vertex_groups.find(set.name); ids != vertex_groups.end()) sort_ids(ids->second);
    }
    return true;
  }

  std::vector<math::Vec3d> vertices;
  Elements tets, triangles;

 private:
  bool fail(std::string what) {
    if (!error_) error_ = input_error(name_, std::move(what));
    return false;
  }
  bool fail_at(int64_t line, std::string what) {
    if (!error_) error_ = input_error(fmt::format("{}: line {}", name_, line), std::move(what));
    return false;
  }

  // --- keywords ---

  bool find_blocks() {
    InpLines lines(text_);
    std::string_view line;
    for (InpLines ahead = lines; ahead.next(line) && (line.empty() || line[0] != '*');)
      if (!line.empty())
        return fail_at(ahead.number(),
                       fmt::format("found {}, expected a keyword such as *NODE", in_quotes(line)));
    bool outside = false;  // in an assembly, beside its instance
    for (InpBlock block; lines.next_block(block);) {
      if (!enter(block, outside)) return false;
      if (holds_mesh(block.keyword)) blocks_.push_back(std::move(block));
    }
    return true;
  }

  static bool holds_mesh(const std::string& keyword) {
    return keyword == "NODE" || keyword == "ELEMENT" || keyword == "NSET" || keyword == "ELSET" ||
           keyword == "INSTANCE";
  }

  // Applies a keyword that changes the meaning of those after it.
  bool enter(InpBlock& block, bool& outside) {
    const std::string& key = block.keyword;
    for (std::string_view makes : {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM"})
      if (key == makes)
        return fail_at(block.line, fmt::format("*{} is not read: write the nodes and elements out", key));
    if (key == "INCLUDE" || (block.find("INPUT") && (key == "NODE" || key == "ELEMENT")))
      return fail_at(block.line, "other files are not followed: put them in this one");
    if (key == "PART" && ++parts_ > 1) return fail_at(block.line, "a second *PART: only one is read");
    if (key == "INSTANCE" && ++instances_ > 1)
      return fail_at(block.line, "a second *INSTANCE: only one is read");
    if (key == "INSTANCE" && block.find("NAME")) instance_ = in_upper_case(*block.find("NAME")) + ".";
    if (key == "ASSEMBLY" || key == "END INSTANCE") outside = true;
    if (key == "INSTANCE" || key == "END ASSEMBLY") outside = false;
    if (key == "NODE" || key == "ELEMENT" || key == "NSET" || key == "ELSET") {
      if (!outside || block.find("INSTANCE")) return true;
      block.keyword = "OUTSIDE";
      ++outside_;
    } else if (!key.starts_with("END ") && key != "HEADING" && key != "PART" && key != "ASSEMBLY" &&
               key != "INSTANCE" && passed_over_.size() <= names_in_a_note) {
      passed_over_.insert(key.substr(0, 40));
    }
    return true;
  }

  // --- numbers ---

  bool to_integer(std::string_view field, int64_t line, int64_t low, int64_t high, const char* what,
                  int64_t& out) {
    if (field.find_first_of(" \t#") != std::string_view::npos)
      return fail_at(line, fmt::format("found {}, expected {} and a comma", in_quotes(field), what));
    Scanner in(field, {});
    if (in.integer(out, low, high, what)) return true;
    return fail_at(line, field.empty() ? fmt::format("there is no {} here", what) : in.error().what);
  }

  // Fortran's exponent D is an E.
  bool to_real(std::string_view field, int64_t line, double& out) {
    char text[64];
    if (field.empty() || field.size() > sizeof(text) || field.find_first_of(" \t#") != std::string_view::npos)
      return fail_at(line, fmt::format("found {}, expected a number", in_quotes(field)));
    std::transform(field.begin(), field.end(), text, [](char c) { return c == 'd' || c == 'D' ? 'e' : c; });
    Scanner in({text, field.size()}, {});
    return in.real(out) || fail_at(line, in.error().what);
  }

  // --- nodes and elements ---

  // The set that the parameter of a keyword names; null: it has none.
  Set* named_set(const InpBlock& block, const char* parameter, Sets& sets) {
    const std::string* name = block.find(parameter);
    if (!name || name->empty()) return nullptr;
    const auto [place, added] = sets.try_emplace(in_upper_case(*name));
    if (added && !block.no_group) place->second.name = block.group.empty() ? *name : block.group;
    return &place->second;
  }

  bool read_nodes(const InpBlock& block) {
    Set* set = named_set(block, "NSET", node_sets_);
    return InpLines::for_data(block, [&](std::string_view line, int64_t number) {
      int64_t id;
      math::Vec3d x;
      if (!to_integer(take_field(line), number, 1, largest_id, "node number", id)) return false;
      for (int k = 0; k < 3; ++k) {
        if (line.empty())
          return fail_at(number, fmt::format("node {} has {} coordinates, expected 3", id, k));
        if (!to_real(take_field(line), number, x[k])) return false;
      }
      if (set) set->members.push_back(static_cast<int32_t>(vertices.size()));
      node_ids_.add(id);
      vertices.push_back(x);
      return true;
    });
  }

  // Nodes have a line each.
  bool fail_twice(const std::pair<int64_t, int32_t>& node) {
    int32_t left = node.second;
    for (const InpBlock& block : blocks_)
      if (block.keyword == "NODE")
        InpLines::for_data(block, [&](std::string_view, int64_t number) {
          return left-- > 0 || fail_at(number, fmt::format("a second node {}", node.first));
        });
    return false;
  }

  bool read_elements(const InpBlock& block) {
    const std::string* type = block.find("TYPE");
    if (!type) return fail_at(block.line, "*ELEMENT without TYPE=");
    const ElementKind kind = kind_of(in_upper_case(*type));
    if (kind.shape == Shape::refused)
      return fail_at(block.line,
                     fmt::format("elements of type {} are not read, only tetrahedra (C3D4, C3D10) "
                                 "and triangles (S3)",
                                 in_quotes(*type)));
    if (kind.shape == Shape::other) {
      if (left_out_.size() <= names_in_a_note) left_out_.insert(in_upper_case(type->substr(0, 40)));
      return true;
    }
    Elements& list = kind.shape == Shape::tet ? tets : triangles;
    if (list.nodes && list.nodes != kind.nodes)
      return fail_at(block.line, fmt::format("elements of type {} beside others of {} nodes",
                                             in_quotes(*type), list.nodes));
    list.nodes = kind.nodes;
    Set* set = named_set(block, "ELSET", element_sets_);
    int values = 0;  // of the element so far; a comma at the end of a line carries it on
    if (!InpLines::for_data(block, [&](std::string_view line, int64_t number) {
          return read_element_line(kind, list, set, line, number, values);
        }))
      return false;
    return !values || fail_at(list.line.back(), "the element is cut off");
  }

  bool read_element_line(const ElementKind& kind, Elements& list, Set* set, std::string_view line,
                         int64_t number, int& values) {
    const bool more = line.ends_with(',');
    int64_t id;
    while (!line.empty()) {
      if (values > kind.nodes)
        return fail_at(number, fmt::format("an element of more than {} nodes", kind.nodes));
      if (!to_integer(take_field(line), number, 1, largest_id, values ? "node number" : "element number", id))
        return false;
      if (values++) {
        list.ids.push_back(id);
        continue;
      }
      if (set) set->members.push_back(static_cast<int32_t>(elements_.size()));
      element_ids_.add(id);
      elements_.emplace_back(kind.shape, static_cast<int32_t>(list.line.size()));
      list.line.push_back(number);
    }
    if (values <= kind.nodes && !more)
      return fail_at(number, fmt::format("the element has {} nodes, expected {}", values - 1, kind.nodes));
    if (values > kind.nodes) values = 0;
    return true;
  }

  // --- sets ---

  bool read_sets() {
    for (const InpBlock& block : blocks_) {
      const bool nodes = block.keyword == "NSET";
      if (!nodes && block.keyword != "ELSET") continue;
      Sets& sets = nodes ? node_sets_ : element_sets_;
      const IdMap& ids = nodes ? node_ids_ : element_ids_;
      Set* set = named_set(block, block.keyword.c_str(), sets);
      if (!set) return fail_at(block.line, fmt::format("*{} without {}=", block.keyword, block.keyword));
      const bool ranges = block.find("GENERATE");
      if (!InpLines::for_data(block, [&](std::string_view line, int64_t number) {
            return ranges ? read_range(line, number, ids, nodes, set->members)
                          : read_members(line, number, ids, nodes, sets, set->members);
          }))
        return false;
    }
    for (Sets* sets : {&node_sets_, &element_sets_})
      for (auto& [key, set] : *sets) sort_ids(set.members);
    return true;
  }

  bool spend(size_t members, int64_t line) {
    members_left_ -= static_cast<int64_t>(members);
    return members_left_ >= 0 || fail_at(line, "the sets hold more than is read from such a file");
  }

  bool read_range(std::string_view line, int64_t number, const IdMap& ids, bool nodes,
                  std::vector<int32_t>& members) {
    int64_t first, last, step = 1;
    if (!to_integer(take_field(line), number, 1, largest_id, "first number", first) ||
        !to_integer(take_field(line), number, first, largest_id, "last number", last) ||
        (!line.empty() && !to_integer(take_field(line), number, 1, largest_id, "step", step)))
      return false;
    const size_t before = members.size();
    const int64_t most = members_left_;
    int64_t visited = 0;
    ids.for_range(first, last, [&](int64_t id, int32_t place) {
      if (++visited <= most && (id - first) % step == 0) members.push_back(place);
    });
    if (!spend(visited, number)) return false;
    return members.size() > before || other_elements(nodes) ||
           fail_at(number,
                   fmt::format("there is no {} from {} to {}", nodes ? "node" : "element", first, last));
  }

  bool read_members(std::string_view line, int64_t number, const IdMap& ids, bool nodes, const Sets& sets,
                    std::vector<int32_t>& members) {
    while (!line.empty()) {
      std::string_view field = take_field(line);
      if (field.empty()) continue;
      if (!instance_.empty() && in_upper_case(field.substr(0, instance_.size())) == instance_)
        field.remove_prefix(instance_.size());
      int64_t id;
      if (!field.empty() && field[0] >= '0' && field[0] <= '9') {
        if (!to_integer(field, number, 1, largest_id, nodes ? "node number" : "element number", id) ||
            !spend(1, number))
          return false;
        const int32_t place = ids.find(id);
        if (place >= 0) members.push_back(place);
        if (place < 0 && !other_elements(nodes))
          return fail_at(number, fmt::format("there is no {} {}", nodes ? "node" : "element", id));
        continue;
      }
      const auto other = sets.find(in_upper_case(field));
      if (other == sets.end())
        return fail_at(
            number, fmt::format("found {}, expected a number or the name of a set so far", in_quotes(field)));
      if (!spend(other->second.members.size(), number)) return false;
      const std::vector<int32_t> copy = other->second.members;  // it may be this very set
      members.insert(members.end(), copy.begin(), copy.end());
    }
    return true;
  }

  // Sets may name elements that were left out.
  bool other_elements(bool nodes) const { return !nodes && !left_out_.empty(); }

  bool give_nodes(int32_t triangle, std::vector<int32_t>& group) {
    std::array<int32_t, 3> corners;
    if (!nodes_of(triangles, triangle, 0, corners)) return false;
    group.insert(group.end(), corners.begin(), corners.end());
    return true;
  }

  // --- the whole ---

  bool move_instance() {
    for (const InpBlock& block : blocks_) {
      if (block.keyword != "INSTANCE") continue;
      math::Vec3d by;
      int lines = 0;
      if (!InpLines::for_data(block, [&](std::string_view line, int64_t number) {
            if (++lines > 1) return fail_at(number, "an instance that is turned is not read");
            for (int k = 0; k < 3; ++k)
              if (!to_real(take_field(line), number, by[k])) return false;
            return true;
          }))
        return false;
      if (lines)
        for (math::Vec3d& x : vertices) x = x + by;
    }
    return true;
  }

  bool note_left_out() {
    const auto list = [](const std::set<std::string>& names, std::string_view mark) {
      std::string all;
      size_t count = 0;
      for (const std::string& name : names)
        if (++count <= names_in_a_note) {
          all += all.empty() ? "" : ", ";
          all += mark;
          for (char c : name) all += c >= 32 && c < 127 ? c : '?';
        }
      return all + (count > names_in_a_note ? " and more" : "");
    };
    if (!left_out_.empty()) note(notes_, "left out elements of type " + list(left_out_, ""));
    if (!passed_over_.empty()) note(notes_, "passed over " + list(passed_over_, "*"));
    if (outside_)
      note(notes_, fmt::format("left out {} lists of nodes, elements or sets of the assembly", outside_));
    return true;
  }

  std::string_view text_;
  std::string name_;
  Notes* notes_;
  int64_t members_left_;
  std::vector<InpBlock> blocks_;
  IdMap node_ids_, element_ids_;
  std::vector<std::pair<Shape, int32_t>>
      elements_;  // tets and triangles as the file has them: place in its list
  Sets node_sets_, element_sets_;
  int parts_ = 0, instances_ = 0;
  std::string instance_;  // its name in upper case and a dot
  int64_t outside_ = 0;
  std::set<std::string> left_out_, passed_over_;
  std::optional<Error> error_;
};

}  // namespace

Result<TetMesh> parse_inp_tets(std::string_view text, const std::string& name, Notes* notes) {
  Parser parser(text, name, notes);
  if (!parser.run()) return parser.error();
  TetMesh mesh;
  const size_t count = parser.tets.line.size();
  mesh.elements.resize(count);
  if (parser.tets.nodes == 10) mesh.edge_nodes.resize(count);
  for (size_t t = 0; t < count; ++t)
    if (!parser.nodes_of(parser.tets, t, 0, mesh.elements[t]) ||
        (!mesh.edge_nodes.empty() && !parser.nodes_of(parser.tets, t, 4, mesh.edge_nodes[t])))
      return parser.error();
  if (!parser.give_groups(Shape::tet, mesh.vertex_groups, mesh.element_groups)) return parser.error();
  mesh.vertices = std::move(parser.vertices);
  if (count && !parser.triangles.line.empty())
    note(notes, fmt::format("left out {} triangles", parser.triangles.line.size()));
  if (auto ok = check_tets(mesh, name, parser.tets.line, notes); !ok) return ok.error();
  return mesh;
}

Result<TriMesh> parse_inp_triangles(std::string_view text, const std::string& name, Notes* notes) {
  Parser parser(text, name, notes);
  if (!parser.run()) return parser.error();
  TriMesh mesh;
  mesh.elements.resize(parser.triangles.line.size());
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    if (!parser.nodes_of(parser.triangles, t, 0, mesh.elements[t])) return parser.error();
  if (!parser.give_groups(Shape::triangle, mesh.vertex_groups, mesh.element_groups)) return parser.error();
  mesh.vertices = std::move(parser.vertices);
  if (!parser.tets.line.empty()) note(notes, fmt::format("left out {} tetrahedra", parser.tets.line.size()));
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

}  // namespace sinew::io
