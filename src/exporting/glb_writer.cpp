#include "exporting/glb_writer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "base/machine.h"
#include "json/json.h"

namespace sinew::exporting {
namespace {

constexpr uint32_t glb_mark = 0x46546c67, json_mark = 0x4e4f534a, bin_mark = 0x004e4942;
constexpr int array_buffer = 34962, element_array_buffer = 34963, type_float = 5126, type_uint = 5125;
constexpr uint64_t before_json = 20, before_bin = 8;
// A matt grey: the default of the format is a metal, black where nothing is reflected.
constexpr const char* material =
    R"({"pbrMetallicRoughness":{"baseColorFactor":[0.8,0.75,0.7,1],"metallicFactor":0,"roughnessFactor":0.7},)"
    R"("doubleSided":true})";

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// In a fixed width: the longest single-precision number in decimal has 15 characters.
std::string padded(float value) { return fmt::format("{:>16}", fmt::format("{}", value)); }

// Unit normals, as the format wants them; an arbitrary one where the triangles have no area.
std::vector<std::array<float, 3>> normals_of(const FrameMesh& mesh) {
  std::vector<math::Vec3d> sums(mesh.points.size(), math::Vec3d::zero());
  for (const auto& [a, b, c] : mesh.surface) {
    const math::Vec3d area = cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]);
    for (const int32_t corner : {a, b, c}) sums[corner] += area;
  }
  std::vector<std::array<float, 3>> normals(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    const double length = norm(sums[i]);
    const math::Vec3d n = length > 0 && std::isfinite(length) ? sums[i] / length : math::Vec3d{0, 0, 1};
    for (int k = 0; k < 3; ++k) normals[i][k] = static_cast<float>(n[k]);
  }
  return normals;
}

void add_again(std::span<const int32_t> points, std::vector<std::array<float, 3>>& of_points) {
  for (const int32_t point : points) of_points.push_back(of_points[point]);
}

std::string list_of(const std::array<float, 3>& p) {
  return fmt::format("[{},{},{}]", padded(p[0]), padded(p[1]), padded(p[2]));
}

}  // namespace

GlbWriter::GlbWriter(const std::string& path, std::span<const FrameMesh> meshes, std::vector<double> times)
    : file_(path), times_(std::move(times)) {
  const double begin = times_.empty() ? 0 : times_[0];
  for (double& time : times_) time -= begin;
  for (const FrameMesh& mesh : meshes) {
    Mesh& own = meshes_.emplace_back();
    own.name = mesh.name;
    own.points = mesh.points.size();
    own.triangles = mesh.surface.size();
    own.split(mesh);
    corner_bytes_ += 12 * own.triangles;
    texture_bytes_ += 8 * own.texture.size();
    frame_bytes_ += 24 * own.vertices();
  }
}

// The first pair at a point is that of the vertex in its place.
void GlbWriter::Mesh::split(const FrameMesh& mesh) {
  if (mesh.texture.empty()) return;
  texture.assign(points, {0, 0});
  std::vector<char> taken(points, 0);
  std::map<std::tuple<int32_t, float, float>, uint32_t> vertex;
  for (size_t t = 0; t < triangles; ++t) {
    auto& own = corners.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const int32_t point = mesh.surface[t][k];
      // v goes down from the upper edge of a picture here, and up everywhere else.
      const std::array<float, 2> uv = {static_cast<float>(mesh.texture[t][k][0]),
                                       static_cast<float>(1 - mesh.texture[t][k][1])};
      const auto [place, is_new] = vertex.emplace(std::tuple(point, uv[0], uv[1]), 0);
      if (is_new && !taken[point]) {
        taken[point] = 1;
        texture[point] = uv;
        place->second = static_cast<uint32_t>(point);
      } else if (is_new) {
        place->second = static_cast<uint32_t>(vertices());
        again.push_back(point);
        texture.push_back(uv);
      }
      own[k] = place->second;
    }
  }
}

uint64_t GlbWriter::animation_bytes() const {
  const uint64_t n = times_.size();
  return animated() ? 4 * n + 4 * n * (n - 1) : 0;
}

uint64_t GlbWriter::bin_bytes() const {
  return corner_bytes_ + texture_bytes_ + animation_bytes() + frame_bytes_ * times_.size();
}

Result<GlbWriter> GlbWriter::open(const std::string& path, std::span<const FrameMesh> meshes,
                                  std::vector<double> times) {
  for (const FrameMesh& mesh : meshes)
    if (mesh.points.empty() || mesh.surface.empty())
      return usage_error(fmt::format("{}: {} has no surface", path, mesh.name));
  GlbWriter writer(path, meshes, std::move(times));
  writer.bounds_.assign(writer.times_.size() * meshes.size(), {});
  const std::string begin = writer.beginning();
  if (begin.size() + writer.bin_bytes() > std::numeric_limits<uint32_t>::max())
    return usage_error(
        fmt::format("{}: {} frames would make a file of {:.1f} GB, of at most 4.2; choose some of them with "
                    "--frames A:B:STEP, or write glb_frames",
                    path, writer.times_.size(), static_cast<double>(writer.bin_bytes()) / 1e9));
  std::string& out = writer.file_.text = begin;
  for (size_t m = 0; m < meshes.size(); ++m)
    for (size_t t = 0; t < meshes[m].surface.size(); ++t) {
      const Mesh& own = writer.meshes_[m];
      for (int k = 0; k < 3; ++k)
        put(out, own.corners.empty() ? static_cast<uint32_t>(meshes[m].surface[t][k]) : own.corners[t][k]);
      writer.file_.flush_if_full();
    }
  for (const Mesh& mesh : writer.meshes_) writer.file_.array<std::array<float, 2>>(mesh.texture);
  if (writer.animated()) {
    for (double time : writer.times_) put(out, static_cast<float>(time));
    for (size_t frame = 0; frame < writer.times_.size(); ++frame)
      for (size_t target = 1; target < writer.times_.size(); ++target) {
        put(out, frame == target ? 1.0F : 0.0F);
        writer.file_.flush_if_full();
      }
  }
  writer.bounds_.clear();
  if (auto ok = writer.file_.state(); !ok) return ok.error();
  return writer;
}

Result<void> GlbWriter::add(std::span<const FrameMesh> meshes) {
  const bool first = first_.empty();
  if (first) first_.resize(meshes.size());
  for (size_t m = 0; m < meshes.size(); ++m) {
    if (meshes[m].points.size() != meshes_[m].points)
      return usage_error(fmt::format("{} has {} vertices in one frame and {} in another", meshes_[m].name,
                                     meshes_[m].points, meshes[m].points.size()));
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Bounds bounds = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    Shape shape = {std::vector<Point>(meshes_[m].points), normals_of(meshes[m])};
    add_again(meshes_[m].again, shape.normals);
    shape.points.resize(meshes_[m].vertices());
    for (size_t i = 0; i < shape.points.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const size_t point = i < meshes_[m].points ? i : meshes_[m].again[i - meshes_[m].points];
        const double from = first ? 0 : static_cast<double>(first_[m].points[i][k]);
        float& x = shape.points[i][k];
        x = static_cast<float>(meshes[m].points[point][k] - from);
        if (!first) shape.normals[i][k] -= first_[m].normals[i][k];
        bounds.low[k] = std::min(bounds.low[k], x);
        bounds.high[k] = std::max(bounds.high[k], x);
      }
    file_.array<Point>(shape.points);
    file_.array<Point>(shape.normals);
    if (first) first_[m] = std::move(shape);
    bounds_.push_back(bounds);
  }
  return file_.state();
}

std::string GlbWriter::json() const {
  std::string text;
  const auto out = std::back_inserter(text);
  const size_t count = meshes_.size(), frames = times_.size();
  const int positions = animated() ? 2 : 1;  // the view of them
  // Accessors: corners of each mesh; positions and normals of each at frame 0; times, weights; those of the targets.
  // Last the texture coordinates of the meshes that have some, in the last view.
  const size_t first_target = 3 * count + (animated() ? 2 : 0);
  size_t texture = first_target + 2 * count * (frames - 1);
  fmt::format_to(out,
                 R"({{"asset":{{"version":"2.0","generator":"sinew {}"}},"scene":0,"scenes":[{{"nodes":[)",
                 build_info().version);
  for (size_t m = 0; m < count; ++m) fmt::format_to(out, "{}{}", m ? "," : "", m);
  text += "]}],\"nodes\":[";
  for (size_t m = 0; m < count; ++m)
    fmt::format_to(out, R"({}{{"name":{},"mesh":{}}})", m ? "," : "", json::quote(meshes_[m].name), m);
  fmt::format_to(out, R"(],"materials":[{}],"meshes":[)", material);
  for (size_t m = 0; m < count; ++m) {
    fmt::format_to(
        out,
        R"({}{{"name":{},"primitives":[{{"attributes":{{"POSITION":{},"NORMAL":{}{}}},"indices":{},"material":0)",
        m ? "," : "", json::quote(meshes_[m].name), count + 2 * m, count + 2 * m + 1,
        meshes_[m].texture.empty() ? "" : fmt::format(R"(,"TEXCOORD_0":{})", texture++), m);
    for (size_t k = 1; k < frames; ++k) {
      const size_t target = first_target + 2 * ((k - 1) * count + m);
      fmt::format_to(out, R"({}{{"POSITION":{},"NORMAL":{}}})", k == 1 ? ",\"targets\":[" : ",", target,
                     target + 1);
    }
    text += animated() ? "]}]}" : "}]}";
  }
  text += "],\"accessors\":[";
  uint64_t place = 0;
  for (const Mesh& mesh : meshes_) {
    fmt::format_to(out,
                   R"({}{{"bufferView":0,"byteOffset":{},"componentType":{},"count":{},"type":"SCALAR"}})",
                   place ? "," : "", place, type_uint, 3 * mesh.triangles);
    place += 12 * mesh.triangles;
  }
  place = 0;
  for (size_t i = 0; i < bounds_.size(); ++i) {
    if (i == count && animated()) {
      fmt::format_to(
          out, R"(,{{"bufferView":1,"componentType":{},"count":{},"type":"SCALAR","min":[{}],"max":[{}]}})",
          type_float, frames, static_cast<float>(times_.front()), static_cast<float>(times_.back()));
      fmt::format_to(out,
                     R"(,{{"bufferView":1,"byteOffset":{},"componentType":{},"count":{},"type":"SCALAR"}})",
                     4 * frames, type_float, frames * (frames - 1));
    }
    fmt::format_to(
        out,
        R"(,{{"bufferView":{},"byteOffset":{},"componentType":{},"count":{},"type":"VEC3","min":{},"max":{}}})",
        positions, place, type_float, meshes_[i % count].vertices(), list_of(bounds_[i].low),
        list_of(bounds_[i].high));
    place += 12 * meshes_[i % count].vertices();
    fmt::format_to(out, R"(,{{"bufferView":{},"byteOffset":{},"componentType":{},"count":{},"type":"VEC3"}})",
                   positions, place, type_float, meshes_[i % count].vertices());
    place += 12 * meshes_[i % count].vertices();
  }
  place = 0;
  for (const Mesh& mesh : meshes_) {
    if (mesh.texture.empty()) continue;
    fmt::format_to(out, R"(,{{"bufferView":{},"byteOffset":{},"componentType":{},"count":{},"type":"VEC2"}})",
                   positions + 1, place, type_float, mesh.texture.size());
    place += 8 * mesh.texture.size();
  }
  fmt::format_to(out, R"(],"bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{},"target":{}}})",
                 corner_bytes_, element_array_buffer);
  if (animated())
    fmt::format_to(out, R"(,{{"buffer":0,"byteOffset":{},"byteLength":{}}})", corner_bytes_ + texture_bytes_,
                   animation_bytes());
  const auto view = [&](uint64_t begin, uint64_t size, int stride) {
    fmt::format_to(out, R"(,{{"buffer":0,"byteOffset":{},"byteLength":{},"byteStride":{},"target":{}}})",
                   begin, size, stride, array_buffer);
  };
  view(corner_bytes_ + texture_bytes_ + animation_bytes(), frame_bytes_ * frames, 12);
  if (texture_bytes_ > 0) view(corner_bytes_, texture_bytes_, 8);
  text += ']';
  if (animated()) {
    text += R"(,"animations":[{"name":"motion","channels":[)";
    for (size_t m = 0; m < count; ++m)
      fmt::format_to(out, R"({}{{"sampler":0,"target":{{"node":{},"path":"weights"}}}})", m ? "," : "", m);
    fmt::format_to(out, R"(],"samplers":[{{"input":{},"output":{},"interpolation":"LINEAR"}}]}}])", 3 * count,
                   3 * count + 1);
  }
  fmt::format_to(out, R"(,"buffers":[{{"byteLength":{}}}]}})", bin_bytes());
  text.resize((text.size() + 3) / 4 * 4, ' ');
  return text;
}

// Up to the bytes of the BIN chunk.
std::string GlbWriter::beginning() const {
  const std::string text = json();
  const uint64_t total = before_json + text.size() + before_bin + bin_bytes();
  std::string bytes;
  put(bytes, glb_mark);
  put<uint32_t>(bytes, 2);
  put(bytes, static_cast<uint32_t>(total));
  put(bytes, static_cast<uint32_t>(text.size()));
  put(bytes, json_mark);
  bytes += text;
  put(bytes, static_cast<uint32_t>(bin_bytes()));
  put(bytes, bin_mark);
  return bytes;
}

Result<void> GlbWriter::commit() {
  if (bounds_.size() != times_.size() * meshes_.size())
    return usage_error(fmt::format("a .glb file has {} frames, expected {}",
                                   meshes_.empty() ? 0 : bounds_.size() / meshes_.size(), times_.size()));
  file_.write_at(0, beginning());
  return file_.commit();
}

}  // namespace sinew::exporting
