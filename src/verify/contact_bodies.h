#pragma once
// The bodies of the corpus of contact scenes: built-in shapes, lattices, volumes of surfaces with several layers in one cell
// and with parts thinner than a cell, and files. Each has 900 to 4,000 tets; y is up where a body has an up.
#include <span>
#include <string>
#include <vector>

#include "mesh/properties.h"
#include "verify/corpus_files.h"

namespace sinew::verify {

struct ContactBody {
  std::string name;
  std::string mesh;                 // as in a scene
  std::vector<math::Vec3d> points;  // its vertices at rest, before `place`
};

struct ContactBodies {
  std::vector<ContactBody> list;
  std::vector<ContactBody> small;  // for towers
  scene::MemoryMeshes memory;      // what their entries name under "memory", and the surface "ring"
};
ContactBodies contact_bodies(const CorpusFolders& folders);

// The surface "ring" is a torus about z of these radii [m].
constexpr double ring_major = 1, ring_minor = 0.3;

// A body in the world: the entry "place" of a scene, and where its vertices are.
class PlacedBody {
 public:
  // Turned about the origin, then as long as `size` [m] in its longest direction, with the middle of its bounds at the origin.
  PlacedBody(const ContactBody& body, double size, const math::Vec3d& axis = {0, 1, 0}, double degrees = 0);
  void move(const math::Vec3d& by);
  // The middle of the bounds in x and z, and their low end in y.
  void stand_on(const math::Vec3d& point);

  const ContactBody& body() const { return *body_; }
  const mesh::Bounds& bounds() const { return bounds_; }
  math::Vec3d extent() const { return bounds_.high - bounds_.low; }
  std::span<const math::Vec3d> points() const { return points_; }
  std::string place() const;

 private:
  const ContactBody* body_;
  math::Vec3d axis_;
  double degrees_, scale_;
  math::Vec3d shift_{};
  std::vector<math::Vec3d> points_;
  mesh::Bounds bounds_;
};

// The same with the longest direction of the body along x.
PlacedBody lying(const ContactBody& body, double size);

}  // namespace sinew::verify
