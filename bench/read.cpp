// Large meshes from disk: a box of tets is written in each format and read again.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "bench/bench.h"
#include "io/mesh_file.h"
#include "mesh/shapes.h"

namespace sinew::bench {

namespace {

namespace fs = std::filesystem;

struct Encoding {
  const char* name;
  const char* file;
};
constexpr Encoding encodings[] = {
    {"vtu inline zlib", "box.vtu"}, {"vtu appended raw", "raw.vtu"}, {"msh binary", "box.msh"}};

// As other programs write large grids: every array one raw block behind the tags.
bool write_raw(const std::string& path, const mesh::TetMesh& mesh) {
  std::ofstream out(path, std::ios::binary);
  const uint64_t points = mesh.vertices.size(), cells = mesh.elements.size();
  const uint64_t lengths[] = {24 * points, 16 * cells, 8 * cells, cells};
  const char* tags[] = {"Float64\" NumberOfComponents=\"3", "Int32\" Name=\"connectivity",
                        "Int64\" Name=\"offsets", "UInt8\" Name=\"types"};
  out << "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      << "<Piece NumberOfPoints=\"" << points << "\" NumberOfCells=\"" << cells << "\">\n<Points>\n";
  uint64_t offset = 0;
  for (int k = 0; k < 4; ++k) {
    out << "<DataArray type=\"" << tags[k] << "\" format=\"appended\" offset=\"" << offset << "\"/>\n";
    if (k == 0) out << "</Points>\n<Cells>\n";
    offset += 8 + lengths[k];
  }
  out << "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  const auto put = [&](const auto& value, size_t bytes) {
    out.write(reinterpret_cast<const char*>(&value), static_cast<std::streamsize>(bytes));
  };
  put(lengths[0], 8);
  put(mesh.vertices[0], lengths[0]);
  put(lengths[1], 8);
  put(mesh.elements[0], lengths[1]);
  put(lengths[2], 8);
  for (int64_t end = 4; end <= static_cast<int64_t>(4 * cells); end += 4) put(end, 8);
  put(lengths[3], 8);
  for (uint64_t c = 0; c < cells; ++c) out.put(10);
  out << "\n</AppendedData>\n</VTKFile>\n";
  return bool(out.flush());
}

// Seconds to write all files; the mesh is gone afterwards.
bool write_files(const fs::path& folder, int cells, size_t& tets, double& mesh_bytes, double* seconds) {
  const Result<mesh::TetMesh> mesh =
      mesh::make_box({.cells = {cells, cells, cells}, .split = mesh::Split::five});
  if (!mesh) return false;
  mesh::TetMesh plain;
  plain.vertices = mesh->vertices;
  plain.elements = mesh->elements;
  tets = plain.elements.size();
  mesh_bytes = 24.0 * static_cast<double>(plain.vertices.size()) + 16.0 * static_cast<double>(tets);
  bool ok = true;
  for (size_t k = 0; k < std::size(encodings); ++k) {
    const std::string path = (folder / encodings[k].file).string();
    seconds[k] = seconds_of(
        [&] { ok = ok && (k == 1 ? write_raw(path, plain) : bool(io::write_tet_mesh(path, plain))); });
  }
  return ok;
}

}  // namespace

void run_read(const Options& options, const Emit& emit) {
  constexpr int cells = 126;
  const fs::path folder = fs::temp_directory_path() / ("sinew_bench_" + std::to_string(::getpid()));
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  size_t tets = 0;
  double mesh_bytes = 0, written[std::size(encodings)] = {};
  const bool ready = write_files(folder, cells, tets, mesh_bytes, written);
  for (size_t k = 0; ready && k < std::size(encodings); ++k) {
    const std::string path = (folder / encodings[k].file).string();
    const auto file_bytes = static_cast<double>(fs::file_size(path, ignored));
    std::vector<double> seconds;
    double peak = 0;
    bool ok = true;
    for (int r = 0; ok && r < options.repeats; ++r) {
      forget_peak_memory();
      seconds.push_back(seconds_of([&] { ok = bool(io::read_tet_mesh(path)); }));
      peak = std::max(peak, process_memory("VmHWM"));
    }
    if (!ok) break;
    const double s = median(seconds);
    json::Json row = json::Json::object();
    row.set("case", "read");
    row.set("format", encodings[k].name);
    row.set("tets", static_cast<double>(tets));
    row.set("threads", 1);
    row.set("precision", "double");
    row.set("seconds", s);
    row.set("unit", "file");
    row.set("file_MB", file_bytes / 1e6);
    row.set("file_MB_per_s", file_bytes / 1e6 / s);
    row.set("mesh_MB_per_s", mesh_bytes / 1e6 / s);
    row.set("peak_over_mesh", peak / mesh_bytes);
    row.set("write_seconds", written[k]);
    emit(row);
  }
  fs::remove_all(folder, ignored);
}

}  // namespace sinew::bench
