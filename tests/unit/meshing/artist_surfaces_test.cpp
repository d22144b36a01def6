// Surfaces as they come out of modellers and scanners, made by a seed: closed bodies of known volume with faults in them. One call
// without options has to mesh them, with the volume of the bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "known_surfaces.h"
#include "mesh/coincident.h"
#include "mesh/properties.h"
#include "meshing/volume.h"

namespace sinew::meshing {
namespace {

struct Sample {
  std::string kind;
  mesh::TriMesh surface;
  double volume = 0;        // of the bodies, as often as they overlap
  double tolerance = 0.05;  // what the fault may change of it
};

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  Sample make(int kind) {
    Sample sample;
    switch (kind % 10) {
      case 0:
        return wall();
      case 1:
        return fins();
      case 2:
        return shared_edges();
      case 3:
        return holes();
      case 4:
        return splinters();
      case 5:
        return flipped();
      case 6:
        return stuck();
      case 7:
        return torn();
      case 8:
        return sheets();
      default:
        return everything();
    }
  }

 private:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_()) / static_cast<double>(std::mt19937::max()));
  }
  int32_t below(size_t n) { return static_cast<int32_t>(random_() % n); }

  // A ball pressed flat along one axis, with a wavy surface.
  mesh::TriMesh body(const Vec3d& centre = {0, 0, 0}) {
    mesh::TriMesh ball = sphere_surface(1, around_, across_);
    const double waves = uniform(2, 5), height = uniform(0, 0.15);
    const Vec3d size = {uniform(0.5, 1.5), uniform(0.5, 1.5), uniform(0.5, 1.5)};
    for (Vec3d& x : ball.vertices) {
      const double bulge = 1 + height * std::sin(waves * x[0]) * std::cos(waves * x[1] + 0.3);
      x = centre + Vec3d{size[0] * x[0], size[1] * x[1], size[2] * x[2]} * bulge;
    }
    return ball;
  }
  static Sample sound(std::string kind, const mesh::TriMesh& surface) {
    return {std::move(kind), surface, mesh::enclosed_volume(surface)};
  }

  // A disc across the body, on one of its rings: three triangles at each edge of the ring.
  Sample wall() {
    Sample s = sound("wall", body());
    const int32_t ring = 1 + around_ * (2 + below(across_ - 5));
    for (int32_t i = 1; i + 1 < around_; ++i) s.surface.elements.push_back({ring, ring + i, ring + i + 1});
    return s;
  }

  // Triangles that stand on edges.
  Sample fins() {
    Sample s = sound("fins", body());
    for (int n = 1 + below(6); n > 0; --n) {
      const auto t = s.surface.elements[below(s.surface.elements.size())];
      const Vec3d a = s.surface.vertices[t[0]], b = s.surface.vertices[t[1]];
      s.surface.vertices.push_back((a + b) * uniform(0.55, 0.8));
      s.surface.elements.push_back({t[0], t[1], static_cast<int32_t>(s.surface.vertices.size()) - 1});
    }
    return s;
  }

  // Boxes that have an edge or a face in common, some of them inside out.
  Sample shared_edges() {
    const double x = uniform(0.6, 1.4), y = uniform(0.6, 1.4), z = uniform(0.6, 1.4);
    const mesh::TriMesh one = box_surface({0, 0, 0}, {x, y, z});
    const mesh::TriMesh other =
        below(2) ? box_surface({x, y, 0}, {x + 1, y + 0.7, z}) : box_surface({x, 0, 0}, {x + 0.8, y, z});
    Sample s = sound("shared edges", welded(both(one, other)));
    if (below(2)) s.surface = welded(both(one, turned(other)));
    return s;
  }

  Sample holes() {
    Sample s = sound("holes", body());
    std::set<int32_t> gone;
    for (int n = 1 + below(8); n > 0; --n) {
      const int32_t t = below(s.surface.elements.size());
      for (int32_t k = 0, width = 1 + below(6); k < width; ++k) gone.insert(t + k);
    }
    if (below(2))  // the cap about a pole
      for (int32_t t = 0; t < static_cast<int32_t>(s.surface.elements.size()); ++t)
        if (s.surface.elements[t][0] == 0) gone.insert(t);
    leave_out(s.surface, gone);
    s.tolerance = 0.15;
    return s;
  }

  // Needles and flakes, thinner than any cell, beside and inside the body.
  Sample splinters() {
    Sample s = sound("splinters", body());
    for (int n = 1 + below(5); n > 0; --n) {
      const Vec3d at = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)};
      const double length = uniform(0.01, 1.5), width = uniform(1e-4, 1e-2);
      s.surface = both(s.surface, box_surface(at, at + Vec3d{length, below(2) ? width : length / 3, width}));
    }
    return s;
  }

  Sample flipped() {
    Sample s = sound("flipped", body());
    const mesh::TriMesh other = body({3, 0.2, 0});
    s.volume += mesh::enclosed_volume(other);
    s.surface = both(s.surface, below(2) ? turned(other) : other);
    for (int n = 1 + below(4); n > 0; --n) {
      const int32_t first = below(s.surface.elements.size());
      for (int32_t k = 0, width = below(100); k < width; ++k) {
        auto& t = s.surface.elements[(first + k) % s.surface.elements.size()];
        std::swap(t[1], t[2]);
      }
    }
    return s;
  }

  // Eyes in a head: small bodies that are half inside.
  Sample stuck() {
    Sample s = sound("stuck", body());
    for (int n = 1 + below(4); n > 0; --n) {
      const double radius = uniform(0.15, 0.4);
      const mesh::TriMesh eye = sphere_surface(
          radius, 16, 10, s.surface.vertices[below(s.surface.vertices.size())] * uniform(0.8, 1.1));
      s.volume += mesh::enclosed_volume(eye);
      s.surface = both(s.surface, eye);
    }
    s.tolerance = 0.1;
    return s;
  }

  // Every triangle has corners of its own, which miss each other by a little: no edge has two triangles.
  Sample torn() {
    Sample s = sound("torn", body());
    s.surface = soup(s.surface);
    for (Vec3d& x : s.surface.vertices)
      for (int a = 0; a < 3; ++a) x[a] += uniform(-1e-4, 1e-4);
    if (below(2))
      for (auto& t : s.surface.elements)
        if (below(4) == 0) std::swap(t[1], t[2]);
    s.tolerance = 0.1;
    return s;
  }

  // Leaves and labels beside and in the body.
  Sample sheets() {
    Sample s = sound("sheets", body());
    for (int n = 1 + below(3); n > 0; --n) {
      mesh::TriMesh sheet;
      const Vec3d at = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      sheet.vertices = {at, at + Vec3d{0.4, 0, 0}, at + Vec3d{0.4, 0.3, 0.1}, at + Vec3d{0, 0.4, 0}};
      sheet.elements = {{0, 1, 2}, {0, 2, 3}};
      s.surface = both(s.surface, sheet);
    }
    return s;
  }

  Sample everything() {
    Sample s = fins();
    const mesh::TriMesh eye =
        sphere_surface(0.4, 16, 10, s.surface.vertices[below(s.surface.vertices.size())]);
    s.volume += mesh::enclosed_volume(eye);
    s.surface = both(s.surface, turned(eye));
    s.surface = both(s.surface, box_surface({2, 2, 2}, {3, 2.001, 2.001}));
    s.surface.elements.push_back(s.surface.elements[below(s.surface.elements.size())]);
    leave_out(s.surface, {below(200), 300 + below(200)});
    s.kind = "everything";
    s.tolerance = 0.15;
    return s;
  }

  static void leave_out(mesh::TriMesh& surface, const std::set<int32_t>& gone) {
    std::vector<std::array<int32_t, 3>> left;
    for (int32_t t = 0; t < static_cast<int32_t>(surface.elements.size()); ++t)
      if (!gone.count(t)) left.push_back(surface.elements[t]);
    surface.elements = std::move(left);
  }

  static constexpr int32_t around_ = 32, across_ = 20;
  std::mt19937 random_;
};

// Meshes `count` samples. Those that are refused say where and what helps.
void mesh_all(int count) {
  int meshed = 0;
  for (int i = 0; i < count; ++i) {
    const Sample sample = Maker(static_cast<uint32_t>(1000 + i)).make(i);
    const Result<Volume> volume = volume_of(sample.surface, {}, sample.kind, Control());
    if (!volume) {
      const std::string text = volume.error().text();
      EXPECT_NE(text.find('('), std::string::npos) << text;
      EXPECT_TRUE(text.find("coarsen") != text.npos || text.find("Close it") != text.npos) << text;
      std::fprintf(stderr, "sample %d is refused: %s\n", i, text.c_str());
      continue;
    }
    ++meshed;
    EXPECT_NEAR(volume->report.covered_volume, sample.volume, sample.tolerance * sample.volume)
        << i << ": " << sample.kind;
    EXPECT_GE(volume->report.components, 1);
    EXPECT_GT(mesh::quality(volume->tets).min_mean_ratio, 0.1) << i << ": " << sample.kind;
  }
  EXPECT_GE(meshed, 0.98 * count);
}

TEST(ArtistSurfaces, OneOfEachKind) { mesh_all(10); }
TEST(LongArtistSurfaces, TwoHundred) { mesh_all(200); }

}  // namespace
}  // namespace sinew::meshing
