#include "view/settings.h"

#include <gtest/gtest.h>

namespace sinew::view {
namespace {

TEST(Settings, valid_values_are_kept_in_order) {
  Settings settings;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"up", "z"},
                                                        {"camera", "30,-20,1.5"},
                                                        {"field", "von_mises"},
                                                        {"range", "0:2e4"},
                                                        {"size", "640x480"},
                                                        {"frame", "12"},
                                                        {"clip", "1,0,0,0.5"},
                                                        {"hide", "bone,left arm"},
                                                        {"marks", "contacts,constraints"},
                                                        {"theme", "dark"},
                                                        {"style", "wire"}}) {
    const auto ok = settings.set(name, value);
    EXPECT_TRUE(ok) << ok.error().text();
  }
  EXPECT_EQ(settings.query(),
            "&field=von_mises&range=0:2e4&camera=30,-20,1.5&style=wire&clip=1,0,0,0.5&hide=bone,left%20arm"
            "&marks=contacts,constraints&theme=dark&frame=12&size=640x480&up=z");
  EXPECT_EQ(settings.frame(), 12);
  EXPECT_EQ(settings.size(), std::pair(640, 480));
  EXPECT_EQ(settings.json()["camera"].text(), "30,-20,1.5");
  EXPECT_TRUE(settings.set("theme", "light"));
  EXPECT_EQ(settings.get("theme"), "light");
}

TEST(Settings, defaults) {
  const Settings settings;
  EXPECT_EQ(settings.query(), "");
  EXPECT_FALSE(settings.frame());
  EXPECT_EQ(settings.size(), std::pair(1280, 800));
}

TEST(Settings, refused) {
  Settings settings;
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"camera", "30,20"},       {"camera", "30,91,1"}, {"camera", "30,20,0"},
           {"camera", "30,20,1,0,0"}, {"camera", "a,b,c"},   {"camera", "nan,0,1"},
           {"camera", "30,20,1,"},    {"range", "2:1"},      {"range", "1"},
           {"range", "1:inf"},        {"range", "all"},      {"style", "solid"},
           {"clip", "0,0,0,1"},       {"clip", "1,2,3"},     {"theme", "blue"},
           {"frame", "-1"},           {"frame", "1.5"},      {"frame", "9999999999"},
           {"size", "640"},           {"size", "0x480"},     {"size", "640x100000"},
           {"size", "640x480x2"},     {"up", "x"},           {"marks", "dots"},
           {"marks", "contacts,,"},   {"field", ""},         {"feild", "von_mises"}})
    EXPECT_FALSE(settings.set(name, value)) << name << " " << value;
  EXPECT_FALSE(settings.set("field", std::string(2000, 'a')));
  EXPECT_EQ(settings.query(), "");
  const auto wrong = settings.set("camera", "30,20");
  EXPECT_NE(wrong.error().text().find("azimuth,elevation,zoom"), std::string::npos);
  EXPECT_NE(settings.set("style", "wires").error().text().find("\"wire\""), std::string::npos);
}

TEST(Settings, percent_encoding) { EXPECT_EQ(percent_encoded("a b&c=d/\xc3\xa9"), "a%20b%26c%3Dd%2F%C3%A9"); }

}  // namespace
}  // namespace sinew::view
