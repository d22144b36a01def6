#pragma once
// Draws triangle meshes without a graphics card: from afar (parallel lines stay parallel), with a depth buffer, one colour
// for each triangle by its slope to the light, outlines where surfaces end, edges of triangles where these are large, and
// four samples a pixel. Behind everything the picture is transparent.
//
//     Camera camera = camera_at(30, 20, 1);
//     View view;  view.add(camera, points);
//     Image image = draw(surfaces, view.fit(camera, 640, 420), 640, 420);
//
// Memory is that of the pixels, whatever the number of triangles. Time is bounded too: where triangles lie over each other so
// often that they would cover more than 4e8 samples, only every so many are drawn. Triangles with corners that are not
// finite, or far off, are left out.
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "math/vec.h"
#include "plot/image.h"

namespace sinew::plot {

using math::Vec3d;

struct Surface {
  std::span<const Vec3d> points;
  std::span<const std::array<int32_t, 3>> triangles;  // outward
  std::array<uint8_t, 3> colour = {};
  enum class Look {
    solid,
    ghost,   // seen through
    inside,  // a ghost whose walls towards the eye are left out
  } look = Look::solid;
};

struct Camera {
  Vec3d right = {1, 0, 0}, up = {0, 1, 0}, back = {0, 0, 1};  // unit; back points to the eye
  double x = 0, y = 0;  // along right and up, in the middle of the picture
  double pixel = 1;     // size of one
};

// Turned about the vertical axis, 0 to 2, and raised [degrees]. At 0, 0 the first of the other axes points to the right where
// y is up, and the eye is on the side of the last.
Camera camera_at(double azimuth, double elevation, int vertical);

// A camera, fitted to the extent of points across the picture.
class View {
 public:
  void add(const Camera& camera, std::span<const Vec3d> points);
  // Adds points only as far as `beyond` times the size of `around`.
  void add_within(const Camera& camera, std::span<const Vec3d> points, const View& around, double beyond);
  // The camera moved and zoomed so that everything is in a picture of that size, with a margin.
  Camera fit(const Camera& camera, int width, int height) const;

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double low_[2] = {infinity, infinity}, high_[2] = {-infinity, -infinity};
};

Image draw(std::span<const Surface> surfaces, const Camera& camera, int width, int height);

// Red, green and blue of a colour such as "#0072b2".
std::array<uint8_t, 3> colour_bytes(std::string_view name);

}  // namespace sinew::plot
