#include "io/off.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "io/mesh_file.h"
#include "io/polygons.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::Attribute;
using mesh::TriMesh;

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, TriMesh& mesh, Notes* notes)
      : in_(text, name), mesh_(mesh), notes_(notes) {}

  bool run() {
    if (!header()) return false;
    mesh_.vertices.reserve(vertices_);
    for (int64_t i = 0; i < vertices_; ++i)
      if (!vertex()) return false;
    for (int64_t f = 0; f < faces_; ++f)
      if (!face()) return false;
    if (!in_.at_end()) return in_.fail(fmt::format("more text follows after {} faces", faces_));
    if (normals_) note(notes_, "left out the normals of the vertices");
    polygons_.cut(mesh_);
    if (polygons_.count()) note(notes_, fmt::format("cut {} polygons into triangles", polygons_.count()));
    if (has_colors_ && vertices_) mesh_.vertex_data["color"] = std::move(vertex_color_);
    if (mixed_) {
      note(notes_, "left out the colours of the faces: not all have the same number of values");
    } else if (face_color_.width) {
      mesh_.element_data["color"] = std::move(face_color_);
    }
    return true;
  }
  const Error& error() const { return in_.error(); }

 private:
  bool header() {
    std::string_view kind;
    if (!in_.word(kind)) return false;
    const std::string_view prefix = kind.substr(0, kind.size() - std::min<size_t>(3, kind.size()));
    if (!kind.ends_with("OFF"))
      return in_.fail(fmt::format("found {}, expected OFF or COFF", in_quotes(kind)));
    has_colors_ = prefix.find('C') != prefix.npos;
    normals_ = prefix.find('N') != prefix.npos;
    if (prefix.size() != size_t{has_colors_} + size_t{normals_})
      return in_.fail(fmt::format("files of kind {} are not read, only OFF, COFF and NOFF", in_quotes(kind)));
    std::string_view word;
    Scanner ahead = in_;
    if (ahead.word(word) && word == "BINARY") return in_.fail("binary OFF files are not read, only text");
    if (!in_.count(vertices_, 6, "vertex count")) return false;
    if (in_.at_line_end())
      return in_.fail("the line ends after the vertex count, expected the number of faces");
    if (!in_.count(faces_, 8, "face count")) return false;
    int64_t edges;  // often 0, and never needed
    if (!in_.at_line_end() && !in_.integer(edges, 0, INT64_MAX, "edge count")) return false;
    return end_line();
  }

  bool end_line() { return in_.at_line_end() || in_.fail("more numbers on this line than expected"); }

  bool number(double& out) {
    if (in_.at_line_end()) return in_.fail("the line ends before its last number");
    return in_.real(out);
  }

  bool vertex() {
    math::Vec3d x;
    double ignored;
    if (in_.at_end()) return in_.real(x[0]);  // fails
    for (int k = 0; k < 3; ++k)
      if (!number(x[k])) return false;
    for (int k = 0; k < 3 && normals_; ++k)
      if (!number(ignored)) return false;
    mesh_.vertices.push_back(x);
    if (!has_colors_)
      return in_.at_line_end() ||
             in_.fail("more than the numbers of a vertex on this line; colours need the word COFF");
    int width = 0;
    if (!color(vertex_color_, width)) return false;
    if (width < 3) return in_.fail(fmt::format("a colour of {} numbers, expected 3 or 4", width));
    if (vertex_color_.width && vertex_color_.width != width)
      return in_.fail(fmt::format("a colour of {} numbers, but {} before", width, vertex_color_.width));
    vertex_color_.width = width;
    return true;
  }

  // The rest of the line, appended to the attribute.
  bool color(Attribute& data, int& width) {
    for (width = 0; !in_.at_line_end(); ++width) {
      if (width == 4) return in_.fail("more than the 4 numbers of a colour on this line");
      if (!in_.real(data.values.emplace_back())) return false;
    }
    return true;
  }

  bool face() {
    int64_t corners, index;
    in_.skip_blanks();
    if (!in_.integer(corners, 0, INT32_MAX, "number of corners")) return false;
    if (corners < 3) return in_.fail(fmt::format("a face with {} corners, expected at least 3", corners));
    if (corners > in_.remaining() / 2 + 1)
      return in_.fail(fmt::format("{} corners are more than the rest of the file can hold", corners));
    corners_.clear();
    for (int64_t k = 0; k < corners; ++k) {
      if (in_.at_line_end()) return in_.fail(fmt::format("the line ends after {} of {} corners", k, corners));
      if (!in_.integer(index, 0, vertices_ - 1, "vertex index")) return false;
      corners_.push_back(static_cast<int32_t>(index));
    }
    const bool first = mesh_.elements.empty();
    polygons_.add(corners_, mesh_.elements);
    return face_color(corners_.size() - 2, first);
  }

  bool face_color(size_t triangles, bool is_first) {
    Attribute one{0, {}};
    if (!color(one, one.width)) return false;
    if (one.width == 2) return in_.fail("a colour of 2 numbers, expected 1, 3 or 4");
    if (is_first) face_color_.width = one.width;
    mixed_ = mixed_ || one.width != face_color_.width;
    for (size_t t = 0; t < triangles && !mixed_; ++t)
      face_color_.values.insert(face_color_.values.end(), one.values.begin(), one.values.end());
    return true;
  }

  Scanner in_;
  TriMesh& mesh_;
  Notes* notes_;
  int64_t vertices_ = 0, faces_ = 0;
  std::vector<int32_t> corners_;
  Polygons polygons_;
  bool has_colors_ = false, normals_ = false, mixed_ = false;
  Attribute vertex_color_{0, {}}, face_color_{0, {}};
};

bool is_color(std::string_view name, const Attribute& data) {
  return name == "color" && (data.width == 3 || data.width == 4);
}

void append_color(std::string& text, const Attribute* color, size_t row) {
  for (int k = 0; color && k < color->width; ++k)
    fmt::format_to(std::back_inserter(text), " {}", color->values[row * color->width + k]);
}

}  // namespace

Result<TriMesh> parse_off(std::string_view text, const std::string& name, Notes* notes) {
  TriMesh mesh;
  Parser parser(text, name, mesh, notes);
  if (!parser.run()) return parser.error();
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

std::string format_off(const TriMesh& mesh) {
  const Attribute *vertex_color = find_kept(mesh.vertex_data, "color", is_color),
                  *face_color = find_kept(mesh.element_data, "color", is_color);
  std::string text =
      fmt::format("{}OFF\n{} {} 0\n", vertex_color ? "C" : "", mesh.vertices.size(), mesh.elements.size());
  const auto out = std::back_inserter(text);
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto& x = mesh.vertices[i];
    fmt::format_to(out, "{} {} {}", x[0], x[1], x[2]);
    append_color(text, vertex_color, i);
    text += '\n';
  }
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& f = mesh.elements[t];
    fmt::format_to(out, "3 {} {} {}", f[0], f[1], f[2]);
    append_color(text, face_color, t);
    text += '\n';
  }
  return text;
}

const MeshFormat& mesh_format_off() {
  static const MeshFormat format = {
      .name = "OFF",
      .extensions = "off",
      .read_triangles = read_and_parse<parse_off>,
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_off(mesh)); },
      .holds = {.vertex_data = is_color, .element_data = is_color},
  };
  return format;
}

}  // namespace sinew::io
