#include "io/pvd.h"

#include <gtest/gtest.h>
#include <pugixml.hpp>

#include "sample_meshes.h"

namespace sinew::io {
namespace {

TEST(Pvd, NamesFilesAndTimes) {
  Scratch scratch;
  const PvdEntry entries[] = {{0, "vtk/a&b.0.vtu"}, {1.0 / 3, "vtk/a&b.1.vtu"}};
  ASSERT_TRUE(write_pvd(scratch.path("a.pvd"), entries));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file(scratch.path("a.pvd").c_str()));
  const auto collection = document.child("VTKFile").child("Collection");
  const auto second = collection.child("DataSet").next_sibling("DataSet");
  EXPECT_EQ(second.attribute("timestep").as_double(), 1.0 / 3);
  EXPECT_STREQ(second.attribute("file").value(), "vtk/a&b.1.vtu");
  EXPECT_FALSE(write_pvd(scratch.path("no/a.pvd"), entries));
}

}  // namespace
}  // namespace sinew::io
