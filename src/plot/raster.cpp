#include "plot/raster.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sinew::plot {

namespace {

constexpr int per_pixel = 2;         // samples along each side
constexpr double max_samples = 4e8;  // covered, of one picture
constexpr double furthest = 1e6;     // [samples] from the picture, beyond which rounding shows
constexpr double margin = 0.06;      // of the picture, on each side

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Sample {
  float depth = -std::numeric_limits<float>::infinity();  // towards the eye, in samples
  std::array<uint8_t, 3> colour = {};
  bool line = false;
  int32_t owner = -1;  // index of the surface
};

// A corner in the picture, in samples; z towards the eye.
struct Corner {
  double x, y, z;
};

struct Face {
  std::array<Corner, 3> corner;
  double area2 = 0;                    // twice, positive where it is seen from outside
  int x0 = 0, x1 = 0, y0 = 0, y1 = 0;  // the samples that may be covered, ends excluded
  // The pixels that are covered, and a little for the triangle itself.
  double cost() const {
    return 0.5 * std::min(std::abs(area2), static_cast<double>(x1 - x0) * (y1 - y0)) + 1;
  }
};

class Canvas {
 public:
  Canvas(const Camera& camera, int width, int height)
      : camera_(camera),
        width_(width * per_pixel),
        height_(height * per_pixel),
        scale_(per_pixel / camera.pixel) {}

  int width() const { return width_; }
  int height() const { return height_; }

  // False: nothing of it is in the picture.
  bool project(const Surface& surface, const std::array<int32_t, 3>& triangle, Face& face) const {
    double low[2] = {infinity, infinity}, high[2] = {-infinity, -infinity};
    for (int k = 0; k < 3; ++k) {
      const Vec3d& p = surface.points[static_cast<size_t>(triangle[k])];
      Corner& c = face.corner[static_cast<size_t>(k)];
      c.x = (dot(camera_.right, p) - camera_.x) * scale_ + width_ * 0.5;
      c.y = height_ * 0.5 - (dot(camera_.up, p) - camera_.y) * scale_;
      c.z = dot(camera_.back, p) * scale_;
      if (!(std::abs(c.x) < furthest && std::abs(c.y) < furthest && std::abs(c.z) < 1e30)) return false;
      low[0] = std::min(low[0], c.x), high[0] = std::max(high[0], c.x);
      low[1] = std::min(low[1], c.y), high[1] = std::max(high[1], c.y);
    }
    const auto& [a, b, c] = face.corner;
    face.area2 = (c.x - a.x) * (b.y - a.y) - (b.x - a.x) * (c.y - a.y);  // y points down
    if (face.area2 == 0) return false;
    // The middle of sample i is at i + 1/2.
    face.x0 = std::max(0, static_cast<int>(std::ceil(low[0] - 0.5)));
    face.x1 = std::min(width_, static_cast<int>(std::floor(high[0] - 0.5)) + 1);
    face.y0 = std::max(0, static_cast<int>(std::ceil(low[1] - 0.5)));
    face.y1 = std::min(height_, static_cast<int>(std::floor(high[1] - 0.5)) + 1);
    return face.x0 < face.x1 && face.y0 < face.y1;
  }

 private:
  const Camera& camera_;
  int width_, height_;
  double scale_;
};

// The pixels of solid surfaces, or those of ghosts; both are put together at the end.
class Layer {
 public:
  Layer(int width, int height)
      : width_(width), height_(height), samples_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  const Sample& at(int x, int y) const { return samples_[index(x, y)]; }

  void paint(const Face& face, const std::array<uint8_t, 3>& base, int32_t owner) {
    const auto& [a, b, c] = face.corner;
    // The distance to a side is nx x + ny y + offset, positive inside; side k lies across from corner k. Depth is the mean
    // of those of the corners, weighed by the distances times the lengths of the sides.
    struct Side {
      double nx, ny, offset;
    } sides[3];
    const Corner* ends[3][2] = {{&b, &c}, {&c, &a}, {&a, &b}};
    const double turn = face.area2 > 0 ? 1 : -1, area = std::abs(face.area2);
    double lowest = infinity;  // of the three heights
    double zx = 0, zy = 0, z0 = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Corner &p = *ends[k][0], &q = *ends[k][1];
      const double dx = q.x - p.x, dy = q.y - p.y, length = std::hypot(dx, dy);
      if (length == 0) return;
      Side& side = sides[k];
      side = {turn * dy / length, -turn * dx / length, 0};
      side.offset = -(side.nx * p.x + side.ny * p.y);
      lowest = std::min(lowest, area / length);
      const double weight = face.corner[k].z * length / area;
      zx += weight * side.nx;
      zy += weight * side.ny;
      z0 += weight * side.offset;
    }
    const auto [near, far] =
        std::minmax({a.z, b.z, c.z});  // what is seen from its edge has no plane to speak of
    const std::array<uint8_t, 3> colour = shaded(face, base);
    const bool lined = lowest > large_triangle;
    for (int y = face.y0; y < face.y1; ++y) {
      double from = face.x0, to = face.x1 - 1;  // of samples whose middle is inside all sides
      double rest[3];
      for (int k = 0; k < 3; ++k) {
        rest[k] = sides[k].ny * (y + 0.5) + sides[k].offset;
        const double nx = sides[k].nx;
        if (nx > 0)
          from = std::max(from, std::ceil((-rounding - rest[k]) / nx - 0.5));
        else if (nx < 0)
          to = std::min(to, std::floor((-rounding - rest[k]) / nx - 0.5));
        else if (rest[k] < -rounding)
          to = -1;
      }
      if (!(from <= to)) continue;
      Sample* row = samples_.data() + index(0, y);
      for (int x = static_cast<int>(from); x <= static_cast<int>(to); ++x) {
        const auto z = static_cast<float>(std::clamp(zx * (x + 0.5) + zy * (y + 0.5) + z0, near, far));
        if (z <= row[x].depth) continue;
        bool line = false;
        for (int k = 0; lined && k < 3; ++k) line = line || sides[k].nx * (x + 0.5) + rest[k] < line_width;
        row[x] = {z, colour, line, owner};
      }
    }
  }

  // Whether a surface ends here: the next sample shows another one, or the same much further away.
  bool outlined(int x, int y) const {
    const Sample& here = at(x, y);
    if (here.owner < 0) return false;
    constexpr int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (const auto& step : steps) {
      const int u = x + step[0], v = y + step[1];
      if (u < 0 || v < 0 || u >= width_ || v >= height_) continue;
      const Sample& next = at(u, v);
      if (next.owner != here.owner ? next.depth < here.depth : next.depth < here.depth - depth_jump)
        return true;
    }
    return false;
  }

 private:
  static constexpr double large_triangle = 14;  // [samples] height from which on edges are drawn
  static constexpr double line_width = 0.6;     // [samples] on each side
  static constexpr float depth_jump = 24;       // [samples]
  static constexpr double rounding = 1e-9;

  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  // Lit from above on the left; what shows its inside is darker.
  static std::array<uint8_t, 3> shaded(const Face& face, const std::array<uint8_t, 3>& base) {
    const auto& [a, b, c] = face.corner;
    const Vec3d ab = {b.x - a.x, a.y - b.y, b.z - a.z}, ac = {c.x - a.x, a.y - c.y, c.z - a.z};
    Vec3d normal = cross(ab, ac);
    const double length = norm(normal);
    normal = length > 0 ? normal / length : Vec3d{0, 0, 1};
    const bool outside = normal[2] > 0;
    if (!outside) normal = normal * -1.0;
    const double light = std::clamp(dot(normal, Vec3d{-0.36, 0.56, 0.746}), 0.0, 1.0);
    const double shade = (0.62 + 0.5 * light) * (outside ? 1 : 0.75);
    std::array<uint8_t, 3> out;
    for (size_t k = 0; k < 3; ++k)
      out[k] = static_cast<uint8_t>(std::lround(std::clamp(base[k] * shade, 0.0, 255.0)));
    return out;
  }

  int width_, height_;
  std::vector<Sample> samples_;
};

void darken(double colour[3], double factor) {
  for (int k = 0; k < 3; ++k) colour[k] *= factor;
}

// One sample of the picture: the solid surface, with a ghost before it, or a ghost alone.
void put_together(const Layer& solid, const Layer& ghost, int x, int y, uint8_t* out) {
  constexpr double before = 0.22, alone = 0.32, outline = 0.45, line = 0.8;
  const Sample &s = solid.at(x, y), &g = ghost.at(x, y);
  if (s.owner < 0 && g.owner < 0) return;
  const Sample& shown = s.owner >= 0 ? s : g;
  double colour[3] = {double(shown.colour[0]), double(shown.colour[1]), double(shown.colour[2])};
  double opacity = 1;
  if (s.owner >= 0) {
    if (solid.outlined(x, y))
      darken(colour, outline);
    else if (s.line)
      darken(colour, line);
    if (g.depth > s.depth)
      for (int k = 0; k < 3; ++k) colour[k] += before * (g.colour[static_cast<size_t>(k)] - colour[k]);
  } else {
    opacity = ghost.outlined(x, y) ? 1 : alone;
  }
  for (int k = 0; k < 3; ++k) out[k] = static_cast<uint8_t>(std::lround(colour[k]));
  out[3] = static_cast<uint8_t>(std::lround(opacity * 255));
}

}  // namespace

Camera camera_at(double azimuth, double elevation, int vertical) {
  constexpr double degree = 3.14159265358979323846 / 180;
  // Right and towards the eye, at 0, 0: x and z where y is up, x and -y where z is.
  const Vec3d up = Vec3d::unit(vertical), right = Vec3d::unit(vertical == 0 ? 1 : 0);
  const Vec3d back = cross(right, up);
  const double ca = std::cos(azimuth * degree), sa = std::sin(azimuth * degree);
  const double ce = std::cos(elevation * degree), se = std::sin(elevation * degree);
  const Vec3d level = back * ca + right * sa;
  Camera camera;
  camera.right = right * ca - back * sa;
  camera.back = level * ce + up * se;
  camera.up = up * ce - level * se;
  return camera;
}

void View::add(const Camera& camera, std::span<const Vec3d> points) {
  for (const Vec3d& p : points) {
    const double place[2] = {dot(camera.right, p), dot(camera.up, p)};
    for (int k = 0; k < 2; ++k) {
      if (!(std::abs(place[k]) < 1e30)) continue;
      low_[k] = std::min(low_[k], place[k]);
      high_[k] = std::max(high_[k], place[k]);
    }
  }
}

void View::add_within(const Camera& camera, std::span<const Vec3d> points, const View& around,
                      double beyond) {
  View more;
  more.add(camera, points);
  if (!(around.low_[0] <= around.high_[0]) || !(more.low_[0] <= more.high_[0])) return;
  const double reach = beyond * std::max(around.high_[0] - around.low_[0], around.high_[1] - around.low_[1]);
  for (int k = 0; k < 2; ++k) {
    const double low = around.low_[k] - reach, high = around.high_[k] + reach;
    low_[k] = std::min(low_[k], std::clamp(more.low_[k], low, high));
    high_[k] = std::max(high_[k], std::clamp(more.high_[k], low, high));
  }
}

Camera View::fit(const Camera& camera, int width, int height) const {
  Camera fitted = camera;
  if (!(low_[0] <= high_[0])) return fitted;
  fitted.x = 0.5 * (low_[0] + high_[0]);
  fitted.y = 0.5 * (low_[1] + high_[1]);
  fitted.pixel = std::max((high_[0] - low_[0]) / width, (high_[1] - low_[1]) / height) / (1 - 2 * margin);
  if (!(fitted.pixel > 0)) fitted.pixel = 1;
  return fitted;
}

Image draw(std::span<const Surface> surfaces, const Camera& camera, int width, int height) {
  const Canvas canvas(camera, width, height);
  Layer solid(canvas.width(), canvas.height()), ghost(canvas.width(), canvas.height());
  double total = 0;
  Face face;
  for (const Surface& surface : surfaces)
    for (const auto& triangle : surface.triangles)
      if (canvas.project(surface, triangle, face)) total += face.cost();
  const auto stride = static_cast<size_t>(std::max(1.0, std::ceil(total / max_samples)));
  for (size_t s = 0; s < surfaces.size(); ++s) {
    const Surface& surface = surfaces[s];
    const bool is_solid = surface.look == Surface::Look::solid;
    for (size_t t = 0; t < surface.triangles.size(); t += stride) {
      if (!canvas.project(surface, surface.triangles[t], face)) continue;
      if (surface.look == Surface::Look::inside && face.area2 > 0) continue;
      (is_solid ? solid : ghost).paint(face, surface.colour, static_cast<int32_t>(s));
    }
  }
  Image image(canvas.width(), canvas.height());
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) put_together(solid, ghost, x, y, image.at(x, y));
  return halved(image);
}

std::array<uint8_t, 3> colour_bytes(std::string_view name) {
  const auto value = std::stoul(std::string(name.substr(1)), nullptr, 16);
  return {static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8 & 255),
          static_cast<uint8_t>(value & 255)};
}

}  // namespace sinew::plot
