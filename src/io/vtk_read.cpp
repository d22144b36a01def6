#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "io/polygons.h"
#include "io/scanner.h"
#include "io/vtk.h"
#include "io/vtk_input.h"
#include "io/vtk_lower_cells.h"

namespace sinew::io {
namespace {

using mesh::Attribute;

constexpr int64_t max_things = INT32_MAX;          // points, cells
constexpr int64_t max_numbers = int64_t{1} << 40;  // in one list; what the file can hold is checked apart
constexpr int64_t widest = 1000;
// Cutting polygons repeats their data: a small file must not fill the memory.
constexpr int64_t min_budget = int64_t{1} << 24, numbers_per_byte = 16;

// Numbers of cell types in VTK.
enum CellType {
  vertices_cell = 2,
  line_cell = 4,
  triangle = 5,
  strip = 6,
  polygon = 7,
  quad = 9,
  tet = 10,
  tet10 = 24
};

// True for cells of lower dimension than a tet: linear cells are numbered by dimension, those of higher order are not.
bool is_flat(int type) {
  constexpr int curved[] = {21, 22, 23, 28, 30, 34, 35, 36, 68, 69, 70, 75, 76, 77};
  return type <= quad || std::find(std::begin(curved), std::end(curved), type) != std::end(curved);
}

// True for cells of lower dimension than a triangle.
bool is_line(int type) {
  constexpr int curved[] = {21, 35, 68, 75};
  return type <= line_cell || std::find(std::begin(curved), std::end(curved), type) != std::end(curved);
}

bool is_byte(std::string_view type) {
  const std::string word = in_lower_case(type);
  return word == "unsigned_char" || word == "vtktypeuint8";
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string decoded(std::string_view name) {
  std::string s;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool escape =
        name[i] == '%' && i + 2 < name.size() && hex_digit(name[i + 1]) >= 0 && hex_digit(name[i + 2]) >= 0;
    s += escape ? static_cast<char>(16 * hex_digit(name[i + 1]) + hex_digit(name[i + 2])) : name[i];
    if (escape) i += 2;
  }
  return s;
}

struct CellList {
  std::vector<int64_t> offsets;  // one more than cells
  std::vector<int32_t> nodes;
  int64_t count() const { return std::max<int64_t>(0, static_cast<int64_t>(offsets.size()) - 1); }
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, Notes* notes)
      : in_(text, name),
        notes_(notes),
        budget_(std::max(min_budget, numbers_per_byte * static_cast<int64_t>(text.size()))) {}

  bool run() {
    if (!read_header()) return false;
    while (!in_.at_end()) {
      const auto words = in_.words();
      if (!read_section(in_lower_case(words[0]), words)) return false;
    }
    return check_cells();
  }

  bool tets(mesh::TetMesh& mesh) {
    const bool read = for_cells([&](int type, const int32_t* nodes, int64_t size, int64_t cell) {
      if (type != tet && type != tet10) {
        lower_.add(cell, std::span(nodes, static_cast<size_t>(size)));
        return is_flat(type) ||
               in_.fail_at(
                   types_place_, cell,
                   fmt::format("cell {} has VTK type {}, expected 10 or 24 (tetrahedra)", cell, type));
      }
      if (size != (type == tet ? 4 : 10))
        return in_.fail_at(
            types_place_, cell,
            fmt::format("cell {} has {} nodes, expected {}", cell, size, type == tet ? 4 : 10));
      if (!mesh.elements.empty() && (type == tet10) == mesh.edge_nodes.empty())
        return in_.fail_at(types_place_, cell,
                           fmt::format("cell {}: tetrahedra of first and second order in one mesh", cell));
      std::copy_n(nodes, 4, mesh.elements.emplace_back().begin());
      if (type == tet10) std::copy_n(nodes + 4, 6, mesh.edge_nodes.emplace_back().begin());
      kept_.push_back(cell);
      return true;
    });
    if (!lower_.cells().empty())
      note(notes_, fmt::format("left out {} cells of lower dimension", lower_.cells().size()));
    return read && finish(mesh);
  }

  bool triangles(mesh::TriMesh& mesh) {
    int64_t left_out = 0, cut = 0;
    Polygons polygons;
    for_cells([&](int type, const int32_t* nodes, int64_t size, int64_t cell) {
      if (size < 3 || (type != triangle && type != strip && type != polygon && type != quad)) {
        ++left_out;
        if (is_line(type)) lower_.add(cell, std::span(nodes, static_cast<size_t>(size)));
        return true;
      }
      cut += size > 3;
      if (type == strip) {
        for (int64_t k = 2; k < size; ++k)
          mesh.elements.push_back({nodes[k - 2], nodes[k - 1 + k % 2], nodes[k - k % 2]});
      } else {
        polygons.add(std::span(nodes, static_cast<size_t>(size)), mesh.elements);
      }
      kept_.insert(kept_.end(), static_cast<size_t>(size) - 2, cell);
      return true;
    });
    if (left_out) note(notes_, fmt::format("left out {} cells that are not triangles", left_out));
    if (cut) note(notes_, fmt::format("cut {} polygons and strips into triangles", cut));
    if (!finish(mesh)) return false;
    polygons.cut(mesh);
    return true;
  }
  const Error& error() const { return in_.error(); }

  // Names the place of the nodes of the cell that an element comes from.
  std::string where(size_t element) const {
    const int64_t cell = kept_[element], first = cells_[0].offsets[cell];
    return in_.where(nodes_place_, major_ < 5 ? first + cell : first);
  }

 private:
  using Words = std::vector<std::string_view>;

  bool read_header() {
    constexpr std::string_view magic = "# vtk DataFile Version ";
    const std::string_view first = in_.line();
    if (!first.starts_with(magic))
      return in_.fail(
          fmt::format("found {}, expected '# vtk DataFile Version' and a number", in_quotes(first)));
    const std::string_view version = first.substr(magic.size());
    major_ = version.empty() ? 0 : version[0] - '0';
    if (major_ < 2 || major_ > 5 || version.size() < 2 || version[1] != '.')
      return in_.fail(fmt::format("version {} is not read, only 2.0 to 5.x", in_quotes(version)));
    in_.line();
    const auto format = in_.words();
    const std::string word = format.empty() ? "" : in_lower_case(format[0]);
    if (word != "ascii" && word != "binary")
      return in_.fail(fmt::format("found {}, expected ASCII or BINARY", in_quotes(word)));
    in_.binary = word == "binary";
    return true;
  }

  // As many words as the keyword needs.
  bool needs(const Words& words, size_t count, const char* usage) {
    return words.size() >= count ||
           in_.fail(fmt::format("found {} words, expected: {}", words.size(), usage));
  }

  bool read_section(const std::string& key, const Words& words) {
    if (key == "dataset") return read_dataset(words);
    if (key == "metadata") return skip_metadata();
    if (key == "field") return read_field(words);
    if (key == "points") return read_points(words);
    if (key == "cells" && !polydata_) return read_cells(words, cells_[0]);
    if (key == "cell_types" && !polydata_) return read_types(words);
    constexpr std::string_view kinds[] = {"vertices", "lines", "polygons", "triangle_strips"};
    for (int k = 0; polydata_ && k < 4; ++k)
      if (key == kinds[k]) return read_cells(words, cells_[k]);
    if (key == "point_data" || key == "cell_data") return enter_data(key == "point_data", words);
    if (data_) return read_attribute(key, words);
    return in_.fail(
        fmt::format("found {}, expected a keyword such as POINTS, CELLS or POINT_DATA", in_quotes(words[0])));
  }

  bool read_dataset(const Words& words) {
    if (!needs(words, 2, "DATASET kind")) return false;
    const std::string kind = in_lower_case(words[1]);
    if (kind != "unstructured_grid" && kind != "polydata")
      return in_.fail(
          fmt::format("DATASET {} is not read, only UNSTRUCTURED_GRID and POLYDATA", in_quotes(words[1])));
    polydata_ = kind == "polydata";
    return true;
  }

  bool skip_metadata() {
    while (in_.remaining() > 0)
      if (const auto line = in_.line(); std::all_of(line.begin(), line.end(), is_vtk_blank)) break;
    return true;
  }

  bool read_points(const Words& words) {
    std::vector<double> values;
    int64_t count;
    if (!needs(words, 3, "POINTS count type") ||
        !in_.integer(words[1], 0, max_things, "number of points", count))
      return false;
    if (!points_.empty()) return in_.fail("a second list of POINTS");
    if (!in_.numbers(words[2], 3 * count, values)) return false;
    points_.resize(count);
    for (int64_t i = 0; i < count; ++i) points_[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
    return true;
  }

  bool to_node(const std::vector<double>& values, int64_t index, int32_t& out) {
    const double value = values[index];
    if (!(value >= 0 && value < static_cast<double>(points_.size())) || value != std::floor(value))
      return in_.fail_at(in_.last_array(), index,
                         fmt::format("point {} is not among the {} points", value, points_.size()));
    out = static_cast<int32_t>(value);
    return true;
  }

  bool read_cells(const Words& words, CellList& list) {
    int64_t count, size;
    std::vector<double> values;
    if (!needs(words, 3, "CELLS count size") ||
        !in_.integer(words[1], 0, max_things, "number of cells", count) ||
        !in_.integer(words[2], 0, max_numbers, "size of the list", size))
      return false;
    if (!list.offsets.empty()) return in_.fail(fmt::format("a second list of {}", words[0]));
    if (major_ >= 5) return read_offsets(count, size, list);
    if (!in_.numbers("int", size, values)) return false;
    nodes_place_ = in_.last_array();
    if (count > size) return in_.fail(fmt::format("{} cells in a list of {} numbers", count, size));
    list.offsets.push_back(0);
    list.nodes.reserve(size - count);
    int64_t at = 0;
    for (int64_t c = 0; c < count; ++c) {
      const double nodes = at < size ? values[at] : -1;
      if (!(nodes >= 0 && nodes <= static_cast<double>(size - at - 1)) || nodes != std::floor(nodes))
        return in_.fail_at(in_.last_array(), at, fmt::format("the list ends within cell {} of {}", c, count));
      for (const int64_t end = at + 1 + static_cast<int64_t>(nodes); ++at < end;)
        if (!to_node(values, at, list.nodes.emplace_back())) return false;
      list.offsets.push_back(static_cast<int64_t>(list.nodes.size()));
    }
    return at == size || in_.fail(fmt::format("{} cells end after {} of {} numbers", count, at, size));
  }

  bool read_offsets(int64_t count, int64_t size, CellList& list) {
    std::vector<double> values;
    const auto array = [&](const char* keyword, int64_t numbers) {
      const auto words = in_.words();
      if (words.size() < 2 || in_lower_case(words[0]) != in_lower_case(keyword))
        return in_.fail(fmt::format("found {}, expected {} and a type",
                                    in_quotes(words.empty() ? "" : words[0]), keyword));
      return in_.numbers(words[1], numbers, values);
    };
    if (!array("OFFSETS", count)) return false;
    for (int64_t c = 0; c < count; ++c) {
      if (values[c] != std::floor(values[c]) || !(values[c] >= (c ? values[c - 1] : 0)) ||
          (!c && values[c] != 0) || values[c] > static_cast<double>(size))
        return in_.fail_at(
            in_.last_array(), c,
            fmt::format("offset {} of cell {} is out of order or beyond {}", values[c], c, size));
      list.offsets.push_back(static_cast<int64_t>(values[c]));
    }
    if (!list.offsets.empty() && list.offsets.back() != size)
      return in_.fail(fmt::format("the last offset is {}, expected {}", list.offsets.back(), size));
    if (!array("CONNECTIVITY", size)) return false;
    nodes_place_ = in_.last_array();
    list.nodes.resize(size);
    for (int64_t i = 0; i < size; ++i)
      if (!to_node(values, i, list.nodes[i])) return false;
    return true;
  }

  bool read_types(const Words& words) {
    int64_t count;
    if (!needs(words, 2, "CELL_TYPES count") ||
        !in_.integer(words[1], 0, max_things, "number of cells", count))
      return false;
    if (!types_.empty() || count != cells_[0].count())
      return in_.fail(fmt::format("{} types for {} cells", count, cells_[0].count()));
    std::vector<double> values;
    if (!in_.numbers("int", count, values)) return false;
    types_place_ = in_.last_array();
    for (double value : values) {
      if (!(value >= 0 && value < 256))
        return in_.fail_at(types_place_, static_cast<int64_t>(types_.size()),
                           fmt::format("cell type {} is not in 0..255", value));
      types_.push_back(static_cast<int>(value));
    }
    return true;
  }

  int64_t cell_count() const {
    int64_t count = 0;
    for (const CellList& list : cells_) count += list.count();
    return count;
  }

  bool check_cells() {
    if (points_.empty()) return in_.fail("there are no POINTS in this file");
    if (!polydata_ && static_cast<int64_t>(types_.size()) != cells_[0].count())
      return in_.fail("there are no CELL_TYPES in this file");
    return true;
  }

  // visit(type, nodes, size, cell) until it is false. Data of POLYDATA cover the four lists in this order.
  template <class Visit>
  bool for_cells(const Visit& visit) {
    constexpr int kinds[] = {vertices_cell, line_cell, polygon, strip};
    int64_t cell = 0;
    for (int k = 0; k < 4; ++k)
      for (int64_t c = 0; c < cells_[k].count(); ++c, ++cell) {
        const int64_t begin = cells_[k].offsets[c], size = cells_[k].offsets[c + 1] - begin;
        if (!visit(polydata_ ? kinds[k] : types_[c], cells_[k].nodes.data() + begin, size, cell))
          return false;
      }
    return true;
  }

  // --- point and cell data ---

  struct Data {
    mesh::Attributes attributes;
    mesh::Groups groups;
    int64_t count = 0;
  };

  bool enter_data(bool points, const Words& words) {
    data_ = points ? &point_data_ : &cell_data_;
    const auto expected = points ? static_cast<int64_t>(points_.size()) : cell_count();
    if (!needs(words, 2, "POINT_DATA count") ||
        !in_.integer(words[1], 0, max_things, "number of rows", data_->count))
      return false;
    return data_->count == expected || in_.fail(fmt::format("data for {} {}, expected {}", data_->count,
                                                            points ? "points" : "cells", expected));
  }

  // `data_` null: data of the whole file, which is passed over.
  bool read_array(std::string_view name, std::string_view type, int64_t width, int64_t rows) {
    if (in_lower_case(type) == "string" || in_lower_case(type) == "utf8_string")
      return in_.skip_texts(rows * width);
    Attribute values{static_cast<int>(width), {}};
    if (!in_.numbers(type, rows * width, values.values)) return false;
    if (!data_) return true;
    const std::string label = decoded(name);
    if (label.starts_with("group:") && width == 1 && is_byte(type)) {
      auto& ids = data_->groups[label.substr(6)];
      ids.clear();
      for (size_t i = 0; i < values.values.size(); ++i)
        if (values.values[i] != 0) ids.push_back(static_cast<int32_t>(i));
    } else {
      data_->attributes[label] = std::move(values);
    }
    return true;
  }

  bool read_field(const Words& words) {
    int64_t count, width, rows;
    if (!needs(words, 3, "FIELD name count") ||
        !in_.integer(words[2], 0, max_things, "number of arrays", count))
      return false;
    for (int64_t i = 0; i < count; ++i) {
      if (in_.take("metadata") && !skip_metadata()) return false;
      const auto array = in_.words();
      if (!needs(array, 4, "name width rows type") || !in_.integer(array[1], 0, widest, "width", width) ||
          !in_.integer(array[2], 0, max_things, "number of rows", rows))
        return false;
      if (data_ && (rows != data_->count || width < 1))
        return in_.fail(fmt::format("array {} has {} rows of {}, expected {} rows", in_quotes(array[0]), rows,
                                    width, data_->count));
      if (!read_array(array[0], array[3], width, rows)) return false;
    }
    return true;
  }

  bool read_attribute(const std::string& key, const Words& words) {
    int64_t width = 0;
    if (key == "scalars") {
      width = 1;
      if (!needs(words, 3, "SCALARS name type width") ||
          (words.size() > 3 && !in_.integer(words[3], 1, widest, "width", width)))
        return false;
      in_.take("lookup_table");
      return read_array(words[1], words[2], width, data_->count);
    }
    if (key == "color_scalars" || key == "lookup_table") {
      const bool table = key == "lookup_table";
      if (!needs(words, 3, "name count") ||
          !in_.integer(words[2], 0, table ? max_things : widest, "count", width))
        return false;
      if (!table && width < 1) return in_.fail("colours of width 0");
      std::vector<double> ignored;
      const char* type = in_.binary ? "unsigned_char" : "float";
      return table ? in_.numbers(type, 4 * width, ignored) : read_array(words[1], type, width, data_->count);
    }
    if (key == "texture_coordinates")
      return needs(words, 4, "TEXTURE_COORDINATES name width type") &&
             in_.integer(words[2], 1, 3, "width", width) &&
             read_array(words[1], words[3], width, data_->count);
    constexpr std::pair<std::string_view, int> kinds[] = {
        {"vectors", 3},    {"normals", 3},      {"tensors", 9},   {"tensors6", 6},
        {"global_ids", 1}, {"pedigree_ids", 1}, {"edge_flags", 1}};
    for (const auto& [name, numbers] : kinds)
      if (key == name)
        return needs(words, 3, "kind name type") && read_array(words[1], words[2], numbers, data_->count);
    return in_.fail(
        fmt::format("found {}, expected a keyword such as SCALARS, VECTORS or FIELD", in_quotes(words[0])));
  }

  // --- the mesh ---

  // Rows of the cells that were kept, in the order of the elements.
  bool keep_rows() {
    bool all = static_cast<int64_t>(kept_.size()) == cell_count();
    for (size_t i = 0; all && i < kept_.size(); ++i) all = kept_[i] == static_cast<int64_t>(i);
    if (all) return true;
    for (auto& [name, data] : cell_data_.attributes) {
      budget_ -= static_cast<int64_t>(kept_.size()) * data.width;
      if (budget_ < 0)
        return in_.fail("the cell data of the triangles are more than is read from such a file");
      std::vector<double> rows(kept_.size() * data.width);
      for (size_t i = 0; i < kept_.size(); ++i)
        std::copy_n(data.values.begin() + kept_[i] * data.width, data.width,
                    rows.begin() + static_cast<int64_t>(i) * data.width);
      data.values = std::move(rows);
    }
    const mesh::Groups of_cells = std::exchange(cell_data_.groups, {});
    for (const auto& [name, cells] : of_cells) {
      budget_ -= static_cast<int64_t>(kept_.size());
      cell_data_.groups[name] = places_of(cells, kept_);
      if (budget_ < 0 || !lower_.give_group(name, places_of(cells, lower_.cells()), point_data_.groups,
                                            cell_data_.groups, budget_))
        return in_.fail("the groups are more than is read from such a file");
    }
    return true;
  }

  // The positions of a group's cells in a list of cells.
  static std::vector<int32_t> places_of(const std::vector<int32_t>& group, const std::vector<int64_t>& list) {
    std::vector<int32_t> places;
    for (size_t i = 0; i < list.size(); ++i)
      if (std::binary_search(group.begin(), group.end(), list[i])) places.push_back(static_cast<int32_t>(i));
    return places;
  }

  template <int corners>
  bool finish(mesh::Mesh<corners>& mesh) {
    if (!keep_rows()) return false;
    mesh.vertices = std::move(points_);
    mesh.vertex_data = std::move(point_data_.attributes);
    mesh.vertex_groups = std::move(point_data_.groups);
    mesh.element_data = std::move(cell_data_.attributes);
    mesh.element_groups = std::move(cell_data_.groups);
    return true;
  }

  VtkInput in_;
  Notes* notes_;
  int64_t budget_;
  int major_ = 0;
  bool polydata_ = false;
  std::vector<math::Vec3d> points_;
  CellList cells_[4];  // an unstructured grid has the first alone
  std::vector<int> types_;
  VtkInput::Place types_place_, nodes_place_;  // of an unstructured grid
  Data point_data_, cell_data_;
  Data* data_ = nullptr;       // whose arrays follow
  std::vector<int64_t> kept_;  // the cell each element comes from
  VtkLowerCells lower_;
};

}  // namespace

Result<mesh::TetMesh> parse_vtk_tets(std::string_view text, const std::string& name, Notes* notes) {
  Reader reader(text, name, notes);
  mesh::TetMesh mesh;
  if (!reader.run() || !reader.tets(mesh)) return reader.error();
  const auto where = [&](size_t tet) { return reader.where(tet); };
  if (auto ok = check_tets_at(mesh, name, where, notes); !ok) return ok.error();
  return mesh;
}

Result<mesh::TriMesh> parse_vtk_triangles(std::string_view text, const std::string& name, Notes* notes) {
  Reader reader(text, name, notes);
  mesh::TriMesh mesh;
  if (!reader.run() || !reader.triangles(mesh)) return reader.error();
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

}  // namespace sinew::io
