#include "meshing/grid_mesher.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/memory.h"
#include "base/parallel.h"
#include "mesh/disjoint_sets.h"
#include "meshing/coverage.h"
#include "meshing/grid_layers.h"
#include "meshing/grid_regions.h"
#include "meshing/grid_shell.h"

namespace sinew::meshing {
namespace {

constexpr int64_t max_nodes = (int64_t{1} << 20) + 8;  // along an axis, so that keys fit

template <int dim>
class Mesher {
  static constexpr int corners = 1 << dim;

 public:
  Mesher(const SurfaceView<dim>& surface, const GridOptions& options, const Control& control)
      : surface_(surface), options_(options), control_(control) {}

  Result<Gridded<dim>> run() {
    Result<GridFrame<dim>> frame = frame_around();
    if (!frame) return frame.error();
    shell_ = grid_shell(surface_, *frame, count_);
    if (control_.cancelled()) return cancelled();
    regions_ = grid_regions(surface_, *frame, shell_, count_);
    if (!regions_.closed)
      return input_error("",
                         "the surface is not closed: its winding number is not the same all over a region");
    if (control_.cancelled()) return cancelled();
    Result<void> sides = settle_sides();
    if (!sides) return sides.error();
    std::optional<GridLayers<dim>> layers = grid_layers(shell_, regions_);
    if (!layers)
      return input_error(
          "", "the surface has too many layers: their vertices are more than 2^31; take a larger cell");
    layers_ = std::move(*layers);
    if (control_.cancelled()) return cancelled();
    Result<void> filled = fill(*frame);
    if (!filled) return filled.error();
    carry_surface(*frame);
    report(*frame);
    return std::move(out_);
  }

 private:
  static Error cancelled() { return io_error("", "interrupted"); }

  Result<GridFrame<dim>> frame_around() const {
    Lattice<dim> lattice{.cell = options_.cell};
    std::copy_n(options_.offset.begin(), dim, lattice.offset.begin());
    Index<dim> first, last;
    for (int a = 0; a < dim; ++a) {
      double low = INFINITY, high = -INFINITY;
      for (const Point<dim>& p : surface_.points) {
        low = std::min(low, p[a]);
        high = std::max(high, p[a]);
      }
      const double cells = (high - low) / options_.cell;
      if (!(cells < max_nodes - 8) || !(std::max(std::abs(low), std::abs(high)) / options_.cell < 1 << 30))
        return input_error("", fmt::format("a cell of {:g} m is too small for a body of {:g} m along {}, at "
                                           "up to {:g} m from the origin: "
                                           "at most {} cells along an axis, and 2^30 from the origin",
                                           options_.cell, high - low, "xyz"[a],
                                           std::max(std::abs(low), std::abs(high)), max_nodes - 8));
      first[a] = static_cast<int32_t>(lattice.below(a, low) - 3);
      last[a] = static_cast<int32_t>(lattice.below(a, high) + 4);
    }
    return GridFrame<dim>(lattice, first, last);
  }

  // A vertex that its patch puts inside, where the surface winds around nothing, lies beside a part thinner than a cell: it counts
  // as outside. Where no part of the surface has another, there is nothing to fill.
  Result<void> settle_sides() {
    std::vector<uint8_t> kept(shell_.inside.size(), 0);
    for (size_t a = 0; a < shell_.nodes.size(); ++a) {
      const bool material = regions_.winding[regions_.region_of(static_cast<int32_t>(a))] > 0;
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w) {
        if (shell_.inside[w] && !material) ++out_.report.wrong_side;
        shell_.inside[w] = kept[w] = shell_.inside[w] && material;
      }
    }
    mesh::DisjointSets<> parts(static_cast<int64_t>(surface_.points.size()));
    for (const Facet<dim>& f : surface_.facets)
      for (int k = 1; k < dim; ++k) parts.join(f[0], f[k]);
    std::vector<uint8_t> filled(surface_.points.size(), 0);
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int32_t p = shell_.piece_begin[s]; p < shell_.piece_begin[s + 1]; ++p) {
        const auto& v = shell_.sheet_vertices[shell_.piece_sheet[p]];
        if (std::any_of(v.begin(), v.end(), [&](int32_t w) { return kept[w]; }))
          filled[parts.find(surface_.facets[shell_.piece_facet[p]][0])] = 1;
      }
    std::vector<std::array<Point<dim>, 2>> box(surface_.points.size());
    for (size_t p = 0; p < box.size(); ++p) box[p] = {surface_.points[p], surface_.points[p]};
    for (size_t p = 0; p < box.size(); ++p) {
      const int32_t root = parts.find(static_cast<int32_t>(p));
      for (int a = 0; a < dim; ++a) {
        box[root][0][a] = std::min(box[root][0][a], surface_.points[p][a]);
        box[root][1][a] = std::max(box[root][1][a], surface_.points[p][a]);
      }
    }
    bool any = false;
    for (size_t p = 0; p < box.size(); ++p) {
      any |= filled[p] != 0;
      if (parts.find(static_cast<int32_t>(p)) != static_cast<int32_t>(p) || filled[p] ||
          surface_.incident.row(p).empty())
        continue;
      double size = 0;
      for (int a = 0; a < dim; ++a) size = std::max(size, box[p][1][a] - box[p][0][a]);
      out_.report.thin_parts.push_back({static_cast<int32_t>(p), size});
    }
    if (any || out_.report.thin_parts.empty()) return {};
    std::string place;
    for (int a = 0; a < dim; ++a)
      place += fmt::format("{}{:g}", a ? ", " : "", surface_.points[out_.report.thin_parts[0].point][a]);
    return input_error(
        "", fmt::format("the part of the surface at ({}), {:g} m long, has no lattice node inside, and no "
                        "other part has: it is thinner than the cell of {:g} m, or turned inside out; take a "
                        "smaller cell, or coarsen a finer mesh (\"coarsen\", --coarsen 1 to 8)",
                        place, out_.report.thin_parts[0].size, options_.cell));
  }

  struct DeepRun {
    int32_t line, run;
    int64_t first_element;  // of copy 0
  };

  Result<void> fill(const GridFrame<dim>& frame) {
    GridMesh<dim>& mesh = out_.mesh;
    mesh.lattice = frame.lattice;
    const auto shell_elements = static_cast<int64_t>(layers_.elements.size());
    // Vertices that elements use, those of deeper cells too, in order; then, behind each shell node, the deeper nodes up to the next one.
    number_.assign(layers_.joined.size(), -1);
    for (const auto& element : layers_.elements)
      for (const int32_t v : element) number_[v] = 0;
    const auto nodes = static_cast<int32_t>(shell_.nodes.size());
    for (int32_t a = 0; a < nodes; ++a) {
      const auto& around = shell_.node_cells[a];
      if (std::find(around.begin(), around.end(), -1) == around.end()) continue;
      const int32_t region = regions_.region_of(a);
      for (int32_t c = 0; c < layers_.copies.copies[region]; ++c)
        number_[layers_.core_vertex(a, region, c)] = 0;
    }
    int64_t vertices = 0;
    for (size_t v = 0; v < number_.size(); ++v)
      if (number_[v] == 0 && layers_.joined[v] == static_cast<int32_t>(v))
        number_[v] = static_cast<int32_t>(vertices++);
    std::vector<DeepRun> runs;
    int64_t elements = shell_elements;
    deep_first_.assign(nodes, 0);
    for (size_t line = 0; line < regions_.lines.size(); ++line) {
      const int64_t start = regions_.lines[line] * frame.count[0];
      for (int32_t a = regions_.line_nodes[line]; a + 1 < regions_.line_nodes[line + 1]; ++a) {
        deep_first_[a] = vertices;
        if (regions_.node_run[a] == regions_.node_run[a + 1])
          vertices +=
              (shell_.nodes[a + 1] - shell_.nodes[a] - 1) * layers_.copies.copies[regions_.region_of(a)];
      }
      for (int32_t r = regions_.line_runs[line]; r < regions_.line_runs[line + 1]; ++r) {
        const int32_t copies = layers_.copies.copies[regions_.run_region[r]];
        if (copies == 0) continue;
        const auto begin =
            std::lower_bound(shell_.cells.begin(), shell_.cells.end(), start + regions_.run_first[r]);
        const auto end = std::lower_bound(begin, shell_.cells.end(), start + regions_.run_last[r]);
        const int64_t deep = regions_.run_last[r] - regions_.run_first[r] - (end - begin);
        if (deep == 0) continue;
        runs.push_back({static_cast<int32_t>(line), r, elements});
        elements += deep * copies;
      }
    }
    const int64_t bytes = elements * int64_t(sizeof(typename GridMesh<dim>::Element) + sizeof(float)) +
                          vertices * int64_t(sizeof(Index<dim>));
    if (std::max(vertices, elements) > INT32_MAX || bytes > options_.max_bytes)
      return input_error(
          "", fmt::format("a cell of {:g} m makes {} elements, which take {:.3g} GB; at most 2^31 and {:.3g} "
                          "GB are allowed",
                          options_.cell, elements, double(bytes) / 1e9, double(options_.max_bytes) / 1e9));
    mesh.nodes.resize(vertices);
    mesh.elements.resize(elements);
    mesh.coverage.assign(elements, 1.f);
    for (size_t v = 0; v < number_.size(); ++v)
      if (number_[v] >= 0 && layers_.joined[v] == static_cast<int32_t>(v))
        mesh.nodes[number_[v]] = frame.index(shell_.nodes[layers_.vertex_node[v]]);
    for (int64_t e = 0; e < shell_elements; ++e)
      for (int k = 0; k < corners; ++k) mesh.elements[e][k] = number_[layers_.elements[e][k]];
    for_each_block(nodes, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t a = begin; a < end; ++a) place_deep_nodes(frame, static_cast<int32_t>(a));
    });
    for_each_block(static_cast<int64_t>(runs.size()), 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) fill_run(frame, runs[i]);
    });

    return {};
  }

  void place_deep_nodes(const GridFrame<dim>& frame, int32_t a) {
    if (a + 1 == static_cast<int32_t>(shell_.nodes.size()) ||
        regions_.node_run[a] != regions_.node_run[a + 1])
      return;
    const int32_t copies = layers_.copies.copies[regions_.region_of(a)];
    const int64_t length = shell_.nodes[a + 1] - shell_.nodes[a] - 1;
    if (copies == 0 || length == 0) return;
    Index<dim> node = frame.index(shell_.nodes[a]);
    for (int64_t i = 0; i < length; ++i) {
      ++node[0];
      for (int32_t c = 0; c < copies; ++c) out_.mesh.nodes[deep_first_[a] + c * length + i] = node;
    }
  }

  // The vertices of a copy along a line of nodes, in ascending order of x.
  class LineWalk {
   public:
    LineWalk(const Mesher& m, int64_t line, int64_t key, int32_t region, int32_t copy)
        : m_(m), region_(region), copy_(copy) {
      const auto& nodes = m.shell_.nodes;
      const auto begin = nodes.begin() + m.regions_.line_nodes[line],
                 end = nodes.begin() + m.regions_.line_nodes[line + 1];
      // The last shell node at or below the key.
      at_ = static_cast<int32_t>(std::upper_bound(begin, end, key) - nodes.begin()) - 1;
    }
    int32_t vertex(int64_t key) {
      const auto& nodes = m_.shell_.nodes;
      while (at_ + 1 < static_cast<int32_t>(nodes.size()) && nodes[at_ + 1] <= key) ++at_;
      if (nodes[at_] == key) return m_.number_[m_.layers_.core_vertex(at_, region_, copy_)];
      const int64_t length = nodes[at_ + 1] - nodes[at_] - 1;
      return static_cast<int32_t>(m_.deep_first_[at_] + copy_ * length + (key - nodes[at_] - 1));
    }

   private:
    const Mesher& m_;
    int32_t region_, copy_, at_;
  };

  // Cells of a run that are no shell cells: all their nodes are in the region, and all their edges uncut.
  void fill_run(const GridFrame<dim>& frame, const DeepRun& deep) {
    constexpr int rows = 1 << (dim - 1);
    const int32_t region = regions_.run_region[deep.run], copies = layers_.copies.copies[region];
    const int64_t start = regions_.lines[deep.line] * frame.count[0];
    const int64_t first = start + regions_.run_first[deep.run], last = start + regions_.run_last[deep.run];
    std::array<int64_t, rows> line;
    for (int row = 0; row < rows; ++row) {
      const int64_t key = (start + frame.corner[2 * row]) / frame.count[0];
      line[row] =
          std::lower_bound(regions_.lines.begin(), regions_.lines.end(), key) - regions_.lines.begin();
    }
    int64_t element = deep.first_element;
    for (int32_t c = 0; c < copies; ++c) {
      auto shell = std::lower_bound(shell_.cells.begin(), shell_.cells.end(), first);
      for (int64_t x = first; x < last;) {
        if (shell != shell_.cells.end() && *shell == x) {
          ++shell;
          ++x;
          continue;
        }
        const int64_t end = shell == shell_.cells.end() ? last : std::min(last, *shell);
        for (int row = 0; row < rows; ++row) {
          LineWalk walk(*this, line[row], x + frame.corner[2 * row], region, c);
          int32_t left = walk.vertex(x + frame.corner[2 * row]);
          for (int64_t i = x; i < end; ++i) {
            auto& corner = out_.mesh.elements[element + (i - x)];
            corner[2 * row] = left;
            corner[2 * row + 1] = left = walk.vertex(i + 1 + frame.corner[2 * row]);
          }
        }
        element += end - x;
        x = end;
      }
    }
  }

  // Coverage of the shell, the pieces of the surface and where its points are.
  void carry_surface(const GridFrame<dim>& frame) {
    GridMesh<dim>& mesh = out_.mesh;
    std::vector<double> empty(shell_.sheet_vertices.size(),
                              0);  // the share of a sheet's cell that is outside
    for_each_block(static_cast<int64_t>(shell_.cells.size()), 1024, [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s) {
        const Index<dim> cell = frame.index(shell_.cells[s]);
        Index<dim> beyond = cell;
        for (int32_t& i : beyond) ++i;
        const Point<dim> low = frame.lattice.position(cell), high = frame.lattice.position(beyond);
        for (int32_t sheet = shell_.sheet_begin[s]; sheet < shell_.sheet_begin[s + 1]; ++sheet)
          empty[sheet] = !shell_.inside[shell_.sheet_vertices[sheet][corners - 1]];
        for (int32_t p = shell_.piece_begin[s]; p < shell_.piece_begin[s + 1]; ++p)
          empty[shell_.piece_sheet[p]] -=
              share_below<dim>(surface_.corners(shell_.piece_facet[p]), low, high);
      }
    });
    std::vector<double> share(layers_.elements.size(), 1);
    for (size_t sheet = 0; sheet < empty.size(); ++sheet) share[layers_.sheet_element[sheet]] -= empty[sheet];
    double covered = static_cast<double>(mesh.elements.size() - share.size());  // deeper cells are full
    for (size_t e = 0; e < share.size(); ++e) {
      const double part = std::clamp(share[e], 0.0, 1.0);
      mesh.coverage[e] = static_cast<float>(part);
      covered += part;
    }
    out_.report.volume = std::pow(frame.lattice.cell, dim) * covered;

    // Pieces by facet: those of a facet are met in ascending order of cells and so of elements.
    std::vector<int64_t> next(surface_.facets.size() + 1, 0);
    for (const int32_t f : shell_.piece_facet) ++next[f + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<int64_t> begin = next;
    mesh.pieces.resize(shell_.piece_facet.size());
    for (size_t p = 0; p < shell_.piece_facet.size(); ++p)
      mesh.pieces[next[shell_.piece_facet[p]]++] = {shell_.piece_facet[p],
                                                    layers_.sheet_element[shell_.piece_sheet[p]]};

    mesh.carriers.assign(surface_.points.size(), -1);
    for_each_block(static_cast<int64_t>(surface_.points.size()), 4096, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        if (surface_.incident.row(i).empty()) continue;
        Index<dim> cell;
        for (int a = 0; a < dim; ++a)
          cell[a] = static_cast<int32_t>(frame.lattice.cell_of(a, surface_.points[i][a]));
        const int32_t f = surface_.incident.row(i)[0];
        for (int64_t p = begin[f]; p < begin[f + 1]; ++p)
          if (mesh.cell(mesh.pieces[p].element) == cell) mesh.carriers[i] = mesh.pieces[p].element;
      }
    });
  }

  void report(const GridFrame<dim>& frame) {
    GridReport<dim>& r = out_.report;
    r.shell_elements = static_cast<int64_t>(layers_.elements.size());
    r.regions = static_cast<int64_t>(regions_.winding.size()) - 1;
    r.copies = layers_.copies.first_copies;
    r.folded = layers_.copies.folded;
    r.nested = layers_.copies.nested;
    r.ambiguous = layers_.copies.ambiguous;
    std::vector<uint8_t> seen(regions_.winding.size(), 0);
    for (size_t line = 0; line < regions_.lines.size(); ++line)
      for (int32_t run = regions_.line_runs[line]; run < regions_.line_runs[line + 1]; ++run) {
        const int32_t region = regions_.run_region[run];
        if (seen[region]++ || std::max(0, regions_.winding[region]) == layers_.copies.copies[region])
          continue;
        r.mismatches.push_back({frame.index(regions_.lines[line] * frame.count[0] + regions_.run_first[run]),
                                regions_.winding[region], layers_.copies.copies[region]});
      }
    r.predicate_calls = count_.calls;
    r.exact_calls = count_.exact;
  }

  const SurfaceView<dim>& surface_;
  const GridOptions& options_;
  const Control& control_;
  PredicateCount count_;
  GridShell<dim> shell_;
  GridRegions<dim> regions_;
  GridLayers<dim> layers_;
  std::vector<int32_t> number_;      // of each joined vertex that is used: its place in the mesh
  std::vector<int64_t> deep_first_;  // of each shell node: the vertex of the deeper node behind it, in copy 0
  Gridded<dim> out_;
};

}  // namespace

template <int dim>
Result<Gridded<dim>> mesh_grid(const SurfaceView<dim>& surface, const GridOptions& options,
                               const Control& control) {
  return unless_out_of_memory("", [&] { return Mesher<dim>(surface, options, control).run(); });
}

template Result<Gridded<2>> mesh_grid(const SurfaceView<2>&, const GridOptions&, const Control&);
template Result<Gridded<3>> mesh_grid(const SurfaceView<3>&, const GridOptions&, const Control&);

}  // namespace sinew::meshing
