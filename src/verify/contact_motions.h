#pragma once
// The motions of the corpus of contact scenes: what is around a body, how it starts and who moves it.
#include <span>
#include <string>
#include <vector>

#include "verify/contact_bodies.h"

namespace sinew::verify {

struct ContactSetting {
  double step = 0;      // [s]
  int steps = 0;        // of a frame each
  double friction = 0;  // Coulomb's coefficient
  double poisson = 0;
};

struct ContactMotion {
  const char* name;
  // The keys of the scene that depend on the motion. Bodies beside the first are those that follow it in the list.
  std::string (*scene)(std::span<const ContactBody> list, size_t first, const ContactSetting&);
  bool small = false;  // of ContactBodies::small
};
std::span<const ContactMotion> contact_motions();

// All keys; Young's modulus is 1e5 Pa, the density 1000 kg/m^3.
std::string scene_of(const ContactMotion& motion, const ContactBodies& bodies, size_t body,
                     const ContactSetting& setting);

}  // namespace sinew::verify
