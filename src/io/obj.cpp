#include "io/obj.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "io/mesh_file.h"
#include "io/polygons.h"
#include "io/scanner.h"
#include "mesh/texture.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

// Normals and materials: nothing that a body needs.
constexpr std::string_view passed_over[] = {"vn", "vp", "s", "usemtl", "mtllib"};

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : in_(text, name) {}

  bool run(TriMesh& mesh) {
    mesh_ = &mesh;
    std::string_view keyword;
    while (!in_.at_end()) {
      in_.word(keyword);
      if (keyword == "v") {
        if (!vertex()) return false;
      } else if (keyword == "vt") {
        texture_point();
      } else if (keyword == "f") {
        if (!face()) return false;
      } else if (keyword == "g") {
        groups();
      } else if (keyword == "o") {
        object();
      } else if (std::find(std::begin(passed_over), std::end(passed_over), keyword) ==
                 std::end(passed_over)) {
        if (!unknown_++) first_unknown_ = fmt::format("{} in line {}", in_quotes(keyword), in_.line());
      }
      in_.rest_of_line();
    }
    const auto empty = [](const auto& group) { return group.second.empty(); };
    std::erase_if(mesh.element_groups, empty);
    std::erase_if(objects_, empty);
    if (mesh.element_groups.empty() && objects_.size() > 1) mesh.element_groups = std::move(objects_);
    if (!check_indices()) return false;
    polygons_.cut(mesh, textures_);
    add_texture();
    return true;
  }
  const Error& error() const { return in_.error(); }
  void add_notes(Notes* notes) const {
    if (polygons_.count()) note(notes, fmt::format("cut {} polygons into triangles", polygons_.count()));
    if (untextured_)
      note(notes,
           fmt::format("{} of {} faces have no texture coordinates that can be read, the first in line {}",
                       untextured_, faces_, first_untextured_));
    if (unknown_)
      note(notes,
           fmt::format("left out {} lines that are no v, f or g, the first {}", unknown_, first_unknown_));
  }

 private:
  bool vertex() {
    math::Vec3d x;
    for (int k = 0; k < 3; ++k) {
      if (in_.at_line_end()) return in_.fail("a vertex needs three coordinates");
      if (!in_.real(x[k])) return false;
    }
    mesh_->vertices.push_back(x);
    return true;
  }

  // What cannot be read is no number: a solid does not need it.
  void texture_point() {
    mesh::Vec2d& p = texture_points_.emplace_back(mesh::Vec2d{unreadable, 0});
    std::string_view word;
    for (int k = 0; k < 2 && !in_.at_line_end() && in_.word(word); ++k) {
      word.remove_prefix(word.starts_with('+') ? 1 : 0);
      const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), p[k]);
      if (code != std::errc() || end != word.data() + word.size()) p[k] = unreadable;
    }
  }

  // The second of the numbers between slashes, as a place among the lines of vt; -1: none.
  int32_t texture_index(std::string_view word) {
    const size_t slash = word.find('/');
    if (slash == word.npos) return -1;
    word.remove_prefix(slash + 1);
    word = word.substr(0, word.find('/'));
    if (word.empty()) return -1;
    wants_texture_ = true;
    int64_t index = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
    const auto count = static_cast<int64_t>(texture_points_.size());
    if (code != std::errc() || end != word.data() + word.size()) return -1;
    if (index == 0 || index < -count || index > INT32_MAX) return -1;
    return static_cast<int32_t>(index > 0 ? index - 1 : count + index);
  }

  bool face() {
    corners_.clear();
    corner_textures_.clear();
    std::string_view word;
    const int64_t line = in_.line();
    while (!in_.at_line_end()) {
      if (!in_.word(word)) return false;
      if (word == "\\") {  // the face goes on in the next line
        in_.rest_of_line();
        continue;
      }
      int64_t index = 0;
      const std::string_view number = word.substr(0, word.find('/'));
      const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), index);
      if (code != std::errc() || end != number.data() + number.size())
        return in_.fail(fmt::format("found {}, expected a vertex index", in_quotes(word)));
      const auto count = static_cast<int64_t>(mesh_->vertices.size());
      if (index == 0 || index < -count || index > INT32_MAX)
        return in_.fail(fmt::format("vertex index {} with {} vertices so far", index, count));
      corners_.push_back(static_cast<int32_t>(index > 0 ? index - 1 : count + index));
      corner_textures_.push_back(texture_index(word));
    }
    if (corners_.size() < 3)
      return in_.fail(fmt::format("a face with {} corners, expected at least 3", corners_.size()));
    polygons_.add(corners_, mesh_->elements);
    ++faces_;
    for (size_t k = 2; k < corners_.size(); ++k) {
      textures_.push_back({corner_textures_[0], corner_textures_[k - 1], corner_textures_[k]});
      for (auto* group : current_) group->push_back(static_cast<int32_t>(lines_.size()));
      if (object_) object_->push_back(static_cast<int32_t>(lines_.size()));
      lines_.push_back(line);
    }
    return true;
  }

  // Names are looked up here, once, and not for every face.
  void groups() {
    current_.clear();
    std::string_view name;
    while (!in_.at_line_end() && in_.word(name)) {
      if (name == "default" || current_.size() == 16) continue;
      auto* group = &mesh_->element_groups[std::string(name)];
      if (std::find(current_.begin(), current_.end(), group) == current_.end()) current_.push_back(group);
    }
  }

  // Modellers name the parts of a scene so; they are groups where there are several and the file has no others.
  void object() {
    std::string_view name;
    object_ = !in_.at_line_end() && in_.word(name) ? &objects_[std::string(name)] : nullptr;
  }

  bool check_indices() {
    const size_t count = mesh_->vertices.size();
    for (size_t t = 0; t < mesh_->elements.size(); ++t)
      for (int32_t corner : mesh_->elements[t])
        if (static_cast<size_t>(corner) >= count)
          return in_.fail_at(lines_[t],
                             fmt::format("vertex index {} is not in 1..{}", int64_t{corner} + 1, count));
    return true;
  }

  // A face has texture coordinates where all its corners do.
  void add_texture() {
    if (!wants_texture_) return;
    mesh::Attribute texture;
    const auto readable = [&](int32_t place) {
      return place >= 0 && static_cast<size_t>(place) < texture_points_.size() &&
             std::isfinite(texture_points_[place][0]) && std::isfinite(texture_points_[place][1]);
    };
    for (size_t begin = 0, end = 0; begin < lines_.size(); begin = end) {
      bool all = true;
      for (end = begin; end < lines_.size() && lines_[end] == lines_[begin]; ++end)
        all = all && std::all_of(textures_[end].begin(), textures_[end].end(), readable);
      for (size_t t = begin; t < end; ++t) {
        const auto& [a, b, c] = textures_[t];
        append_texture(texture,
                       all ? mesh::FlatTriangle{texture_points_[a], texture_points_[b], texture_points_[c]}
                           : mesh::FlatTriangle{});
      }
      if (!all && !untextured_++) first_untextured_ = lines_[begin];
    }
    if (untextured_ < faces_) mesh_->element_data[mesh::texture_data] = std::move(texture);
  }

  static constexpr double unreadable = std::numeric_limits<double>::quiet_NaN();

  Scanner in_;
  TriMesh* mesh_ = nullptr;
  std::vector<int32_t> corners_, corner_textures_;  // of the face that is read
  std::vector<mesh::Vec2d> texture_points_;
  std::vector<TriMesh::Element> textures_;  // of the corners of each triangle: places among these
  bool wants_texture_ = false;
  int64_t faces_ = 0, untextured_ = 0, first_untextured_ = 0;
  std::vector<std::vector<int32_t>*> current_;
  mesh::Groups objects_;
  std::vector<int32_t>* object_ = nullptr;
  std::vector<int64_t> lines_;
  Polygons polygons_;
  int64_t unknown_ = 0;
  std::string first_unknown_;
};

}  // namespace

Result<TriMesh> parse_obj(std::string_view text, const std::string& name, Notes* notes) {
  TriMesh mesh;
  Parser parser(text, name);
  if (!parser.run(mesh)) return parser.error();
  parser.add_notes(notes);
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

namespace {

bool keeps_texture(std::string_view name, const mesh::Attribute& data) {
  return name == mesh::texture_data && data.width == 6 &&
         std::any_of(data.values.begin(), data.values.end(), [](double x) { return x != 0; });
}

// Writes the lines of vt, each pair once. Their numbers for the corners of each triangle, 0 where it has none; empty: no triangle has.
std::vector<TriMesh::Element> numbered_texture(const TriMesh& mesh, std::string& text) {
  const mesh::Attribute* texture = mesh::find_texture(mesh);
  if (!texture || !keeps_texture(mesh::texture_data, *texture)) return {};
  std::vector<TriMesh::Element> numbers(mesh.elements.size(), {0, 0, 0});
  std::map<std::pair<double, double>, int32_t> known;
  for (size_t t = 0; t < numbers.size(); ++t) {
    const double* at = &texture->values[6 * t];
    if (std::all_of(at, at + 6, [](double x) { return x == 0; }) ||
        !std::all_of(at, at + 6, [](double x) { return std::isfinite(x); }))
      continue;
    for (int k = 0; k < 3; ++k) {
      const auto [place, added] =
          known.emplace(std::pair(at[2 * k], at[2 * k + 1]), static_cast<int32_t>(known.size()) + 1);
      numbers[t][k] = place->second;
      if (added) fmt::format_to(std::back_inserter(text), "vt {} {}\n", at[2 * k], at[2 * k + 1]);
    }
  }
  return numbers;
}

}  // namespace

std::string format_obj(const TriMesh& mesh) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const auto& x : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", x[0], x[1], x[2]);
  std::vector<std::string> words;
  std::vector<std::vector<int32_t>> groups(mesh.elements.size());  // of each triangle, as places in words
  for (const auto& [name, ids] : mesh.element_groups) {
    for (int32_t id : ids) groups[id].push_back(static_cast<int32_t>(words.size()));
    std::string& word = words.emplace_back(name);
    for (char& c : word)
      if (std::isspace(static_cast<unsigned char>(c)) || c == '#') c = '_';
    if (word.empty()) word = "_";
  }
  const auto texture = numbered_texture(mesh, text);
  std::vector<int32_t> current;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    if (groups[t] != current) {
      current = groups[t];
      text += current.empty() ? "g default" : "g";
      for (int32_t g : current) text += " " + words[g];
      text += '\n';
    }
    const auto& f = mesh.elements[t];
    if (texture.empty() || texture[t][0] == 0)
      fmt::format_to(out, "f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
    else
      fmt::format_to(out, "f {}/{} {}/{} {}/{}\n", f[0] + 1, texture[t][0], f[1] + 1, texture[t][1], f[2] + 1,
                     texture[t][2]);
  }
  return text;
}

const MeshFormat& mesh_format_obj() {
  static const MeshFormat format = {
      .name = "Wavefront OBJ",
      .extensions = "obj",
      .read_triangles = read_and_parse<parse_obj>,
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_obj(mesh)); },
      .holds = {.element_groups = true, .element_data = keeps_texture},
  };
  return format;
}

}  // namespace sinew::io
