#include "scene/scene_type.h"

#include <algorithm>
#include <string>

#include "exporting/exporter.h"
#include "measure/quantity.h"
#include "scene/scene_table.h"
#include "step/stepper.h"

namespace sinew::scene {

void SceneTable::build() {
  tree.root = &tree.object(
      {required("sinew",
                tree.leaf({.name = "",
                           .kind = F::integer,
                           .min = 1,
                           .max = 1,
                           .reason = "the major version of the scene file that this program reads"}),
                "Major version of the file format."),
       optional("$schema", text(), "For editors; not used."),
       optional("title", text(), "One line about the scene."),
       optional("description", text(), "What it shows."),
       required("bodies", tree.map(body(), 1), "The elastic bodies by name, in order."),
       with_default("attach", tree.list(attachment(), 0, many),
                    "Dirichlet conditions: what is held, and how it moves.", "[]"),
       with_default("springs", tree.list(spring(), 0, many), "Springs between points.", "[]"),
       with_default("colliders", tree.map(collider()), "Rigid shapes that bodies cannot enter, by name.",
                    "{}"),
       optional("contact", contact(), "Contact of bodies with each other; without it they pass through."),
       with_default("connect", tree.list(connection(), 0, 1000), "Connective tissue between bodies.", "[]"),
       with_default("gravity", vector("m/s^2"), "Acceleration of every body.", "[0,0,0]"),
       optional("wind", wind(), "Air that moves and drags at shells."),
       with_default("loads", tree.list(load(), 0, many),
                    "Neumann conditions: forces, tractions and pressures.", "[]"),
       with_default("probes", tree.map(probe()), "Points whose motion is recorded, by name.", "{}"),
       with_default("solve", solve(), "How the motion is computed.", "{}"),
       with_default("time", time(), "Frames and steps.", "{}"),
       with_default("output", output(), "What is written.", "{}"),
       with_default("expect", expectations(),
                    "What must hold at the end of the run: target.quantity[.component]"
                    "[.reduction] such as \"block.det_F.min\".",
                    "{}")},
      "scene", "A scene file is one object with these keys. Paths are relative to the file.");
}

const Type& SceneTable::motion() {
  Type keys =
      tree.list(tree.object({required("time", number("s"), "When."),
                             with_default("translate", point(), "Shift from rest.", "[0,0,0]"),
                             optional("rotate", turn(), "Turn from rest."),
                             optional("about", point(),
                                      "Centre of the turn; by default the centroid of the held nodes, or the "
                                      "centre of the collider, at rest.")},
                            "pose", "A key of a motion: x = R (X - about) + about + translate."),
                1, many);
  keys.ascending = "time";
  const Type& file = tree.object({required("file", tree.leaf({.name = "", .kind = F::path}),
                                           "Poses in text: time tx ty tz qw qx qy qz on each line, x = R(q) "
                                           "X + t; a header line is allowed.")},
                                 "pose_file", "A motion from a file.");
  Type type;
  type.kind = Type::Kind::by_kind;
  type.name = "motion";
  type.doc =
      "Poses in time, interpolated in between and constant outside. Between keys with the same axis the "
      "angle "
      "is interpolated, so that turns beyond 180 degrees are kept.";
  type.variants = {{"", "a list of keys", &tree.add(std::move(keys))}, {"", "an object with a file", &file}};
  return tree.add(std::move(type));
}

const Type& SceneTable::attachment() {
  Type type;
  type.kind = Type::Kind::by_word;
  type.name = "attach";
  type.doc = "A Dirichlet condition: holds nodes to a frame that may move.";
  type.selector = "hold";
  type.selector_initial = "rigid";
  type.keys = {required("what", text(), "body.selection"),
               optional("name", text(), "Name for readings; by default that of the selection."),
               optional("motion", motion(), "Motion of the frame; without one it stays.")};
  const Key clamped =
      with_default("clamped", boolean(),
                   "Borders of shells do not turn where it holds them: they go on in the direction "
                   "that they have at rest, or, held in a plane, at right angles to it.",
                   "false");
  type.variants = {
      {"rigid", "The nodes move with the frame.", nullptr, {clamped}},
      {"plane",
       "The nodes slide in planes that move with the frame.",
       nullptr,
       {required("normal", direction(), "Normal of the planes at rest."), clamped}},
      {"line",
       "The nodes slide along lines that move with the frame.",
       nullptr,
       {required("direction", direction(), "Direction of the lines at rest.")}},
      {"soft",
       "A spring from each node to its place in the frame.",
       nullptr,
       {required("stiffness", number("N/m", 0, "a spring pulls back", true), "Stiffness at each node.")}}};
  return tree.add(std::move(type));
}

const Type& SceneTable::spring() {
  const Type& from = tree.object(
      {required("body", text(), "A body."),
       required("point", point(), "A point of it at rest; the nearest tet or triangle carries it.")});
  const Type& to = tree.object({optional("body", text(), "A body; without one the point is fixed in space."),
                                required("point", point(), "The point at rest.")});
  return tree.object(
      {required("from", from, "One end."), required("to", to, "The other end."),
       required("stiffness", number("N/m", 0, "a spring pulls back", true), "Force over length."),
       optional("rest_length", distance(), "Length without force; by default the distance at rest.")},
      "spring", "A straight spring.");
}

const Type& SceneTable::load() {
  Type ramp = tree.list(tree.object({required("time", number("s"), "When."),
                                     required("factor", number("1"), "Factor on the load.")}),
                        1, many);
  ramp.ascending = "time";
  Type type;
  type.kind = Type::Kind::by_word;
  type.name = "load";
  type.doc = "A load on a selection.";
  type.selector = "type";
  type.keys = {required("what", text(), "body.selection"),
               optional("name", text(), "By default that of the selection."),
               with_default("ramp", tree.add(std::move(ramp)), "Factor in time, linear in between.",
                            "[{\"time\":0,\"factor\":1}]")};
  type.variants = {{"force",
                    "A total force, in equal shares on the selected nodes.",
                    nullptr,
                    {required("value", vector("N"), "The total force.")}},
                   {"traction",
                    "A force per rest area of the selected faces, fixed in direction.",
                    nullptr,
                    {required("value", vector("Pa"), "Force per area.")}},
                   {"pressure",
                    "A pressure that follows the faces; positive pushes inwards.",
                    nullptr,
                    {required("value", number("Pa"), "The pressure.")}}};
  return tree.add(std::move(type));
}

const Type& SceneTable::wind() {
  Type keys = tree.list(tree.object({required("time", number("s"), "When."),
                                     required("velocity", vector("m/s"), "Velocity of the air.")}),
                        1, many);
  keys.ascending = "time";
  Type velocity;
  velocity.kind = Type::Kind::by_kind;
  velocity.variants = {{"", "three numbers", &vector("m/s")},
                       {"", "a list of keys, linear in between", &tree.add(std::move(keys))}};
  const Type& gusts = tree.object(
      {required("speed", number("m/s", 0, "a root mean square"),
                "Root mean square of what gusts add to the velocity."),
       with_default("length", length(), "The wavelength that they have about.", "1"),
       with_default("seed", count(0, 0x1p53, "a whole number"), "Another seed, other gusts.", "1")});
  return tree.object(
      {required("velocity", tree.add(std::move(velocity)), "Velocity of the air."),
       with_default("density", number("kg/m^3", 0, "air has mass"), "Density of the air.", "1.2"),
       with_default("drag", number("1", 0, "the air brakes"),
                    "Coefficient of the motion across a face: its force is drag density area "
                    "speed^2 / 2.",
                    "1"),
       with_default("friction", number("1", 0, "the air brakes"), "The same along the face.", "0"),
       optional("gusts", gusts, "Waves without divergence that drift with the wind."),
       optional("bodies", tree.list(text(), 1, 1000), "What it blows at; by default all shells.")},
      "wind",
      "The drag of air on what moves, in dynamic scenes. The mean velocity is the same "
      "everywhere: bodies do not shelter each other.");
}

const Type& SceneTable::probe() {
  return tree.object(
      {required("body", text(), "A body."),
       required("point", point(), "A point of it at rest; the nearest tet or triangle carries it.")},
      "probe", "A point that is followed.");
}

const Type& SceneTable::solve() {
  static constexpr std::string_view modes[] = {"quasistatic", "dynamic"};
  static constexpr std::string_view integrators[] = {"backward_euler", "bdf2"};
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const step::Method* method : step::methods()) list.push_back(method->name);
    return list;
  }();
  const bool newton = std::find(names.begin(), names.end(), "newton") != names.end();
  const std::string first = names.empty() ? "" : newton ? "newton" : std::string(names[0]);
  std::vector<Key> keys = {
      with_default("mode", choice(modes), "A sequence of equilibria, or motion with inertia.",
                   "\"quasistatic\""),
      with_default("method", choice(names), "Which method runs; the others' options are kept for comparison.",
                   json::quote(first)),
      with_default("integrator", choice(integrators), "Time integration of dynamic scenes.",
                   "\"backward_euler\""),
      with_default("tolerance",
                   tree.leaf({.name = "",
                              .kind = F::number,
                              .unit = "1",
                              .min = 0,
                              .max = 1,
                              .min_open = true,
                              .max_open = true,
                              .reason = "a residual relative to the forces"}),
                   "Residual over the norm of internal forces and loads.", "1e-6")};
  for (const step::Method* method : step::methods()) {
    std::vector<Key> options;
    for (const Field& field : method->fields) options.push_back(tree.key(field));
    const Type& type = tree.object(std::move(options), "method_" + std::string(method->name),
                                   std::string(method->title) + ". " + std::string(method->doc));
    keys.push_back(with_default(std::string(method->name), type, "Options of this method.", "{}"));
  }
  return tree.object(std::move(keys), "solve", "How the motion is computed.");
}

const Type& SceneTable::time() {
  static constexpr std::string_view automatic[] = {"auto"};
  Type substeps;
  substeps.kind = Type::Kind::by_kind;
  substeps.variants = {{"", "\"auto\"", &choice(automatic)},
                       {"", "a whole number", &count(1, 1e6, "at least one step a frame")}};
  return tree.object(
      {with_default("fps",
                    tree.leaf({.name = "",
                               .kind = F::number,
                               .unit = "1/s",
                               .min = 0,
                               .max = 1e9,
                               .min_open = true,
                               .reason = "the step is 1 / (fps substeps) and must be positive"}),
                    "Frames per second: frame k is time k / fps.", "30"),
       with_default("frames",
                    count(1, 1e7, "frame 0 is the start, so there is at least one frame to compute"),
                    "Frames after the start.", "1"),
       optional(
           "substeps", tree.add(std::move(substeps)),
           "Steps per frame. `\"auto\"`: one, and with the methods newton and hybrid in time as many as are "
           "needed: bodies turn and strain by at most about 0.5 in a step, and one that has not converged "
           "after "
           "50 iterations is taken in halves. By default `\"auto\"` in scenes with contact or colliders, "
           "else 1.")},
      "time", "In quasistatic scenes time is only the parameter of motions and ramps.");
}

const Type& SceneTable::output() {
  static const std::vector<std::string_view> fields = [] {
    std::vector<std::string_view> list;
    for (const measure::Quantity* q : measure::quantities())
      if (q->on == measure::Target::node || q->on == measure::Target::element) list.push_back(q->name);
    return list;
  }();
  static const std::vector<std::string_view> exports = [] {
    std::vector<std::string_view> list;
    for (const exporting::Exporter* exporter : exporting::exporters()) list.push_back(exporter->name);
    return list;
  }();
  Json initial = Json::list();
  for (std::string_view name : {"displacement", "stress", "strain", "von_mises", "det_F", "energy_density"})
    if (std::find(fields.begin(), fields.end(), name) != fields.end()) initial.add(name);
  return tree.object({with_default("export", tree.list(choice(exports), 0, 100),
                                   "Formats for other programs: `sinew export --list`.", "[\"pvd\"]"),
                      with_default("fields", tree.list(choice(fields), 0, 100),
                                   "Node and element quantities to write.", initial.compact()),
                      with_default("checkpoint_every", count(0, 1e7, "a number of frames"),
                                   "Frames between checkpoints; 0: only at the end.", "10")},
                     "output", "What is written.");
}

const Type& SceneTable::expectations() {
  const Type& item = tree.object(
      {optional("min", number(""), "At least this."), optional("max", number(""), "At most this."),
       optional("value", number(""), "This, within the tolerance."),
       optional("tolerance", number("", 0, "a distance"), "Largest distance to value."),
       optional("frame", count(0, 1e7, "a frame of the scene"), "When; by default at the last frame.")},
      "expect", "Bounds on one reading, in its SI unit.");
  Type map = tree.map(item);
  map.free_names = true;
  return tree.add(std::move(map));
}

const Type& scene_type() {
  static const SceneTable table = [] {
    SceneTable t;
    t.build();
    return t;
  }();
  return *table.tree.root;
}

}  // namespace sinew::scene
