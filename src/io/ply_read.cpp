#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "io/ply.h"
#include "io/polygons.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::Attribute;
using mesh::Attributes;
using mesh::TriMesh;

static_assert(std::endian::native == std::endian::little);

struct Type {
  std::string_view name, other_name;
  int64_t size;
  double (*load)(const char* bytes, bool big);
  int64_t low, high;  // both 0: not a whole number
};

template <class T>
double load(const char* bytes, bool big) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (big) std::reverse(raw.begin(), raw.end());
  return static_cast<double>(std::bit_cast<T>(raw));
}

constexpr Type types[] = {
    {"char", "int8", 1, load<int8_t>, INT8_MIN, INT8_MAX},
    {"uchar", "uint8", 1, load<uint8_t>, 0, UINT8_MAX},
    {"short", "int16", 2, load<int16_t>, INT16_MIN, INT16_MAX},
    {"ushort", "uint16", 2, load<uint16_t>, 0, UINT16_MAX},
    {"int", "int32", 4, load<int32_t>, INT32_MIN, INT32_MAX},
    {"uint", "uint32", 4, load<uint32_t>, 0, UINT32_MAX},
    {"float", "float32", 4, load<float>, 0, 0},
    {"double", "float64", 8, load<double>, 0, 0},
};

struct Property {
  std::string name;
  const Type* type = nullptr;
  const Type* length = nullptr;  // of a list; null: a single number
};

struct Part {
  std::string name;
  int64_t count = 0, line = 0;
  std::vector<Property> properties;
};

enum class Encoding { text, little, big };

struct Header {
  Encoding encoding = Encoding::text;
  std::vector<Part> parts;
};

bool read_type(Scanner& in, const Type*& out) {
  std::string_view word;
  if (!in.word(word)) return false;
  const auto* found = std::find_if(std::begin(types), std::end(types),
                                   [&](const Type& t) { return t.name == word || t.other_name == word; });
  if (found == std::end(types))
    return in.fail(
        fmt::format("found {}, expected a type such as uchar, int, float or double", in_quotes(word)));
  out = found;
  return true;
}

bool read_property(Scanner& in, Header& header) {
  if (header.parts.empty()) return in.fail("a property before the first element");
  Part& part = header.parts.back();
  Property property;
  std::string_view word;
  if (in.at_line_end()) return in.fail("a property without a type");
  Scanner ahead = in;
  ahead.word(word);
  if (word == "list") {
    in = ahead;
    if (!read_type(in, property.length) || !read_type(in, property.type)) return false;
    if (!property.length->high) return in.fail("the length of a list must be a whole number");
  } else if (!read_type(in, property.type)) {
    return false;
  }
  if (in.at_line_end()) return in.fail("a property without a name");
  in.word(word);
  property.name = word;
  part.properties.push_back(std::move(property));
  return true;
}

bool read_element(Scanner& in, Header& header) {
  std::string_view word;
  Part part;
  part.line = in.line();
  if (in.at_line_end() || !in.word(word)) return in.fail("an element without a name");
  part.name = word;
  if (in.at_line_end()) return in.fail(fmt::format("element {} without a count", in_quotes(part.name)));
  if (!in.integer(part.count, 0, INT32_MAX, "count")) return false;
  header.parts.push_back(std::move(part));
  return true;
}

bool read_format(Scanner& in, Header& header) {
  std::string_view word;
  if (!in.expect("format") || !in.word(word)) return false;
  if (word == "binary_little_endian") {
    header.encoding = Encoding::little;
  } else if (word == "binary_big_endian") {
    header.encoding = Encoding::big;
  } else if (word != "ascii") {
    return in.fail(
        fmt::format("found {}, expected ascii, binary_little_endian or binary_big_endian", in_quotes(word)));
  }
  return in.expect("1.0");
}

bool check_names(Scanner& in, const Header& header) {
  std::set<std::string_view> parts;
  for (const Part& part : header.parts) {
    if (!parts.insert(part.name).second)
      return in.fail_at(part.line, fmt::format("a second element {}", in_quotes(part.name)));
    std::set<std::string_view> names;
    for (const Property& property : part.properties)
      if (!names.insert(property.name).second)
        return in.fail_at(part.line, fmt::format("element {} has two properties {}", in_quotes(part.name),
                                                 in_quotes(property.name)));
  }
  return true;
}

// Up to and with the line end_header.
bool read_header(Scanner& in, Header& header) {
  std::string_view word;
  if (!in.expect("ply")) return false;
  bool formatted = false;
  while (true) {
    in.rest_of_line();
    if (in.at_end()) return in.fail("the file ends before end_header");
    Scanner ahead = in;
    ahead.word(word);
    if (word == "format") {
      if (std::exchange(formatted, true)) return in.fail("a second line 'format'");
      if (!read_format(in, header)) return false;
      continue;
    }
    in = ahead;
    if (word == "comment" || word == "obj_info") continue;
    if (!formatted)
      return in.fail(fmt::format("found {}, expected the line 'format' first", in_quotes(word)));
    if (word == "end_header") break;
    if (word == "element") {
      if (!read_element(in, header)) return false;
    } else if (word == "property") {
      if (!read_property(in, header)) return false;
    } else {
      return in.fail(
          fmt::format("found {}, expected element, property, comment or end_header", in_quotes(word)));
    }
    if (!in.at_line_end()) return in.fail("more words on this line than expected");
  }
  if (!in.at_line_end()) return in.fail("more words after end_header");
  in.rest_of_line();
  return check_names(in, header);
}

// The numbers after the header, one by one, whatever their encoding.
class Numbers {
 public:
  Numbers(Scanner in, std::string_view bytes, std::string name, Encoding encoding)
      : in_(std::move(in)), bytes_(bytes), name_(std::move(name)), encoding_(encoding) {
    at_ = bytes.size() - static_cast<size_t>(in_.remaining());
  }

  bool next(const Type& type, double& out) {
    if (encoding_ != Encoding::text) return next_binary(type, out);
    if (in_.at_line_end()) return in_.fail("the line ends before the last number of its row");
    if (!type.high) return in_.real(out);
    int64_t value = 0;
    if (!in_.integer(value, type.low, type.high, type.name)) return false;
    out = static_cast<double>(value);
    return true;
  }
  bool end_row() {
    if (encoding_ == Encoding::text && !in_.at_line_end())
      return in_.fail("more numbers on this line than expected");
    return true;
  }
  void begin_row() {
    if (encoding_ == Encoding::text) in_.skip_blanks();
  }
  bool end() {
    if (encoding_ == Encoding::text) return in_.at_end() || in_.fail("more text follows after the last row");
    if (at_ == bytes_.size()) return true;
    return fail(fmt::format("{} bytes follow after the last row", bytes_.size() - at_));
  }
  // Whether `count` rows of at least these numbers may still come.
  bool can_hold(int64_t count, int64_t numbers, int64_t bytes) const {
    if (encoding_ == Encoding::text) return count <= in_.remaining() / (2 * numbers) + 1;
    return count <= static_cast<int64_t>(bytes_.size() - at_) / bytes;
  }
  bool fail(std::string what) {
    if (encoding_ == Encoding::text) return in_.fail(std::move(what));
    if (!error_) error_ = input_error(fmt::format("{}: byte {}", name_, at_), std::move(what));
    return false;
  }
  bool fail_in_header(int64_t line, std::string what) { return in_.fail_at(line, std::move(what)); }
  const Error& error() const { return error_ ? *error_ : in_.error(); }
  int64_t size() const { return static_cast<int64_t>(bytes_.size()); }

 private:
  bool next_binary(const Type& type, double& out) {
    if (bytes_.size() - at_ < static_cast<size_t>(type.size))
      return fail("the file ends here, expected more numbers");
    out = type.load(bytes_.data() + at_, encoding_ == Encoding::big);
    if (!std::isfinite(out)) return fail(fmt::format("found {}, expected a finite number", out));
    at_ += type.size;
    return true;
  }

  Scanner in_;
  std::string_view bytes_;
  std::string name_;
  Encoding encoding_;
  size_t at_ = 0;
  std::optional<Error> error_;
};

bool is_corner_list(const Property& p) {
  return p.length && (p.name == "vertex_indices" || p.name == "vertex_index");
}

class Parser {
 public:
  Parser(Numbers& in, const Header& header, TriMesh& mesh, Notes* notes)
      : in_(in), header_(header), mesh_(mesh), notes_(notes) {}

  bool run() {
    for (const Part& part : header_.parts)
      if (part.name == "vertex") vertex_count_ = part.count;
    for (const Part& part : header_.parts) {
      const bool read = part.name == "vertex" ? vertices(part)
                        : part.name == "face" ? faces(part)
                                              : skip(part);
      if (!read) return false;
    }
    polygons_.cut(mesh_);
    if (polygons_.count()) note(notes_, fmt::format("cut {} polygons into triangles", polygons_.count()));
    return in_.end();
  }

 private:
  // Calls `row` after each row of numbers: row_ holds single numbers by property, corners_ the list of corners.
  template <class Row>
  bool rows(const Part& part, Row&& row) {
    int64_t numbers = 0, bytes = 0;
    for (const Property& p : part.properties) {
      ++numbers;
      bytes += p.length ? p.length->size : p.type->size;
      if (p.length && !is_corner_list(p))
        note(notes_,
             fmt::format("left out the list {} of element {}", in_quotes(p.name), in_quotes(part.name)));
    }
    if (!numbers) return true;
    if (!in_.can_hold(part.count, numbers, bytes))
      return in_.fail(fmt::format("{} rows of element {} are more than the rest of the file can hold",
                                  part.count, in_quotes(part.name)));
    row_.resize(part.properties.size());
    for (int64_t i = 0; i < part.count; ++i) {
      in_.begin_row();
      for (size_t p = 0; p < part.properties.size(); ++p)
        if (!(part.properties[p].length ? list(part.properties[p])
                                        : in_.next(*part.properties[p].type, row_[p])))
          return false;
      if (!in_.end_row() || !row()) return false;
    }
    return true;
  }

  bool list(const Property& p) {
    double length = 0, value = 0;
    if (!in_.next(*p.length, length)) return false;
    if (length < 0 || !in_.can_hold(static_cast<int64_t>(length), 1, p.type->size))
      return in_.fail(fmt::format("a list of {} numbers is more than the rest of the file can hold", length));
    const bool keep = is_corner_list(p);
    if (keep) corners_.clear();
    for (auto left = static_cast<int64_t>(length); left > 0; --left) {
      if (!in_.next(*p.type, value)) return false;
      if (!keep) continue;
      if (value < 0 || value >= static_cast<double>(vertex_count_) || value != std::floor(value))
        return in_.fail(fmt::format("vertex index {} is not in 0..{}", value, vertex_count_ - 1));
      corners_.push_back(static_cast<int32_t>(value));
    }
    return true;
  }

  bool vertices(const Part& part) {
    size_t place[3];
    std::vector<size_t> others;
    for (int k = 0; k < 3; ++k) {
      const std::string_view name = std::string_view("xyz").substr(k, 1);
      place[k] = std::find_if(part.properties.begin(), part.properties.end(),
                              [&](const Property& p) { return p.name == name && !p.length; }) -
                 part.properties.begin();
      if (place[k] == part.properties.size())
        return in_.fail_in_header(part.line, fmt::format("element 'vertex' has no property '{}'", name));
    }
    for (size_t p = 0; p < part.properties.size(); ++p)
      if (!part.properties[p].length && std::count(place, place + 3, p) == 0) others.push_back(p);
    std::vector<std::vector<double>> columns(others.size());
    const bool read = rows(part, [&] {
      mesh_.vertices.push_back({row_[place[0]], row_[place[1]], row_[place[2]]});
      for (size_t c = 0; c < others.size(); ++c) columns[c].push_back(row_[others[c]]);
      return true;
    });
    if (read) add_attributes(part, others, columns, mesh_.vertex_data);
    return read;
  }

  bool faces(const Part& part) {
    std::vector<size_t> others;
    bool has_corners = false;
    for (size_t p = 0; p < part.properties.size(); ++p) {
      if (!part.properties[p].length) others.push_back(p);
      if (!is_corner_list(part.properties[p])) continue;
      if (std::exchange(has_corners, true))
        return in_.fail_in_header(part.line, "element 'face' has two lists of corners");
    }
    if (!has_corners) return in_.fail_in_header(part.line, "element 'face' has no list 'vertex_indices'");
    std::vector<std::vector<double>> columns(others.size());
    const bool read = rows(part, [&] {
      if (corners_.size() < 3)
        return in_.fail(fmt::format("a face with {} corners, expected at least 3", corners_.size()));
      polygons_.add(corners_, mesh_.elements);
      for (size_t c = 0; c < others.size(); ++c)
        columns[c].insert(columns[c].end(), corners_.size() - 2, row_[others[c]]);
      // Attributes are copied to every triangle of a polygon: a small file must not become a large mesh.
      if (static_cast<int64_t>(mesh_.elements.size() * others.size()) > 4 * in_.size())
        return in_.fail("the polygons have too many corners to give each of their triangles all attributes");
      return true;
    });
    if (read) add_attributes(part, others, columns, mesh_.element_data);
    return read;
  }

  bool skip(const Part& part) {
    if (part.count)
      note(notes_, fmt::format("left out {} rows of element {}", part.count, in_quotes(part.name)));
    return rows(part, [] { return true; });
  }

  static void add_attributes(const Part& part, const std::vector<size_t>& others,
                             const std::vector<std::vector<double>>& columns, Attributes& data) {
    const auto name_of = [&](size_t c) -> const std::string& { return part.properties[others[c]].name; };
    std::set<std::string_view> names;
    for (size_t c = 0; c < others.size(); ++c) names.insert(name_of(c));
    for (size_t c = 0; c < others.size();) {
      std::string name = name_of(c);
      size_t width = 1;
      const std::string stem = name.ends_with("_0") ? name.substr(0, name.size() - 2) : "";
      if (!stem.empty() && !names.count(stem)) {
        while (c + width < others.size() && name_of(c + width) == fmt::format("{}_{}", stem, width)) ++width;
        if (width > 1) name = stem;
      }
      Attribute& attribute = data[name];
      attribute.width = static_cast<int>(width);
      attribute.values.resize(width * columns[c].size());
      for (size_t k = 0; k < width; ++k)
        for (size_t i = 0; i < columns[c + k].size(); ++i)
          attribute.values[i * width + k] = columns[c + k][i];
      c += width;
    }
  }

  Numbers& in_;
  const Header& header_;
  TriMesh& mesh_;
  Notes* notes_;
  int64_t vertex_count_ = 0;
  Polygons polygons_;
  std::vector<double> row_;
  std::vector<int32_t> corners_;
};

}  // namespace

Result<TriMesh> parse_ply(std::string_view bytes, const std::string& name, Notes* notes) {
  Scanner in(bytes, name);
  Header header;
  if (!read_header(in, header)) return in.error();
  TriMesh mesh;
  Numbers numbers(in, bytes, name, header.encoding);
  Parser parser(numbers, header, mesh, notes);
  if (!parser.run()) return numbers.error();
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

}  // namespace sinew::io
