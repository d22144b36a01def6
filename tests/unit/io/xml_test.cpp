#include "io/xml.h"

#include <gtest/gtest.h>

namespace sinew::io {
namespace {

// Tags and texts as one line.
std::string told(std::string_view text) {
  Scanner in(text, "a");
  XmlReader xml(in);
  std::string out;
  for (XmlTag tag; xml.next(tag);) {
    if (tag.text_begin < tag.text_end)
      out.append("[").append(text.begin() + tag.text_begin, text.begin() + tag.text_end).append("]");
    if (tag.kind == XmlTag::end) return out;
    out += (tag.kind == XmlTag::open ? "<" : "</") + tag.name;
    for (const auto& [key, value] : tag.attributes) out += "," + key + "=" + value;
    out += ">";
  }
  return in.error().text();
}

TEST(Xml, TagsAttributesAndTexts) {
  EXPECT_EQ(told("<?xml version='1.0'?>\n<a x=\"1\" y = 'two > one'>\n 1 2 <!-- <b> -- -->\n<b/></a >\n"),
            "<a,x=1,y=two > one><b></b></a>");
  EXPECT_EQ(told("<a>  1 2 <b>x</b> 3</a>"), "<a>[1 2 ]<b>[x]</b>[3]</a>");
  EXPECT_EQ(told("<a n='&lt;&amp;&quot;&apos;&gt;&#65;&#x20AC;&#233;&#x1F600;'/>"),
            "<a,n=<&\"'>A\u20ac\u00e9\U0001F600></a>");
}

TEST(Xml, SaysWhatIsNotXml) {
  for (const auto& [text, part] : {std::pair{"<a>", "ends inside <a>"},
                                   {"<a>\n</b>", "line 2: not XML: found </b>, expected </a>"},
                                   {"</a>", "no such tag"},
                                   {"<a", "name"},
                                   {"<a x>", "'='"},
                                   {"<a x=1>", "quotes"},
                                   {"<a x='1>", "does not end"},
                                   {"<a x='<'>", "does not end"},
                                   {"<a x='&what;'/>", "unknown entity"},
                                   {"<a x='&#0;'/>", "unknown entity"},
                                   {"<a x='&#x110000;'/>", "unknown entity"},
                                   {"<![CDATA[1]]>", "CDATA"},
                                   {"<!DOCTYPE a>", "DOCTYPE"},
                                   {"<!-- a", "comment"},
                                   {"<? a", "'?>'"},
                                   {"<a/ >", "'/'"},
                                   {"< a/>", "a name"}})
    EXPECT_NE(told(text).find(part), std::string::npos) << text << ": " << told(text);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_NE(told(deep).find("deep"), std::string::npos);
}

}  // namespace
}  // namespace sinew::io
