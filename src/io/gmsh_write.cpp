#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "io/buffered_file.h"
#include "io/gmsh.h"
#include "mesh/properties.h"

namespace sinew::io {
namespace {

// The same set of groups makes one entity. Sets are numbered from 0 in the order they are met; the empty set
// is one of them.
class Entities {
 public:
  Entities(const mesh::Groups& groups, size_t count) : of_(count, 0) {
    std::vector<std::vector<int>> grown(1);
    std::map<std::pair<int, int>, int> with;  // a set and one more group
    int tag = 0;
    for (const auto& [name, ids] : groups) {
      ++tag;
      for (int32_t id : ids) {
        const auto [place, added] = with.emplace(std::pair(of_[id], tag), static_cast<int>(grown.size()));
        if (added) {
          std::vector<int> set = grown[of_[id]];
          set.push_back(tag);
          grown.push_back(std::move(set));
        }
        of_[id] = place->second;
      }
    }
    std::vector<int> number(grown.size(), -1);
    for (int& set : of_) {
      if (number[set] < 0) {
        number[set] = static_cast<int>(sets_.size());
        sets_.push_back(grown[set]);
      }
      set = number[set];
    }
  }
  std::vector<std::vector<int>>& sets() { return sets_; }
  const std::vector<std::vector<int>>& sets() const { return sets_; }
  int of(size_t i) const { return of_[i]; }

 private:
  std::vector<int> of_;
  std::vector<std::vector<int>> sets_;
};

// Quotes and backslashes get a backslash; what would end the line becomes '?'.
std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 32 ? '?' : c;
  }
  return text + '"';
}

using EdgeNodes = std::span<const std::array<int32_t, 6>>;  // empty: first order

template <int corners>
class Writer {
 public:
  Writer(const std::string& path, const mesh::Mesh<corners>& mesh, EdgeNodes edges)
      : file_(path),
        mesh_(mesh),
        edges_(edges),
        points_(mesh.vertex_groups, mesh.vertex_groups.empty() ? 0 : mesh.vertices.size()),
        elements_(mesh.element_groups, mesh.elements.size()) {}

  Result<void> write() {
    for (const Entities* entities : {&points_, &elements_})
      for (const auto& set : entities->sets())
        if (set.size() > gmsh_max_groups)
          return usage_error(fmt::format("{} in {} groups, a .msh file holds at most {}",
                                         entities == &points_ ? "a vertex" : "an element", set.size(),
                                         gmsh_max_groups));
    file_.text += "$MeshFormat\n4.1 1 8\n";
    file_.binary(int32_t{1});
    file_.text += "\n$EndMeshFormat\n";
    write_names();
    write_entities();
    write_nodes();
    write_elements();
    for (const auto& [name, data] : mesh_.vertex_data) write_data("NodeData", name, data, 0);
    for (const auto& [name, data] : mesh_.element_data) write_data("ElementData", name, data, point_count_);
    return file_.commit();
  }

 private:
  static constexpr int dimension = corners == 3 ? 2 : 3;
  void size(size_t value) { file_.binary(static_cast<uint64_t>(value)); }
  void whole(size_t value) { file_.binary(static_cast<int32_t>(value)); }

  void write_names() {
    if (mesh_.vertex_groups.empty() && mesh_.element_groups.empty()) return;
    std::vector<std::string> lines;
    int tag = 0;
    for (const auto& [name, ids] : mesh_.vertex_groups)
      lines.push_back(fmt::format("0 {} {}\n", ++tag, quoted(name)));
    tag = 0;
    for (const auto& [name, ids] : mesh_.element_groups)
      lines.push_back(fmt::format("{} {} {}\n", dimension, ++tag, quoted(name)));
    for (std::vector<int>& set : elements_.sets())
      if (set.empty()) {
        set.push_back(++tag);
        lines.push_back(fmt::format("{} {} {}\n", dimension, tag, quoted(gmsh_no_group)));
      }
    file_.text += fmt::format("$PhysicalNames\n{}\n", lines.size());
    for (const std::string& line : lines) file_.text += line;
    file_.text += "$EndPhysicalNames\n";
  }

  void write_entities() {
    const mesh::Bounds box = mesh::bounding_box(mesh_.vertices);
    const auto physical = [&](const std::vector<int>& set) {
      size(set.size());
      for (int tag : set) whole(tag);
    };
    file_.text += "$Entities\n";
    size(points_.sets().size());
    size(0);
    size(dimension == 2 ? elements_.sets().size() : 0);
    size(dimension == 3 ? elements_.sets().size() : 0);
    for (size_t i = 0; i < points_.sets().size(); ++i) {
      whole(i + 1);
      for (int k = 0; k < 3; ++k) file_.binary(0.0);
      physical(points_.sets()[i]);
    }
    for (size_t i = 0; i < elements_.sets().size(); ++i) {
      whole(i + 1);
      for (int k = 0; k < 3; ++k) file_.binary(box.low[k]);
      for (int k = 0; k < 3; ++k) file_.binary(box.high[k]);
      physical(elements_.sets()[i]);
      size(0);
    }
    file_.text += "\n$EndEntities\n";
  }

  void write_nodes() {
    const size_t count = mesh_.vertices.size();
    file_.text += "$Nodes\n";
    for (size_t value : {size_t{1}, count, size_t{1}, count}) size(value);
    for (int value : {dimension, 1, 0}) whole(value);
    size(count);
    for (size_t i = 0; i < count; ++i) {
      size(i + 1);
      file_.flush_if_full();
    }
    for (const math::Vec3d& x : mesh_.vertices) {
      for (int k = 0; k < 3; ++k) file_.binary(x[k]);
      file_.flush_if_full();
    }
    file_.text += "\n$EndNodes\n";
  }

  // Runs of one entity, so that the order of the elements is kept: f(begin, end).
  template <class F>
  void for_each_run(F&& f) const {
    for (size_t begin = 0, end; begin < mesh_.elements.size(); begin = end) {
      for (end = begin + 1; end < mesh_.elements.size() && elements_.of(end) == elements_.of(begin);) ++end;
      f(begin, end);
    }
  }

  void write_elements() {
    std::vector<std::vector<size_t>> members(points_.sets().size());
    if (!members.empty())
      for (size_t i = 0; i < mesh_.vertices.size(); ++i)
        if (!points_.sets()[points_.of(i)].empty()) members[points_.of(i)].push_back(i);
    size_t blocks = 0, tag = 0;
    for (const auto& nodes : members) {
      blocks += !nodes.empty();
      point_count_ += nodes.size();
    }
    for_each_run([&](size_t, size_t) { ++blocks; });
    const size_t count = mesh_.elements.size() + point_count_;
    file_.text += "$Elements\n";
    for (size_t value : {blocks, count, size_t{1}, count}) size(value);
    const int type = !edges_.empty() ? 11 : corners == 8 ? 5 : corners == 4 ? 4 : 2;
    for_each_run([&](size_t begin, size_t end) {
      for (int value : {dimension, elements_.of(begin) + 1, type}) whole(value);
      size(end - begin);
      for (size_t e = begin; e < end; ++e) write_element(e, ++tag);
    });
    for (size_t p = 0; p < members.size(); ++p) {
      if (members[p].empty()) continue;
      for (size_t value : {size_t{0}, p + 1, size_t{15}}) whole(value);
      size(members[p].size());
      for (size_t node : members[p]) {
        size(++tag);
        size(node + 1);
        file_.flush_if_full();
      }
    }
    file_.text += "\n$EndElements\n";
  }

  void write_element(size_t e, size_t tag) {
    size(tag);
    for (int32_t node : mesh_.elements[e]) size(node + 1);
    if (!edges_.empty())
      for (int k : {0, 1, 2, 3, 5, 4}) size(edges_[e][k] + 1);  // Gmsh numbers the edge 2-3 before 1-3
    file_.flush_if_full();
  }

  // Some programs want a value for every element: the points of vertex groups get zeros.
  void write_data(const char* section, const std::string& name, const mesh::Attribute& data, size_t zeros) {
    const size_t width = data.width, count = data.values.size() / width;
    file_.text +=
        fmt::format("${}\n1\n{}\n1\n0\n3\n0\n{}\n{}\n", section, quoted(name), width, count + zeros);
    for (size_t i = 0; i < count + zeros; ++i) {
      whole(i + 1);
      for (size_t k = 0; k < width; ++k) file_.binary(i < count ? data.values[i * width + k] : 0.0);
      file_.flush_if_full();
    }
    file_.text += fmt::format("\n$End{}\n", section);
  }

  BufferedFile file_;
  const mesh::Mesh<corners>& mesh_;
  EdgeNodes edges_;
  Entities points_, elements_;
  size_t point_count_ = 0;  // elements made of one vertex of a group
};

}  // namespace

Result<void> write_gmsh(const std::string& path, const mesh::TetMesh& mesh) {
  return Writer<4>(path, mesh, mesh.edge_nodes).write();
}

Result<void> write_gmsh(const std::string& path, const mesh::TriMesh& mesh) {
  return Writer<3>(path, mesh, {}).write();
}

Result<void> write_gmsh(const std::string& path, const mesh::HexMesh& mesh) {
  return Writer<8>(path, mesh, {}).write();
}

}  // namespace sinew::io
