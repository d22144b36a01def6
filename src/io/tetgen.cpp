#include "io/tetgen.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>

#include "io/mesh_file.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::Attribute;
using mesh::TetMesh;

constexpr int64_t max_attributes = 1000;
// TetGen 1.5 writes the nodes of the edges 23 03 01 12 13 02; these are their places in mesh::tet_edges.
constexpr int tetgen_edges[6] = {5, 3, 0, 1, 4, 2};

// The numbers of a row stand in one line.
bool same_line(Scanner& in) {
  return !in.at_line_end() || in.fail("the line ends before the last number of its row");
}
bool end_line(Scanner& in) { return in.at_line_end() || in.fail("more numbers on this line than expected"); }

bool read_nodes(Scanner& in, TetMesh& mesh, int64_t& first) {
  int64_t count, dimension, attributes, markers, index;
  if (!in.count(count, 8, "vertex count") || !in.integer(dimension, 3, 3, "dimension") ||
      !in.integer(attributes, 0, max_attributes, "number of attributes") ||
      !in.integer(markers, 0, 1, "number of boundary markers"))
    return false;
  if (count > in.remaining() / (2 * (4 + attributes + markers)) + 1)
    return in.fail(fmt::format("vertex count {} is more than the file can hold", count));
  Attribute data{static_cast<int>(attributes), {}}, marker;
  mesh.vertices.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    if (!in.integer(index, 0, INT32_MAX, "vertex index")) return false;
    if (i == 0) first = index;
    if (first > 1) return in.fail(fmt::format("the first vertex has index {}, expected 0 or 1", first));
    if (index != first + i)
      return in.fail(fmt::format("found vertex index {}, expected {}", index, first + i));
    math::Vec3d x;
    for (int k = 0; k < 3; ++k)
      if (!same_line(in) || !in.real(x[k])) return false;
    mesh.vertices.push_back(x);
    for (int64_t k = 0; k < attributes; ++k)
      if (!same_line(in) || !in.real(data.values.emplace_back())) return false;
    if (markers && (!same_line(in) || !in.real(marker.values.emplace_back()))) return false;
    if (!end_line(in)) return false;
  }
  if (!in.at_end()) return in.fail(fmt::format("more text follows after {} vertices", count));
  if (attributes) mesh.vertex_data["attribute"] = std::move(data);
  if (markers) mesh.vertex_data["marker"] = std::move(marker);
  return true;
}

bool read_tets(Scanner& in, TetMesh& mesh, int64_t first, std::vector<int64_t>& line) {
  int64_t count, corners, attributes, index;
  if (!in.count(count, 10, "tetrahedron count") || !in.integer(corners, 1, 10, "nodes per tetrahedron") ||
      !in.integer(attributes, 0, max_attributes, "number of attributes"))
    return false;
  if (corners != 4 && corners != 10)
    return in.fail(fmt::format("{} nodes per tetrahedron, expected 4 or 10", corners));
  if (count > in.remaining() / (2 * (1 + corners + attributes)) + 1)
    return in.fail(fmt::format("tetrahedron count {} is more than the file can hold", count));
  const auto vertices = static_cast<int64_t>(mesh.vertices.size());
  Attribute data{static_cast<int>(attributes), {}};
  mesh.elements.reserve(count);
  for (int64_t t = 0; t < count; ++t) {
    if (!in.integer(index, 0, INT32_MAX, "tetrahedron index")) return false;
    if (index != first + t)
      return in.fail(fmt::format("found tetrahedron index {}, expected {}", index, first + t));
    int32_t nodes[10];
    for (int64_t k = 0; k < corners; ++k) {
      if (!same_line(in) || !in.integer(index, first, first + vertices - 1, "vertex index")) return false;
      nodes[k] = static_cast<int32_t>(index - first);
    }
    mesh.elements.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
    if (corners == 10) {
      auto& edges = mesh.edge_nodes.emplace_back();
      for (int k = 0; k < 6; ++k) edges[tetgen_edges[k]] = nodes[4 + k];
    }
    line.push_back(in.line());
    for (int64_t k = 0; k < attributes; ++k)
      if (!same_line(in) || !in.real(data.values.emplace_back())) return false;
    if (!end_line(in)) return false;
  }
  if (!in.at_end()) return in.fail(fmt::format("more text follows after {} tetrahedra", count));
  if (attributes) mesh.element_data["attribute"] = std::move(data);
  return true;
}

// The edge whose middle is nearest to a node, if it is near enough.
std::optional<int> edge_at(const TetMesh& mesh, const TetMesh::Element& tet, int32_t node) {
  constexpr double near = 1e-4;  // of the edge's length
  std::optional<int> nearest;
  double least = INFINITY;
  for (int e = 0; e < 6; ++e) {
    const math::Vec3d &a = mesh.vertices[tet[mesh::tet_edges[e][0]]],
                      &b = mesh.vertices[tet[mesh::tet_edges[e][1]]];
    const double distance = norm(mesh.vertices[node] - 0.5 * (a + b));
    if (distance >= least) continue;
    least = distance;
    nearest = distance <= near * norm(b - a) ? std::optional(e) : std::nullopt;
  }
  return nearest;
}

// Versions of TetGen list the nodes of the edges in different orders, but all put them in the middle of their
// edges: the position says which edge a node belongs to. A curved tet is taken in the order of TetGen 1.5, unless
// a node in the middle of an edge shows that the file has another.
Result<void> sort_edge_nodes(TetMesh& mesh, const std::string& name, const std::vector<int64_t>& line,
                             Notes* notes) {
  std::vector<size_t> curved;
  bool other_order = false;
  for (size_t t = 0; t < mesh.edge_nodes.size(); ++t) {
    std::array<int32_t, 6> sorted;
    sorted.fill(-1);
    for (int k = 0; k < 6; ++k) {
      const int32_t node = mesh.edge_nodes[t][k];
      const auto edge = edge_at(mesh, mesh.elements[t], node);
      if (!edge) continue;
      other_order = other_order || *edge != k;
      sorted[*edge] = node;
    }
    if (std::count(sorted.begin(), sorted.end(), -1))
      curved.push_back(t);
    else
      mesh.edge_nodes[t] = sorted;
  }
  if (curved.empty()) return {};
  if (other_order)
    return input_error(
        fmt::format("{}: line {}", name, line[curved[0]]),
        fmt::format("tetrahedron {} (counted from 0) has nodes that are not in the middle of its "
                    "edges, in a file that does not have the order of TetGen 1.5",
                    curved[0]));
  note(notes, fmt::format("{} tetrahedra have nodes off the middle of their edges: taken in the order of "
                          "TetGen 1.5",
                          curved.size()));
  return {};
}

bool is_tet_attribute(std::string_view name, const Attribute& data) {
  return name == "attribute" && data.width <= max_attributes;
}
bool is_node_data(std::string_view name, const Attribute& data) {
  return is_tet_attribute(name, data) || (name == "marker" && data.width == 1);
}

void append_row(std::string& text, const Attribute* data, size_t row) {
  if (!data) return;
  for (int k = 0; k < data->width; ++k)
    fmt::format_to(std::back_inserter(text), " {}", data->values[row * data->width + k]);
}

}  // namespace

Result<TetMesh> parse_tetgen(std::string_view node_text, const std::string& node_name,
                             std::string_view ele_text, const std::string& ele_name, Notes* notes) {
  TetMesh mesh;
  int64_t first = 0;
  std::vector<int64_t> line;
  Scanner nodes(node_text, node_name), tets(ele_text, ele_name);
  if (!read_nodes(nodes, mesh, first)) return nodes.error();
  if (mesh.vertices.empty()) return input_error(node_name, "there are no vertices in this file");
  if (!read_tets(tets, mesh, first, line)) return tets.error();
  if (auto ok = check_tets(mesh, ele_name, line, notes); !ok) return ok.error();
  if (auto ok = sort_edge_nodes(mesh, ele_name, line, notes); !ok) return ok.error();
  return mesh;
}

std::string format_tetgen_node(const TetMesh& mesh) {
  const Attribute *data = find_kept(mesh.vertex_data, "attribute", is_node_data),
                  *marker = find_kept(mesh.vertex_data, "marker", is_node_data);
  std::string text =
      fmt::format("{} 3 {} {}\n", mesh.vertices.size(), data ? data->width : 0, marker ? 1 : 0);
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto& x = mesh.vertices[i];
    fmt::format_to(std::back_inserter(text), "{} {} {} {}", i, x[0], x[1], x[2]);
    append_row(text, data, i);
    append_row(text, marker, i);
    text += '\n';
  }
  return text;
}

std::string format_tetgen_ele(const TetMesh& mesh) {
  const Attribute* data = find_kept(mesh.element_data, "attribute", is_tet_attribute);
  const bool second_order = !mesh.edge_nodes.empty();
  std::string text =
      fmt::format("{} {} {}\n", mesh.elements.size(), second_order ? 10 : 4, data ? data->width : 0);
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& tet = mesh.elements[t];
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {}", t, tet[0], tet[1], tet[2], tet[3]);
    if (second_order)
      for (int edge : tetgen_edges) fmt::format_to(std::back_inserter(text), " {}", mesh.edge_nodes[t][edge]);
    append_row(text, data, t);
    text += '\n';
  }
  return text;
}

namespace {

struct Paths {
  std::string node, ele;
  explicit Paths(const std::string& path) : node(path.substr(0, path.rfind('.'))), ele(node + ".ele") {
    node += ".node";
  }
};

Result<TetMesh> read_pair(const std::string& path, Notes* notes) {
  const Paths paths(path);
  auto nodes = read_text(paths.node), tets = read_text(paths.ele);
  if (!nodes) return nodes.error();
  if (!tets) return tets.error();
  return parse_tetgen(*nodes, paths.node, *tets, paths.ele, notes);
}

// Each file is written whole, the .ele last.
Result<void> write_pair(const std::string& path, const TetMesh& mesh) {
  const Paths paths(path);
  if (auto ok = write_atomically(paths.node, format_tetgen_node(mesh)); !ok) return ok;
  return write_atomically(paths.ele, format_tetgen_ele(mesh));
}

}  // namespace

const MeshFormat& mesh_format_tetgen() {
  static const MeshFormat format = {
      .name = "TetGen",
      .extensions = "node ele",
      .read_tets = read_pair,
      .write_tets = write_pair,
      .holds = {.second_order = true, .vertex_data = is_node_data, .element_data = is_tet_attribute},
  };
  return format;
}

}  // namespace sinew::io
