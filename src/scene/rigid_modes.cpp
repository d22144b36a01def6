#include "scene/rigid_modes.h"

#include <algorithm>
#include <cmath>
#include <map>

// With AVX-512, g++ 12 takes an undefined register of its own intrinsics for an uninitialised variable.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Dense>

#include "json/json.h"
#include "mesh/disjoint_sets.h"

namespace sinew::scene {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using math::Vec3d;

constexpr int64_t max_parts = 50;   // joined by links; the matrix is dense
constexpr size_t max_groups = 200;  // each looks at all attachments and links
constexpr double negligible = 1e-8;

struct Part {
  int32_t body = 0, number = 0;
  Vec3d centre = {0, 0, 0};
  double size = 0;  // largest distance of a node to the centre
  int64_t nodes = 0;
};

struct Parts {
  std::vector<int32_t> of_node;
  std::vector<Part> list;
};

Parts find_parts(const model::Model& model) {
  mesh::DisjointSets<> sets(static_cast<int64_t>(model.X.size()));  // parts in the order of their nodes
  for (const model::Tet& tet : model.tets)
    for (int k = 1; k < 4; ++k) sets.join(tet[0], tet[k]);
  for (size_t t = 0; t < model.edge_nodes.size(); ++t)
    for (int32_t node : model.edge_nodes[t])
      if (node >= 0) sets.join(model.tets[t][0], node);
  Parts parts;
  parts.of_node.assign(model.X.size(), -1);
  std::vector<int32_t> of_root(model.X.size(), -1), per_body(model.bodies.size(), 0);
  for (size_t i = 0; i < model.X.size(); ++i) {
    const int32_t root = sets.find(static_cast<int32_t>(i));
    if (of_root[root] < 0) {
      of_root[root] = static_cast<int32_t>(parts.list.size());
      const int32_t body = model.body_of_node(static_cast<int32_t>(i));
      parts.list.push_back({body, per_body[body]++});
    }
    parts.of_node[i] = of_root[root];
    Part& part = parts.list[of_root[root]];
    part.centre += model.X[i];
    ++part.nodes;
  }
  for (Part& part : parts.list) part.centre *= 1.0 / static_cast<double>(part.nodes);
  for (size_t i = 0; i < model.X.size(); ++i) {
    Part& part = parts.list[parts.of_node[i]];
    part.size = std::max(part.size, norm(model.X[i] - part.centre));
  }
  return parts;
}

// The normal matrix of all rows on the motions of a group of parts. Rotations are scaled by the part's size.
class Rows {
 public:
  Rows(const model::Model& model, const Parts& parts, const std::vector<int32_t>& slot, size_t count)
      : model_(model), parts_(parts), slot_(slot), normal_(MatrixXd::Zero(6 * count, 6 * count)) {}

  bool has(int32_t node) const { return slot_[parts_.of_node[node]] >= 0; }

  // direction . (motion of site a - motion of site b), each a list of nodes and weights.
  void add(const Vec3d& direction, const model::Site& a, const model::Site* b = nullptr) {
    const int64_t i = 6 * slot_of(a);
    const Vector6d row = row_of(direction, a);
    normal_.block<6, 6>(i, i) += row * row.transpose();
    if (!b) return;
    const int64_t j = 6 * slot_of(*b);
    const Vector6d other = -row_of(direction, *b);
    normal_.block<6, 6>(j, j) += other * other.transpose();
    normal_.block<6, 6>(i, j) += row * other.transpose();
    normal_.block<6, 6>(j, i) += other * row.transpose();
  }

  MatrixXd null_space() const {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(normal_);
    const auto& values = solver.eigenvalues();
    const double bound = negligible * std::max(1.0, values.maxCoeff());
    int64_t dimension = 0;
    while (dimension < values.size() && values[dimension] < bound) ++dimension;
    return solver.eigenvectors().leftCols(dimension);
  }

 private:
  using Vector6d = Eigen::Matrix<double, 6, 1>;

  // All nodes of a site belong to one tet, so to one part.
  int64_t slot_of(const model::Site& site) const { return slot_[parts_.of_node[site.node[0]]]; }

  Vector6d row_of(const Vec3d& direction, const model::Site& site) const {
    Vector6d row = Vector6d::Zero();
    const Part& part = parts_.list[parts_.of_node[site.node[0]]];
    for (int32_t k = 0; k < site.count; ++k) {
      const Vec3d arm = (model_.X[site.node[k]] - part.centre) * (1 / std::max(part.size, 1e-300));
      const Vec3d turn = cross(arm, direction);
      for (int i = 0; i < 3; ++i) {
        row[i] += site.weight[k] * direction[i];
        row[3 + i] += site.weight[k] * turn[i];
      }
    }
    return row;
  }

  const model::Model& model_;
  const Parts& parts_;
  const std::vector<int32_t>& slot_;
  MatrixXd normal_;
};

void add_attachments(const model::Model& model, Rows& rows) {
  for (const model::Attachment& attachment : model.attachments) {
    const Vec3d d = attachment.direction;
    for (int32_t node : attachment.nodes) {
      if (!rows.has(node)) continue;
      const model::Site site = model::Site::at_node(node);
      if (attachment.hold == model::Hold::plane) {
        rows.add(d, site);
        continue;
      }
      for (int i = 0; i < 3; ++i) {
        const Vec3d e = Vec3d::unit(i);
        rows.add(attachment.hold == model::Hold::line ? e - d * dot(e, d) : e, site);
      }
    }
  }
}

Vec3d rest_position(const model::Model& model, const model::Site& site) {
  if (site.count == 0) return site.point;
  Vec3d x = {0, 0, 0};
  for (int32_t k = 0; k < site.count; ++k) x += model.X[site.node[k]] * site.weight[k];
  return x;
}

void add_links(const model::Model& model, Rows& rows) {
  for (size_t l = 0; l < model.links.size(); ++l) {
    const model::Link& link = model.links[l];
    const model::Site* sites[2] = {&link.a, &link.b};
    if (link.a.count == 0) std::swap(sites[0], sites[1]);
    if (sites[0]->count == 0 || !rows.has(sites[0]->node[0])) continue;
    const model::Site* other = sites[1]->count > 0 ? sites[1] : nullptr;
    const Vec3d d = rest_position(model, link.a) - rest_position(model, link.b);
    if (link.rest_length > 0) {
      if (norm(d) > 0) rows.add(normalized(d), *sites[0], other);
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      const Vec3d e = Vec3d::unit(i), across = e - link.normal * dot(e, link.normal);
      if (model.params.link_tangent[l] > 0) rows.add(across, *sites[0], other);
    }
    if (model.params.link_normal[l] > 0) rows.add(link.normal, *sites[0], other);
  }
}

// An orthonormal basis of the column space.
MatrixXd range_of(const MatrixXd& columns) {
  if (columns.cols() == 0) return columns;
  const Eigen::JacobiSVD<MatrixXd> svd(columns, Eigen::ComputeFullU);
  int64_t rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-6) ++rank;
  return svd.matrixU().leftCols(rank);
}

// "x, y" where the axes themselves are in the space; other directions as vectors.
std::string directions(const MatrixXd& basis) {
  std::string text;
  const auto append = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  MatrixXd left = basis * basis.transpose();
  for (int k = 0; k < 3; ++k) {
    const Vector3d e = Vector3d::Unit(k);
    if ((left * e - e).norm() > 1e-3) continue;
    append(std::string(1, static_cast<char>('x' + k)));
    left -= e * e.transpose();
  }
  const MatrixXd others = range_of(left);
  for (int64_t k = 0; k < others.cols(); ++k) {
    Vector3d v = others.col(k);
    if (v.sum() < 0) v = -v;
    const auto rounded = [](double c) { return json::number_text(std::round(c * 100) / 100 + 0.0); };
    std::string vector = "(";
    for (int i = 0; i < 3; ++i) vector.append(i ? ", " : "").append(rounded(v[i]));
    append(vector.append(")"));
  }
  return text;
}

// `motions` is 6 x n: the free (t, w) of one part. Pure translations are told apart from what turns.
std::string mode_words(const MatrixXd& motions) {
  const MatrixXd basis = range_of(motions);
  if (basis.cols() == 0) return {};
  const MatrixXd w = basis.bottomRows(3);
  const Eigen::JacobiSVD<MatrixXd> svd(w, Eigen::ComputeFullU | Eigen::ComputeFullV);
  int64_t turning = 0;
  while (turning < svd.singularValues().size() && svd.singularValues()[turning] > 1e-6) ++turning;
  const MatrixXd still = svd.matrixV().rightCols(basis.cols() - turning);
  const std::string along = directions(range_of(basis.topRows(3) * still));
  const std::string about = directions(svd.matrixU().leftCols(turning));
  std::string text;
  if (!along.empty()) text = "translation along " + along;
  if (!about.empty()) text += (text.empty() ? "" : "; ") + ("rotation about " + about);
  return text;
}

}  // namespace

std::vector<FreePart> free_rigid_modes(const model::Model& model, int64_t& unchecked) {
  unchecked = 0;
  const Parts parts = find_parts(model);
  std::vector<int32_t> parts_of_body(model.bodies.size(), 0);
  for (const Part& part : parts.list) ++parts_of_body[part.body];

  mesh::DisjointSets<> joined(static_cast<int64_t>(parts.list.size()));
  for (const model::Link& link : model.links)
    if (link.a.count > 0 && link.b.count > 0)
      joined.join(parts.of_node[link.a.node[0]], parts.of_node[link.b.node[0]]);
  std::map<int32_t, std::vector<int32_t>> groups;
  for (size_t p = 0; p < parts.list.size(); ++p)
    groups[joined.find(static_cast<int32_t>(p))].push_back(static_cast<int32_t>(p));

  std::vector<FreePart> result;
  size_t looked_at = 0;
  for (const auto& [root, members] : groups) {
    if (static_cast<int64_t>(members.size()) > max_parts || ++looked_at > max_groups) {
      unchecked += static_cast<int64_t>(members.size());
      continue;
    }
    std::vector<int32_t> slot(parts.list.size(), -1);
    for (size_t k = 0; k < members.size(); ++k) slot[members[k]] = static_cast<int32_t>(k);
    Rows rows(model, parts, slot, members.size());
    add_attachments(model, rows);
    add_links(model, rows);
    const MatrixXd free = rows.null_space();
    for (size_t k = 0; k < members.size() && free.cols() > 0; ++k) {
      const std::string modes = mode_words(free.middleRows(6 * static_cast<int64_t>(k), 6));
      const Part& part = parts.list[members[k]];
      if (!modes.empty()) result.push_back({part.body, part.number, parts_of_body[part.body], modes});
    }
  }
  return result;
}

}  // namespace sinew::scene
