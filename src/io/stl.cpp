#include "io/stl.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <tuple>
#include <utility>

#include "io/mesh_file.h"
#include "io/scanner.h"
#include "mesh/coincident.h"

namespace sinew::io {
namespace {

using math::Vec3d;
using mesh::TriMesh;

static_assert(std::endian::native == std::endian::little);

constexpr size_t header_size = 84, row_size = 50;  // [bytes]

template <class T>
T load(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// One vertex for all corners at a position, numbered by first use.
void merge_corners(const std::vector<Vec3d>& corners, TriMesh& mesh, Notes* notes) {
  const std::vector<int32_t> first = mesh::first_at_place(corners);
  std::vector<int32_t> number(corners.size());  // of the vertex of a corner
  mesh.elements.resize(corners.size() / 3);
  for (size_t c = 0; c < corners.size(); ++c) {
    if (first[c] == static_cast<int32_t>(c)) {
      number[c] = static_cast<int32_t>(mesh.vertices.size());
      mesh.vertices.push_back(corners[c]);
    } else {
      number[c] = number[first[c]];
    }
    mesh.elements[c / 3][c % 3] = number[c];
  }
  note(notes, fmt::format("merged {} corners into {} vertices", corners.size(), mesh.vertices.size()));
}

// A text file may have any length, but no control characters.
bool looks_like_text(std::string_view bytes) {
  const size_t word = bytes.find_first_not_of(" \t\r\n");
  if (word == std::string_view::npos) return false;
  std::string start(bytes.substr(word, 5));
  for (char& c : start) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return start == "solid" &&
         std::none_of(bytes.begin(), bytes.begin() + std::min<size_t>(bytes.size(), 1024), [](char c) {
           return static_cast<unsigned char>(c) < 32 && !std::isspace(static_cast<unsigned char>(c));
         });
}

bool is_binary(std::string_view bytes) {
  if (bytes.size() < header_size) return !looks_like_text(bytes);
  return bytes.size() == header_size + row_size * load<uint32_t>(bytes, 80) || !looks_like_text(bytes);
}

Result<TriMesh> parse_binary(std::string_view bytes, const std::string& name, Notes* notes) {
  const auto place = [&](size_t at) { return fmt::format("{}: byte {}", name, at); };
  if (bytes.size() < header_size)
    return input_error(
        place(bytes.size()),
        fmt::format("the file ends here; it does not begin with 'solid', and a binary file has at "
                    "least {} bytes",
                    header_size));
  const size_t count = load<uint32_t>(bytes, 80);
  if (bytes.size() != header_size + row_size * count)
    return input_error(place(80), fmt::format("{} triangles take {} bytes, but the file has {}", count,
                                              header_size + row_size * count, bytes.size()));
  std::vector<Vec3d> corners(3 * count);
  mesh::Attribute attribute;
  bool any = false;
  for (size_t t = 0; t < count; ++t) {
    const size_t row = header_size + row_size * t;
    for (size_t k = 0; k < 9; ++k) {
      const size_t at = row + 12 + 4 * k;
      const double x = load<float>(bytes, at);
      if (!std::isfinite(x))
        return input_error(place(at), fmt::format("found {}, expected a finite number", x));
      corners[3 * t + k / 3][k % 3] = x;
    }
    attribute.values.push_back(load<uint16_t>(bytes, row + 48));
    any = any || attribute.values.back() != 0;
  }
  TriMesh mesh;
  merge_corners(corners, mesh, notes);
  if (any) mesh.element_data["attribute"] = std::move(attribute);
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == y; });
}

class TextParser {
 public:
  TextParser(std::string_view text, const std::string& name) : in_(text, name) {}

  bool run(std::vector<Vec3d>& corners, mesh::Groups& groups) {
    while (!in_.at_end())
      if (!keyword("solid") || !solid(corners, groups[solid_name()])) return false;
    if (solids_ == 1) groups.clear();
    std::erase_if(groups, [](const auto& group) { return group.second.empty(); });
    return true;
  }
  const Error& error() const { return in_.error(); }

 private:
  bool keyword(std::string_view expected) {
    std::string_view word;
    if (!in_.word(word)) return false;
    if (!same_word(word, expected))
      return in_.fail(fmt::format("found {}, expected '{}'", in_quotes(word), expected));
    return true;
  }

  std::string solid_name() {
    ++solids_;
    std::string_view name = in_.rest_of_line();
    while (!name.empty() && std::isspace(static_cast<unsigned char>(name.front()))) name.remove_prefix(1);
    while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back()))) name.remove_suffix(1);
    return name.empty() ? fmt::format("solid_{}", solids_) : std::string(name);
  }

  bool solid(std::vector<Vec3d>& corners, std::vector<int32_t>& group) {
    std::string_view word;
    while (in_.word(word)) {
      if (same_word(word, "endsolid")) {
        in_.rest_of_line();
        return true;
      }
      if (!same_word(word, "facet"))
        return in_.fail(fmt::format("found {}, expected 'facet' or 'endsolid'", in_quotes(word)));
      group.push_back(static_cast<int32_t>(corners.size() / 3));
      if (!facet(corners)) return false;
    }
    return false;
  }

  // A normal may be anything: some programs write nan for a triangle without area.
  bool facet(std::vector<Vec3d>& corners) {
    std::string_view ignored;
    if (!keyword("normal") || !in_.word(ignored) || !in_.word(ignored) || !in_.word(ignored) ||
        !keyword("outer") || !keyword("loop"))
      return false;
    for (int c = 0; c < 3; ++c) {
      Vec3d x;
      if (!keyword("vertex") || !in_.real(x[0]) || !in_.real(x[1]) || !in_.real(x[2])) return false;
      corners.push_back(x);
    }
    return keyword("endloop") && keyword("endfacet");
  }

  Scanner in_;
  int64_t solids_ = 0;
};

bool is_attribute(std::string_view name, const mesh::Attribute& data) {
  const auto fits = [](double v) { return v >= 0 && v <= UINT16_MAX && v == std::floor(v); };
  return name == "attribute" && data.width == 1 && std::all_of(data.values.begin(), data.values.end(), fits);
}

}  // namespace

Result<TriMesh> parse_stl(std::string_view bytes, const std::string& name, Notes* notes) {
  if (is_binary(bytes)) return parse_binary(bytes, name, notes);
  TextParser parser(bytes, name);
  std::vector<Vec3d> corners;
  TriMesh mesh;
  if (!parser.run(corners, mesh.element_groups)) return parser.error();
  merge_corners(corners, mesh, notes);
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

Result<std::string> format_stl(const TriMesh& mesh) {
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(static_cast<float>(mesh.vertices[i][k])))
        return usage_error(fmt::format("vertex {}: STL holds single precision, which {} is too large for", i,
                                       mesh.vertices[i][k]));
  const mesh::Attribute* attribute = find_kept(mesh.element_data, "attribute", is_attribute);
  std::string bytes(80, ' ');
  put(bytes, static_cast<uint32_t>(mesh.elements.size()));
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    Vec3d x[3];  // as stored, so that a file that is read and written again stays the same
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) x[c][k] = static_cast<float>(mesh.vertices[mesh.elements[t][c]][k]);
    const Vec3d n = cross(x[1] - x[0], x[2] - x[0]);
    const double length = norm(n);
    for (int k = 0; k < 3; ++k) put(bytes, static_cast<float>(length > 0 ? n[k] / length : 0));
    for (const Vec3d& corner : x)
      for (int k = 0; k < 3; ++k) put(bytes, static_cast<float>(corner[k]));
    put(bytes, static_cast<uint16_t>(attribute ? attribute->values[t] : 0));
  }
  return bytes;
}

const MeshFormat& mesh_format_stl() {
  static const MeshFormat format = {
      .name = "STL",
      .extensions = "stl",
      .read_triangles = read_and_parse<parse_stl>,
      .write_triangles = [](const std::string& path, const TriMesh& mesh) -> Result<void> {
        const auto bytes = format_stl(mesh);
        return bytes ? write_atomically(path, *bytes) : bytes.error();
      },
      .holds = {.element_data = is_attribute},
      .corners_as_float = true,
  };
  return format;
}

}  // namespace sinew::io
