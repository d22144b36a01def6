#include "batch/outputs.h"

#include <algorithm>

namespace sinew::batch {

std::vector<int64_t> OutputField::shape() const {
  std::vector<int64_t> shape;
  if (on != "sample") shape.push_back(count);
  if (width > 1) shape.push_back(width);
  return shape;
}

BodySurface surface_of(const model::Model& model, int b) {
  const model::Body& body = model.bodies[b];
  BodySurface surface{{}, body.surface, body.behind};
  for (auto& triangle : surface.triangles)
    for (int32_t& node : triangle) node -= body.nodes.begin;
  for (int32_t& element : surface.elements) element -= body.elements.begin;
  for (const auto& triangle : surface.triangles)
    surface.nodes.insert(surface.nodes.end(), triangle.begin(), triangle.end());
  std::sort(surface.nodes.begin(), surface.nodes.end());
  surface.nodes.erase(std::unique(surface.nodes.begin(), surface.nodes.end()), surface.nodes.end());
  return surface;
}

Result<Outputs> Outputs::make(const model::Model& model, const std::vector<std::string>& names,
                              bool surface) {
  Outputs outputs;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto refuse = [&](std::string what) {
      return Error{ErrorKind::input, {}, "/keep/" + std::to_string(i), std::move(what)};
    };
    Result<measure::Reading> reading = measure::parse_values(model, names[i]);
    if (!reading) return refuse(reading.error().what);
    for (size_t j = 0; j < i; ++j)
      if (names[j] == names[i]) return refuse("found \"" + names[i] + "\" a second time");
    OutputField field;
    field.name = names[i];
    field.reading = *reading;
    field.width = measure::width_of(*reading);
    const measure::Target on = reading->quantity->on;
    const bool on_nodes = on == measure::Target::node;
    const bool whole = (on_nodes || on == measure::Target::element) &&
                       reading->reduction == measure::Reading::Reduction::none;
    field.on = !whole ? "sample" : on_nodes ? "node" : model.bodies[reading->target].kind->noun;
    if (whole) {
      field.count =
          measure::value_count(model, *reading->quantity, reading->target) / reading->quantity->width;
      if (surface) {
        BodySurface of_body = surface_of(model, reading->target);
        field.rows = std::move(on_nodes ? of_body.nodes : of_body.elements);
        field.count = static_cast<int64_t>(field.rows.size());
        field.on = on_nodes ? "surface node" : "surface triangle";
      }
    } else if (field.reading.reduction != measure::Reading::Reduction::none) {
      field.width = 1;
    }
    outputs.fields_.push_back(std::move(field));
  }
  return outputs;
}

std::vector<std::vector<double>> Outputs::evaluate(const measure::Snapshot& snapshot) const {
  std::vector<std::vector<double>> all;
  for (const OutputField& field : fields_) {
    std::vector<double> values = measure::read_values(snapshot, field.reading);
    if (!field.rows.empty()) {
      std::vector<double> some;
      some.reserve(field.rows.size() * static_cast<size_t>(field.width));
      for (int32_t row : field.rows)
        for (int k = 0; k < field.width; ++k)
          some.push_back(values[static_cast<size_t>(row) * field.width + k]);
      values = std::move(some);
    }
    all.push_back(std::move(values));
  }
  return all;
}

}  // namespace sinew::batch
