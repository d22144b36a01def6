#include "exporting/exporter.h"

#include <gtest/gtest.h>

namespace sinew::exporting {
namespace {

TEST(Exporters, HaveNamesAndSentences) {
  ASSERT_NE(find_exporter("pvd"), nullptr);
  for (const Exporter* exporter : exporters()) {
    EXPECT_FALSE(exporter->doc.empty());
    EXPECT_EQ(find_exporter(exporter->name), exporter);
    EXPECT_FALSE(exporter->owns("frames/frame_00001.npz"));
    EXPECT_FALSE(exporter->owns("run.json"));
  }
}

TEST(Exporters, ListsOfNames) {
  const std::vector<std::string> twice = {"pc2", "obj", "pc2"}, wrong = {"pc2", "odj"};
  const auto found = find_exporters(twice);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[1]->name, "obj");
  EXPECT_NE(find_exporters(wrong).error().text().find("did you mean \"obj\"?"), std::string::npos);
}

// What --force removes.
TEST(Exporters, OwnOnlyWhatTheyWrite) {
  for (const char* file : {"obj/beam_00012.obj", "obj/beam_123456.obj", "obj/beam_rest.obj"})
    EXPECT_TRUE(find_exporter("obj")->owns(file)) << file;
  for (const char* file : {"obj/beam.obj", "obj/head_12.obj", "obj/12345.obj", "obj/beam_00012.mtl",
                           "meshes/beam_00012.obj", "obj/deeper/beam_00012.obj"})
    EXPECT_FALSE(find_exporter("obj")->owns(file)) << file;
}

TEST(Exporters, TooManyFrames) {
  EXPECT_TRUE(check_frame_count(*find_exporter("pc2"), 1000000));
  EXPECT_TRUE(check_frame_count(*find_exporter("glb"), 500));
  const Result<void> refused = check_frame_count(*find_exporter("glb"), 501);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace sinew::exporting
