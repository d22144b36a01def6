#include "energy/mid_edge_bending.h"
#include "math/gather.h"

namespace sinew::energy {

using math::PackD;
using math::PackF;

// The triangles around the nodes of each block.
template <class T>
class MidEdgeBending::Visitor final : public NodeVisitor<T> {
 public:
  Visitor(const MidEdgeBending& term, const NodeBlocks& blocks) : term_(term) {
    begin_.push_back(0);
    std::vector<int32_t> around[lanes];
    for (int64_t block = 0; block < blocks.count(); ++block) {
      size_t most = 0;
      for (int l = 0; l < lanes; ++l) {
        around[l].clear();
        if (const int32_t node = blocks.of(block)[l]; node >= 0)
          blocks.stencils->append(term.stencils(), node, around[l]);
        around[l].erase(std::unique(around[l].begin(), around[l].end()), around[l].end());
        most = std::max(most, around[l].size());
      }
      for (size_t k = 0; k < most; ++k) {
        Entry& entry = entries_.emplace_back();
        entry.first_held = static_cast<int32_t>(held_.size());
        for (int l = 0; l < lanes; ++l)
          put(entry, l, k < around[l].size() ? around[l][k] : -1, blocks.of(block)[l]);
        entry.last_held = static_cast<int32_t>(held_.size());
      }
      begin_.push_back(static_cast<int64_t>(entries_.size()));
    }
  }

  void add(const NodeView<T>& view, int64_t block, const Vec3<T>& x0,
           material::NodeSums<T>& sums) const override {
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const Entry& entry = entries_[k];
      const MidEdgeRest<T>& rest = entry.rest;
      const MidEdge<T> bent = at(view, entry, x0);
      Vec3<T> J[3];
      for (int i = 0; i < 3; ++i) {
        const int* place = edge_place[i];
        const T end = entry.own[place[1]], beyond = entry.own[place[3]] + select(rest.held(i), end, T(0));
        J[i] = bent.edge[i].gradient(0) * entry.own[place[0]] + bent.edge[i].gradient(1) * end +
               bent.edge[i].gradient(2) * entry.own[place[2]] + bent.edge[i].gradient(3) * beyond;
        J[i] = J[i] * bent.slope[i];
        J[i][0] += rest.turn[i] * entry.own[6 + i];
        const T hold = rest.hold[i] * entry.own[6 + i];
        sums.gradient += J[i] * bent.moment[i];
        sums.gradient[0] += hold * bent.turn[i];
        sums.block[0] += hold;
      }
      for (int i = 0; i < 3; ++i) {
        const Vec3<T> MJ = J[0] * rest.m(i, 0) + J[1] * rest.m(i, 1) + J[2] * rest.m(i, 2);
        for (int p = 0, m = 0; p < 3; ++p)
          for (int q = p; q < 3; ++q, ++m) sums.block[m] += J[i][p] * MJ[q];
      }
    }
  }

  T energy(const NodeView<T>& view, int64_t block, const Vec3<T>& x0) const override {
    T sum = T(0);
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) sum += at(view, entries_[k], x0).energy();
    return sum;
  }

  int64_t bytes() const override { return static_cast<int64_t>(entries_.size() * sizeof(Entry)); }

 private:
  using Scalar = math::ScalarOf<T>;
  static constexpr int lanes = math::lanes_of<T>;
  struct Entry {
    int32_t id[9][lanes];
    T own[9];  // 1 where the place is the node of the lane
    MidEdgeRest<T> rest;
    int32_t first_held, last_held;  // in held_
  };
  struct Held {
    int32_t lane, edge, number;
  };

  // Triangle `k` of the term in a lane; -1: one that counts for nothing.
  void put(Entry& entry, int lane, int32_t k, int32_t node) {
    const size_t from = std::max(k, 0);
    const MidEdgeRest<PackD>& rest = term_.rest_[from / pack_lanes];
    const int l = static_cast<int>(from % pack_lanes);
    const auto copy = [&](const PackD* source, T* to, int count, bool some) {
      for (int i = 0; i < count; ++i) to[i].set(lane, some ? static_cast<Scalar>(source[i][l]) : Scalar(0));
    };
    for (int a = 0; a < 9; ++a) {
      entry.id[a][lane] = term_.ids_[from][a];
      entry.own[a].set(lane, k >= 0 && term_.nodes_[from][a] == node ? 1 : 0);
    }
    copy(rest.M, entry.rest.M, 6, k >= 0);
    copy(rest.c0, entry.rest.c0, 3, k >= 0);
    copy(rest.turn, entry.rest.turn, 3, k >= 0);
    copy(rest.weight, entry.rest.weight, 3, k >= 0);
    copy(rest.hold, entry.rest.hold, 3, k >= 0);
    for (int i = 0; i < 3 && k >= 0; ++i)
      if (const int32_t number = term_.held_[from][i]; number >= 0) held_.push_back({lane, i, number});
  }

  // Were the node of each lane at x0.
  MidEdge<T> at(const NodeView<T>& view, const Entry& entry, const Vec3<T>& x0) const {
    Vec3<T> y[6];
    T turns[3];
    for (int a = 0; a < 6; ++a)
      y[a] = select_point<T>(entry.own[a] > T(0), x0, math::gather3<T>(view.x, entry.id[a]));
    for (int i = 0; i < 3; ++i)
      turns[i] = select(entry.own[6 + i] > T(0), x0[0], math::gather3<T>(view.x, entry.id[6 + i])[0]);
    for (int32_t h = entry.first_held; h < entry.last_held; ++h) {
      const auto [lane, edge, number] = held_[h];
      const Beyond& beyond = term_.beyond_[number];
      const Vec3d out = model::pose_at(view.inputs, beyond.pose).A * beyond.direction;
      const Vec3<T>& end = y[edge_place[edge][1]];
      for (int j = 0; j < 3; ++j) y[3 + edge][j].set(lane, static_cast<Scalar>(end[j][lane] + out[j]));
    }
    MidEdge<T>::any_beyond(entry.rest, y);
    return {entry.rest, y, turns};
  }

  const MidEdgeBending& term_;
  std::vector<int64_t> begin_;  // of the entries of each block, and the end
  std::vector<Entry> entries_;
  std::vector<Held> held_;
};

NodeVisitorPointer<PackD> MidEdgeBending::visitor(const NodeBlocks& blocks, bool, PackD) const {
  return std::make_unique<Visitor<PackD>>(*this, blocks);
}
NodeVisitorPointer<PackF> MidEdgeBending::visitor(const NodeBlocks& blocks, bool, PackF) const {
  return std::make_unique<Visitor<PackF>>(*this, blocks);
}

}  // namespace sinew::energy
