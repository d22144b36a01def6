#pragma once
// glTF 2.0 in one binary file (Khronos: glTF 2.0 Specification, 2021): surfaces, and their motion as morph targets. Target
// k is frame k minus frame 0; at the time of frame k its weight is 1 and those of the others are 0, with straight lines
// between. Positions and normals in single precision; a normal is that of the triangles around its vertex, by area. A vertex
// has one pair of texture coordinates: those on seams come again behind the others, once for each further pair.
//
//     auto out = GlbWriter::open(path, meshes, times);   // one time: no animation
//     out->add(frame.meshes);  ...  out->commit();
//
// Layout: header, JSON, then corners | texture coordinates | times, weights | positions and normals of frame 0, differences frame after frame.
// The JSON has the bounds of all that: it is written last, into the room that is left for it.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "exporting/frame.h"
#include "io/buffered_file.h"

namespace sinew::exporting {

class GlbWriter {
 public:
  // Meshes of the same surfaces as those of every frame. Refuses what a file of this kind, below 4 GiB, has no room for.
  static Result<GlbWriter> open(const std::string& path, std::span<const FrameMesh> meshes,
                                std::vector<double> times);
  Result<void> add(std::span<const FrameMesh> meshes);  // as often as there are times
  Result<void> commit();

 private:
  using Point = std::array<float, 3>;
  struct Bounds {
    Point low, high;
  };
  struct Mesh {
    std::string name;
    size_t points = 0, triangles = 0;
    std::vector<std::array<uint32_t, 3>> corners;  // of a mesh with texture coordinates: the vertices
    std::vector<std::array<float, 2>> texture;     // of each vertex
    std::vector<int32_t> again;                    // the points of the vertices from `points` on

    size_t vertices() const { return points + again.size(); }
    void split(const FrameMesh& mesh);
  };
  struct Shape {
    std::vector<Point> points, normals;
  };
  GlbWriter(const std::string& path, std::span<const FrameMesh> meshes, std::vector<double> times);
  bool animated() const { return times_.size() > 1; }
  uint64_t animation_bytes() const;
  uint64_t bin_bytes() const;
  std::string json() const;  // always of the same length, whatever the bounds are
  std::string beginning() const;

  io::BufferedFile file_;
  std::vector<double> times_;  // since the first frame [s]
  std::vector<Mesh> meshes_;
  uint64_t corner_bytes_ = 0, texture_bytes_ = 0, frame_bytes_ = 0;
  std::vector<Shape> first_;    // [mesh] frame 0
  std::vector<Bounds> bounds_;  // [frame * meshes + mesh], of positions
};

}  // namespace sinew::exporting
