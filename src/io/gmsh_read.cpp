#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <type_traits>
#include <utility>

#include "io/gmsh.h"
#include "io/gmsh_groups.h"
#include "io/gmsh_numbers.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

constexpr int64_t any_low = INT32_MIN, any_high = INT32_MAX;
constexpr int64_t max_tag = INT64_MAX / 2;
constexpr int64_t max_components = 1000;  // of an attribute
// All attributes and groups together: a small file must not ask for all of the memory.
constexpr int64_t min_budget = int64_t{1} << 22, numbers_per_byte = 16;

// Gmsh's number of a kind of element, its dimension, nodes and corners.
struct Kind {
  int type, dimension, nodes, corners;
};
constexpr Kind kinds[] = {{15, 0, 1, 1}, {1, 1, 2, 2},  {8, 1, 3, 2},  {2, 2, 3, 3}, {9, 2, 6, 3},
                          {3, 2, 4, 4},  {10, 2, 9, 4}, {16, 2, 8, 4}, {4, 3, 4, 4}, {11, 3, 10, 4}};
constexpr int max_nodes = 10;

template <class Mesh>
class Parser {
 public:
  Parser(const Source& source, const std::string& name, Notes* notes)
      : in_(source, name, 0, source.size()),
        numbers_(in_),
        groups_(in_, numbers_),
        notes_(notes),
        budget_(std::max(min_budget, numbers_per_byte * source.size())) {}

  Result<Mesh> run() {
    if (!read_sections() || !add_groups()) return in_.error();
    if (left_out_) note(notes_, fmt::format("left out {} elements of other types", left_out_));
    if (corners_only_)
      note(notes_, fmt::format("took the corners of {} triangles of second order", corners_only_));
    return std::move(mesh_);
  }
  std::string where(size_t element) const { return in_.where(places_(element)); }

 private:
  static constexpr bool tets = std::is_same_v<Mesh, TetMesh>;
  static constexpr int dimension = tets ? 3 : 2, corners = dimension + 1;

  bool read_sections() {
    if (!read_format()) return false;
    while (!in_.at_end()) {
      std::string_view word;
      if (!in_.word(word)) return false;
      if (word.size() < 2 || word[0] != '$')
        return in_.fail(fmt::format("found {}, expected a section such as $Nodes", in_quotes(word)));
      const std::string section(word), end = "$End" + section.substr(1);
      if (!in_.ok() || !read_section(section, end)) return false;
    }
    if (!in_.ok()) return false;
    return !mesh_.vertices.empty() || in_.fail("there are no vertices in this file");
  }

  bool read_section(const std::string& section, const std::string& end) {
    if (numbers_.binary()) in_.rest_of_line();  // the bytes start on the next line
    bool read = true;
    if (section == "$PhysicalNames") {
      read = groups_.read_names();
    } else if (section == "$Entities" && version_ == 4) {
      read = groups_.read_entities(false);
    } else if (section == "$PartitionedEntities" && version_ == 4) {
      read = groups_.read_entities(true);
    } else if (section == "$Nodes") {
      read = version_ == 4 ? read_nodes() : read_nodes_2();
      if (read) read = seal_nodes();
    } else if (section == "$Elements") {
      if (mesh_.vertices.empty()) return in_.fail("$Elements before $Nodes");
      if (std::exchange(elements_read_, true)) return in_.fail("a second section $Elements");
      read = version_ == 4 ? read_elements() : read_elements_2();
    } else if (section == "$NodeData") {
      read = read_data(mesh_.vertex_data, node_tags_, "vertices");
    } else if (section == "$ElementData") {
      if (!elements_read_) return in_.fail("$ElementData before $Elements");
      read = read_data(mesh_.element_data, element_tags_, "elements");
    } else {
      if (section == "$ElementNodeData") note(notes_, "left out a section $ElementNodeData");
      return in_.skip_past(end) || in_.fail(fmt::format("the file ends before {}", end));
    }
    return read && in_.expect(end);
  }

  bool read_format() {
    std::string_view version;
    int64_t type, size;
    if (!in_.expect("$MeshFormat") || !in_.word(version)) return false;
    version_ = version == "4.1" ? 4 : version == "2" || version.substr(0, 2) == "2." ? 2 : 0;
    if (!version_)
      return in_.fail(fmt::format(
          "Gmsh {} is not read, only 2 and 4.1; convert with: gmsh -save -format msh41 -o new.msh old.msh",
          in_quotes(version)));
    if (!in_.integer(type, 0, 1, "file type") || !in_.integer(size, 1, 16, "data size")) return false;
    if (type == 1) {
      if (size != 8 && (size != 4 || version_ != 4))
        return in_.fail(fmt::format("data size {}, expected 8", size));
      in_.say_bytes();
      in_.rest_of_line();
      int32_t one;
      if (!in_.bytes(&one, 4)) return false;
      if (one != 1 && one != 1 << 24)
        return in_.fail(fmt::format("found {}, expected 1 to tell the byte order", one));
      // Version 2 has no size_t: it counts in int.
      numbers_.set_binary(one != 1, version_ == 4 ? static_cast<int>(size) : 4);
    }
    return in_.expect("$EndMeshFormat");
  }

  bool read_nodes() {
    int64_t block_count, count, low, high;
    if (!mesh_.vertices.empty()) return in_.fail("a second section $Nodes");
    if (!numbers_.count(block_count, 8, 20, "number of node blocks") ||
        !numbers_.count(count, 8, 28, "number of nodes") ||
        !numbers_.size(low, 0, INT64_MAX, "lowest node tag") ||
        !numbers_.size(high, 0, INT64_MAX, "highest node tag"))
      return false;
    mesh_.vertices.reserve(count);
    for (int64_t b = 0; b < block_count; ++b)
      if (!read_node_block(count)) return false;
    const auto found = static_cast<int64_t>(mesh_.vertices.size());
    return found == count || in_.fail(fmt::format("{} nodes in the blocks, expected {}", found, count));
  }

  bool read_node_block(int64_t total) {
    int64_t d, entity, parametric, count, tag;
    if (!numbers_.whole(d, 0, 3, "dimension") || !numbers_.whole(entity, any_low, any_high, "entity tag") ||
        !numbers_.whole(parametric, 0, 1, "parametric flag") ||
        !numbers_.count(count, 8, 28, "number of nodes"))
      return false;
    if (count > total - static_cast<int64_t>(mesh_.vertices.size()))
      return in_.fail(fmt::format("more nodes in the blocks than the {} announced", total));
    for (int64_t i = 0; i < count; ++i) {
      if (!numbers_.size(tag, 0, max_tag, "node tag")) return false;
      node_tags_.add(tag);
    }
    double ignored;
    for (int64_t i = 0; i < count; ++i) {
      if (!read_position()) return false;
      for (int64_t k = 0; parametric && k < d; ++k)
        if (!numbers_.real(ignored)) return false;
    }
    return true;
  }

  bool read_nodes_2() {
    int64_t count, tag;
    if (!mesh_.vertices.empty()) return in_.fail("a second section $Nodes");
    if (!in_.count(count, 8, "number of nodes")) return false;
    if (numbers_.binary()) in_.rest_of_line();
    if (!in_.fits(count, numbers_.binary() ? 28 : 8, "number of nodes")) return false;
    mesh_.vertices.reserve(count);
    for (int64_t i = 0; i < count; ++i) {
      if (!numbers_.whole(tag, 0, any_high, "node tag") || !read_position()) return false;
      node_tags_.add(tag);
    }
    return true;
  }

  bool read_position() {
    math::Vec3d& x = mesh_.vertices.emplace_back();
    return numbers_.real(x[0]) && numbers_.real(x[1]) && numbers_.real(x[2]);
  }

  bool seal_nodes() {
    const auto twice = node_tags_.seal();
    return !twice || in_.fail(fmt::format("node tag {} is used twice", *twice));
  }

  bool read_elements() {
    int64_t block_count, count, low, high;
    if (!numbers_.count(block_count, 8, 20, "number of element blocks") ||
        !numbers_.count(count, 4, 16, "number of elements") ||
        !numbers_.size(low, 0, INT64_MAX, "lowest element tag") ||
        !numbers_.size(high, 0, INT64_MAX, "highest element tag"))
      return false;
    // Most elements of a mesh are of its own kind; what stays unused of this is never touched.
    mesh_.elements.reserve(count);
    int64_t found = 0;
    for (int64_t b = 0; b < block_count; ++b)
      if (!read_element_block(found)) return false;
    return found == count || in_.fail(fmt::format("{} elements in the blocks, expected {}", found, count));
  }

  bool find_kind(int64_t type, Kind& out) {
    for (const Kind& kind : kinds)
      if (kind.type == type) {
        out = kind;
        return true;
      }
    return in_.fail(
        fmt::format("element type {} is not read: only points (15), lines (1, 8), triangles (2, 9), "
                    "quadrangles (3, 10, 16) and tetrahedra of first and second order (4, 11)",
                    type));
  }

  bool read_element_block(int64_t& found) {
    int64_t d, entity, type, count, tag;
    Kind kind;
    if (!numbers_.whole(d, 0, 3, "dimension") || !numbers_.whole(entity, any_low, any_high, "entity tag") ||
        !numbers_.whole(type, 1, 200, "element type") || !find_kind(type, kind))
      return false;
    if (kind.dimension != d)
      return in_.fail(fmt::format("elements of type {} in an entity of dimension {}", type, d));
    const int64_t bytes = numbers_.size_bytes() * (1 + kind.nodes);
    if (!numbers_.count(count, 2 * (kind.nodes + 1), bytes, "number of elements")) return false;
    for (int64_t i = 0; i < count; ++i) {
      if (!numbers_.binary()) in_.skip_blanks();
      const int64_t place = in_.place();
      if (!numbers_.size(tag, 0, max_tag, "element tag") ||
          !read_element(kind, {kind.dimension, entity}, tag, place, bytes))
        return false;
    }
    found += count;
    return true;
  }

  // Version 2: the physical group is the first of the tags of each element.
  bool read_elements_2() {
    int64_t count, type, here, tag_count, tag;
    Kind kind;
    if (!in_.count(count, 6, "number of elements")) return false;
    if (numbers_.binary()) in_.rest_of_line();
    mesh_.elements.reserve(count);
    for (int64_t done = 0; done < count; done += here) {
      here = 1;
      if (!numbers_.binary()) in_.skip_blanks();
      const int64_t line = in_.place();
      if (!numbers_.binary() && !numbers_.whole(tag, 0, any_high, "element tag")) return false;
      if (!numbers_.whole(type, 1, 200, "element type") || !find_kind(type, kind)) return false;
      if (numbers_.binary() && !numbers_.whole(here, 1, count - done, "number of elements")) return false;
      if (!numbers_.whole(tag_count, 0, 1000, "number of tags")) return false;
      const int64_t bytes = 4 * (1 + tag_count + kind.nodes);
      for (int64_t i = 0; i < here; ++i) {
        const int64_t place = numbers_.binary() ? in_.place() : line;
        if (numbers_.binary() && !numbers_.whole(tag, 0, any_high, "element tag")) return false;
        int64_t physical = 0, ignored;
        for (int64_t k = 0; k < tag_count; ++k)
          if (!numbers_.whole(k ? ignored : physical, any_low, any_high, "tag")) return false;
        const GmshEntity entity{kind.dimension, physical < 0 ? -physical : physical};
        if (physical) groups_.add(entity);
        if (!read_element(kind, entity, tag, place, bytes)) return false;
      }
    }
    return true;
  }

  bool read_element(const Kind& kind, const GmshEntity& entity, int64_t tag, int64_t place, int64_t bytes) {
    int32_t nodes[max_nodes];
    for (int k = 0; k < kind.nodes; ++k) {
      int64_t node;
      if (!numbers_.size(node, 0, max_tag, "node tag")) return false;
      nodes[k] = node_tags_.find(node);
      if (nodes[k] < 0)
        return in_.fail_at(place,
                           fmt::format("node tag {} is not among the {} nodes", node, mesh_.vertices.size()));
    }
    if (kind.dimension < dimension) {
      auto& lower = lower_[entity];
      lower.insert(lower.end(), nodes, nodes + kind.nodes);
      return true;
    }
    if (kind.dimension > dimension || kind.corners != corners) {
      ++left_out_;
      return true;
    }
    if (!add_order(kind, nodes, place)) return false;
    auto& element = mesh_.elements.emplace_back();
    std::copy_n(nodes, corners, element.begin());
    element_tags_.add(tag);
    places_.add(place, numbers_.binary() ? bytes : 1);
    if (runs_.empty() || runs_.back().entity != entity) runs_.push_back({entity, 0});
    ++runs_.back().count;
    return true;
  }

  // The nodes beyond the corners.
  bool add_order(const Kind& kind, const int32_t* nodes, int64_t place) {
    const bool second = kind.nodes > kind.corners;
    if constexpr (tets) {
      if (second != !mesh_.edge_nodes.empty() && !mesh_.elements.empty())
        return in_.fail_at(place, "tetrahedra of first and second order in one file; expected one kind");
      // Gmsh numbers the edge 2-3 before 1-3, VTK after it.
      if (second && mesh_.edge_nodes.empty()) mesh_.edge_nodes.reserve(mesh_.elements.capacity());
      if (second) mesh_.edge_nodes.push_back({nodes[4], nodes[5], nodes[6], nodes[7], nodes[9], nodes[8]});
    } else {
      corners_only_ += second;
    }
    return true;
  }

  bool read_data(mesh::Attributes& data, TagMap& tags, const char* things) {
    int64_t count, width = 1, entries = 0, tag;
    double number;
    std::string name;
    if (mesh_.vertices.empty()) return in_.fail("data before $Nodes");
    if (!in_.count(count, 1, "number of string tags")) return false;
    if (count == 0) return in_.fail("data without a name");
    in_.rest_of_line();
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = in_.place();
      std::string text;
      if (!gmsh_unquoted(in_.rest_of_line(), text))
        return in_.fail_at(place, "expected a name in double quotes");
      if (i == 0) name = std::move(text);
    }
    if (!in_.count(count, 1, "number of real tags")) return false;
    for (int64_t i = 0; i < count; ++i)
      if (!in_.real(number)) return false;
    if (!in_.count(count, 1, "number of integer tags")) return false;
    for (int64_t i = 0; i < count; ++i) {
      if (!in_.integer(tag, any_low, any_high, "integer tag")) return false;
      if (i == 1) width = tag;
      if (i == 2) entries = tag;
    }
    if (numbers_.binary()) in_.rest_of_line();
    if (width < 1 || width > max_components)
      return in_.fail(fmt::format("{} components, expected 1..{}", width, max_components));
    if (entries < 0 ||
        !in_.fits(entries, numbers_.binary() ? 4 + 8 * width : 2 * (width + 1), "number of values"))
      return in_.fail(fmt::format("{} values", entries));
    if (const auto twice = tags.seal())
      return in_.fail(fmt::format("tag {} is used twice among the {}", *twice, things));
    return read_values(data, tags, name, static_cast<int>(width), entries, things);
  }

  bool read_values(mesh::Attributes& data, const TagMap& tags, const std::string& name, int width,
                   int64_t entries, const char* things) {
    int64_t tag, found = 0;
    budget_ -= int64_t{tags.count()} * width;
    if (budget_ < 0) return in_.fail("the attributes hold more numbers than is read from such a file");
    const bool again = data.count(name) != 0;
    mesh::Attribute& out = data[name];
    out.width = width;
    out.values.assign(static_cast<size_t>(tags.count()) * width, 0.0);
    std::vector<double> row(width);
    for (int64_t i = 0; i < entries; ++i) {
      if (!numbers_.whole(tag, any_low, any_high, "tag")) return false;
      for (double& value : row)
        if (!numbers_.real(value)) return false;
      const int32_t index = tags.find(tag);  // elements of lower dimension are not among them
      if (index < 0) continue;
      std::copy(row.begin(), row.end(), out.values.begin() + int64_t{index} * width);
      ++found;
    }
    if (again) note(notes_, fmt::format("{} comes more than once: kept the last", in_quotes(name)));
    if (found < tags.count())
      note(notes_, fmt::format("{} has values for {} of {} {}: the others are 0", in_quotes(name), found,
                               tags.count(), things));
    return true;
  }

  bool add_groups() {
    const auto fits = [&](size_t members) {
      budget_ -= static_cast<int64_t>(members);
      return budget_ >= 0 || in_.fail("the groups have more members than is read from such a file");
    };
    int32_t first = 0;
    for (const Run& run : runs_) {
      for (const std::string& name : groups_.of(run.entity)) {
        if (!fits(run.count)) return false;
        auto& ids = mesh_.element_groups[name];
        for (int32_t i = 0; i < run.count; ++i) ids.push_back(first + i);
      }
      first += run.count;
    }
    for (const auto& [entity, nodes] : lower_)
      for (const std::string& name : groups_.of(entity)) {
        if (!fits(nodes.size())) return false;
        auto& ids = mesh_.vertex_groups[name];
        ids.insert(ids.end(), nodes.begin(), nodes.end());
      }
    for (mesh::Groups* all : {&mesh_.vertex_groups, &mesh_.element_groups})
      for (auto& [name, ids] : *all) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      }
    return true;
  }

  struct Run {  // elements of one entity
    GmshEntity entity;
    int32_t count;
  };

  Scanner in_;
  GmshNumbers numbers_;
  GmshGroups groups_;
  Notes* notes_;
  int64_t budget_;  // numbers of attributes and members of groups that may still come
  int version_ = 0;
  bool elements_read_ = false;
  Mesh mesh_;
  TagMap node_tags_, element_tags_;
  ElementPlaces places_;
  std::vector<Run> runs_;
  std::map<GmshEntity, std::vector<int32_t>> lower_;  // nodes of the elements of lower dimension
  int64_t left_out_ = 0, corners_only_ = 0;
};

}  // namespace

Result<TetMesh> parse_gmsh_tets(const Source& source, const std::string& name, Notes* notes) {
  Parser<TetMesh> parser(source, name, notes);
  auto mesh = parser.run();
  if (!mesh) return mesh;
  const auto where = [&](size_t tet) { return parser.where(tet); };
  if (auto ok = check_tets_at(*mesh, name, where, notes); !ok) return ok.error();
  return mesh;
}

Result<TriMesh> parse_gmsh_triangles(const Source& source, const std::string& name, Notes* notes) {
  auto mesh = Parser<TriMesh>(source, name, notes).run();
  if (!mesh) return mesh;
  if (auto ok = check_triangles(*mesh, name, notes); !ok) return ok.error();
  return mesh;
}

}  // namespace sinew::io
