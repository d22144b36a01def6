#pragma once
// The tags of an XML file, one after the other; the text between them is not stored, only where it lies. So
// a file whose text is gigabytes of data takes no memory. Comments and processing instructions are passed
// over; CDATA and DTDs are refused. Tags must be closed in order.
//
//     XmlReader xml(in);
//     for (XmlTag tag; xml.next(tag) && tag.kind != XmlTag::end;) ...
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/scanner.h"

namespace sinew::io {

// Escapes text for attribute values; control characters become '?'.
std::string xml_escaped(std::string_view text);

struct XmlTag {
  enum Kind { open, close, end };  // end: of the file. <a/> is told as an open and a close
  Kind kind = end;
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  int64_t line = 0;
  // The text before this tag, without the blanks around its start; [bytes] in the file.
  int64_t text_begin = 0, text_end = 0, text_line = 0;

  // An attribute's value; `missing` where there is none.
  std::string_view value(std::string_view attribute, std::string_view missing = {}) const;
};

class XmlReader {
 public:
  explicit XmlReader(Scanner& in) : in_(in) {}
  bool next(XmlTag& tag);  // false after an error, which the scanner keeps
  // Names of the tags that are open, the outermost first; a tag that was just told is among them.
  const std::vector<std::string>& path() const { return path_; }

 private:
  bool skip_markup(bool& skipped);
  bool read_name(std::string& name);
  bool read_attributes(XmlTag& tag);
  bool read_value(std::string& value);
  void skip_blanks();
  bool fail(const std::string& what);

  Scanner& in_;
  std::vector<std::string> path_;
  bool close_next_ = false;  // of <a/>
};

}  // namespace sinew::io
