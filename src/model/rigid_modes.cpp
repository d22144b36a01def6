#include "model/rigid_modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "model/add_hinges.h"

namespace sinew::model {
namespace {

constexpr int64_t max_parts = 50;   // joined by links; the matrix is dense
constexpr size_t max_groups = 200;  // each looks at all attachments and links
constexpr double negligible = 1e-8;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Takes the part along the unit vector q away from v.
void make_orthogonal(const Vector& q, Vector& v) {
  const double along = dot(q, v);
  for (size_t i = 0; i < v.size(); ++i) v[i] -= along * q[i];
}

// An orthonormal basis of what the columns span, by Gram-Schmidt with pivoting: the longest of what is left of them is next, and
// is made orthogonal once more, until none is longer than `bound`.
std::vector<Vector> range_of(std::vector<Vector> columns, double bound) {
  std::vector<Vector> basis;
  while (!columns.empty()) {
    const auto longest =
        std::max_element(columns.begin(), columns.end(),
                         [](const Vector& a, const Vector& b) { return dot(a, a) < dot(b, b); });
    Vector q = std::move(*longest);
    columns.erase(longest);
    if (std::sqrt(dot(q, q)) <= bound) break;
    for (const Vector& other : basis) make_orthogonal(other, q);
    const double length = std::sqrt(dot(q, q));
    for (double& c : q) c /= length;
    for (Vector& column : columns) make_orthogonal(q, column);
    basis.push_back(std::move(q));
  }
  return basis;
}

// The normal matrix of all rows on the motions of a group of parts. Rotations are scaled by the part's size.
class Rows {
 public:
  Rows(const Model& model, const Parts& parts, const std::vector<int32_t>& slot, size_t count)
      : model_(model), parts_(parts), slot_(slot), normal_(6 * count, Vector(6 * count, 0.0)) {}

  bool has(int32_t node) const { return slot_[parts_.of_node[node]] >= 0; }

  // direction . (motion of site a - motion of site b), each a list of nodes and weights.
  void add(const Vec3d& direction, const Site& a, const Site* b = nullptr) {
    const Row row = row_of(direction, a);
    add_product(row, row);
    if (!b) return;
    const Row other = row_of(-direction, *b);
    add_product(other, other);
    add_product(row, other);
    add_product(other, row);
  }

  // The part of a node does not turn about the axis.
  void add_turn(int32_t node, const Vec3d& axis) {
    const Row row = {6 * int64_t{slot_[parts_.of_node[node]]}, {0, 0, 0, axis[0], axis[1], axis[2]}};
    add_product(row, row);
  }

  // The motions that no row sees are the space orthogonal to this one.
  std::vector<Vector> held() const {
    double largest = 1;
    for (const Vector& column : normal_) largest = std::max(largest, std::sqrt(dot(column, column)));
    return range_of(normal_, negligible * largest);
  }

 private:
  struct Row {
    int64_t first;  // of the six unknowns
    std::array<double, 6> value;
  };

  void add_product(const Row& a, const Row& b) {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) normal_[b.first + j][a.first + i] += a.value[i] * b.value[j];
  }

  // All nodes of a site belong to one element, so to one part.
  Row row_of(const Vec3d& direction, const Site& site) const {
    const int32_t p = parts_.of_node[site.node[0]];
    const Part& part = parts_.list[p];
    Row row = {6 * int64_t{slot_[p]}, {}};
    for (int32_t k = 0; k < site.count; ++k) {
      const Vec3d arm = (model_.X[site.node[k]] - part.centre) * (1 / std::max(part.radius, 1e-300));
      const Vec3d turn = cross(arm, direction);
      for (int i = 0; i < 3; ++i) {
        row.value[i] += site.weight[k] * direction[i];
        row.value[3 + i] += site.weight[k] * turn[i];
      }
    }
    return row;
  }

  const Model& model_;
  const Parts& parts_;
  const std::vector<int32_t>& slot_;
  std::vector<Vector> normal_;  // by columns
};

void add_attachments(const Model& model, Rows& rows) {
  for (const Attachment& attachment : model.attachments) {
    const Vec3d d = attachment.direction;
    for (int32_t node : attachment.nodes) {
      if (!rows.has(node)) continue;
      const Site site = Site::at_node(node);
      if (attachment.hold == Hold::plane) {
        rows.add(d, site);
        continue;
      }
      for (int i = 0; i < 3; ++i) {
        const Vec3d e = Vec3d::unit(i);
        rows.add(attachment.hold == Hold::line ? e - d * dot(e, d) : e, site);
      }
    }
  }
}

Vec3d rest_position(const Model& model, const Site& site) {
  if (site.count == 0) return site.point;
  Vec3d x = {0, 0, 0};
  for (int32_t k = 0; k < site.count; ++k) x += model.X[site.node[k]] * site.weight[k];
  return x;
}

// Borders that do not turn about themselves.
void add_clamped(const Model& model, Rows& rows) {
  for (const Attachment& attachment : model.attachments) {
    if (attachment.clamped.empty()) continue;
    const auto on = [&](int32_t node) {
      return std::binary_search(attachment.clamped.begin(), attachment.clamped.end(), node);
    };
    const Body& body = model.bodies[model.body_of_node(attachment.clamped[0])];
    for (const Hinge& border : border_hinges(model, body))
      if (on(border.nodes[0]) && on(border.nodes[1]) && rows.has(border.nodes[0]))
        rows.add_turn(border.nodes[0], normalized(model.X[border.nodes[1]] - model.X[border.nodes[0]]));
  }
}

void add_links(const Model& model, Rows& rows) {
  for (size_t l = 0; l < model.links.size(); ++l) {
    const Link& link = model.links[l];
    const Site* sites[2] = {&link.a, &link.b};
    if (link.a.count == 0) std::swap(sites[0], sites[1]);
    if (sites[0]->count == 0 || !rows.has(sites[0]->node[0])) continue;
    const Site* other = sites[1]->count > 0 ? sites[1] : nullptr;
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

// The orthogonal projector on what the vectors span, their three numbers from `first` on.
Mat3d projector(const std::vector<Vector>& basis, size_t first = 0) {
  Mat3d P = Mat3d::zero();
  for (const Vector& q : basis)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) P(i, j) += q[first + i] * q[first + j];
  return P;
}

std::vector<Vector> columns_of(const Mat3d& A) {
  std::vector<Vector> columns;
  for (int j = 0; j < 3; ++j) columns.push_back({A(0, j), A(1, j), A(2, j)});
  return columns;
}

// "x, y" where the axes themselves are in the space of the projector; other directions as vectors.
std::string directions(Mat3d left) {
  std::string text;
  const auto append = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  for (int k = 0; k < 3; ++k) {
    const Vec3d e = Vec3d::unit(k);
    if (norm(left * e - e) > 1e-3) continue;
    append(std::string(1, static_cast<char>('x' + k)));
    left(k, k) -= 1;
  }
  for (const Vector& v : range_of(columns_of(left), 0.1)) {
    const double sign = v[0] + v[1] + v[2] < 0 ? -1 : 1;
    const auto rounded = [&](double c) { return std::round(sign * c * 100) / 100 + 0.0; };
    append(fmt::format("({:g}, {:g}, {:g})", rounded(v[0]), rounded(v[1]), rounded(v[2])));
  }
  return text;
}

// `motions` span the free (t, w) of one part. Pure translations are told apart from what turns.
std::string mode_words(const std::vector<Vector>& motions) {
  const std::vector<Vector> basis = range_of(motions, 1e-6);
  // P (t, 0) = (t, 0) where a translation is free, so that t is in the null space of 1 - P_tt.
  const Mat3d rest = Mat3d::identity() - projector(basis);
  const Mat3d still = Mat3d::identity() - projector(range_of(columns_of(rest), 1e-9));
  std::vector<Vector> turns;
  for (const Vector& q : basis) turns.push_back({q[3], q[4], q[5]});
  const std::string along = directions(still), about = directions(projector(range_of(turns, 1e-6)));
  std::string text;
  if (!along.empty()) text = "translation along " + along;
  if (!about.empty()) text += (text.empty() ? "" : "; ") + ("rotation about " + about);
  return text;
}

// The free motions of the part in a slot: its six rows of the projector on the space orthogonal to `held`, by columns.
std::vector<Vector> free_motions(const std::vector<Vector>& held, size_t slot, size_t unknowns) {
  std::vector<Vector> columns(unknowns, Vector(6, 0.0));
  for (size_t i = 0; i < 6; ++i) columns[6 * slot + i][i] = 1;
  for (const Vector& q : held)
    for (size_t j = 0; j < unknowns; ++j)
      for (size_t i = 0; i < 6; ++i) columns[j][i] -= q[6 * slot + i] * q[j];
  return columns;
}

}  // namespace

std::vector<FreePart> free_rigid_modes(const Model& model, const Parts& parts, int64_t& unchecked) {
  unchecked = 0;
  std::vector<FreePart> result;
  size_t looked_at = 0;
  for (const std::vector<int32_t>& members : linked_parts(model, parts)) {
    if (static_cast<int64_t>(members.size()) > max_parts || ++looked_at > max_groups) {
      unchecked += static_cast<int64_t>(members.size());
      continue;
    }
    std::vector<int32_t> slot(parts.list.size(), -1);
    for (size_t k = 0; k < members.size(); ++k) slot[members[k]] = static_cast<int32_t>(k);
    Rows rows(model, parts, slot, members.size());
    add_attachments(model, rows);
    add_clamped(model, rows);
    add_links(model, rows);
    const std::vector<Vector> held = rows.held();
    for (size_t k = 0; k < members.size() && held.size() < 6 * members.size(); ++k) {
      const std::vector<Vector> motions = free_motions(held, k, 6 * members.size());
      const std::string modes = mode_words(motions);
      if (modes.empty()) continue;
      result.push_back({members[k], modes});
      if (members.size() > 1) continue;
      for (const Vector& q : range_of(motions, 1e-6))
        result.back().motions.push_back({q[0], q[1], q[2], q[3], q[4], q[5]});
    }
  }
  return result;
}

}  // namespace sinew::model
