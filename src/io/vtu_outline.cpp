#include "io/vtu_outline.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace sinew::io {
namespace {

constexpr int64_t tail_size = 1024;                // [bytes]
constexpr int64_t min_encoded = int64_t{1} << 24;  // [bytes]

}  // namespace

bool VtuOutline::read() {
  XmlReader xml(in_);
  XmlTag tag;
  layout.encoded_left = 3 * source_.size() + min_encoded;
  while (layout.appended < 0 && xml.next(tag) && tag.kind != XmlTag::end) {
    const size_t depth = xml.path().size();
    // The text of an array lies beside the information keys that may be inside it too.
    if (in_array_ && tag.text_begin < tag.text_end && depth == (tag.kind == XmlTag::open ? 6 : 4)) {
      arrays.back().begin = tag.text_begin;
      arrays.back().end = tag.text_end;
      arrays.back().text_line = tag.text_line;
      in_array_ = false;
    }
    if (depth < 5) in_array_ = false;
    if (tag.kind == XmlTag::open && !read_tag(tag, xml.path())) return false;
  }
  if (in_.ok() && pieces_ == 0) in_.fail("there is no Piece of an UnstructuredGrid in this file");
  return in_.ok();
}

bool VtuOutline::read_tag(const XmlTag& tag, const std::vector<std::string>& path) {
  if (path.size() == 1) return read_file(tag);
  if (path.size() == 2 && tag.name == "AppendedData") return read_appended(tag);
  if (path.size() < 3 || path[1] != "UnstructuredGrid" || path[2] != "Piece") return true;
  if (path.size() == 3)
    return ++pieces_ == 1 ? read_piece(tag) : in_.fail("several Pieces; only files with one are read");
  if (path.size() != 5 || tag.name != "DataArray") return true;
  in_array_ = true;
  return read_array(tag, path[3]);
}

bool VtuOutline::read_file(const XmlTag& tag) {
  const std::string_view type = tag.value("type"), order = tag.value("byte_order", "LittleEndian"),
                         header = tag.value("header_type", "UInt32"), compressor = tag.value("compressor");
  if (tag.name != "VTKFile" || type != "UnstructuredGrid")
    return in_.fail(fmt::format("found <{} type={}>, expected a VTKFile of type 'UnstructuredGrid'", tag.name,
                                in_quotes(type)));
  if (order != "LittleEndian" && order != "BigEndian")
    return in_.fail(fmt::format("byte_order {}, expected LittleEndian or BigEndian", in_quotes(order)));
  if (header != "UInt32" && header != "UInt64")
    return in_.fail(fmt::format("header_type {}, expected UInt32 or UInt64", in_quotes(header)));
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
    return in_.fail(
        fmt::format("compressor {} is not read, only vtkZLibDataCompressor", in_quotes(compressor)));
  layout.swapped = order == "BigEndian";
  layout.word = header == "UInt64" ? 8 : 4;
  layout.compressed = !compressor.empty();
  return true;
}

bool VtuOutline::whole(const XmlTag& tag, const char* attribute, std::string_view missing, int64_t low,
                       int64_t high, int64_t& out) {
  const std::string_view text = tag.value(attribute, missing);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (code == std::errc() && end == text.data() + text.size() && out >= low && out <= high) return true;
  return in_.fail_at(tag.line, fmt::format("{}={}, expected a whole number in {}..{}", attribute,
                                           in_quotes(text), low, high));
}

bool VtuOutline::read_piece(const XmlTag& tag) {
  return whole(tag, "NumberOfPoints", "", 0, INT32_MAX, points) &&
         whole(tag, "NumberOfCells", "", 0, INT32_MAX, cells);
}

bool VtuOutline::read_array(const XmlTag& tag, const std::string& section) {
  VtuArray& array = arrays.emplace_back();
  array.section = section;
  array.name = tag.value("Name", section);
  array.type = tag.value("type");
  array.format = tag.value("format");
  array.line = array.text_line = tag.line;
  return whole(tag, "NumberOfComponents", "1", 0, 1000, array.width) &&
         (array.format != "appended" || whole(tag, "offset", "", 0, INT64_MAX, array.offset));
}

bool VtuOutline::read_appended(const XmlTag& tag) {
  const std::string_view encoding = tag.value("encoding");
  if (encoding != "raw" && encoding != "base64")
    return in_.fail(
        fmt::format("AppendedData with encoding {}, expected raw or base64", in_quotes(encoding)));
  layout.raw = encoding == "raw";
  in_.skip_blanks();
  if (in_.get() != '_') return in_.fail("AppendedData does not begin with '_'");
  layout.appended = in_.position();
  // Raw data cannot be searched for tags: only the end of the file is looked at.
  std::string tail(tail_size, '\0');
  tail.resize(source_.read(std::max(layout.appended, source_.size() - tail_size), tail.data(), tail.size()));
  return tail.find("</VTKFile>") != std::string::npos ||
         in_.fail("the file does not end with </VTKFile>: it is cut off");
}

}  // namespace sinew::io
