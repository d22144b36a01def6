#pragma once
// The tags of an SVG text, read by the library's XML reader.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "io/xml.h"

namespace sinew {

struct SvgTag {
  io::XmlTag tag;
  std::string text;  // inside, of a tag without others in it
};

inline std::vector<SvgTag> svg_tags(const std::string& svg) {
  std::vector<SvgTag> tags;
  io::Scanner in(svg, "svg");
  io::XmlReader xml(in);
  io::XmlTag tag;
  while (xml.next(tag) && tag.kind != io::XmlTag::end)
    if (tag.kind == io::XmlTag::open)
      tags.push_back({tag, {}});
    else if (!tags.empty() && tags.back().tag.name == tag.name)
      tags.back().text = svg.substr(tag.text_begin, tag.text_end - tag.text_begin);
  EXPECT_EQ(tag.kind, io::XmlTag::end) << "not well-formed";
  EXPECT_TRUE(!tags.empty() && tags[0].tag.name == "svg");
  return tags;
}

}  // namespace sinew
