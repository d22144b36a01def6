#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <type_traits>
#include <utility>

#include "io/vtk_lower_cells.h"
#include "io/vtu.h"
#include "io/vtu_array.h"
#include "io/vtu_outline.h"

namespace sinew::io {
namespace {

using mesh::Attribute;
using mesh::TetMesh;

// All arrays together: a small file must not unpack into all of the memory.
constexpr int64_t min_budget = int64_t{1} << 24, numbers_per_byte = 16;
constexpr int64_t rows_at_once = 4096;

// VTK's cell types of at most three dimensions and second order that are read or left out.
struct CellKind {
  int type, dimension;
  int nodes;  // 0: any number
};
constexpr CellKind cell_kinds[] = {{1, 0, 1},  {2, 0, 0},  {3, 1, 2},  {4, 1, 0},  {21, 1, 3}, {5, 2, 3},
                                   {6, 2, 0},  {7, 2, 0},  {8, 2, 4},  {9, 2, 4},  {22, 2, 6}, {23, 2, 8},
                                   {28, 2, 9}, {34, 2, 7}, {10, 3, 4}, {24, 3, 10}};

const CellKind* find_cell_kind(int64_t type) {
  for (const CellKind& kind : cell_kinds)
    if (kind.type == type) return &kind;
  return nullptr;
}

template <class Mesh>
class Reader {
 public:
  Reader(const Source& source, std::string name, Notes* notes)
      : source_(source),
        name_(std::move(name)),
        notes_(notes),
        outline_(source, name_),
        budget_(std::max(min_budget, numbers_per_byte * source.size())) {}

  Result<Mesh> read() {
    if (!outline_.read()) return outline_.error();
    const bool ok = read_points() && read_cells() && read_data("PointData", outline_.points) &&
                    read_data("CellData", outline_.cells);
    if (!ok) return *error_;
    if (lower_count_) note(notes_, fmt::format("left out {} cells of lower dimension", lower_count_));
    if (corners_only_)
      note(notes_, fmt::format("took the corners of {} triangles of second order", corners_only_));
    return std::move(mesh_);
  }
  // The place of the cells, for messages about them.
  std::string place() const {
    const VtuArray* cells = find("Cells", "connectivity");
    return cells ? fmt::format("{}: line {}", name_, cells->line) : name_;
  }

 private:
  static constexpr bool tets = std::is_same_v<Mesh, TetMesh>;
  static constexpr int dimension = tets ? 3 : 2, corners = dimension + 1;

  bool fail(std::string what) {
    if (!error_) error_ = input_error(place(), std::move(what));
    return false;
  }
  bool fail(const VtuArrayReader& reader) {
    if (!error_) error_ = reader.error();
    return false;
  }
  bool fail(VtuArrayReader& reader, const std::string& what) {
    reader.fail(what);
    return fail(reader);
  }

  const VtuArray* find(std::string_view section, std::string_view name) const {
    for (const VtuArray& array : outline_.arrays)
      if (array.section == section && (name.empty() || array.name == name)) return &array;
    return nullptr;
  }

  bool open(VtuArrayReader& reader, int64_t count) {
    if (!reader.open(count)) return fail(reader);
    budget_ -= reader.remaining();
    return budget_ >= 0 || fail(reader, "the arrays hold more numbers than is read from such a file");
  }

  bool read_points() {
    static_assert(sizeof(math::Vec3d) == 3 * sizeof(double));
    const VtuArray* array = find("Points", "");
    if (!array) return fail("there are no Points in this file");
    VtuArrayReader reader(source_, outline_.layout, *array, name_);
    if (array->width != 3) return fail(reader, fmt::format("{} components, expected 3", array->width));
    if (!open(reader, 3 * outline_.points)) return false;
    mesh_.vertices.resize(outline_.points);
    double* const values = outline_.points ? mesh_.vertices[0].v : nullptr;
    return (reader.read(values, 3 * outline_.points) && reader.finish()) || fail(reader);
  }

  // Counts the cells of each kind, so that what comes after knows its size.
  bool read_types(const VtuArray& array) {
    VtuArrayReader reader(source_, outline_.layout, array, name_);
    if (!open(reader, outline_.cells)) return false;
    int64_t types[rows_at_once];
    for (int64_t begin = 0; begin < outline_.cells; begin += rows_at_once) {
      const int64_t here = std::min(rows_at_once, outline_.cells - begin);
      if (!reader.read(types, here)) return fail(reader);
      for (int64_t i = 0; i < here; ++i) {
        const CellKind* kind = find_cell_kind(types[i]);
        if (!kind || kind->dimension > dimension || (kind->dimension == dimension && !is_own(*kind)))
          return fail(fmt::format("cell {} has VTK type {}, expected {}", begin + i, types[i],
                                  tets ? "10 or 24 (tetrahedra of first or second order)" : "5 (triangle)"));
        if (kind->dimension < dimension)
          ++lower_count_;
        else
          ++(kind->nodes == corners ? first_order_ : second_order_);
      }
    }
    if (tets && first_order_ && second_order_)
      return fail(fmt::format("{} tetrahedra of first and {} of second order; expected one kind",
                              first_order_, second_order_));
    if (!tets) corners_only_ = second_order_;
    return reader.finish() || fail(reader);
  }

  static bool is_own(const CellKind& kind) { return tets || kind.type == 5 || kind.type == 22; }

  bool read_cells() {
    const VtuArray* arrays[3];
    constexpr const char* names[] = {"types", "offsets", "connectivity"};
    for (int k = 0; k < 3; ++k) {
      arrays[k] = find("Cells", names[k]);
      if (!arrays[k]) return fail(fmt::format("Cells: there is no array '{}'", names[k]));
    }
    if (!read_types(*arrays[0])) return false;
    VtuArrayReader types(source_, outline_.layout, *arrays[0], name_),
        offsets(source_, outline_.layout, *arrays[1], name_),
        connectivity(source_, outline_.layout, *arrays[2], name_);
    if (!open(types, outline_.cells) || !open(offsets, outline_.cells) || !open(connectivity, -1))
      return false;
    // Every cell that is kept has its nodes in the file.
    const int64_t own = first_order_ + second_order_;
    if (own > connectivity.remaining() / corners)
      return fail(connectivity, fmt::format("holds too few numbers for {} cells", own));
    mesh_.elements.reserve(own);
    if constexpr (tets) mesh_.edge_nodes.reserve(second_order_);
    if (lower_count_) kept_.resize(outline_.cells);
    int64_t previous = 0, type[rows_at_once], offset[rows_at_once];
    std::vector<int64_t> ids;
    for (int64_t begin = 0; begin < outline_.cells; begin += rows_at_once) {
      const int64_t here = std::min(rows_at_once, outline_.cells - begin);
      if (!types.read(type, here)) return fail(types);
      if (!offsets.read(offset, here)) return fail(offsets);
      for (int64_t i = 0; i < here; ++i)
        if (offset[i] < (i ? offset[i - 1] : previous) || offset[i] - previous > connectivity.remaining())
          return fail(fmt::format("Cells: offset {} of cell {} is below the one before or behind the end",
                                  offset[i], begin + i));
      ids.resize(static_cast<size_t>(offset[here - 1] - previous));
      if (!connectivity.read(ids.data(), static_cast<int64_t>(ids.size()))) return fail(connectivity);
      for (int64_t i = 0, at = 0; i < here; ++i) {
        const int64_t end = offset[i] - previous;
        if (!add_cell(begin + i, *find_cell_kind(type[i]), {ids.data() + at, static_cast<size_t>(end - at)}))
          return false;
        at = end;
      }
      previous = offset[here - 1];
    }
    return (offsets.finish() || fail(offsets)) && (connectivity.finish() || fail(connectivity));
  }

  bool add_cell(int64_t cell, const CellKind& kind, std::span<const int64_t> ids) {
    if (kind.nodes && static_cast<int64_t>(ids.size()) != kind.nodes)
      return fail(fmt::format("cell {} has {} nodes, expected {} for VTK type {}", cell, ids.size(),
                              kind.nodes, kind.type));
    for (int64_t id : ids)
      if (id < 0 || id >= outline_.points)
        return fail(fmt::format("cell {}: point {} is not in 0..{}", cell, id, outline_.points - 1));
    if (kind.dimension < dimension) {
      lower_.add(cell, ids);
      return true;
    }
    if (lower_count_) kept_[cell] = true;
    auto& element = mesh_.elements.emplace_back();
    for (int k = 0; k < corners; ++k) element[k] = static_cast<int32_t>(ids[k]);
    if constexpr (tets)
      if (kind.nodes == 10) {
        auto& edges = mesh_.edge_nodes.emplace_back();
        for (int k = 0; k < 6; ++k) edges[k] = static_cast<int32_t>(ids[4 + k]);
      }
    return true;
  }

  bool read_data(std::string_view section, int64_t count) {
    const bool of_cells = section == "CellData";
    for (const VtuArray& array : outline_.arrays) {
      if (array.section != section || array.type == "String") continue;
      VtuArrayReader reader(source_, outline_.layout, array, name_);
      if (array.width < 1) return fail(reader, "no components");
      if (!open(reader, count * array.width)) return false;
      const bool group = array.name.starts_with("group:") && array.type == "UInt8" && array.width == 1;
      if (!(group ? read_group(reader, array.name.substr(6), of_cells, count)
                  : read_attribute(reader,
                                   of_cells ? mesh_.element_data[array.name] : mesh_.vertex_data[array.name],
                                   static_cast<int>(array.width), of_cells, count)) ||
          !reader.finish())
        return fail(reader);
    }
    return true;
  }

  bool read_group(VtuArrayReader& reader, const std::string& name, bool of_cells, int64_t count) {
    auto& ids = of_cells ? mesh_.element_groups[name] : mesh_.vertex_groups[name];
    ids.clear();
    std::vector<int32_t> lower_members;
    int64_t member[rows_at_once];
    int32_t own = 0, lower = 0;
    for (int64_t begin = 0; begin < count; begin += rows_at_once) {
      const int64_t here = std::min(rows_at_once, count - begin);
      if (!reader.read(member, here)) return false;
      for (int64_t i = 0; i < here; ++i) {
        if (of_cells && lower_count_ && !kept_[begin + i]) {
          if (member[i]) lower_members.push_back(lower);
          ++lower;
        } else {
          if (member[i]) ids.push_back(own);
          ++own;
        }
      }
    }
    return lower_.give_group(name, lower_members, mesh_.vertex_groups, mesh_.element_groups, budget_) ||
           reader.fail("the groups hold more vertices than is read from such a file");
  }

  bool read_attribute(VtuArrayReader& reader, Attribute& out, int width, bool of_cells, int64_t count) {
    out.width = width;
    if (!of_cells || !lower_count_) {
      out.values.resize(count * width);
      return reader.read(out.values.data(), count * width);
    }
    out.values.clear();
    out.values.reserve(mesh_.elements.size() * width);
    std::vector<double> row(width);
    for (int64_t i = 0; i < count; ++i) {
      if (!reader.read(row.data(), width)) return false;
      if (kept_[i]) out.values.insert(out.values.end(), row.begin(), row.end());
    }
    return true;
  }

  const Source& source_;
  std::string name_;
  Notes* notes_;
  VtuOutline outline_;
  int64_t budget_;  // numbers still to be read
  Mesh mesh_;
  int64_t first_order_ = 0, second_order_ = 0, lower_count_ = 0, corners_only_ = 0;
  std::vector<bool> kept_;  // of the mesh's own kind; empty: all
  VtkLowerCells lower_;
  std::optional<Error> error_;
};

}  // namespace

Result<mesh::TetMesh> parse_vtu_tets(const Source& source, const std::string& name, Notes* notes) {
  Reader<mesh::TetMesh> reader(source, name, notes);
  auto mesh = reader.read();
  if (!mesh) return mesh;
  if (auto ok = check_tets(*mesh, reader.place(), {}, notes); !ok) return ok.error();
  return mesh;
}

Result<mesh::TriMesh> parse_vtu_triangles(const Source& source, const std::string& name, Notes* notes) {
  Reader<mesh::TriMesh> reader(source, name, notes);
  auto mesh = reader.read();
  if (!mesh) return mesh;
  if (auto ok = check_triangles(*mesh, reader.place(), notes); !ok) return ok.error();
  return mesh;
}

}  // namespace sinew::io
