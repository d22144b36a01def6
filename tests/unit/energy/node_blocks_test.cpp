#include "energy/node_blocks.h"

#include <gtest/gtest.h>
#include <set>

#include "energy/node_local.h"
#include "material/isotropic.h"
#include "mesh/colouring.h"
#include "mesh/shapes.h"
#include "mesh/solid.h"
#include "model/dof_map.h"
#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;
using math::PackD;
using math::PackF;

// ---- Colours ----

std::vector<int32_t> flat_nodes(std::span<const std::array<int32_t, 4>> tets) {
  std::vector<int32_t> nodes;
  for (const auto& tet : tets) nodes.insert(nodes.end(), tet.begin(), tet.end());
  return nodes;
}

void expect_no_stencil_has_a_colour_twice(const Stencils& list, std::span<const int32_t> colour) {
  for (size_t first = 0; first < list.nodes.size(); first += list.width)
    for (int a = 0; a < list.width; ++a)
      for (int b = 0; b < a; ++b) {
        const int32_t na = list.nodes[first + a], nb = list.nodes[first + b];
        if (na >= 0 && nb >= 0 && na != nb) {
          ASSERT_NE(colour[na], colour[nb]) << na << ", " << nb;
        }
      }
}

int32_t count_of(std::span<const int32_t> colours) {
  return *std::max_element(colours.begin(), colours.end()) + 1;
}

void expect_five_colours(int32_t nodes_a_side) {
  const int32_t cells = nodes_a_side - 1;
  const auto mesh = mesh::make_box({.cells = {cells, cells, cells}, .split = mesh::Split::five});
  const std::vector<int32_t> nodes = flat_nodes(mesh->elements);
  const Stencils stencils{4, nodes};
  const auto colour = colour_nodes({&stencils, 1}, static_cast<int64_t>(mesh->vertices.size()));
  EXPECT_EQ(count_of(colour), 5);
  expect_no_stencil_has_a_colour_twice(stencils, colour);
  const std::set<int32_t> used(colour.begin(), colour.end());
  EXPECT_EQ(used.size(), 5u);
}

TEST(NodeColours, LatticesOfFiveTetsACellNeedFive) {
  expect_five_colours(16);
  expect_five_colours(32);
  expect_five_colours(64);
}

// Elements that share a node, as methods that move one element at a time colour them.
TEST(NodeColours, FewerThanColoursOfElements) {
  std::vector<mesh::TetMesh> meshes;
  for (mesh::Split split : {mesh::Split::five, mesh::Split::six})
    meshes.push_back(*mesh::make_box({.cells = {9, 8, 7}, .split = split}));
  meshes.push_back(*mesh::make_ball({.cells = 8}));
  meshes.push_back(*mesh::make_cylinder({.cells = 6, .layers = 5}));
  for (const mesh::TetMesh& mesh : meshes) {
    const auto count = static_cast<int64_t>(mesh.vertices.size());
    const std::vector<int32_t> nodes = flat_nodes(mesh.elements);
    const Stencils stencils{4, nodes};
    const auto colour = colour_nodes({&stencils, 1}, count);
    expect_no_stencil_has_a_colour_twice(stencils, colour);
    const auto of_elements = mesh::colour_chunks<4>(mesh.elements, count, 1);
    EXPECT_LT(count_of(colour), static_cast<int32_t>(of_elements.colours.size()));
    EXPECT_LE(count_of(colour), 16);
  }
}

TEST(NodeColours, LinksAndIsolatedNodesCount) {
  model::Model model = block("neo_hookean", {.cells = {3, 3, 3}});
  const auto nodes = static_cast<int32_t>(model.X.size());
  for (int32_t i = 0; i < 20; ++i)  // far apart in the mesh
    add_link(model, model::Site::at_node(i), model::Site::at_node(nodes - 1 - i), 1, 1);
  model.X.push_back({5, 5, 5});
  const Terms terms = make_terms(model);
  std::vector<Stencils> stencils;
  for (const auto& term : terms)
    if (term->stencils().width > 0) stencils.push_back(term->stencils());
  ASSERT_EQ(stencils.size(), 2u);
  const auto colour = colour_nodes(stencils, nodes + 1);
  for (const Stencils& list : stencils) expect_no_stencil_has_a_colour_twice(list, colour);
  EXPECT_EQ(colour[nodes], 0);
}

TEST(NodeColours, ANodeOnBothSidesOfALinkIsNoConflict) {
  const std::vector<int32_t> nodes = {0, 1, 0, -1};
  const Stencils stencils{4, nodes};
  EXPECT_EQ(colour_nodes({&stencils, 1}, 3), (std::vector<int32_t>{0, 1, 0}));
}

// ---- Colours with stencils that come and go ----

// A lattice, and random stencils of four of its nodes in each of some rounds, as contacts would be.
TEST(NodeColours, WithMoreStencilsNeighboursDifferAndWhoCanKeepsItsColour) {
  const auto mesh = mesh::make_box({.cells = {8, 8, 8}, .split = mesh::Split::five});
  ASSERT_TRUE(mesh);
  const std::vector<int32_t> nodes = flat_nodes(mesh->elements);
  const Stencils tets{4, nodes};
  const auto count = static_cast<int32_t>(mesh->vertices.size());
  const NodeStencils stencils({tets}, count);
  const NodeColours base(stencils);
  EXPECT_EQ(base.colours(), colour_nodes({&tets, 1}, count));
  const math::Random random(26);
  for (int round = 0; round < 20; ++round) {
    std::vector<int32_t> added;
    for (int k = 0; k < 4 * 10 * round; ++k)
      added.push_back(random.uniform(1000 * round + k) < 0.1
                          ? -1
                          : static_cast<int32_t>(random.bits(100000 + 1000 * round + k) % count));
    const Stencils contacts{4, added};
    const NodeColours::Moved moved = base.with(contacts);
    EXPECT_EQ(moved.nodes, base.with(contacts).nodes);
    EXPECT_TRUE(std::is_sorted(moved.nodes.begin(), moved.nodes.end()));
    std::vector<int32_t> colour = base.colours();
    const int32_t first_new = 1 + *std::max_element(colour.begin(), colour.end());
    for (size_t m = 0; m < moved.nodes.size(); ++m) colour[moved.nodes[m]] = first_new + moved.colours[m];
    expect_no_stencil_has_a_colour_twice(tets, colour);
    expect_no_stencil_has_a_colour_twice(contacts, colour);
    // Whoever moved shares an added stencil with a lower node that kept the same colour.
    for (int32_t node : moved.nodes) {
      bool forced = false;
      for (size_t k = 0; k < added.size(); ++k)
        if (added[k] == node)
          for (size_t j = k / 4 * 4; j < k / 4 * 4 + 4; ++j)
            forced |= added[j] >= 0 && added[j] < node && base.colours()[added[j]] == base.colours()[node] &&
                      colour[added[j]] == base.colours()[added[j]];
      EXPECT_TRUE(forced) << node;
    }
    EXPECT_EQ(moved.nodes.empty(), round == 0);
  }
}

// ---- Blocks ----

TEST(NodeBlocks, EveryFreeNodeWithWorkOnceInItsColourAndPlacesLeftRepeatTheLast) {
  const int32_t count = 403;
  std::vector<int32_t> colours(count), work(count), block_of_node(count);
  const math::Random random(2);
  for (int32_t i = 0; i < count; ++i) {
    colours[i] = static_cast<int32_t>(random.bits(3 * i) % 5);
    if (colours[i] == 3) colours[i] = 4;  // a colour without nodes
    work[i] = static_cast<int32_t>(random.bits(3 * i + 1) % 30);
    block_of_node[i] = random.uniform(3 * i + 2) < 0.2 ? -1 : i;
  }
  for (int lanes : {8, 16}) {
    const NodeBlocks blocks = make_node_blocks(colours, work, block_of_node, lanes, nullptr);
    std::vector<int> seen(count, 0);
    EXPECT_EQ(blocks.colour_begin.back(), blocks.count());
    for (int64_t c = 0; c < blocks.colours(); ++c) {
      int32_t last_work = 1 << 30, last_node = -1;
      for (int64_t b = blocks.colour_begin[c]; b < blocks.colour_begin[c + 1]; ++b)
        for (int l = 0; l < lanes; ++l) {
          const int32_t node = blocks.of(b)[l];
          EXPECT_EQ(colours[node], c);
          if (l >= blocks.used[b]) {
            EXPECT_EQ(b + 1, blocks.colour_begin[c + 1]);
            EXPECT_EQ(node, blocks.of(b)[blocks.used[b] - 1]);
            continue;
          }
          ++seen[node];
          EXPECT_TRUE(work[node] < last_work || (work[node] == last_work && node > last_node));
          last_work = work[node], last_node = node;
        }
    }
    for (int32_t i = 0; i < count; ++i) EXPECT_EQ(seen[i], block_of_node[i] >= 0 && work[i] > 0) << i;
  }
}

// ---- Visitors ----

std::shared_ptr<const NodeStencils> stencils_around(const Stencils& stencils, int64_t count) {
  return std::make_shared<const NodeStencils>(std::vector{stencils}, count);
}

// Sums of a term's visitor at every free node, beside the term's own gradient there; and the visitor's energies: their
// difference after a move of one node is that of the term.
template <class T>
void expect_visitor_gives_the_term(const model::Model& model, const Term& term, std::span<const Vec3d> x,
                                   std::span<const double> inputs, double tolerance) {
  using S = math::ScalarOf<T>;
  constexpr int lanes = math::lanes_of<T>;
  const auto count = static_cast<int64_t>(model.X.size());
  const Stencils stencils = term.stencils();
  const model::DofMap dofs(model);
  const std::vector<int32_t> colour = colour_nodes({&stencils, 1}, count), work(count, 1);
  const NodeBlocks blocks =
      make_node_blocks(colour, work, dofs.block_of_node(), lanes, stencils_around(stencils, count));
  const auto visitor = dynamic_cast<const NodeLocal&>(term).visitor(blocks, false, T{});
  ASSERT_TRUE(visitor);
  EXPECT_GT(visitor->bytes(), 0);

  std::vector<S> padded(4 * count, S(0));
  std::vector<Vec3d> rounded(count);
  for (int64_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) rounded[i][k] = padded[4 * i + k] = static_cast<S>(x[i][k]);
  std::vector<Vec3d> gradient(count, Vec3d{0, 0, 0});
  const double energy = term.evaluate({rounded, inputs}, gradient).value;
  double size = 0;
  for (const Vec3d& g : gradient) size = std::max(size, norm(g));

  const Vec3d move = {0.01, -0.02, 0.015};
  for (int64_t b = 0; b < blocks.count(); ++b) {
    math::Vec3<T> x0, moved;
    for (int k = 0; k < 3; ++k) {
      x0[k] = T::generate([&](int l) { return padded[4 * blocks.of(b)[l] + k]; });
      moved[k] = x0[k] + T(move[k]);
    }
    material::NodeSums<T> sums{math::Vec3<T>::zero(), {}};
    for (T& entry : sums.block) entry = T(0);
    const NodeView<T> view{padded.data(), inputs};
    visitor->add(view, b, x0, sums);
    const T here = visitor->energy(view, b, x0), there = visitor->energy(view, b, moved);
    for (int l = 0; l < blocks.used[b]; ++l) {
      const int32_t node = blocks.of(b)[l];
      const Vec3d found = {sums.gradient[0][l], sums.gradient[1][l], sums.gradient[2][l]};
      ASSERT_LT(norm(found - gradient[node]), tolerance * size) << "node " << node;
      ASSERT_GE(sums.block[0][l], 0);
      if (sizeof(S) < 8) continue;
      std::vector<Vec3d> other = rounded;
      other[node] += move;
      const double change = term.evaluate({other, inputs}, {}).value - energy;
      ASSERT_NEAR(there[l] - here[l], change, 1e-11 * std::abs(energy) + 1e-9 * std::abs(change)) << node;
    }
  }
}

void expect_visitors_give_the_terms(const model::Model& model, std::string_view name, double time = 0) {
  const auto inputs = inputs_at(model, time);
  const Terms terms = terms_named(model, name);
  ASSERT_FALSE(terms.empty());
  for (const auto& term : terms) {
    expect_visitor_gives_the_term<PackD>(model, *term, deformed(model), inputs, 1e-11);
    expect_visitor_gives_the_term<PackF>(model, *term, deformed(model), inputs, 3e-4);
  }
}

class TetVisitors : public testing::TestWithParam<const material::Law*> {};

TEST_P(TetVisitors, GiveTheGradientAndTheEnergyOfTheTerm) {
  model::Model model;
  const int32_t a = add_block(model), b = add_block(model, {.cells = {2, 3, 2}, .jitter = 0});
  add_set(model, a, *GetParam());
  add_set(model, b, *GetParam(), 3e4, 0.35);
  add_set(model, b, *GetParam(), 2e4, 0.2, 3);  // every third tet carries a second set of the same law
  for (const material::Law* law : {material::find_law("neo_hookean"), material::find_law("muscle")})
    add_set(model, a, *law, 1e4, 0.3, 2);
  expect_visitors_give_the_terms(model, "elastic");
}

// Every number varies from tet to tet, fibres too.
TEST_P(TetVisitors, ParametersPerTet) {
  model::Model model;
  add_set(model, add_block(model), *GetParam());
  const math::Random random(9);
  const size_t tets = model.elements.size();
  uint64_t f = 0;
  for (model::ParamField& field : model.params.material[0]) {
    const double value = field.values[0];
    field.values.resize(tets);
    for (size_t t = 0; t < tets; ++t)
      field.values[t] = value * random.stream(f).uniform(t, 0.9, value == 1 ? 1.0 : 1.1);
    ++f;
  }
  expect_visitors_give_the_terms(model, "elastic");
}

// Also where rest shapes are shared, and beside a body whose tets are whole.
TEST_P(TetVisitors, CoveredInPart) {
  model::Model model;
  add_set(model, add_block(model), *GetParam());
  add_set(model, add_block(model, {.cells = {4, 4, 4}, .jitter = 0, .split = mesh::Split::five}),
          *GetParam());
  cover_in_part(model);
  const model::Range whole = model.bodies[0].elements;
  std::fill(model.coverage.begin() + whole.begin, model.coverage.begin() + whole.end, 1.0);
  expect_visitors_give_the_terms(model, "elastic");
}

// Equal rest shapes are stored once; the sums are the same as with shapes that differ in the last digits.
TEST_P(TetVisitors, SharedShapes) {
  model::Model model;
  add_set(model, add_block(model, {.cells = {6, 4, 4}, .jitter = 0, .split = mesh::Split::five}),
          *GetParam());
  expect_visitors_give_the_terms(model, "elastic");
  const auto bytes = [](const model::Model& m) {
    const auto terms = terms_named(m, "elastic");
    const Stencils stencils = terms[0]->stencils();
    const auto count = static_cast<int64_t>(m.X.size());
    const model::DofMap dofs(m);
    const std::vector<int32_t> work(count, 1);
    const NodeBlocks blocks = make_node_blocks(colour_nodes({&stencils, 1}, count), work,
                                               dofs.block_of_node(), 8, stencils_around(stencils, count));
    return dynamic_cast<const NodeLocal&>(*terms[0]).visitor(blocks, false, PackD{})->bytes();
  };
  const int64_t shared = bytes(model);
  const math::Random random(3);
  for (size_t i = 0; i < model.X.size(); ++i) model.X[i] += random_vector(random, i) * 1e-4;
  if (model.params.material[0].size() <= 2) {
    EXPECT_LT(shared, bytes(model));
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, TetVisitors,
                         testing::ValuesIn(material::solid_laws().begin(), material::solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

class TriangleVisitors : public testing::TestWithParam<const material::Law*> {};

TEST_P(TriangleVisitors, GiveTheGradientAndTheEnergyOfTheTerm) {
  model::Model model;
  const int32_t a = add_sheet(model), b = add_sheet(model, {.cells = {2, 3}, .jitter = 0});
  model.bodies[b].fixed_thickness = true;
  add_set(model, a, *GetParam());
  add_set(model, b, *GetParam(), 3e4, 0.35);
  add_set(model, b, *GetParam(), 2e4, 0.2, 3);  // every third triangle carries a second set of the same law
  expect_visitors_give_the_terms(model, "elastic");
}

// Parameters and coverage by triangle.
TEST_P(TriangleVisitors, EachTriangleOfItsOwn) {
  model::Model model = sheet(GetParam()->name.data());
  cover_in_part(model);
  const math::Random random(9);
  uint64_t f = 0;
  for (model::ParamField& field : model.params.material[0]) {
    const double value = field.values[0];
    field.values.resize(model.elements.size());
    for (size_t t = 0; t < field.values.size(); ++t)
      field.values[t] = value * random.stream(f).uniform(t, 0.9, 1.1);
    ++f;
  }
  expect_visitors_give_the_terms(model, "elastic");
}

INSTANTIATE_TEST_SUITE_P(Laws, TriangleVisitors,
                         testing::ValuesIn(material::membrane_laws().begin(),
                                           material::membrane_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

// Links of all kinds between sites of 1 to 10 nodes, a frame among them, and nodes on both sides.
model::Model linked_blocks() {
  model::Model model;
  add_block(model);
  add_block(model);
  const math::Random random(4);
  const auto nodes = static_cast<uint64_t>(model.X.size());
  const int pose = model.inputs.add_pose(
      "frame", {{}, {.time = 1, .translate = {0.1, 0.2, 0.3}, .axis = {0, 0, 1}, .angle = 0.4}});
  uint64_t at = 0;
  const auto site = [&](int count) {
    model::Site s;
    s.count = count;
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      do s.node[k] = static_cast<int32_t>(random.bits(at++) % nodes);
      while (std::find(s.node.begin(), s.node.begin() + k, s.node[k]) != s.node.begin() + k);
      sum += s.weight[k] = 0.2 + random.uniform(at++);
    }
    for (int k = 0; k < count; ++k) s.weight[k] /= sum;
    return s;
  };
  for (int count = 1; count <= model::Site::max_nodes; ++count)
    for (double rest_length : {0.0, 0.7}) {
      add_link(model, site(count), site(model::Site::max_nodes + 1 - count), 50, 7, rest_length);
      add_link(model, site(count), model::Site::on_frame(pose, {1, 2, 3}), 30, 40, rest_length);
      add_link(model, model::Site::on_frame(-1, {0, 2, 1}), site(count), 30, 40, rest_length);
      model::Site both = site(count);
      both.node[0] = model.links.back().b.node[0];  // also on the other side
      if (std::count(both.node.begin(), both.node.begin() + count, both.node[0]) == 1)
        add_link(model, model.links.back().b, both, 20, 10, rest_length);
    }
  return model;
}

TEST(LinkVisitors, GiveTheGradientAndTheEnergyOfTheTerm) {
  expect_visitors_give_the_terms(linked_blocks(), "links", 0.7);
}

TEST(HingeVisitors, GiveTheGradientAndTheEnergyOfTheTerm) {
  for (const PlateOptions& options :
       {PlateOptions{.bending = model::Bending::hinge, .shape = bowl},
        {.cells = {9, 8}, .law = "corotated", .bending = model::Bending::hinge}}) {
    model::Model model = plate(options);
    add_plate(model, tetrahedron_surface(), options);
    expect_visitors_give_the_terms(model, "hinges");
    clamp(
        model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; }, 1.0);
    clamp(
        model, model::Hold::plane, {0, 1, 0}, [](const Vec3d& X) { return X[1] < 1e-9; }, -1.0);
    expect_visitors_give_the_terms(model, "hinges", 0.4);
  }
}

TEST(MidEdgeVisitors, GiveTheGradientAndTheEnergyOfTheTerm) {
  model::Model model = plate({.shape = bowl});
  add_plate(model, tetrahedron_surface(), {});
  expect_visitors_give_the_terms(model, "mid_edge_bending");
  clamp(
      model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; }, 1.0);
  clamp(
      model, model::Hold::plane, {0, 1, 0}, [](const Vec3d& X) { return X[1] < 1e-9; }, -1.0);
  expect_visitors_give_the_terms(model, "mid_edge_bending", 0.4);
}

// The blocks of nodes are those of the modified Hessian, which leaves second derivatives of angles out.
TEST(BendingVisitors, BlocksAreThoseOfTheModifiedHessian) {
  for (const model::Bending bending : {model::Bending::hinge, model::Bending::shell}) {
    model::Model model = plate({.bending = bending, .shape = bowl});
    clamp(model, model::Hold::plane, {0, 1, 0}, [](const Vec3d& X) { return X[1] < 1e-9; });
    const auto inputs = inputs_at(model, 0);
    const auto x = deformed(model);
    const auto count = static_cast<int64_t>(model.X.size());
    const Terms terms = terms_named(model, bending == model::Bending::shell ? "mid_edge_bending" : "hinges");
    const auto linearisation = terms[0]->linearisation();
    linearisation->set({x, inputs}, Hessian::modified);
    std::vector<Mat3d> diagonal(count, Mat3d::zero());
    linearisation->diagonal(diagonal);
    const Stencils stencils = terms[0]->stencils();
    const model::DofMap dofs(model);
    const std::vector<int32_t> work(count, 1);
    const NodeBlocks blocks = make_node_blocks(colour_nodes({&stencils, 1}, count), work,
                                               dofs.block_of_node(), 8, stencils_around(stencils, count));
    std::vector<double> padded(4 * count);
    for (int64_t i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) padded[4 * i + k] = x[i][k];
    const auto visitor = dynamic_cast<const NodeLocal&>(*terms[0]).visitor(blocks, false, PackD{});
    for (int64_t b = 0; b < blocks.count(); ++b) {
      math::Vec3<PackD> x0;
      for (int k = 0; k < 3; ++k)
        x0[k] = PackD::generate([&](int l) { return padded[4 * blocks.of(b)[l] + k]; });
      material::NodeSums<PackD> sums{math::Vec3<PackD>::zero(), {}};
      for (PackD& entry : sums.block) entry = PackD(0);
      visitor->add({padded.data(), inputs}, b, x0, sums);
      for (int l = 0; l < blocks.used[b]; ++l) {
        const Mat3d& K = diagonal[blocks.of(b)[l]];
        for (int i = 0, m = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j, ++m) ASSERT_NEAR(sums.block[m][l], K(i, j), 1e-11 * trace(K));
      }
    }
  }
}

// A node's energy is quadratic in its position without a rest length: block and Hessian are the same.
TEST(LinkVisitors, BlocksAreThoseOfTheTermOrBoundThem) {
  const model::Model model = linked_blocks();
  const auto inputs = inputs_at(model, 0.7);
  const auto x = deformed(model);
  const auto count = static_cast<int64_t>(model.X.size());
  for (const auto& term : terms_named(model, "links")) {
    const auto linearisation = term->linearisation();
    linearisation->set({x, inputs}, Hessian::exact);
    std::vector<Mat3d> diagonal(count, Mat3d::zero());
    linearisation->diagonal(diagonal);
    const Stencils stencils = term->stencils();
    const model::DofMap dofs(model);
    const std::vector<int32_t> work(count, 1);
    const NodeBlocks blocks = make_node_blocks(colour_nodes({&stencils, 1}, count), work,
                                               dofs.block_of_node(), 8, stencils_around(stencils, count));
    std::vector<double> padded(4 * count);
    for (int64_t i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) padded[4 * i + k] = x[i][k];
    const auto visitor = dynamic_cast<const NodeLocal&>(*term).visitor(blocks, false, PackD{});
    for (int64_t b = 0; b < blocks.count(); ++b) {
      math::Vec3<PackD> x0;
      for (int k = 0; k < 3; ++k)
        x0[k] = PackD::generate([&](int l) { return padded[4 * blocks.of(b)[l] + k]; });
      material::NodeSums<PackD> sums{math::Vec3<PackD>::zero(), {}};
      for (PackD& entry : sums.block) entry = PackD(0);
      visitor->add({padded.data(), inputs}, b, x0, sums);
      for (int l = 0; l < blocks.used[b]; ++l) {
        const Mat3d& K = diagonal[blocks.of(b)[l]];
        // Trace and, along a few directions, the quadratic form of block - K.
        for (int d = 0; d < 20; ++d) {
          const Vec3d v = random_vector(math::Random(8), d);
          const double own = sums.block[0][l] * v[0] * v[0] + sums.block[3][l] * v[1] * v[1] +
                             sums.block[5][l] * v[2] * v[2] +
                             2 * (sums.block[1][l] * v[0] * v[1] + sums.block[2][l] * v[0] * v[2] +
                                  sums.block[4][l] * v[1] * v[2]);
          ASSERT_GE(own, dot(v, K * v) - 1e-9) << blocks.of(b)[l];
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::energy
