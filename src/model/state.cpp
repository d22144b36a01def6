#include "model/state.h"

#include <cassert>
#include <cmath>

#include "base/hash.h"

namespace sinew::model {

int64_t Counts::rows(On on) const {
  switch (on) {
    case On::node:
      return nodes;
    case On::element:
      return elements;
    case On::body:
      return bodies;
    case On::link:
      return links;
    case On::global:
      return 1;
    case On::contact:
      return 0;
  }
  return 0;
}

StateLayout::StateLayout()
    : columns_{{"x", ColumnType::f64, 3, On::node},
               {"v", ColumnType::f64, 3, On::node},
               {"time", ColumnType::f64, 1, On::global},
               {"step", ColumnType::i64, 1, On::global},
               {"increment", ColumnType::f64, 1, On::global}} {}

void StateLayout::declare(const ColumnSpec& spec) {
  for (const ColumnSpec& column : columns_)
    if (column.name == spec.name) {
      assert(column == spec);
      return;
    }
  columns_.push_back(spec);
}

const void* Column::data() const {
  return spec.type == ColumnType::f64 ? static_cast<const void*>(f64.data()) : i64.data();
}

size_t Column::bytes() const { return 8 * (spec.type == ColumnType::f64 ? f64.size() : i64.size()); }

State::State(const StateLayout& layout, const Counts& counts) {
  for (const ColumnSpec& spec : layout.columns()) {
    Column& column = columns_.emplace_back(Column{spec, {}, {}});
    const size_t size = counts.rows(spec.on) * spec.width;
    if (spec.type == ColumnType::f64)
      column.f64.assign(size, 0.0);
    else
      column.i64.assign(size, 0);
  }
  set_increment(1.0);
}

Column* State::find(std::string_view name) {
  for (Column& column : columns_)
    if (column.spec.name == name) return &column;
  return nullptr;
}

const Column* State::find(std::string_view name) const { return const_cast<State*>(this)->find(name); }

std::span<double> State::numbers(std::string_view name) {
  Column* column = find(name);
  assert(column && column->spec.type == ColumnType::f64);
  return column->f64;
}

std::span<const double> State::numbers(std::string_view name) const {
  return const_cast<State*>(this)->numbers(name);
}

std::span<const int64_t> State::integers(std::string_view name) const {
  const Column* column = find(name);
  assert(column && column->spec.type == ColumnType::i64);
  return column->i64;
}

Column& State::rows(std::string_view name) {
  Column* column = find(name);
  assert(column && column->spec.on == On::contact);
  return *column;
}

std::span<Vec3d> State::vectors(std::string_view name) {
  Column* column = find(name);
  assert(column && column->spec.type == ColumnType::f64 && column->spec.width == 3);
  return {reinterpret_cast<Vec3d*>(column->f64.data()), column->f64.size() / 3};
}

std::span<const Vec3d> State::vectors(std::string_view name) const {
  return const_cast<State*>(this)->vectors(name);
}

uint64_t State::hash() const {
  Hash hash;
  for (const Column& column : columns_) {
    hash.add(column.spec.name);
    hash.add(column.data(), column.bytes());
  }
  return hash.value();
}

bool State::finite() const {
  for (const Column& column : columns_)
    for (double value : column.f64)
      if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace sinew::model
