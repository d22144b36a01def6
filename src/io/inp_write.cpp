#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "io/inp.h"

namespace sinew::io {
namespace {

constexpr size_t longest_number = 20, longest_name = 80, ids_on_a_line = 16;  // CalculiX's limits

// The shortest text of the number, plain or with an exponent; with fewer digits where neither fits.
std::string number_text(double value) {
  const double exact = value;
  for (int digits = 16;; --digits) {
    std::string text = fmt::format("{}", value);
    if (text.size() <= longest_number) return text;
    char scientific[32];
    text.assign(scientific,
                std::to_chars(scientific, std::end(scientific), value, std::chars_format::scientific).ptr);
    if (const size_t exponent = text.find("e-0"); exponent != std::string::npos) text.erase(exponent + 2, 1);
    if (text.size() <= longest_number) return text;
    const std::string rounded = fmt::format("{:.{}e}", exact, digits - 1);
    std::from_chars(rounded.data(), rounded.data() + rounded.size(), value);
  }
}

// Makes names that every reader accepts, and none twice.
class SetNames {
 public:
  std::string add(const std::string& group) {
    std::string name;
    for (char c : group.substr(0, longest_name)) {
      const auto u = static_cast<unsigned char>(c);
      const bool plain = u < 128 && (std::isalnum(u) || c == '_' || c == '-' || c == '.');
      name += plain ? static_cast<char>(std::toupper(u)) : '_';
    }
    if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0])))
      name = ("G_" + name).substr(0, longest_name);
    std::string unique = name;
    for (int i = 2; !used_.insert(unique).second; ++i) {
      const std::string suffix = fmt::format("_{}", i);
      unique = name.substr(0, longest_name - suffix.size()) + suffix;
    }
    return unique;
  }

 private:
  std::set<std::string> used_;
};

// Comments of one line: a line break in a group's name would end it.
std::string one_line(std::string_view text) {
  std::string s(text);
  for (char& c : s)
    if (static_cast<unsigned char>(c) < 32) c = '?';
  return s;
}

void format_sets(std::string& text, const char* keyword, const char* everything, const mesh::Groups& groups) {
  const auto out = std::back_inserter(text);
  SetNames names;
  names.add(everything);
  for (const auto& [group, ids] : groups) {
    if (ids.empty()) continue;
    fmt::format_to(out, "** sinew group {}\n*{}, {}={}\n", one_line(group), keyword, keyword,
                   names.add(group));
    for (size_t i = 0; i < ids.size(); ++i)
      fmt::format_to(out, "{}{}", ids[i] + 1,
                     i + 1 == ids.size() || (i + 1) % ids_on_a_line == 0 ? ",\n" : ", ");
  }
}

template <int corners, class Mid>
std::string format_mesh(const mesh::Mesh<corners>& mesh, const char* type, const std::vector<Mid>& mid) {
  std::string text = fmt::format("*HEADING\n{} nodes, {} elements\n** sinew no group\n*NODE, NSET=NALL\n",
                                 mesh.vertices.size(), mesh.elements.size());
  const auto out = std::back_inserter(text);
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto& x = mesh.vertices[i];
    fmt::format_to(out, "{}, {}, {}, {}\n", i + 1, number_text(x[0]), number_text(x[1]), number_text(x[2]));
  }
  fmt::format_to(out, "** sinew no group\n*ELEMENT, TYPE={}, ELSET=EALL\n", type);
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    fmt::format_to(out, "{}", e + 1);
    for (int32_t node : mesh.elements[e]) fmt::format_to(out, ", {}", node + 1);
    if (!mid.empty())
      for (int32_t node : mid[e]) fmt::format_to(out, ", {}", node + 1);
    text += '\n';
  }
  format_sets(text, "NSET", "NALL", mesh.vertex_groups);
  format_sets(text, "ELSET", "EALL", mesh.element_groups);
  return text;
}

constexpr std::string_view skeleton =
    "** To run this deck, take the two asterisks and the blank from the lines below, set the numbers and "
    "name\n"
    "** a node set in place of FIXED.\n"
    "** *MATERIAL, NAME=BODY\n"
    "** *ELASTIC\n"
    "** 1e6, 0.3\n"
    "** *DENSITY\n"
    "** 1000\n"
    "** *SOLID SECTION, ELSET=EALL, MATERIAL=BODY\n"
    "** *BOUNDARY\n"
    "** FIXED, 1, 3\n"
    "** *STEP\n"
    "** *STATIC\n"
    "** *DLOAD\n"
    "** EALL, GRAV, 9.81, 0, -1, 0\n"
    "** *NODE FILE\n"
    "** U\n"
    "** *EL FILE\n"
    "** S\n"
    "** *END STEP\n";

}  // namespace

std::string format_inp(const mesh::TetMesh& mesh) {
  return format_mesh<4>(mesh, mesh.edge_nodes.empty() ? "C3D4" : "C3D10", mesh.edge_nodes).append(skeleton);
}

std::string format_inp(const mesh::TriMesh& mesh) {
  return format_mesh<3>(mesh, "S3", std::vector<std::array<int32_t, 1>>{});
}

std::string format_inp(const mesh::HexMesh& mesh) {
  return format_mesh<8>(mesh, "C3D8", std::vector<std::array<int32_t, 1>>{}).append(skeleton);
}

}  // namespace sinew::io
