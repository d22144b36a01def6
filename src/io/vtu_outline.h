#pragma once
// The tags of a VTK XML unstructured grid: which arrays there are, where their text lies and how it is stored
// (Kitware, "VTK file formats"). The data themselves are passed over.
//
//     VtuOutline outline(source, "a.vtu");
//     if (!outline.read()) return outline.error();
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/scanner.h"
#include "io/source.h"
#include "io/xml.h"

namespace sinew::io {

// A DataArray: the attributes of its tag, and the place of the text behind it.
struct VtuArray {
  std::string section;  // Points, Cells, PointData or CellData
  std::string name, type, format;
  int64_t width = 1;
  int64_t offset = -1;         // of appended data
  int64_t line = 0;            // of the tag
  int64_t begin = 0, end = 0;  // [bytes] of the text
  int64_t text_line = 0;
};

// The encoding that all arrays of a file share.
struct VtuLayout {
  bool compressed = false;
  bool swapped = false;      // big endian
  int word = 4;              // [bytes] in headers
  bool raw = false;          // appended data, else base64
  int64_t appended = -1;     // where they begin; -1: there are none
  int64_t encoded_left = 0;  // bytes that may still be decoded: arrays that overlap come to an end here
};

class VtuOutline {
 public:
  VtuOutline(const Source& source, const std::string& name)
      : source_(source), in_(source, name, 0, source.size()) {}
  bool read();
  const Error& error() const { return in_.error(); }

  VtuLayout layout;
  std::vector<VtuArray> arrays;
  int64_t points = 0, cells = 0;

 private:
  bool read_tag(const XmlTag& tag, const std::vector<std::string>& path);
  bool read_file(const XmlTag& tag);
  bool read_piece(const XmlTag& tag);
  bool read_array(const XmlTag& tag, const std::string& section);
  bool read_appended(const XmlTag& tag);
  bool whole(const XmlTag& tag, const char* attribute, std::string_view missing, int64_t low, int64_t high,
             int64_t& out);

  const Source& source_;
  Scanner in_;
  int pieces_ = 0;
  bool in_array_ = false;  // inside one whose text has not come yet
};

}  // namespace sinew::io
