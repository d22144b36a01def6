#pragma once
// The nodes of every element, of all bodies and kinds in one numbering. Elements with equally many nodes that follow one
// another lie in one run of one array, so that a model of a single kind is a plain matrix of node ids.
//
//     Connectivity elements;   elements.append(mesh, first_node);
//     for (int32_t node : elements[e]) ...                       // corners first, then the others
//     const std::array<int32_t, 10> nodes = elements.nodes<10>(e);
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::element {

class Connectivity {
 public:
  Connectivity() = default;
  template <size_t width>
  explicit Connectivity(const std::vector<std::array<int32_t, width>>& elements) {
    append(elements, 0);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::span<const int32_t> operator[](size_t element) const {
    const Run& run = run_of(element);
    return {nodes_.data() + run.begin + (element - run.first) * run.width, run.width};
  }
  // The first `count` nodes of an element.
  template <int count>
  std::array<int32_t, count> nodes(size_t element) const {
    std::array<int32_t, count> list;
    std::copy_n((*this)[element].begin(), count, list.begin());
    return list;
  }
  // Node ids, element after element.
  std::span<const int32_t> flat() const { return nodes_; }
  // Number of nodes where all elements have equally many; otherwise, and without elements, 0.
  int width() const { return runs_.size() == 1 ? static_cast<int>(runs_[0].width) : 0; }
  // All elements, each of which has `count` nodes.
  template <int count>
  std::span<const std::array<int32_t, count>> rows() const {
    assert(empty() || width() == count);
    return {reinterpret_cast<const std::array<int32_t, count>*>(nodes_.data()), size_};
  }

  // Adds elements after those that are there; their nodes are counted from first_node on.
  template <size_t width>
  void append(const std::vector<std::array<int32_t, width>>& elements, int32_t first_node) {
    int32_t* out = add_run(elements.size(), width);
    for (const auto& element : elements)
      for (int32_t node : element) *out++ = first_node + node;
  }
  void append(const mesh::TetMesh& mesh, int32_t first_node);

  bool operator==(const Connectivity&) const = default;

 private:
  struct Run {
    size_t first, width, begin;  // first element, nodes of each, place of its first node
    bool operator==(const Run&) const = default;
  };

  const Run& run_of(size_t element) const {
    const Run* run = &runs_.back();
    while (run->first > element) --run;
    return *run;
  }
  // Where the nodes of as many more elements go.
  int32_t* add_run(size_t count, size_t width);

  std::vector<Run> runs_;
  std::vector<int32_t> nodes_;
  size_t size_ = 0;
};

}  // namespace sinew::element
