#pragma once
// Bodies whose stiffness at rest is hard on a linear solver in ways of its own: a block held at both ends, a long cantilever, a
// cube at four nodes. `sinew bench multigrid` and tests/referee/multigrid_program.cpp solve with them.
//
//     for (const HeldBody& body : held_bodies()) solve(body.make(19000, 0.45));
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "model/model.h"

namespace sinew::bench {

struct HeldBody {
  std::string name;
  std::function<model::Model(int64_t tets, double poisson)> make;  // about that many tets
};

std::vector<HeldBody> held_bodies();
// The largest parts of volumes of surfaces, where the folder has these, held at ten nodes that they stand on.
std::vector<HeldBody> standing_bodies(const std::filesystem::path& data);

// Stable neo-Hookean, Young's modulus 1e5 Pa, with these nodes held.
model::Model held_body(const mesh::TetMesh& mesh, double poisson, std::vector<int32_t> held);

}  // namespace sinew::bench
