#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <pugixml.hpp>
#include <utility>
#include <zlib.h>

#include "io/base64.h"
#include "io/scanner.h"
#include "io/vtu.h"

namespace sinew::io {
namespace {

using mesh::Attribute;

constexpr int64_t most_bytes = int64_t{2} << 30;  // of one array, decoded
constexpr int64_t zlib_ratio = 1100;              // deflate cannot expand by more than 1032

// All arrays together: a small file must not unpack into all of the memory.
constexpr int64_t least_budget = int64_t{1} << 25, numbers_per_byte = 16;

struct NumberType {
  std::string_view name;
  int size;
  double (*real)(const char*);
};

template <class T>
double as_real(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

// Ids and offsets stay below 2^53, so doubles carry them exactly.
constexpr NumberType number_types[] = {
    {"Int8", 1, as_real<int8_t>},     {"UInt8", 1, as_real<uint8_t>},   {"Int16", 2, as_real<int16_t>},
    {"UInt16", 2, as_real<uint16_t>}, {"Int32", 4, as_real<int32_t>},   {"UInt32", 4, as_real<uint32_t>},
    {"Int64", 8, as_real<int64_t>},   {"UInt64", 8, as_real<uint64_t>}, {"Float32", 4, as_real<float>},
    {"Float64", 8, as_real<double>},
};

class Reader {
 public:
  Reader(std::string_view text, std::string name, Notes* notes)
      : text_(text),
        name_(std::move(name)),
        notes_(notes),
        budget_(std::max(least_budget, numbers_per_byte * static_cast<int64_t>(text.size()))),
        text_budget_(2 * static_cast<int64_t>(text.size())) {}

  template <class Mesh>
  Result<Mesh> read() {
    constexpr int corners = std::tuple_size_v<typename Mesh::Element>;
    Mesh mesh;
    const pugi::xml_node piece = open();
    if (error_ || !read_points(piece.child("Points"), mesh.vertices) ||
        !read_cells<corners>(piece.child("Cells"), mesh.elements) ||
        !read_data(piece.child("PointData"), point_count_, {}, mesh.vertex_data, mesh.vertex_groups) ||
        !read_data(piece.child("CellData"), cell_count_, kept_, mesh.element_data, mesh.element_groups))
      return *error_;
    return mesh;
  }

 private:
  bool fail(std::string what) {
    if (!error_) error_ = input_error(name_, std::move(what));
    return false;
  }

  std::string place(ptrdiff_t offset) const {
    const auto end = text_.begin() + std::clamp<ptrdiff_t>(offset, 0, static_cast<ptrdiff_t>(text_.size()));
    return fmt::format("line {}", 1 + std::count(text_.begin(), end, '\n'));
  }

  pugi::xml_node open() {
    const pugi::xml_parse_result parsed = document_.load_buffer(text_.data(), text_.size());
    if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!parsed) {
      const bool raw = text_.find("encoding=\"raw\"") != std::string_view::npos;
      fail(fmt::format("{}: not XML: {}{}", place(parsed.offset), parsed.description(),
                       raw ? " (raw appended data is not read; save as ascii or base64)" : ""));
      return {};
    }
    const pugi::xml_node file = document_.child("VTKFile");
    if (std::string_view(file.attribute("type").value()) != "UnstructuredGrid") {
      fail(fmt::format("found VTKFile type {}, expected 'UnstructuredGrid'",
                       in_quotes(file.attribute("type").value())));
      return {};
    }
    const std::string_view order = file.attribute("byte_order").as_string("LittleEndian");
    const std::string_view header = file.attribute("header_type").as_string("UInt32");
    const std::string_view compressor = file.attribute("compressor").value();
    if (order != "LittleEndian")
      fail(fmt::format("byte_order {} is not read, only LittleEndian", in_quotes(order)));
    if (header != "UInt32" && header != "UInt64")
      fail(fmt::format("header_type {}, expected UInt32 or UInt64", in_quotes(header)));
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      fail(fmt::format("compressor {} is not read, only vtkZLibDataCompressor", in_quotes(compressor)));
    header_size_ = header == "UInt64" ? 8 : 4;
    compressed_ = !compressor.empty();
    appended_ = file.child("AppendedData");
    return open_piece(file.child("UnstructuredGrid"));
  }

  pugi::xml_node open_piece(const pugi::xml_node& grid) {
    const pugi::xml_node piece = grid.child("Piece");
    if (!piece) fail("there is no Piece in this file");
    if (piece.next_sibling("Piece")) fail("several Pieces; only files with one are read");
    read_count(piece, "NumberOfPoints", point_count_);
    read_count(piece, "NumberOfCells", cell_count_);
    // An appended array ends where the next one starts.
    for (const pugi::xml_node& section : piece.children())
      for (const pugi::xml_node& array : section.children("DataArray"))
        if (const pugi::xml_attribute offset = array.attribute("offset"))
          offsets_.push_back(offset.as_ullong());
    std::sort(offsets_.begin(), offsets_.end());
    return piece;
  }

  bool read_count(const pugi::xml_node& node, const char* name, int64_t& out) {
    Scanner in(node.attribute(name).value(), fmt::format("{}: {}", name_, name));
    if (in.integer(out, 0, INT32_MAX, name)) return true;
    return fail(fmt::format("{}: {}", name, in.error().what));
  }

  static std::string label(const pugi::xml_node& array) {
    const std::string_view name = array.attribute("Name").as_string(array.parent().name());
    return fmt::format("DataArray {}", in_quotes(name));
  }

  // `count` numbers. The text or the decoded bytes must hold them before anything is allocated for them.
  bool numbers(const pugi::xml_node& array, int64_t count, std::vector<double>& out) {
    const std::string_view type = array.attribute("type").value(), format = array.attribute("format").value();
    const auto* kind = std::find_if(std::begin(number_types), std::end(number_types),
                                    [&](const NumberType& t) { return t.name == type; });
    if (kind == std::end(number_types))
      return fail(fmt::format("{}: unknown type {}", label(array), in_quotes(type)));
    budget_ -= count;
    if (budget_ < 0)
      return fail(
          fmt::format("{}: the arrays hold more numbers than is read from such a file", label(array)));
    if (format == "ascii") return ascii(array, count, out);
    if (count > most_bytes / kind->size)
      return fail(fmt::format("{}: {} numbers are too many", label(array), count));
    std::string_view encoded = array.text().get();
    if (format == "appended") {
      if (!find_appended(array, encoded)) return false;
    } else if (format != "binary") {
      return fail(
          fmt::format("{}: format {}, expected ascii, binary or appended", label(array), in_quotes(format)));
    }
    // Appended arrays may all name the same text; each decodes it anew.
    text_budget_ -= static_cast<int64_t>(encoded.size());
    if (text_budget_ < 0) return fail(fmt::format("{}: appended arrays overlap", label(array)));
    std::string bytes;
    if (!decode(array, encoded, count * kind->size, bytes)) return false;
    out.resize(count);
    for (int64_t i = 0; i < count; ++i) {
      out[i] = kind->real(bytes.data() + i * kind->size);
      if (!std::isfinite(out[i]))
        return fail(fmt::format("{}: value {} is not a finite number", label(array), i));
    }
    return true;
  }

  bool ascii(const pugi::xml_node& array, int64_t count, std::vector<double>& out) {
    const std::string_view text = array.text().get();
    if (count > static_cast<int64_t>(text.size()) / 2 + 1)
      return fail(
          fmt::format("{}: {} numbers do not fit in {} bytes of text", label(array), count, text.size()));
    Scanner in(text, {});
    out.resize(count);
    for (int64_t i = 0; i < count; ++i)
      if (!in.real(out[i])) return fail(fmt::format("{}: value {}: {}", label(array), i, in.error().what));
    if (!in.at_end()) return fail(fmt::format("{}: more than {} values", label(array), count));
    return true;
  }

  bool find_appended(const pugi::xml_node& array, std::string_view& encoded) {
    if (std::string_view(appended_.attribute("encoding").value()) != "base64")
      return fail("appended data must be base64; save as ascii or base64");
    const std::string_view all = appended_.text().get();
    const size_t start = all.find('_');
    const auto offset = array.attribute("offset").as_ullong(all.size());
    if (start == std::string_view::npos || offset >= all.size() - start - 1)
      return fail(fmt::format("{}: its offset is outside the appended data", label(array)));
    encoded = all.substr(start + 1 + offset);
    const auto next = std::upper_bound(offsets_.begin(), offsets_.end(), offset);
    if (next != offsets_.end()) encoded = encoded.substr(0, *next - offset);
    return true;
  }

  uint64_t header_word(const std::string& raw, size_t index) const {
    uint64_t word = 0;
    std::memcpy(&word, raw.data() + index * header_size_, header_size_);  // little endian
    return word;
  }

  bool decode(const pugi::xml_node& array, std::string_view encoded, int64_t expected, std::string& bytes) {
    std::string raw;
    if (!decode_base64(encoded, raw)) return fail(fmt::format("{}: not base64", label(array)));
    const auto size = static_cast<int64_t>(raw.size());
    const auto wrong = [&](uint64_t found) {
      return fail(fmt::format("{}: holds {} bytes, expected {}", label(array), found, expected));
    };
    if (size < header_size_)
      return expected == 0 || fail(fmt::format("{}: the data is cut off", label(array)));
    if (compressed_) return inflate_blocks(array, raw, expected, bytes);
    const uint64_t found = header_word(raw, 0);
    if (found != static_cast<uint64_t>(expected)) return wrong(found);
    if (size - header_size_ < expected) return fail(fmt::format("{}: the data is cut off", label(array)));
    bytes = raw.substr(header_size_, expected);
    return true;
  }

  bool inflate_blocks(const pugi::xml_node& array, const std::string& raw, int64_t expected,
                      std::string& bytes) {
    const auto cut_off = [&] {
      return fail(fmt::format("{}: the compressed data is cut off", label(array)));
    };
    const uint64_t words = raw.size() / header_size_, blocks = header_word(raw, 0);
    if (blocks == 0 && expected == 0) return true;
    if (words < 3 || blocks > words - 3) return cut_off();
    const uint64_t block_size = header_word(raw, 1), last = header_word(raw, 2);
    const auto total = static_cast<uint64_t>(expected);
    if (blocks == 0 || total > raw.size() * zlib_ratio)
      return fail(fmt::format("{}: {} compressed bytes are too few for {}", label(array), raw.size(), total));
    bytes.resize(total);
    uint64_t at = (3 + blocks) * header_size_, done = 0;
    for (uint64_t b = 0; b < blocks; ++b) {
      const uint64_t packed = header_word(raw, 3 + b);
      const uint64_t plain = b + 1 == blocks && last ? last : block_size;
      if (packed > raw.size() - at) return cut_off();
      if (plain > total - done) return fail(fmt::format("{}: holds more than {} bytes", label(array), total));
      uLongf length = plain;
      const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data() + done), &length,
                                  reinterpret_cast<const Bytef*>(raw.data() + at), packed);
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      if (code != Z_OK || length != plain)
        return fail(fmt::format("{}: block {} does not decompress", label(array), b));
      at += packed;
      done += plain;
    }
    if (done != total) return fail(fmt::format("{}: holds {} bytes, expected {}", label(array), done, total));
    return true;
  }

  bool read_points(const pugi::xml_node& points, std::vector<math::Vec3d>& out) {
    const pugi::xml_node array = points.child("DataArray");
    if (!array) return fail("there are no Points in this file");
    std::vector<double> values;
    if (array.attribute("NumberOfComponents").as_int() != 3) return fail("Points: expected 3 components");
    if (!numbers(array, 3 * point_count_, values)) return false;
    out.resize(point_count_);
    for (int64_t i = 0; i < point_count_; ++i) out[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
    return true;
  }

  template <int corners>
  bool read_cells(const pugi::xml_node& cells, std::vector<std::array<int32_t, corners>>& out) {
    std::vector<double> connectivity, offsets, types;
    const auto named = [&](const char* name) {
      return cells.find_child_by_attribute("DataArray", "Name", name);
    };
    for (const char* name : {"connectivity", "offsets", "types"})
      if (!named(name)) return fail(fmt::format("Cells: there is no array '{}'", name));
    if (!numbers(named("offsets"), cell_count_, offsets) || !numbers(named("types"), cell_count_, types))
      return false;
    for (int64_t c = 0; c < cell_count_; ++c)
      if (!(offsets[c] >= (c ? offsets[c - 1] : 0)) || offsets[c] > 4e9)
        return fail(
            fmt::format("Cells: offset {} of cell {} is below the one before or too large", offsets[c], c));
    const auto length = static_cast<int64_t>(cell_count_ ? offsets.back() : 0);
    if (!numbers(named("connectivity"), length, connectivity)) return false;

    int64_t left_out = 0;
    for (int64_t c = 0; c < cell_count_; ++c) {
      const auto begin = static_cast<int64_t>(c ? offsets[c - 1] : 0),
                 size = static_cast<int64_t>(offsets[c]) - begin;
      const bool lower = types[c] <= (corners == 4 ? 9 : 4);  // VTK numbers linear cells by dimension
      if (types[c] != (corners == 4 ? 10 : 5)) {
        if (!lower)
          return fail(fmt::format("cell {} has VTK type {}, expected {}", c, types[c],
                                  corners == 4 ? "10 (tetrahedron)" : "5 (triangle)"));
        ++left_out;
        continue;
      }
      if (size != corners) return fail(fmt::format("cell {} has {} corners, expected {}", c, size, corners));
      auto& cell = out.emplace_back();
      for (int k = 0; k < corners; ++k) {
        const double id = connectivity[begin + k];
        if (!(id >= 0 && id < static_cast<double>(point_count_)) || id != std::floor(id))
          return fail(fmt::format("cell {}: point {} is not in 0..{}", c, id, point_count_ - 1));
        cell[k] = static_cast<int32_t>(id);
      }
      kept_.push_back(static_cast<int32_t>(c));
    }
    if (left_out) note(notes_, fmt::format("left out {} cells of lower dimension", left_out));
    return true;
  }

  // `rows`: the ones to keep, where some cells were left out.
  bool read_data(const pugi::xml_node& section, int64_t count, const std::vector<int32_t>& rows,
                 mesh::Attributes& data, mesh::Groups& groups) {
    const bool all = rows.empty() || static_cast<int64_t>(rows.size()) == count;
    for (const pugi::xml_node& array : section.children("DataArray")) {
      const std::string name = array.attribute("Name").value();
      const std::string_view type = array.attribute("type").value();
      const int width = array.attribute("NumberOfComponents").as_int(1);
      if (width < 1 || width > 1000) return fail(fmt::format("{}: {} components", label(array), width));
      if (type == "String") continue;
      Attribute values{width, {}};
      if (!numbers(array, count * width, values.values)) return false;
      if (!all) keep_rows(values, rows);
      if (name.starts_with("group:") && type == "UInt8" && width == 1) {
        auto& ids = groups[name.substr(6)];
        ids.clear();
        for (size_t i = 0; i < values.values.size(); ++i)
          if (values.values[i] != 0) ids.push_back(static_cast<int32_t>(i));
      } else {
        data[name] = std::move(values);
      }
    }
    return true;
  }

  static void keep_rows(Attribute& data, const std::vector<int32_t>& rows) {
    for (size_t i = 0; i < rows.size(); ++i)
      std::copy_n(data.values.begin() + int64_t{rows[i]} * data.width, data.width,
                  data.values.begin() + static_cast<int64_t>(i) * data.width);
    data.values.resize(rows.size() * data.width);
  }

  std::string_view text_;
  std::string name_;
  Notes* notes_;
  int64_t budget_;       // numbers still to be read
  int64_t text_budget_;  // encoded bytes still to be decoded
  pugi::xml_document document_;
  pugi::xml_node appended_;
  int64_t point_count_ = 0, cell_count_ = 0;
  int header_size_ = 4;
  bool compressed_ = false;
  std::vector<unsigned long long> offsets_;  // of appended arrays, ascending
  std::vector<int32_t> kept_;                // cells of the mesh's own kind
  std::optional<Error> error_;
};

}  // namespace

Result<mesh::TetMesh> parse_vtu_tets(std::string_view text, const std::string& name, Notes* notes) {
  auto mesh = Reader(text, name, notes).read<mesh::TetMesh>();
  if (!mesh) return mesh;
  if (auto ok = check_tets(*mesh, name, {}, notes); !ok) return ok.error();
  return mesh;
}

Result<mesh::TriMesh> parse_vtu_triangles(std::string_view text, const std::string& name, Notes* notes) {
  auto mesh = Reader(text, name, notes).read<mesh::TriMesh>();
  if (!mesh) return mesh;
  if (auto ok = check_triangles(*mesh, name, notes); !ok) return ok.error();
  return mesh;
}

}  // namespace sinew::io
