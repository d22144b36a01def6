#include "view/mesh_source.h"

#include <filesystem>

#include "io/mesh_file.h"
#include "mesh/properties.h"
#include "model/add_body.h"

namespace sinew::view {
namespace {

constexpr int widest = 16;  // attributes with more numbers are not shown

// The mesh as a model of one body without material.
struct MeshStage : Stage {
  explicit MeshStage(std::unique_ptr<model::Model> model_) : Stage(*model_), owner(std::move(model_)) {}
  std::unique_ptr<model::Model> owner;
  std::vector<std::vector<double>> values;  // of each field
};

class MeshMoment final : public Moment {
 public:
  explicit MeshMoment(std::shared_ptr<const MeshStage> stage)
      : Moment(0, 0, stage), stage_(std::move(stage)) {}
  std::span<const Vec3d> positions() const override { return stage_->model.X; }

 protected:
  std::vector<double> compute(size_t field) override { return stage_->values[field]; }

 private:
  std::shared_ptr<const MeshStage> stage_;
};

class MeshSource final : public Source {
 public:
  MeshSource(std::string name, std::shared_ptr<const MeshStage> stage, std::vector<std::string> notes)
      : name_(std::move(name)), mesh_(std::move(stage)), stage_(mesh_), notes_(std::move(notes)) {}

  Json describe() override {
    Json pane = Json::object(), warnings = Json::list();
    for (const std::string& note : notes_) warnings.add(note);
    pane.set("name", name_);
    pane.set("bodies", describe_bodies(*stage_));
    pane.set("fields", describe_fields(*stage_));
    pane.set("frames", describe_frames(frames()));
    pane.set("box", describe_box(box()));
    pane.set("stats", Json::list());
    pane.set("warnings", std::move(warnings));
    return pane;
  }
  std::span<const exporting::FrameStamp> frames() const override { return {&stamp_, 1}; }
  const std::shared_ptr<const Stage>& stage() const override { return stage_; }
  mesh::Bounds box() override { return mesh::bounding_box(stage_->model.X); }

 protected:
  Result<std::shared_ptr<Moment>> load(int64_t index) override {
    if (index != 0) return usage_error(name_ + ": a mesh has frame 0 alone");
    return std::shared_ptr<Moment>(std::make_shared<MeshMoment>(mesh_));
  }

 private:
  std::string name_;
  std::shared_ptr<const MeshStage> mesh_;
  std::shared_ptr<const Stage> stage_;
  std::vector<std::string> notes_;
  exporting::FrameStamp stamp_;
};

void add_fields(const mesh::Attributes& data, bool on_nodes, MeshStage& stage,
                std::vector<std::string>& notes) {
  for (const auto& [name, attribute] : data) {
    if (attribute.width > widest) {
      notes.push_back("the attribute \"" + name + "\" has too many numbers to be shown");
      continue;
    }
    bool taken = false;  // by an attribute of the vertices
    for (const FieldInfo& field : stage.fields) taken |= field.name == name;
    stage.fields.push_back({taken ? name + " (elements)" : name, "",
                            on_nodes ? "Of the vertices in the file." : "Of the elements in the file.",
                            on_nodes, attribute.width});
    stage.values.push_back(attribute.values);
  }
}

void add_field(FieldInfo field, std::vector<double> values, MeshStage& stage) {
  for (const FieldInfo& known : stage.fields)
    if (known.name == field.name) return;  // the file's own
  stage.fields.push_back(std::move(field));
  stage.values.push_back(std::move(values));
}

}  // namespace

std::unique_ptr<Source> show_mesh(const std::string& name, const mesh::TetMesh& mesh,
                                  std::vector<std::string> notes) {
  auto model = std::make_unique<model::Model>();
  model::add_body(*model, name, element::plain_kind(mesh), mesh, mesh::boundary(mesh));
  const auto stage = std::make_shared<MeshStage>(std::move(model));
  add_fields(mesh.vertex_data, true, *stage, notes);
  add_fields(mesh.element_data, false, *stage, notes);
  std::vector<double> shape(mesh.elements.size());
  for (size_t t = 0; t < shape.size(); ++t) shape[t] = mesh::mean_ratio(mesh.vertices, mesh.elements[t]);
  add_field({"mean_ratio", "1", "Shape of a tet: 1 for the regular one, 0 for a flat one.", false, 1},
            std::move(shape), *stage);
  add_field({"volume", "m^3", "Volume of a tet.", false, 1}, mesh::tet_volumes(mesh), *stage);
  return std::make_unique<MeshSource>(name, stage, std::move(notes));
}

std::unique_ptr<Source> show_mesh(const std::string& name, const mesh::TriMesh& mesh,
                                  std::vector<std::string> notes) {
  auto model = std::make_unique<model::Model>();
  model->X = mesh.vertices;
  model->bodies.push_back({.name = name,
                           .nodes = {0, static_cast<int32_t>(mesh.vertices.size())},
                           .elements = {},
                           .surface = mesh.elements});
  const auto stage = std::make_shared<MeshStage>(std::move(model));
  add_fields(mesh.vertex_data, true, *stage, notes);
  add_fields(mesh.element_data, false, *stage, notes);
  add_field({"area", "m^2", "Area of a triangle.", false, 1}, mesh::triangle_areas(mesh), *stage);
  return std::make_unique<MeshSource>(name, stage, std::move(notes));
}

Result<std::unique_ptr<Source>> open_mesh(const std::string& path, double unit) {
  const std::string name = std::filesystem::path(path).filename().string();
  io::Notes notes;
  Result<mesh::TetMesh> tets = io::read_tet_mesh(path, &notes);
  if (tets) {
    for (Vec3d& x : tets->vertices) x = x * unit;
    return show_mesh(name, *tets, notes);
  }
  if (tets.error().kind == ErrorKind::io) return tets.error();
  notes.clear();
  Result<mesh::TriMesh> triangles = io::read_tri_mesh(path, &notes);
  const io::MeshFormat* format = io::find_mesh_format(path);
  if (!triangles) return format && !format->read_tets ? triangles.error() : tets.error();
  for (Vec3d& x : triangles->vertices) x = x * unit;
  return show_mesh(name, *triangles, notes);
}

}  // namespace sinew::view
