#include "io/gmsh.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <utility>

#include "io/mesh_file.h"
#include "io/scanner.h"
#include "mesh/geometry.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

constexpr int64_t any_low = INT32_MIN, any_high = INT32_MAX;
constexpr size_t most_groups = 64;  // of one entity

// Linear elements: Gmsh's number, dimension and corners.
struct Kind {
  int type, dimension, corners;
};
constexpr Kind kinds[] = {{15, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 2, 4}, {4, 3, 4}};

using EntityId = std::pair<int, int64_t>;  // dimension, tag

// The elements of one block: `corners` vertex ids each, counted from 0.
struct ElementBlock {
  EntityId entity;
  int corners = 0;
  std::vector<int32_t> nodes;
  std::vector<int64_t> line;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : in_(text, name) {}

  bool run() {
    if (!read_format()) return false;
    std::string_view section;
    while (!in_.at_end()) {
      in_.word(section);
      if (section.size() < 2 || section[0] != '$')
        return in_.fail(fmt::format("found {}, expected a section such as $Nodes", in_quotes(section)));
      const std::string end = "$End" + std::string(section.substr(1));
      bool read = true;
      if (section == "$PhysicalNames") {
        read = read_names();
      } else if (section == "$Entities") {
        read = read_entities();
      } else if (section == "$Nodes") {
        read = read_nodes();
      } else if (section == "$Elements") {
        read = read_elements();
      } else {
        read = skip_to(end);
        continue;
      }
      if (!read || !in_.expect(end)) return false;
    }
    if (vertices.empty()) return in_.fail("there are no vertices in this file");
    return in_.ok();
  }
  const Error& error() const { return in_.error(); }

  // The names of the groups that an entity belongs to.
  std::vector<std::string> groups(const EntityId& entity) const {
    std::vector<std::string> list;
    const auto found = physical_.find(entity);
    if (found == physical_.end()) return list;
    for (int64_t tag : found->second) {
      const auto name = names_.find({entity.first, tag});
      list.push_back(name != names_.end() ? name->second : fmt::format("physical_{}", tag));
    }
    return list;
  }

  std::vector<math::Vec3d> vertices;
  std::vector<ElementBlock> blocks;

 private:
  bool read_format() {
    std::string_view version;
    int64_t type, size;
    if (!in_.expect("$MeshFormat") || !in_.word(version)) return false;
    if (version != "4.1")
      return in_.fail(fmt::format(
          "Gmsh {} is not read, only 4.1; convert with: gmsh -save -format msh41 -o new.msh old.msh",
          in_quotes(version)));
    if (!in_.integer(type, 0, 1, "file type")) return false;
    if (type == 1) return in_.fail("binary Gmsh files are not read; save as ASCII (Mesh.Binary = 0)");
    return in_.integer(size, 1, 16, "data size") && in_.expect("$EndMeshFormat");
  }

  bool skip_to(const std::string& end) {
    while (in_.remaining() > 0)
      if (in_.rest_of_line() == end) return true;
    return in_.fail(fmt::format("the file ends before {}", end));
  }

  bool read_names() {
    int64_t count, dimension, tag;
    if (!in_.count(count, 6, "number of physical names")) return false;
    for (int64_t i = 0; i < count; ++i) {
      if (!in_.integer(dimension, 0, 3, "dimension") || !in_.integer(tag, any_low, any_high, "physical tag"))
        return false;
      const int64_t line = in_.line();
      const std::string_view rest = in_.rest_of_line();
      const size_t open = rest.find('"'), close = rest.rfind('"');
      if (open == std::string_view::npos || close <= open + 1)
        return in_.fail_at(line, "expected the name of the physical group in double quotes");
      names_[{static_cast<int>(dimension), tag}] = rest.substr(open + 1, close - open - 1);
    }
    return true;
  }

  bool read_entities() {
    int64_t count[4], tag, tags;
    double ignored;
    for (int64_t& c : count)
      if (!in_.count(c, 8, "number of entities")) return false;
    for (int dimension = 0; dimension < 4; ++dimension)
      for (int64_t i = 0; i < count[dimension]; ++i) {
        if (!in_.integer(tag, any_low, any_high, "entity tag")) return false;
        for (int k = 0; k < (dimension ? 6 : 3); ++k)
          if (!in_.real(ignored)) return false;
        auto& physical = physical_[{dimension, tag}];
        if (!in_.count(tags, 2, "number of physical tags")) return false;
        for (int64_t k = 0; k < tags; ++k) {
          if (!in_.integer(tag, any_low, any_high, "physical tag")) return false;
          physical.push_back(tag < 0 ? -tag : tag);  // the sign is an orientation
        }
        std::sort(physical.begin(), physical.end());
        physical.erase(std::unique(physical.begin(), physical.end()), physical.end());
        if (physical.size() > most_groups)
          return in_.fail(fmt::format("an entity in {} physical groups, at most {} are read", physical.size(),
                                      most_groups));
        if (dimension == 0) continue;
        if (!in_.count(tags, 2, "number of bounding entities")) return false;
        for (int64_t k = 0; k < tags; ++k)
          if (!in_.integer(tag, any_low, any_high, "entity tag")) return false;
      }
    return true;
  }

  bool read_nodes() {
    int64_t block_count, count, low, high;
    if (!vertices.empty()) return in_.fail("a second section $Nodes");
    if (!in_.count(block_count, 8, "number of node blocks") || !in_.count(count, 8, "number of nodes") ||
        !in_.integer(low, 0, INT64_MAX, "lowest node tag") ||
        !in_.integer(high, 0, INT64_MAX, "highest node tag"))
      return false;
    vertices.reserve(count);
    tags_.reserve(count);
    for (int64_t b = 0; b < block_count; ++b)
      if (!read_node_block(count)) return false;
    if (static_cast<int64_t>(vertices.size()) != count)
      return in_.fail(fmt::format("{} nodes in the blocks, expected {}", vertices.size(), count));
    std::sort(tags_.begin(), tags_.end());
    for (size_t i = 1; i < tags_.size(); ++i)
      if (tags_[i].first == tags_[i - 1].first)
        return in_.fail(fmt::format("node tag {} is used twice", tags_[i].first));
    return true;
  }

  bool read_node_block(int64_t total) {
    int64_t dimension, entity, parametric, count, tag;
    if (!in_.integer(dimension, 0, 3, "dimension") || !in_.integer(entity, any_low, any_high, "entity tag") ||
        !in_.integer(parametric, 0, 1, "parametric flag") || !in_.count(count, 8, "number of nodes"))
      return false;
    if (count > total - static_cast<int64_t>(vertices.size()))
      return in_.fail(fmt::format("more nodes in the blocks than the {} announced", total));
    for (int64_t i = 0; i < count; ++i) {
      if (!in_.integer(tag, 0, INT64_MAX, "node tag")) return false;
      tags_.emplace_back(tag, static_cast<int32_t>(vertices.size() + i));
    }
    double ignored;
    for (int64_t i = 0; i < count; ++i) {
      math::Vec3d x;
      if (!in_.real(x[0]) || !in_.real(x[1]) || !in_.real(x[2])) return false;
      for (int64_t k = 0; parametric && k < dimension; ++k)
        if (!in_.real(ignored)) return false;
      vertices.push_back(x);
    }
    return true;
  }

  bool read_elements() {
    int64_t block_count, count, low, high;
    if (vertices.empty()) return in_.fail("$Elements before $Nodes");
    if (!in_.count(block_count, 8, "number of element blocks") ||
        !in_.count(count, 4, "number of elements") || !in_.integer(low, 0, INT64_MAX, "lowest element tag") ||
        !in_.integer(high, 0, INT64_MAX, "highest element tag"))
      return false;
    for (int64_t b = 0; b < block_count; ++b)
      if (!read_element_block()) return false;
    return true;
  }

  bool read_element_block() {
    int64_t dimension, entity, type, count, tag;
    if (!in_.integer(dimension, 0, 3, "dimension") || !in_.integer(entity, any_low, any_high, "entity tag") ||
        !in_.integer(type, 1, 200, "element type"))
      return false;
    const auto* kind =
        std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.type == type; });
    if (kind == std::end(kinds))
      return in_.fail(
          fmt::format("element type {} is not read: only points (15), lines (1), triangles (2), "
                      "quadrangles (3) and linear tetrahedra (4)",
                      type));
    if (kind->dimension != dimension)
      return in_.fail(fmt::format("elements of type {} in an entity of dimension {}", type, dimension));
    if (!in_.count(count, 2 * (kind->corners + 1), "number of elements")) return false;
    ElementBlock& block = blocks.emplace_back();
    block.entity = {static_cast<int>(dimension), entity};
    block.corners = kind->corners;
    block.nodes.reserve(count * kind->corners);
    for (int64_t i = 0; i < count; ++i) {
      if (!in_.integer(tag, 0, INT64_MAX, "element tag")) return false;
      block.line.push_back(in_.line());
      for (int k = 0; k < kind->corners; ++k) {
        if (!in_.integer(tag, 0, INT64_MAX, "node tag")) return false;
        const auto found = std::lower_bound(tags_.begin(), tags_.end(), std::pair<int64_t, int32_t>(tag, 0));
        if (found == tags_.end() || found->first != tag)
          return in_.fail(fmt::format("node tag {} is not among the {} nodes", tag, vertices.size()));
        block.nodes.push_back(found->second);
      }
    }
    return true;
  }

  Scanner in_;
  std::map<EntityId, std::string> names_;
  std::map<EntityId, std::vector<int64_t>> physical_;
  std::vector<std::pair<int64_t, int32_t>> tags_;  // sorted: node tag, vertex id
};

// Takes the elements with this many corners and dimension; lower ones give their groups to their vertices.
template <int corners>
void gather(const Parser& parser, mesh::Mesh<corners>& mesh, std::vector<int64_t>& line, Notes* notes) {
  constexpr int dimension = corners - 1;
  int64_t left_out = 0;
  for (const ElementBlock& block : parser.blocks) {
    const auto count = static_cast<int64_t>(block.line.size());
    const std::vector<std::string> names = parser.groups(block.entity);
    if (block.entity.first == dimension && block.corners == corners) {
      const auto first = static_cast<int32_t>(mesh.elements.size());
      for (int64_t i = 0; i < count; ++i)
        std::copy_n(block.nodes.begin() + i * corners, corners, mesh.elements.emplace_back().begin());
      line.insert(line.end(), block.line.begin(), block.line.end());
      for (const auto& name : names)
        for (int64_t i = 0; i < count; ++i)
          mesh.element_groups[name].push_back(static_cast<int32_t>(first + i));
    } else if (block.entity.first < dimension) {
      for (const auto& name : names) {
        auto& ids = mesh.vertex_groups[name];
        ids.insert(ids.end(), block.nodes.begin(), block.nodes.end());
      }
    } else {
      left_out += count;
    }
  }
  for (mesh::Groups* groups : {&mesh.vertex_groups, &mesh.element_groups})
    for (auto& [name, ids] : *groups) {
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
  if (left_out) note(notes, fmt::format("left out {} elements of other types", left_out));
}

// The same set of groups makes one entity. Sets are numbered from 1 in the order they are met; the empty
// set is one of them.
class Entities {
 public:
  Entities(const mesh::Groups& groups, size_t count) : of_(count) {
    std::vector<std::vector<int>> tags(count);
    int tag = 0;
    for (const auto& [name, ids] : groups) {
      ++tag;
      for (int32_t id : ids) tags[id].push_back(tag);
    }
    for (size_t i = 0; i < count; ++i) {
      const auto [place, added] = number_.emplace(std::move(tags[i]), static_cast<int>(sets_.size()));
      if (added) sets_.push_back(&place->first);
      of_[i] = place->second;
    }
  }
  const std::vector<const std::vector<int>*>& sets() const { return sets_; }
  int of(size_t i) const { return of_[i]; }

 private:
  std::map<std::vector<int>, int> number_;
  std::vector<const std::vector<int>*> sets_;
  std::vector<int> of_;
};

template <int corners>
void format_entities(std::string& text, const mesh::Mesh<corners>& mesh, const Entities& points,
                     const Entities& elements) {
  constexpr int dimension = corners - 1;
  const auto out = std::back_inserter(text);
  const auto physical = [&](const std::vector<int>& set) {
    fmt::format_to(out, " {}", set.size());
    for (int tag : set) fmt::format_to(out, " {}", tag);
  };
  const mesh::Bounds box = mesh::bounding_box(mesh.vertices);
  fmt::format_to(out, "$Entities\n{} 0 {} {}\n", points.sets().size(),
                 dimension == 2 ? elements.sets().size() : 0, dimension == 3 ? elements.sets().size() : 0);
  for (size_t i = 0; i < points.sets().size(); ++i) {
    fmt::format_to(out, "{} 0 0 0", i + 1);
    physical(*points.sets()[i]);
    text += '\n';
  }
  for (size_t i = 0; i < elements.sets().size(); ++i) {
    fmt::format_to(out, "{} {} {} {} {} {} {}", i + 1, box.low[0], box.low[1], box.low[2], box.high[0],
                   box.high[1], box.high[2]);
    physical(*elements.sets()[i]);
    text += " 0\n";
  }
  text += "$EndEntities\n";
}

template <int corners>
void format_elements(std::string& text, const mesh::Mesh<corners>& mesh, const Entities& points,
                     const Entities& elements) {
  constexpr int dimension = corners - 1, type = corners == 4 ? 4 : 2;
  std::string blocks;
  const auto out = std::back_inserter(blocks);
  size_t block_count = 0, tag = 0;
  // Runs of one entity: the order of the elements is kept.
  for (size_t begin = 0, end; begin < mesh.elements.size(); begin = end) {
    for (end = begin + 1; end < mesh.elements.size() && elements.of(end) == elements.of(begin);) ++end;
    fmt::format_to(out, "{} {} {} {}\n", dimension, elements.of(begin) + 1, type, end - begin);
    for (size_t e = begin; e < end; ++e) {
      fmt::format_to(out, "{}", ++tag);
      for (int32_t node : mesh.elements[e]) fmt::format_to(out, " {}", node + 1);
      blocks += '\n';
    }
    ++block_count;
  }
  std::vector<std::vector<size_t>> members(points.sets().size());
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    if (!points.sets().empty() && !points.sets()[points.of(i)]->empty()) members[points.of(i)].push_back(i);
  for (size_t p = 0; p < members.size(); ++p) {
    if (members[p].empty()) continue;
    fmt::format_to(out, "0 {} 15 {}\n", p + 1, members[p].size());
    for (size_t node : members[p]) fmt::format_to(out, "{} {}\n", ++tag, node + 1);
    ++block_count;
  }
  fmt::format_to(std::back_inserter(text), "$Elements\n{} {} {} {}\n", block_count, tag, tag ? 1 : 0, tag);
  text += blocks + "$EndElements\n";
}

template <int corners>
std::string format_mesh(const mesh::Mesh<corners>& mesh) {
  constexpr int dimension = corners - 1;
  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  const auto out = std::back_inserter(text);
  if (const size_t names = mesh.vertex_groups.size() + mesh.element_groups.size()) {
    fmt::format_to(out, "$PhysicalNames\n{}\n", names);
    int tag = 0;
    for (const auto& [name, ids] : mesh.vertex_groups) fmt::format_to(out, "0 {} \"{}\"\n", ++tag, name);
    tag = 0;
    for (const auto& [name, ids] : mesh.element_groups)
      fmt::format_to(out, "{} {} \"{}\"\n", dimension, ++tag, name);
    text += "$EndPhysicalNames\n";
  }
  const Entities points(mesh.vertex_groups, mesh.vertex_groups.empty() ? 0 : mesh.vertices.size());
  const Entities elements(mesh.element_groups, mesh.elements.size());
  format_entities(text, mesh, points, elements);

  const size_t count = mesh.vertices.size();
  fmt::format_to(out, "$Nodes\n1 {} 1 {}\n{} 1 0 {}\n", count, count, dimension, count);
  for (size_t i = 0; i < count; ++i) fmt::format_to(out, "{}\n", i + 1);
  for (const auto& x : mesh.vertices) fmt::format_to(out, "{} {} {}\n", x[0], x[1], x[2]);
  text += "$EndNodes\n";
  format_elements(text, mesh, points, elements);
  return text;
}

}  // namespace

Result<TetMesh> parse_gmsh_tets(std::string_view text, const std::string& name, Notes* notes) {
  Parser parser(text, name);
  if (!parser.run()) return parser.error();
  TetMesh mesh;
  std::vector<int64_t> line;
  gather<4>(parser, mesh, line, notes);
  mesh.vertices = std::move(parser.vertices);
  if (auto ok = check_tets(mesh, name, line, notes); !ok) return ok.error();
  return mesh;
}

Result<TriMesh> parse_gmsh_triangles(std::string_view text, const std::string& name, Notes* notes) {
  Parser parser(text, name);
  if (!parser.run()) return parser.error();
  TriMesh mesh;
  std::vector<int64_t> line;
  gather<3>(parser, mesh, line, notes);
  mesh.vertices = std::move(parser.vertices);
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

std::string format_gmsh(const TetMesh& mesh) { return format_mesh<4>(mesh); }
std::string format_gmsh(const TriMesh& mesh) { return format_mesh<3>(mesh); }

const MeshFormat& mesh_format_gmsh() {
  static const MeshFormat format = {
      .name = "Gmsh",
      .extensions = "msh",
      .read_tets = read_and_parse<parse_gmsh_tets>,
      .read_triangles = read_and_parse<parse_gmsh_triangles>,
      .write_tets = [](const std::string& path,
                       const TetMesh& mesh) { return write_atomically(path, format_gmsh(mesh)); },
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_gmsh(mesh)); },
  };
  return format;
}

}  // namespace sinew::io
