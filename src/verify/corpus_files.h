#pragma once
// What the corpora have in common: bodies as the entry "mesh" of a scene, and those that are read from files.
//
//     for (const auto& [name, mesh] : corpus_files({.data = "../shared/data"}, 4000)) build_mesh(mesh);
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sinew::verify {

// Where bodies are read from; those of folders that are not there are left out.
struct CorpusFolders {
  std::filesystem::path examples;
  std::filesystem::path data;
};

struct CorpusMesh {
  std::string name;
  std::string mesh;  // as in a scene
};

// Surfaces are filled with about as many tets.
std::vector<CorpusMesh> corpus_files(const CorpusFolders& folders, int tets);

// A scene with the largest connected part of this mesh alone, as the body "body"; none: the mesh cannot be made.
std::optional<scene::Built> build_mesh(const std::string& mesh);

}  // namespace sinew::verify
