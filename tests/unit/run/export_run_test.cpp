#include "run/export_run.h"

#include <filesystem>

#include "io/npz.h"
#include "io/obj.h"
#include "mesh/texture.h"
#include "sample_run.h"
#include "unit/exporting/sample_export.h"

namespace sinew::run {
namespace {

using exporting::number_at;

// A stored run of the beam, eleven frames.
class Stored {
 public:
  explicit Stored(std::vector<std::string> exports = {}) {
    RunOptions options;
    options.folder = folder_ / "out";
    options.exports = std::move(exports);
    outcome = run(loaded_.scene, loaded_.built, options, {}, {});
    EXPECT_FALSE(outcome.error) << outcome.error->text();
  }
  std::filesystem::path path() const { return folder_ / "out"; }
  Result<Exported> write(ExportRequest request, const std::vector<std::string>& formats,
                         Control control = {}) {
    request.formats = *exporting::find_exporters(formats);
    if (request.folder.empty()) request.folder = folder_ / "files";
    const Result<RunReader> reader = RunReader::open(path());
    EXPECT_TRUE(reader) << reader.error().text();
    return export_run(
        *reader, request,
        [&](int64_t done, int64_t) {
          if (on_frame) on_frame(done);
        },
        control);
  }
  std::string bytes(const std::string& file) const { return contents(folder_ / "files" / file); }

  std::function<void(int64_t)> on_frame;
  RunOutcome outcome;

 private:
  ScratchFolder folder_;
  Loaded loaded_ = load_sample();
};

// The positions in frames/frame_00007.npz, in all formats that hold them.
TEST(ExportRun, FramesAreThoseThatAreStored) {
  Stored stored;
  const Result<Exported> done =
      stored.write({.frames = {1, 9, 3}, .what = exporting::What::volume}, {"pc2", "npz", "usda"});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->frames, 3);
  EXPECT_EQ(done->files, (exporting::Files{"pc2/beam.pc2", "npz/beam.npz", "usda/scene.usda"}));
  ASSERT_EQ(done->meshes.size(), 1u);
  EXPECT_EQ(done->meshes[0].vertices, 20u);
  const io::Npz frame = *io::read_npz((stored.path() / frame_file(7)).string());
  const auto x = frame.at("x").view<double>();
  const std::string pc2 = stored.bytes("pc2/beam.pc2");
  EXPECT_EQ(number_at<float>(pc2, 20), 1);
  EXPECT_EQ(number_at<float>(pc2, 24), 3);
  for (size_t i = 0; i < 60; ++i)
    EXPECT_EQ(number_at<float>(pc2, 32 + 4 * (2 * 60 + i)), static_cast<float>(x[i]));
}

// What `run` writes at its end is what `export` writes later, and run.json knows of it.
TEST(ExportRun, TheRunWritesTheSameFiles) {
  const std::vector<std::string> formats = {"pc2", "mdd", "glb",        "usda", "npz",
                                            "obj", "ply", "glb_frames", "pvd"};
  Stored stored(formats);
  EXPECT_TRUE(stored.outcome.warnings.empty());
  const Result<Exported> done = stored.write({}, formats);
  ASSERT_TRUE(done) << done.error().text();
  exporting::Files all = done->written;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());  // the list of pvd is written again and again
  EXPECT_EQ(all.size(), 2u + 2 + 1 + 2 + 1 + 11 + 11 + 11 + 12);
  for (const std::string& file : all) EXPECT_EQ(contents(stored.path() / file), stored.bytes(file)) << file;
  const json::Json summary = *read_run(stored.path());
  for (const std::string& file : all) {
    const auto items = summary["files"].items();
    EXPECT_TRUE(std::any_of(items.begin(), items.end(), [&](const json::Json& entry) {
      return entry["path"].text() == file;
    })) << file;
  }
}

// A sheet from an OBJ file with a seam falls; what is read back has its texture coordinates, at positions that move.
TEST(ExportRun, ShellsKeepTheirTexture) {
  const ScratchFolder folder;
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 1 0 -1\nv 0 0 -1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.25 0.75\nvt 0 1\n"
      "f 1/1 2/2 3/3\nf 1/1 3/4 4/5\n";
  put(folder / "cloth.obj", obj);
  const mesh::TriMesh given = *io::parse_obj(obj, "cloth.obj");
  json::Diagnostics diagnostics;
  const auto scene = scene::parse_scene(R"({"sinew": 1, "bodies": {"cloth": {"type": "shell",
      "mesh": {"file": "cloth.obj"}, "thickness": 0.01, "material": {"model": "stvk", "young": 1e5, "poisson": 0.3}}},
      "gravity": [0, -10, 0], "solve": {"mode": "dynamic"}, "time": {"fps": 10, "frames": 2},
      "output": {"export": ["obj", "glb", "glb_frames", "usda", "pc2"]}})",
                                        "cloth.json", folder.path(), {}, diagnostics);
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  ASSERT_TRUE(built) << diagnostics.text();
  RunOptions options;
  options.folder = folder / "out";
  const RunOutcome outcome = run(*scene, *built, options, {}, {});
  ASSERT_FALSE(outcome.error) << outcome.error->text();
  const auto surface = [&](const std::string& file) {
    return *io::parse_obj(contents(options.folder / file), file);
  };
  double height = 1;
  for (const char* file : {"obj/cloth_00000.obj", "obj/cloth_00001.obj", "obj/cloth_00002.obj"}) {
    const mesh::TriMesh mesh = surface(file);
    EXPECT_EQ(mesh.elements, given.elements);
    ASSERT_TRUE(mesh::find_texture(mesh)) << file;
    EXPECT_EQ(mesh::find_texture(mesh)->values, mesh::find_texture(given)->values);
    EXPECT_LT(mesh.vertices[0][1], height);
    height = mesh.vertices[0][1];
  }
  EXPECT_TRUE(mesh::find_texture(surface("pc2/cloth.obj")));
  for (const char* file : {"glb/scene.glb", "glb_frames/frame_00001.glb"})
    EXPECT_NE(contents(options.folder / file).find("\"TEXCOORD_0\""), std::string::npos) << file;
  EXPECT_NE(contents(options.folder / "usda/cloth.usda")
                .find("primvars:st = [(0, 0), (1, 0), (1, 1), (0, 0), (0.25, 0.75), (0, 1)]"),
            std::string::npos);
  // What the run says of itself counts points, not the angles of its five edges.
  const json::Json body = (*read_run(options.folder))["bodies"]["cloth"];
  EXPECT_EQ(body["nodes"].number(), 4);
  EXPECT_EQ(body["tets"].number(), 0);
  EXPECT_EQ(body["triangles"].number(), 2);
}

TEST(ExportRun, AnInterruptedRunDoesNotWriteThem) {
  const ScratchFolder folder;
  const Loaded loaded = load_sample();
  Cancel cancel;
  RunOptions options;
  options.folder = folder / "out";
  options.exports = std::vector<std::string>{"pc2", "obj"};
  Progress progress;
  progress.on_frame = [&](const FrameDone& done) {
    if (done.frame == 4) cancel.request();
  };
  const RunOutcome outcome = run(loaded.scene, loaded.built, options, progress, Control{&cancel, {}});
  EXPECT_EQ(outcome.status, RunStatus::interrupted);
  ASSERT_EQ(outcome.warnings.size(), 1u);
  EXPECT_NE(outcome.warnings[0].find("interrupted: pc2 was not written; `sinew export"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/obj/beam_00004.obj"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/pc2"));
  options.existing.resume = true;
  const RunOutcome rest = run(loaded.scene, loaded.built, options, {}, {});
  ASSERT_FALSE(rest.error);
  EXPECT_EQ(rest.files, (exporting::Files{"obj/beam_00000.obj", "pc2/beam.pc2"}));
  EXPECT_EQ(number_at<int32_t>(contents(folder / "out/pc2/beam.pc2"), 28), 11);
}

TEST(ExportRun, StopsWhenAsked) {
  Stored stored;
  Cancel cancel;
  stored.on_frame = [&](int64_t done) {
    if (done == 3) cancel.request();
  };
  const Result<Exported> done = stored.write({}, {"pc2", "obj"}, Control{&cancel, {}});
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->interrupted);
  EXPECT_EQ(done->frames, 3);
  EXPECT_EQ(done->files, exporting::Files{"obj/beam_00000.obj"});
  EXPECT_EQ(stored.bytes("pc2/beam.pc2"), "");
}

TEST(ExportRun, MissingAndBrokenFramesAreNamed) {
  Stored stored;
  std::filesystem::remove(stored.path() / frame_file(5));
  const Result<Exported> gap = stored.write({}, {"pc2"});
  ASSERT_FALSE(gap);
  EXPECT_NE(gap.error().text().find("the file of frame 5 is missing"), std::string::npos);
  EXPECT_TRUE(stored.write({.frames = {6, -1, 1}}, {"pc2"}));
  EXPECT_TRUE(stored.write({.frames = {0, 8, 4}}, {"pc2"}));
  put(stored.path() / frame_file(7), "half a fi");
  const Result<Exported> broken = stored.write({.frames = {6, 10, 1}}, {"mdd"});
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().text().find("frame_00007.npz"), std::string::npos);
  EXPECT_EQ(stored.bytes("mdd/beam.mdd"), "");
  const Result<Exported> beyond = stored.write({.frames = {6, 11, 1}}, {"pc2"});
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().text().find("has frames 0 to 10"), std::string::npos);
}

TEST(ExportRun, FieldsMustExistAndBeKept) {
  Stored stored;
  const auto refusal = [&](const char* field, const char* format) {
    const Result<Exported> done = stored.write({.fields = std::vector<std::string>{field}}, {format});
    return done ? std::string() : done.error().text();
  };
  EXPECT_NE(refusal("von_mieses", "ply").find("did you mean \"von_mises\"?"), std::string::npos);
  EXPECT_NE(refusal("von_mises", "pc2").find("only npz, ply, pvd do"), std::string::npos);
  EXPECT_EQ(refusal("velocity", "ply"), "");
}

TEST(ExportRun, RestPose) {
  Stored stored;
  ASSERT_TRUE(stored.write({.rest = true}, {"glb", "obj"}));
  EXPECT_NE(stored.bytes("glb/scene_rest.glb"), "");
  EXPECT_NE(stored.bytes("obj/beam_rest.obj"), "");
}

// Positions that are no numbers do not reach a file.
TEST(ExportRun, RefusesPositionsThatAreNotFinite) {
  Stored stored;
  const std::string file = (stored.path() / frame_file(2)).string();
  io::Npz arrays = *io::read_npz(file);
  const double value = std::nan("");
  std::memcpy(arrays["x"].bytes.data() + 8 * 10, &value, 8);
  ASSERT_TRUE(io::write_npz(file, arrays));
  for (const char* format : {"glb", "obj"}) {
    const Result<Exported> done = stored.write({}, {format});
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("frame 2"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::run
