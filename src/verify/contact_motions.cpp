#include "verify/contact_motions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sinew::verify {

namespace {

using math::Vec3d;
using Bodies = std::span<const ContactBody>;

constexpr double clearance = 0.02;  // before the first touch [m]
constexpr double fall = 2;          // [m/s]
constexpr const char* ground = R"("floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}})";

std::string vector(const Vec3d& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

// The entry of a body. `rest`: further keys, each with a comma before it.
std::string body(const std::string& name, const PlacedBody& placed, double poisson,
                 const std::string& rest = {}) {
  return fmt::format(
      R"("{}": {{"mesh": {}, "place": {}, "parts": "largest", "density": 1000,
"material": {{"model": "stable_neo_hookean", "young": 1e5, "poisson": {}}}{}}})",
      name, placed.body().mesh, placed.place(), poisson, rest);
}

std::string moving(const Vec3d& velocity) { return R"(, "initial": {"velocity": )" + vector(velocity) + "}"; }

std::string keys(const std::string& bodies, const std::string& colliders, const std::string& attach = {}) {
  return R"("bodies": {)" + bodies + R"(}, "colliders": {)" + colliders + R"(}, "attach": [)" + attach + "]";
}

double duration(const ContactSetting& setting) { return setting.steps * setting.step; }

PlacedBody tilted(const ContactBody& body) { return PlacedBody(body, 1, {1, 0.3, 0.2}, 20); }

std::string drop_plane(Bodies list, size_t first, const ContactSetting& setting) {
  PlacedBody falling = tilted(list[first]);
  falling.stand_on({0, clearance, 0});
  return keys(body("body", falling, setting.poisson, moving({0.5, -fall, 0})), ground);
}

std::string drop_edge(Bodies list, size_t first, const ContactSetting& setting) {
  PlacedBody falling(list[first], 1);
  falling.stand_on({0, 0.5 + clearance, 0});
  return keys(body("body", falling, setting.poisson, moving({0, -fall, 0})),
              fmt::format(R"({0},
"ridge": {{"shape": {{"box": {{"size": [{1}, {1}, 3], "centre": [0.05, 0, 0], "rotate": {{"axis": [0, 0, 1], "degrees": 45}}}}}}}})",
                          ground, std::sqrt(0.5)));
}

std::string drop_bowl(Bodies list, size_t first, const ContactSetting& setting) {
  PlacedBody falling = tilted(list[first]);
  falling.move({0.05, 0, 0.03});
  double reach = 0;
  for (const Vec3d& x : falling.points()) reach = std::max(reach, norm(x));
  return keys(
      body("body", falling, setting.poisson, moving({0, -fall, 0})),
      fmt::format(R"("bowl": {{"shape": {{"sphere": {{"radius": {}}}}}, "hollow": true}})", reach + 0.1));
}

// The upper one of two plates comes down to 40 % of the height.
std::string squash(Bodies list, size_t first, const ContactSetting& setting) {
  PlacedBody between(list[first], 1);
  between.stand_on({0, clearance, 0});
  const double height = between.extent()[1], top = height + 2 * clearance;
  return keys(body("body", between, setting.poisson),
              fmt::format(R"("lower": {{"shape": {{"box": {{"size": [4, 0.2, 4], "centre": [0, -0.1, 0]}}}}}},
"upper": {{"shape": {{"box": {{"size": [4, 0.2, 4], "centre": [0, {}, 0]}}}},
"motion": [{{"time": 0}}, {{"time": {}, "translate": [0, {}, 0]}}]}})",
                          top + 0.1, duration(setting), 0.4 * height - top));
}

// 5 m/s towards each other, off centre.
std::string collide(Bodies list, size_t first, const ContactSetting& setting) {
  PlacedBody left = tilted(list[first]), right(list[(first + 1) % list.size()], 0.8);
  left.move({-left.bounds().high[0] - clearance, 0, 0});
  right.move({-right.bounds().low[0] + clearance, 0.1 * left.extent()[1], 0.1 * left.extent()[2]});
  return keys(body("left", left, setting.poisson, moving({2.5, 0, 0})) + ",\n" +
                  body("right", right, setting.poisson, moving({-2.5, 0, 0})),
              "");
}

std::string pile(Bodies list, size_t first, const ContactSetting& setting) {
  std::string bodies;
  double height = clearance;
  for (int i = 0; i < 5; ++i) {
    PlacedBody each(list[(first + i) % list.size()], 0.8, {0, 1, 0}, 37 * i);
    each.stand_on({0.06 * (i % 2), height, 0.05 * (i % 3)});
    height = each.bounds().high[1] + clearance;
    bodies +=
        (i > 0 ? ",\n" : "") + body(fmt::format("b{}", i), each, setting.poisson, moving({0, -fall, 0}));
  }
  return keys(bodies, ground);
}

// Both ends are held and come closer while one is turned: by half a turn for each width of length, two turns at most.
std::string twist(Bodies list, size_t first, const ContactSetting& setting) {
  const PlacedBody lies = lying(list[first], 1);
  std::vector<double> x;
  for (const Vec3d& point : lies.points()) x.push_back(point[0]);
  std::sort(x.begin(), x.end());
  constexpr size_t least = 6;  // nodes of a grip
  const double left = std::max(x[least], x.front() + 0.06),
               right = std::min(x[x.size() - 1 - least], x.back() - 0.06);
  const double width = 0.5 * (lies.extent()[1] + lies.extent()[2]);
  const auto grip = [](double from, double to) {
    return R"({"box": [)" + vector({from, -9, -9}) + ", " + vector({to, 9, 9}) + "]}";
  };
  return keys(body("body", lies, setting.poisson,
                   R"(, "select": {"left": )" + grip(-9, left) + R"(, "right": )" + grip(right, 9) + "}"),
              "",
              fmt::format(R"({{"what": "body.left"}}, {{"what": "body.right", "motion": [
{{"time": 0, "about": [0, 0, 0], "rotate": {{"axis": [1, 0, 0], "degrees": 0}}}},
{{"time": {}, "about": [0, 0, 0], "rotate": {{"axis": [1, 0, 0], "degrees": {}}}, "translate": [-0.2, 0, 0]}}]}})",
                          duration(setting), std::min(180 / width, 720.0)));
}

// What is nearest to the middle of the front end is pulled through a ring narrower than the body.
std::string ring(Bodies list, size_t first, const ContactSetting& setting) {
  const PlacedBody lies = lying(list[first], 1);
  const Vec3d extent = lies.extent();
  const double inner = 0.75 * 0.5 * std::max(extent[1], extent[2]), scale = inner / (ring_major - ring_minor);
  const Vec3d tip =
      *std::min_element(lies.points().begin(), lies.points().end(), [&](const Vec3d& a, const Vec3d& b) {
        const auto far = [&](const Vec3d& x) {
          return 3 * (lies.bounds().high[0] - x[0]) + std::hypot(x[1], x[2]);
        };
        return far(a) < far(b);
      });
  const Vec3d centre = {lies.bounds().high[0] + clearance + scale * ring_minor, tip[1], tip[2]};
  return keys(
      body("body", lies, setting.poisson,
           fmt::format(R"(, "select": {{"tip": {{"sphere": {{"centre": {}, "radius": {}}}}}}})", vector(tip),
                       0.4 * inner)),
      fmt::format(
          R"("ring": {{"shape": {{"mesh": {{"memory": "ring", "scale": {}, "rotate": {{"axis": [0, 1, 0], "degrees": 90}}, "translate": {}}}}}}})",
          scale, vector(centre)),
      fmt::format(
          R"({{"what": "body.tip", "motion": [{{"time": 0}}, {{"time": {}, "translate": [0.8, 0, 0]}}]}})",
          duration(setting)));
}

std::string tower(Bodies list, size_t first, const ContactSetting& setting) {
  constexpr double edge = 0.1, gap = 0.002;  // [m]
  const double turn = list[first].name == "turned_cubes" ? 11 : 0;
  std::string bodies;
  double height = gap;
  for (int i = 0; i < 20; ++i) {
    PlacedBody each(list[first], edge, {0, 1, 0}, turn * i);
    each.stand_on({0, height, 0});
    height = each.bounds().high[1] + gap;
    bodies += (i > 0 ? ",\n" : "") + body(fmt::format("b{}", i), each, setting.poisson);
  }
  return keys(bodies, ground);
}

constexpr ContactMotion motions[] = {
    {"drop_plane", drop_plane}, {"drop_edge", drop_edge}, {"drop_bowl", drop_bowl},
    {"squash", squash},         {"collide", collide},     {"pile", pile},
    {"twist", twist},           {"ring", ring},           {"tower", tower, true},
};

}  // namespace

std::span<const ContactMotion> contact_motions() { return motions; }

std::string scene_of(const ContactMotion& motion, const ContactBodies& bodies, size_t body,
                     const ContactSetting& setting) {
  return fmt::format(R"({{"sinew": 1, {},
"contact": {{"friction": {}}}, "gravity": [0, -9.81, 0],
"solve": {{"mode": "dynamic"}}, "time": {{"fps": {}, "frames": {}}}}})",
                     motion.scene(motion.small ? bodies.small : bodies.list, body, setting), setting.friction,
                     std::round(1 / setting.step), setting.steps);
}

}  // namespace sinew::verify
