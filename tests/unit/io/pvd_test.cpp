#include "io/pvd.h"

#include <gtest/gtest.h>

#include "io/file.h"
#include "io/xml.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

TEST(Pvd, NamesFilesAndTimes) {
  Scratch scratch;
  const PvdEntry entries[] = {{0, "vtk/a&b.0.vtu"}, {1.0 / 3, "vtk/a&b.1.vtu"}};
  ASSERT_TRUE(write_pvd(scratch.path("a.pvd"), entries));
  const std::string text = *read_text(scratch.path("a.pvd"));
  Scanner in(text, "a.pvd");
  XmlReader xml(in);
  XmlTag tag, second;
  while (xml.next(tag) && tag.kind != XmlTag::end)
    if (tag.kind == XmlTag::open &&
        xml.path() == std::vector<std::string>{"VTKFile", "Collection", "DataSet"})
      second = tag;
  ASSERT_TRUE(in.ok()) << in.error().text();
  EXPECT_EQ(std::stod(std::string(second.value("timestep"))), 1.0 / 3);
  EXPECT_EQ(second.value("file"), "vtk/a&b.1.vtu");
  EXPECT_FALSE(write_pvd(scratch.path("no/a.pvd"), entries));
}

}  // namespace
}  // namespace sinew::io
