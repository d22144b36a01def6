#include "io/obj.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "io/mesh_file.h"
#include "io/polygons.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::TriMesh;

// Texture, normals and materials: nothing that a solid needs.
constexpr std::string_view passed_over[] = {"vt", "vn", "vp", "s", "usemtl", "mtllib"};

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
    polygons_.cut(mesh);
    return true;
  }
  const Error& error() const { return in_.error(); }
  void add_notes(Notes* notes) const {
    if (polygons_.count()) note(notes, fmt::format("cut {} polygons into triangles", polygons_.count()));
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

  bool face() {
    corners_.clear();
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
    }
    if (corners_.size() < 3)
      return in_.fail(fmt::format("a face with {} corners, expected at least 3", corners_.size()));
    polygons_.add(corners_, mesh_->elements);
    for (size_t k = 2; k < corners_.size(); ++k) {
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

  Scanner in_;
  TriMesh* mesh_ = nullptr;
  std::vector<int32_t> corners_;
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
  std::vector<int32_t> current;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    if (groups[t] != current) {
      current = groups[t];
      text += current.empty() ? "g default" : "g";
      for (int32_t g : current) text += " " + words[g];
      text += '\n';
    }
    const auto& f = mesh.elements[t];
    fmt::format_to(out, "f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
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
      .holds = {.element_groups = true},
  };
  return format;
}

}  // namespace sinew::io
