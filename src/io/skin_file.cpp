#include "io/skin_file.h"

#include <cmath>
#include <fmt/format.h>

#include "base/memory.h"
#include "io/npz.h"

namespace sinew::io {
namespace {

constexpr double rounding = 1e-9;  // of a sum of weights

// The array of that name with `width` numbers a row; null with an error.
template <class T>
const NpyArray* find_rows(const Npz& arrays, const std::string& path, const char* name, int64_t width,
                          Error& error) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) {
    error = input_error(path,
                        fmt::format("found no array \"{}\", expected triangles, element and weights", name));
    return nullptr;
  }
  const NpyArray& array = found->second;
  const bool rows = width == 1 ? array.shape.size() == 1 : array.shape.size() == 2 && array.shape[1] == width;
  if (array.type != npy_type<T>() || !rows) {
    error = input_error(path, fmt::format("the array \"{}\" is of another kind; expected {} of shape ({})",
                                          name, std::is_same_v<T, double> ? "float64" : "int32",
                                          width == 1 ? "any," : fmt::format("any, {}", width)));
    return nullptr;
  }
  return &array;
}

Result<mesh::Skin> read(const std::string& path, int64_t tets) {
  const Result<Npz> arrays = read_npz(path);
  if (!arrays) return arrays.error();
  Error error;
  const NpyArray* triangles = find_rows<int32_t>(*arrays, path, "triangles", 3, error);
  const NpyArray* element = triangles ? find_rows<int32_t>(*arrays, path, "element", 1, error) : nullptr;
  const NpyArray* weights = element ? find_rows<double>(*arrays, path, "weights", 4, error) : nullptr;
  if (!weights) return error;
  const auto count = element->shape[0];
  if (weights->shape[0] != count)
    return input_error(path,
                       fmt::format("found {} rows of weights for {} vertices", weights->shape[0], count));
  mesh::Skin skin;
  skin.tet.assign(element->view<int32_t>().begin(), element->view<int32_t>().end());
  skin.weights.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    if (skin.tet[i] < 0 || skin.tet[i] >= tets)
      return input_error(path,
                         fmt::format("vertex {} is carried by tet {}, expected one of the {} of the mesh", i,
                                     skin.tet[i], tets));
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += skin.weights[i][k] = weights->view<double>()[4 * i + k];
    if (!(std::abs(sum - 1) < rounding))
      return input_error(path, fmt::format("the weights of vertex {} add up to {}, expected 1", i, sum));
  }
  const std::span<const int32_t> corners = triangles->view<int32_t>();
  skin.triangles.resize(corners.size() / 3);
  for (size_t i = 0; i < corners.size(); ++i) {
    if (corners[i] < 0 || corners[i] >= count)
      return input_error(path, fmt::format("triangle {} names vertex {} of {}", i / 3, corners[i], count));
    skin.triangles[i / 3][i % 3] = corners[i];
  }
  if (skin.triangles.empty()) return input_error(path, "found no triangles, expected at least one");
  return skin;
}

}  // namespace

Result<void> write_embedding(const std::string& path, std::span<const std::array<int32_t, 3>> triangles,
                             std::span<const int32_t> elements, std::span<const double> weights,
                             int corners) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const auto points = static_cast<int64_t>(elements.size()), count = static_cast<int64_t>(triangles.size());
    Npz arrays;
    arrays["triangles"] = npy_array<int32_t>({triangles.data()->data(), 3 * triangles.size()}, {count, 3});
    arrays["element"] = npy_array<int32_t>(elements, {points});
    arrays["weights"] = npy_array<double>(weights, {points, corners});
    return write_npz(path, arrays);
  });
}

Result<void> write_skin(const std::string& path, const mesh::Skin& skin) {
  return write_embedding(path, skin.triangles, skin.tet,
                         {skin.weights.data()->data(), 4 * skin.weights.size()}, 4);
}

Result<mesh::Skin> read_skin(const std::string& path, int64_t tets) {
  return unless_out_of_memory(path, [&] { return read(path, tets); });
}

}  // namespace sinew::io
