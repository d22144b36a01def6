#include "element/kind.h"
#include "io/mesh_file.h"
#include "material/law.h"
#include "mesh/sheet_shapes.h"
#include "mesh/split.h"
#include "scene/scene_table.h"

namespace sinew::scene {

std::string SceneTable::mesh_files(const std::string& what, bool tets) {
  std::vector<std::string> formats;
  for (const io::MeshFormat* format : io::mesh_formats()) {
    if (tets ? !format->read_tets : !format->read_triangles) continue;
    std::string& text = formats.emplace_back(".");
    for (char c : format->extensions) text += c == ' ' ? std::string("/.") : std::string(1, c);
    text += " (" + std::string(format->name) + ")";
  }
  std::string list = what + ": ";
  for (size_t i = 0; i < formats.size(); ++i)
    list += (i == 0 ? "" : i + 1 < formats.size() ? ", " : " or ") + formats[i];
  return list + ".";
}

std::vector<Key> SceneTable::file_keys() {
  static constexpr std::string_view units[] = {"m", "cm", "mm", "in"}, axes[] = {"x", "y", "z"};
  return {with_default("unit", choice(units), "Unit of the file's coordinates.", "\"m\""),
          with_default("up", choice(axes), "Axis of the file that becomes y.", "\"y\"")};
}

std::vector<Key> SceneTable::place_keys() {
  return {with_default("scale",
                       tree.leaf({.name = "",
                                  .kind = F::number,
                                  .unit = "1",
                                  .min = 0,
                                  .max = far,
                                  .min_open = true,
                                  .reason = extent_reason}),
                       "Factor on the mesh, first.", "1"),
          optional("rotate", turn(), "Turn about the origin, second."),
          with_default("translate", point(), "Shift, last.", "[0,0,0]")};
}

const Type& SceneTable::mesh() {
  const Key split =
      with_default("split", choice(mesh::split_names()), "How each cell is cut into tets.", "\"five\"");
  const Key round_split =
      with_default("split", choice(mesh::split_names()), "How each cell is cut into tets.", "\"six\"");
  const Key start =
      with_default("start_degrees", number("degrees"), "Where the arc begins, from x towards y.", "0");
  const Key sweep = with_default("sweep_degrees",
                                 tree.leaf({.name = "",
                                            .kind = F::number,
                                            .unit = "degrees",
                                            .min = 0,
                                            .max = 360,
                                            .min_open = true,
                                            .reason = "a full circle is 360"}),
                                 "How far the arc goes.", "360");
  const Key centre = with_default("centre", point(), "Centre.", "[0,0,0]");
  Type type;
  type.kind = Type::Kind::by_key;
  type.name = "mesh";
  type.doc = "A built-in shape or a file. Shapes carry groups that can be selected by name.";
  const auto shape = [&](std::string word, std::string doc, std::vector<Key> keys) {
    type.variants.push_back({std::move(word), std::move(doc), &tree.object(std::move(keys))});
  };
  shape("box", "A block of cells. Groups: xmin xmax ymin ymax zmin zmax.",
        {with_default("size", extents(), "Edges along x, y and z.", "[1,1,1]"),
         required("cells", tree.list(cells(), 3, 3), "Cells along x, y and z."), split,
         with_default("origin", point(), "The lowest corner.", "[0,0,0]")});
  shape("ball", "A ball. Group: surface.",
        {required("radius", length(), "Radius."),
         required("cells", cells(3), "Cells across the diameter, at least 3."), round_split, centre});
  shape("ellipsoid", "An ellipsoid with axes x, y and z. Group: surface.",
        {required("radii", extents(), "Half axes along x, y and z."),
         required("cells", cells(3), "Cells across each diameter, at least 3."), round_split, centre});
  shape("cylinder", "A solid cylinder along z, from z = 0. Groups: side bottom top.",
        {required("radius", length(), "Radius."), required("length", length(), "Length."),
         required("cells", cells(3), "Cells across the diameter, at least 3."),
         required("layers", cells(), "Cells along the axis."), round_split});
  shape("tube",
        "A thick-walled tube along z, from z = 0, or a part of it. Groups: inner outer bottom top, and "
        "start end "
        "where the circle is not full.",
        {required("inner", length(), "Inner radius."), required("outer", length(), "Outer radius."),
         required("length", length(), "Length."), start, sweep,
         required("radial", cells(), "Cells through the wall."),
         required("around", cells(), "Cells along the arc."),
         required("layers", cells(), "Cells along the axis."), round_split});
  shape("torus",
        "A ring about z, or a part of it. Groups: surface, and start end where the circle is not full.",
        {required("major", length(), "Radius of the circle along the middle of the ring."),
         required("minor", length(), "Radius of the section, less than `major`."), start, sweep,
         required("cells", cells(3), "Cells across the diameter of the section, at least 3."),
         required("around", cells(), "Cells along the arc."), round_split, centre});
  shape("capsule",
        "A cylinder along z between two half balls. Groups: surface, and its parts bottom_cap side top_cap.",
        {required("radius", length(), "Radius."),
         required("length", length(), "Distance between the centres of the caps."),
         required("cells", cells(4), "Cells across the diameter: an even number, at least 4."),
         required("layers", cells(), "Cells along the cylinder."), round_split, centre});
  shape("sheet", "A thin slab, [0, thickness] in z. Groups: xmin xmax ymin ymax bottom top.",
        {required("size", tree.list(length(), 2, 2), "Edges along x and y."),
         required("thickness", length(), "Thickness."),
         required("cells", tree.list(cells(), 2, 2), "Cells along x and y."),
         with_default("layers", cells(), "Cells through the thickness.", "1"), split,
         with_default("origin", point(), "The lowest corner.", "[0,0,0]")});
  shape("shell",
        "A thick hollow ball, or its octant x, y, z >= 0. Groups: inner outer, and xmin ymin zmin for the "
        "octant.",
        {required("inner", length(), "Inner radius."), required("outer", length(), "Outer radius."),
         with_default("octant", boolean(), "Only the octant x, y, z >= 0.", "false"),
         required("radial", cells(), "Cells through the wall."),
         required("across", cells(), "Cells along each side of a patch."), round_split});
  shape("lattice",
        "A solid made by set operations, filled with the tets of a body-centred cubic lattice that is cut at "
        "the surface. Sharp edges are rounded at the scale of a cell, unless they run along planes of the "
        "lattice, which starts at the low corner of the solid; what is thinner than a cell may get holes or "
        "vanish. Group: surface.",
        {required("cell", length(), "Edge of the cubes of the lattice; tets have edges of 0.87 and 1 of it."),
         required("solid", solid(), "The solid.")});
  std::vector<Key> keys = file_keys();
  keys.push_back(
      optional("skin", tree.leaf({.name = "", .kind = F::path}),
               "A surface that the tets carry, shown and exported in their place: what `sinew mesh "
               "--embedding` wrote beside the mesh."));
  type.variants.push_back(
      {"file", mesh_files("A tet mesh", true), &tree.leaf({.name = "", .kind = F::path}), std::move(keys)});
  type.variants.push_back({"surface",
                           mesh_files("Tets around a closed surface, which may cross itself", false),
                           &tree.leaf({.name = "", .kind = F::path}), grid_keys()});
  type.variants.push_back({"memory", memory_doc, &text()});
  return tree.add(std::move(type));
}

// The keys of the mesher; one of cell, cells and tets is given, or none.
std::vector<Key> SceneTable::grid_keys() {
  const Type& many_elements = count(1, 2e9, "ids have 32 bits");
  std::vector<Key> keys = file_keys();
  keys.push_back(optional("cell", length(),
                          "Edge of the cubes that are cut into tets, before `place`. Without `cell`, `cells` "
                          "and `tets` one is chosen for about 20,000 tets."));
  keys.push_back(optional("cells", many_elements, "Instead of `cell`: as many cubes, within 10 %."));
  keys.push_back(optional("tets", many_elements, "Instead of `cell`: as many tets, within 10 %."));
  keys.push_back(with_default("coarsen", count(0, 8, "each level halves the cells that topology is found on"),
                              "What is joined and what is not is found on cells 2^coarsen times smaller.",
                              "0"));
  keys.push_back(
      with_default("winding", boolean(),
                   "For open surfaces: the inside is where the surface winds around a point by more "
                   "than one half. Parts that overlap are then one.",
                   "false"));
  keys.push_back(
      with_default("repair", boolean(),
                   "Small holes are closed, triangles turned, walls, fins and sheets left out; what "
                   "cannot be closed goes by its winding number.",
                   "true"));
  static constexpr std::string_view all[] = {"all"};
  Type joined;
  joined.kind = Type::Kind::by_kind;
  joined.variants = {{"", "\"all\"", &choice(all)},
                     {"", "a list of pairs of names", &tree.list(between(), 1, 1000)}};
  keys.push_back(
      optional("joined", tree.add(std::move(joined)),
               "Parts of the surface that are stuck into each other and shall hold together: pairs of "
               "groups, such as `[[\"eye_l\", \"head\"]]`, or `\"all\"` that meet. Others come loose."));
  return keys;
}

const Type& SceneTable::solid() {
  const Key centre = with_default("centre", point(), "Centre.", "[0,0,0]");
  const Key rotate = optional("rotate", turn(), "Turn about the centre.");
  const Key radius = required("radius", length(), "Radius.");
  Type& type = tree.add({});
  type.kind = Type::Kind::by_key;
  type.name = "solid";
  type.doc = "A solid for the mesh `lattice`. At most 1000 items in all, nested at most 16 deep.";
  const auto simple = [&](std::string word, std::string doc, std::vector<Key> keys) {
    type.variants.push_back({std::move(word), std::move(doc), &tree.object(std::move(keys))});
  };
  simple("ball", "A ball.", {radius, centre});
  simple("ellipsoid", "An ellipsoid.",
         {required("radii", extents(), "Half axes along x, y and z."), centre, rotate});
  simple("box", "A block.", {required("size", extents(), "Edges along x, y and z."), centre, rotate});
  simple("cylinder", "A cylinder along z.",
         {radius, required("length", length(), "Length."), centre, rotate});
  simple("capsule", "A cylinder along z between two half balls.",
         {radius, required("length", length(), "Distance between the centres of the caps."), centre, rotate});
  simple("torus", "A ring about z.",
         {required("major", length(), "Radius of the circle along the middle of the ring."),
          required("minor", length(), "Radius of the section, less than `major`."), centre, rotate});
  simple("half_space", "All points on one side of a plane. The whole must be bounded by something else.",
         {required("point", point(), "A point of the plane."),
          required("normal", direction(), "Normal of the plane, away from the solid.")});
  type.variants.push_back({"union", "In any of these.", &tree.list(type, 1, 1000)});
  type.variants.push_back({"intersection", "In all of these.", &tree.list(type, 1, 1000)});
  type.variants.push_back(
      {"difference", "In the first, but in none of the others.", &tree.list(type, 2, 1000)});
  return type;
}

const Type& SceneTable::material() {
  Type type;
  type.kind = Type::Kind::by_word;
  type.name = "material";
  type.doc =
      "The law of the body. A number may also be `{\"field\": name}`: one value for each tet or triangle, "
      "from the "
      "mesh "
      "file.";
  type.selector = "model";
  type.keys = {
      optional("where", text(), "Selection that this entry is for, in a list of materials."),
      with_default("add", boolean(),
                   "In a list of materials: this one adds to the earlier ones, it does not replace them.",
                   "false")};
  for (const material::Law* law : material::laws()) {
    Variant variant;
    variant.word = law->name;
    variant.doc = std::string(law->title) + ": psi = " + std::string(law->formula) + ". " +
                  std::string(law->source) + "." +
                  (!law->for_solids()      ? " Shells only."
                   : !law->for_membranes() ? " Solids only."
                                           : "");
    for (const Field& field : law->fields) {
      variant.keys.push_back(tree.key(field));
      if (field.kind == F::number || field.kind == F::vector3) or_field(*variant.keys.back().type);
    }
    type.variants.push_back(std::move(variant));
  }
  return tree.add(std::move(type));
}

const Type& SceneTable::selection() {
  Type& type = tree.add({});
  type.kind = Type::Kind::by_key;
  type.name = "selection";
  type.doc =
      "A set of nodes of one body at rest. Where elements are meant (materials), those whose centre lies "
      "inside; "
      "where faces are meant (traction, pressure), surface triangles with all corners selected.";
  type.variants = {
      {"box", "Points between two corners, both included.", &tree.list(point(), 2, 2)},
      {"sphere", "Points inside a sphere.",
       &tree.object({required("centre", point(), "Centre."), required("radius", length(), "Radius.")})},
      {"plane", "Points near a plane.",
       &tree.object({required("point", point(), "A point of the plane."),
                     required("normal", direction(), "Normal of the plane."),
                     with_default("tolerance", distance(), "Distance still taken.", "1e-6")})},
      {"group",
       "A vertex or element group of the mesh. Where both have the name, the first is for nodes and the "
       "second for elements.",
       &text()},
      {"near", "Points close to the surface of another body, or of a collider where it is at time 0.",
       &tree.object({optional("body", text(), "The other body."),
                     optional("collider", text(), "The collider, in place of a body."),
                     required("distance", distance(), "Distance still taken.")})},
      {"all", "Every point.", &only_true()},
      {"surface", "Points of the boundary.", &only_true()},
      {"union", "In any of these.", &tree.list(type, 1, 1000)},
      {"intersection", "In all of these.", &tree.list(type, 1, 1000)},
      {"not", "Everything else.", &type}};
  return type;
}

const Type& SceneTable::only_true() {
  return tree.leaf({.name = "", .kind = F::boolean, .min = 1, .reason = "leave the key out otherwise"});
}

const Type& SceneTable::initial() {
  Type positions;
  positions.kind = Type::Kind::by_key;
  static constexpr std::string_view axes[] = {"x", "y", "z"};
  const auto plane = [&] {
    return std::vector<Key>{required("axis", choice(axes), "Axis normal to the plane."),
                            required("at", coordinate(), "Where the plane cuts the axis.")};
  };
  positions.variants = {
      {"scatter", "Every node at random in a cube around the body.",
       &tree.object({with_default("factor",
                                  tree.leaf({.name = "",
                                             .kind = F::number,
                                             .unit = "1",
                                             .min = 0,
                                             .max = 1e6,
                                             .reason = "edge of the cube over the body's extent"}),
                                  "Edge of the cube over the largest extent of the body.", "10"),
                     with_default("seed", count(0, 0x1p53, "a whole number"),
                                  "Another seed, another scatter.", "1")})},
      {"flat", "Projected onto a plane.", &tree.object(plane())},
      {"collapse", "All nodes at one point.", &tree.object({required("point", point(), "The point.")})},
      {"mirror", "Mirrored at a plane.", &tree.object(plane())},
      {"affine", "x = matrix X + translate.",
       &tree.object(
           {required("matrix",
                     tree.list(tree.leaf({.name = "", .kind = F::vector3, .min = -far, .max = far}), 3, 3),
                     "Three rows."),
            with_default("translate", point(), "Shift.", "[0,0,0]")})}};
  const Type& by_key = tree.add(std::move(positions));
  const Type& spin = tree.object(
      {required("axis", direction(), "Direction of the axis."),
       required("degrees_per_second", number("degrees/s"), "Angular velocity."),
       optional("about", point(), "A point of the axis; by default the centre of the body's bounding box.")});
  return tree.object({optional("positions", by_key, "Where the nodes start, in place of the rest shape."),
                      with_default("velocity", vector("m/s"), "Velocity of every node.", "[0,0,0]"),
                      optional("spin", spin, "A rigid rotation added to the velocity.")},
                     "initial", "How a body starts. Held nodes start where they are held.");
}

const Type& SceneTable::body() {
  static constexpr std::string_view parts[] = {"all", "largest"};
  static const std::vector<std::string_view> element_kinds = [] {
    std::vector<std::string_view> names;
    for (const element::Kind* kind : element::kinds())
      if (kind->dimension == 3) names.push_back(kind->name);
    return names;
  }();
  std::string about_kinds;
  for (std::string_view name : element_kinds)
    about_kinds.append(about_kinds.empty() ? "`" : " `")
        .append(name)
        .append("`: ")
        .append(element::find_kind(name)->doc);
  const Type& one = material();
  Type materials;
  materials.kind = Type::Kind::by_kind;
  materials.variants = {{"", "an object with the key \"model\"", &one},
                        {"", "a list of such", &tree.list(one, 1, 1000)}};
  const Type& either = tree.add(std::move(materials));
  const Type& density = or_field(tree.leaf({.name = "",
                                            .kind = F::number,
                                            .unit = "kg/m^3",
                                            .min = 0,
                                            .min_open = true,
                                            .reason = "mass must be positive for inertia and weight"}));
  const Type& damping = tree.object(
      {with_default("mass", number("1/s", 0, "negative damping adds energy"), "Rayleigh's alpha.", "0"),
       with_default("stiffness", number("s", 0, "negative damping adds energy"),
                    "Rayleigh's beta, on the stiffness at the start of a step. It brakes fast rotations too.",
                    "0")});
  Type type;
  type.kind = Type::Kind::by_word;
  type.name = "body";
  type.doc = "An elastic body.";
  type.selector = "type";
  type.selector_initial = "solid";
  type.keys = {
      optional("place", tree.object(place_keys()),
               "Where the mesh stands in the world: at most 4.5e7 mean edges from the origin, where "
               "positions still have the "
               "digits of a deformation."),
      required(
          "material", either,
          "One law for all elements, or a list of which each element takes the last entry that matches it."),
      with_default("density", density, "Mass per rest volume.", "1000"),
      with_default("damping", damping, "Rayleigh damping, in dynamic scenes.", "{}"),
      with_default("select", tree.map(selection()),
                   "Named selections. The groups of the mesh, `all` and `surface` need no entry.", "{}"),
      with_default("groups", tree.list(text(), 0, 100),
                   "Names that contact and connective tissue may use for several bodies.", "[]"),
      optional("initial", initial(), "How the body starts.")};
  type.variants = {
      {"solid",
       "Filled with tets.",
       nullptr,
       {required("mesh", mesh(), "The rest shape."),
        with_default("parts", choice(parts),
                     "Of a mesh in several parts that share no vertex: all, or the one with the largest "
                     "volume alone.",
                     "\"all\""),
        with_default("elements", choice(element_kinds), about_kinds,
                     "\"" + std::string(element::default_kind().name) + "\"")}},
      {"shell", "A sheet of triangles: cloth, skin, paper, a thin wall.", nullptr, shell_keys()}};
  return tree.add(std::move(type));
}

std::vector<Key> SceneTable::shell_keys() {
  static constexpr std::string_view rests[] = {"positions", "texture"}, rest_angles[] = {"as_is", "flat"};
  const Type& stiffness = number("N m", 0, "a sheet without has \"model\": \"none\"", true);
  const auto rigidity = [&](std::string_view instead) {
    return optional("stiffness", stiffness,
                    "Bending moment over curvature and width, in place of that of a plate of the material, "
                    "E t^3 / (12 (1 - nu^2)). " +
                        std::string(instead));
  };
  const Key angles =
      optional("rest", choice(rest_angles),
               "`as_is`: no moments where the mesh is at rest. `flat`: none where it is flat. By default "
               "`as_is`, and `flat` with \"rest\": \"texture\".");
  Type bending;
  bending.kind = Type::Kind::by_word;
  bending.name = "bending";
  bending.doc = "How a shell resists bending.";
  bending.selector = "model";
  bending.selector_initial = "shell";
  bending.variants = {
      {"shell",
       "By the turn of the normals at the middle of the edges, one unknown for each edge. Under refinement "
       "it "
       "becomes the plate of the theory on every mesh.",
       nullptr,
       {rigidity(""), angles}},
      {"hinge",
       "By the angles between triangles. Cheaper, and its stiffness depends on the mesh: see docs/shells.md.",
       nullptr,
       {rigidity("Without \"weighted\" that of each hinge [N m]."), angles,
        with_default("weighted", boolean(),
                     "By the lengths of the edges and the areas of the triangles; else all hinges are alike.",
                     "true")}},
      {"none", "Not at all.", nullptr, {}}};
  return {
      required("mesh", shell_mesh(), "The triangles."),
      required("thickness", length(), "Thickness at rest."),
      with_default("fixed_thickness", boolean(),
                   "The thickness stays as it is. Else no stress acts across: plane stress.", "false"),
      with_default("rest", choice(rests),
                   "What is at rest: the triangles as they are in space, or as flat patterns in their "
                   "texture coordinates, in metres.",
                   "\"positions\""),
      with_default("seams", tree.list(tree.list(text(), 2, 2), 0, 1000),
                   "Borders that are sewn together: pairs of vertex groups of the mesh. Vertices become one, "
                   "pair by pair along the borders; rest shapes stay as they are.",
                   "[]"),
      with_default("warp", direction(),
                   "The first axis of the material, as far as it lies in a triangle. With \"rest\": "
                   "\"texture\" a direction of the patterns: x is u, y is v.",
                   "[1,0,0]"),
      with_default("bending", tree.add(std::move(bending)), "How it resists bending.", "{}")};
}

const Type& SceneTable::shell_mesh() {
  Type type;
  type.kind = Type::Kind::by_key;
  type.name = "shell_mesh";
  type.doc =
      "The triangles of a shell: a built-in shape or a file. Shapes carry groups that can be selected by "
      "name.";
  const Key pattern = with_default("pattern", choice(mesh::pattern_names()),
                                   "How cells are cut into triangles.", "\"alternating\"");
  const Key jitter = with_default(
      "jitter",
      tree.leaf({.name = "",
                 .kind = F::number,
                 .unit = "1",
                 .min = 0,
                 .max = 0.3,
                 .reason = "triangles must not turn over"}),
      "Vertices inside are moved along the surface at random, by at most this share of their shortest edge.",
      "0");
  const Key quarter = with_default("quarter", boolean(), "Only the quarter x, y >= 0.", "false");
  const auto shape = [&](std::string word, std::string doc, std::vector<Key> keys) {
    keys.push_back(jitter);
    type.variants.push_back({std::move(word), std::move(doc), &tree.object(std::move(keys))});
  };
  const Type& angle = tree.leaf({.name = "",
                                 .kind = F::number,
                                 .unit = "degrees",
                                 .min = 0,
                                 .max = 180,
                                 .reason = "the axis on the other side is 180"});
  shape("grid",
        "A rectangle [0, size] in x and y, facing z. Groups: xmin xmax ymin ymax, and the corners xmin_ymin "
        "xmax_ymin xmin_ymax xmax_ymax.",
        {with_default("size", tree.list(length(), 2, 2), "Edges along x and y.", "[1,1]"),
         required("cells", tree.list(cells(), 2, 2), "Cells along x and y."), pattern});
  shape(
      "disc",
      "A disc about the origin, facing z, in rings of nearly equilateral triangles. Groups: border, centre "
      "or inner; xmin ymin of a quarter; start end of a slit one.",
      {with_default("inner", distance(), "Radius of the hole.", "0"), required("outer", length(), "Radius."),
       required("cells", cells(), "Rings from the centre or the hole to the border."), quarter,
       with_default("slit", boolean(), "Cut open along x; with a hole alone.", "false")});
  shape(
      "tube_surface",
      "The surface of a tube along z, from z = 0, or a part of it, facing outwards. Groups: bottom top, and "
      "start end where the circle is not full.",
      {required("radius", length(), "Radius."), required("length", length(), "Length."),
       with_default("start_degrees", number("degrees"), "Where the arc begins, from x towards y.", "0"),
       with_default("sweep_degrees",
                    tree.leaf({.name = "",
                               .kind = F::number,
                               .unit = "degrees",
                               .min = 0,
                               .max = 360,
                               .min_open = true,
                               .reason = "a full circle is 360"}),
                    "How far the arc goes.", "360"),
       required("around", cells(), "Cells along the arc."),
       required("along", cells(), "Cells along the axis."), pattern});
  shape("sphere",
        "A closed sphere about the origin, facing outwards: the faces of an icosahedron, cut into cells^2 "
        "triangles each. Groups: bottom top.",
        {required("radius", length(), "Radius."), required("cells", cells(), "Cells along each edge.")});
  shape("cap",
        "A part of a sphere about the origin, facing outwards, between two angles from the z axis. Groups: "
        "border, centre or inner; xmin ymin of a quarter.",
        {required("radius", length(), "Radius."),
         with_default("hole_degrees", angle, "Angle of the hole.", "0"),
         with_default("opening_degrees", angle, "Angle of the border.", "90"),
         required("cells", cells(), "Rings from the axis or the hole to the border."), quarter});
  std::vector<Key> keys = file_keys();
  keys.push_back(with_default("texture_unit",
                              tree.leaf({.name = "",
                                         .kind = F::number,
                                         .unit = "m",
                                         .min = 0,
                                         .max = far,
                                         .min_open = true,
                                         .reason = extent_reason}),
                              "Length of a unit of the texture coordinates, for \"rest\": \"texture\".",
                              "1"));
  type.variants.push_back({"file", mesh_files("A triangle mesh", false),
                           &tree.leaf({.name = "", .kind = F::path}), std::move(keys)});
  type.variants.push_back({"memory", memory_doc, &text()});
  return tree.add(std::move(type));
}

}  // namespace sinew::scene
