#pragma once
// The outputs that are stored for each sample: readings of the keep-list, as arrays of one shape for all samples.
//
//     Result<Outputs> kept = Outputs::make(model, study);
//     std::vector<std::vector<double>> values = kept->evaluate(snapshot);   // [field][row * width + component]
//
// With "surface" the rows of a field on nodes are the nodes of the body's surface, ascending, and those of a field on
// tets are the triangles of its surface, with the value of the tet behind each.
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/quantity.h"

namespace sinew::batch {

struct OutputField {
  std::string name;  // as the keep-list has it
  measure::Reading reading;
  std::string on;             // "node", "tet", "triangle", "surface node", "surface triangle", or "sample"
  std::vector<int32_t> rows;  // of the body's nodes or elements; empty: all
  int64_t count = 1;          // rows
  int width = 1;

  // The shape of the array, without the dimension of the samples.
  std::vector<int64_t> shape() const;
};

// The surface of a body in terms of its own nodes and elements.
struct BodySurface {
  std::vector<int32_t> nodes;                     // ascending
  std::vector<std::array<int32_t, 3>> triangles;  // outward, ids among the body's nodes
  std::vector<int32_t> elements;                  // behind each triangle
};
BodySurface surface_of(const model::Model& model, int body);

class Outputs {
 public:
  // An error names the entry of the list, from 0, under `path`.
  static Result<Outputs> make(const model::Model& model, const std::vector<std::string>& names, bool surface);
  const std::vector<OutputField>& fields() const { return fields_; }
  std::vector<std::vector<double>> evaluate(const measure::Snapshot& snapshot) const;

 private:
  std::vector<OutputField> fields_;
};

}  // namespace sinew::batch
