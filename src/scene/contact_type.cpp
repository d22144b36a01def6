// The part of the scene's table about contact: "colliders", "contact" and "connect".
#include "scene/scene_table.h"

namespace sinew::scene {

const Type& SceneTable::between() { return tree.list(text(), 2, 2); }

const Type& SceneTable::collider_shape() {
  const Key centre = with_default("centre", point(), "Centre.", "[0,0,0]");
  const Key radius = required("radius", length(), "Radius.");
  const std::vector<Key> rod = {required("from", point(), "One end of the axis."),
                                required("to", point(), "The other end."), radius};
  Type type;
  type.kind = Type::Kind::by_key;
  type.name = "collider_shape";
  type.doc = "The shape of a collider in the world, at rest.";
  const auto shape = [&](std::string word, std::string doc, std::vector<Key> keys) {
    type.variants.push_back({std::move(word), std::move(doc), &tree.object(std::move(keys))});
  };
  shape("plane", "All that lies behind a plane.",
        {required("point", point(), "A point of the plane."),
         required("normal", direction(), "Normal of the plane, to the side where bodies are.")});
  shape("sphere", "A ball.", {centre, radius});
  shape("capsule", "All points within the radius of a segment.", rod);
  shape("cylinder", "A solid cylinder with flat ends.", rod);
  shape("box", "A block.",
        {required("size", extents(), "Edges along x, y and z."), centre,
         optional("rotate", turn(), "Turn about the centre.")});
  std::vector<Key> file = file_keys();
  for (Key& key : place_keys()) file.push_back(std::move(key));
  Type surface;
  surface.kind = Type::Kind::by_key;
  surface.name = "collider_mesh";
  surface.doc = "A closed triangle surface that faces outwards.";
  surface.variants.push_back({"file", mesh_files("A triangle surface", false),
                              &tree.leaf({.name = "", .kind = F::path}), std::move(file)});
  surface.variants.push_back({"memory", memory_doc, &text(), place_keys()});
  const Type& mesh = tree.add(std::move(surface));
  type.variants.push_back({"mesh", mesh.doc, &mesh});
  return tree.add(std::move(type));
}

const Type& SceneTable::collider() {
  static constexpr std::string_view responses[] = {"penalty", "project", "clamp"};
  return tree.object(
      {required("shape", collider_shape(), "What bodies cannot enter."),
       optional("motion", motion(), "Motion of the shape; without one it stays."),
       with_default("hollow", boolean(), "Bodies are kept inside the shape, as in a glass box.", "false"),
       with_default("response", choice(responses),
                    "`penalty`: forces that grow with depth. `project` and `clamp` (method pbng alone): "
                    "positions are corrected node by node; project takes away the part of a step that goes "
                    "inwards, clamp only what would end below the surface.",
                    "\"penalty\""),
       with_default("groups", tree.list(text(), 0, 100), "Names that `between` may use for several.", "[]")},
      "collider", "A rigid shape that bodies cannot enter. Colliders act without the key `contact` too.");
}

std::vector<Key> SceneTable::rule_keys() {
  return {optional("thickness",
                   tree.leaf({.name = "",
                              .kind = F::number,
                              .unit = "m",
                              .min = 0,
                              .max = far,
                              .reason = "a distance between surfaces"}),
                   "Distance at which the force begins; by default 0.1 of the mean surface edge (the smaller "
                   "one of the two) between bodies, less where edges are shorter than twice that or the two "
                   "start closer; 0 at colliders. Of sheets half of the thickness of each instead, also at "
                   "colliders."),
          optional("stiffness", number("N/m", 0, "contact pushes apart", true),
                   "Force over depth at a vertex; by default from material, mesh and time step.")};
}

const Type& SceneTable::contact() {
  static constexpr std::string_view overlaps[] = {"stop", "ignore", "separate"};
  static constexpr std::string_view responses[] = {"auto", "penalty"};
  const Type& friction = number("1", 0, "friction brakes");
  std::vector<Key> pair = {
      required("between", between(), "Two names of bodies, colliders or groups; `*`: all."),
      optional("contact", boolean(), "Whether the two touch at all."),
      optional("friction", friction, "Coulomb's coefficient.")};
  for (Key& key : rule_keys()) pair.push_back(std::move(key));
  std::vector<Key> keys = {with_default("friction", friction, "Coulomb's coefficient, of every pair.", "0")};
  for (Key& key : rule_keys()) keys.push_back(std::move(key));
  for (Key& key : std::vector<Key>{
           with_default("self", boolean(), "Bodies touch themselves.", "true"),
           with_default(
               "skins", boolean(),
               "Bodies with a closed skin touch with it; else with the surface of their elements, which "
               "may reach beyond the skin by a cell. Where tissue slides or a collider moves nodes back "
               "it is the latter.",
               "true"),
           with_default("continuous", boolean(),
                        "Surfaces of bodies never pass through each other, however fast they are.", "true"),
           with_default("overlap", choice(overlaps),
                        "Bodies that overlap at the start: `stop` refuses the scene, `ignore` lets what "
                        "overlaps there pass through each other, `separate` pushes it apart.",
                        "\"stop\""),
           with_default(
               "response", choice(responses),
               "`penalty`: forces that grow with depth. `auto`: the methods newton, hybrid and l_bfgs keep "
               "bodies "
               "apart by a barrier that nothing passes, unless a stiffness is given, `continuous` is "
               "false, tissue slides, or surfaces of skins touch at the start.",
               "\"auto\""),
           with_default("rounds", count(1, 1000, "contacts are found at least once"),
                        "Solves of an increment, at most, between which contacts are found anew.", "20"),
           with_default("pairs",
                        tree.list(tree.object(std::move(pair), "contact_pair",
                                              "What differs for some pairs. The rule is for every one of the "
                                              "first with every one of the second; a body with itself is "
                                              "self-contact. Later entries win."),
                                  0, 1000),
                        "Rules for some pairs.", "[]")})
    keys.push_back(std::move(key));
  return tree.object(std::move(keys), "contact",
                     "Contact of bodies with each other and with themselves: the key switches it on. What it "
                     "says is also for colliders.");
}

const Type& SceneTable::connection() {
  static constexpr std::string_view kinds[] = {"tied", "sliding"};
  return tree.object(
      {required("between", between(), "Two names of bodies or groups; all pairs of different bodies."),
       required("kind", choice(kinds),
                "`tied`: a vertex keeps its place on the other body. `sliding`: it keeps its distance to the "
                "other surface and slides along it."),
       required("distance", number("m", 0, "nothing is closer than 0", true),
                "Surface vertices this close to the other surface at rest are connected."),
       required("stiffness", number("N/m", 0, "tissue pulls back", true), "Stiffness at each vertex.")},
      "connect",
      "Connective tissue: springs without length from the surface vertices of each body to the surface of "
      "the "
      "other.");
}

}  // namespace sinew::scene
