#include <charconv>
#include <cmath>

#include "io/file.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using model::PoseKey;

constexpr int64_t max_pose_file = int64_t{64} << 20;  // [bytes]
constexpr std::string_view columns = "time tx ty tz qw qx qy qz";

// Up to nine numbers of a line: one more than there should be, so that too many are seen. -1: not numbers.
int parse_numbers(std::string_view line, std::array<double, 9>& out) {
  int count = 0;
  for (;;) {
    while (!line.empty() && std::string_view(" \t,;\r").find(line.front()) != std::string_view::npos)
      line.remove_prefix(1);
    if (line.empty() || count == 9) return count;
    if (line.front() == '+') line.remove_prefix(1);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), out[count]);
    if (error != std::errc() || !std::isfinite(out[count])) return -1;
    line.remove_prefix(end - line.data());
    ++count;
  }
}

// x = R(q) X + t.
PoseKey key_of(const std::array<double, 9>& n) {
  PoseKey key;
  key.time = n[0];
  key.translate = {n[1], n[2], n[3]};
  const Vec3d v = {n[5], n[6], n[7]};
  const double length = norm(v);
  if (length > 0) {
    key.axis = v * (1 / length);
    key.angle = 2 * std::atan2(length, n[4]);
  }
  return key;
}

Result<std::vector<PoseKey>> read_poses(const std::string& path) {
  Result<std::string> text = io::read_text(path, max_pose_file);
  if (!text) return text.error();
  std::vector<PoseKey> keys;
  std::string_view rest = *text;
  for (int64_t number = 1; !rest.empty(); ++number) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    std::array<double, 9> n{};
    const int count = parse_numbers(line, n);
    const std::string where = path + ": line " + std::to_string(number);
    if (count == 0 || (count < 0 && keys.empty() && number == 1)) continue;  // blank, or the header
    if (count != 8)
      return input_error(where, (count < 0 ? "found something that is no number"
                                           : "found " + std::to_string(count) +
                                                 (count == 9 ? " or more" : "") + " numbers") +
                                    ", expected eight: " + std::string(columns));
    const double length = std::sqrt(n[4] * n[4] + n[5] * n[5] + n[6] * n[6] + n[7] * n[7]);
    if (!(std::abs(length - 1) < 1e-3))
      return input_error(where, "found a quaternion of length " + json::number_text(length) + ", expected 1");
    if (!keys.empty() && !(n[0] > keys.back().time))
      return input_error(where, "found the time " + json::number_text(n[0]) +
                                    ", expected more than the one before, " +
                                    json::number_text(keys.back().time));
    keys.push_back(key_of(n));
  }
  if (keys.empty()) return input_error(path, "found no poses, expected lines of " + std::string(columns));
  return keys;
}

}  // namespace

std::vector<PoseKey> motion_keys(Building& building, const Json& motion, const std::string& path,
                                 const Vec3d& centroid) {
  if (motion.is(Json::Kind::null)) return {PoseKey{}};
  if (motion.is(Json::Kind::object)) {
    const Json& file = motion["file"];
    Result<std::vector<PoseKey>> keys = read_poses((building.scene.folder / file.text()).string());
    if (keys) return *keys;
    building.problem(file, path + "/file", keys.error().where + ": " + keys.error().what, keys.error().kind);
    return {};
  }
  std::vector<PoseKey> keys;
  for (const Json& json : motion.items()) {
    PoseKey key;
    key.time = json["time"].number();
    key.translate = vector_of(json["translate"]);
    if (const Json* turn = json.find("rotate")) {
      key.axis = normalized(vector_of((*turn)["axis"]));
      key.angle = radians((*turn)["degrees"].number());
    }
    const Json* about = json.find("about");
    key.about = about ? vector_of(*about) : centroid;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace sinew::scene
