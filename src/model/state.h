#pragma once
// State: a table of named arrays, and nothing else. What a later step reads and cannot recompute is State;
// all else is a method's workspace. Copy, hash, checkpoint and comparison walk the same table.
//
//     StateLayout layout;  layout.declare({"x_old", ColumnType::f64, 3, On::node});
//     State state(layout, counts);  state.x()[i] = ...;  state.hash();
//
// Canonical form: double, (N, 3), the user's vertex order, bodies as contiguous ranges in scene order.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec.h"

namespace sinew::model {

using math::Vec3d;

enum class ColumnType : int32_t { f64, i64 };
// What the rows of a column belong to. Checkpoints and hashes hold these numbers: what comes later, such as hinges, is
// added at the end, with its number in Counts. Rows on contacts come and go with them; a State begins with none.
enum class On : int32_t { node, element, body, link, global, contact };

struct ColumnSpec {
  std::string name;
  ColumnType type = ColumnType::f64;
  int32_t width = 1;
  On on = On::node;

  bool operator==(const ColumnSpec&) const = default;
};

// How many rows a column on each kind of entity has.
struct Counts {
  int64_t nodes = 0, elements = 0, bodies = 0, links = 0;
  int64_t rows(On on) const;
};

// The columns that a State will have. The core columns are always there.
class StateLayout {
 public:
  StateLayout();
  // Declaring the same column twice is allowed; with another shape it is a programming error.
  void declare(const ColumnSpec& spec);
  std::span<const ColumnSpec> columns() const { return columns_; }

 private:
  std::vector<ColumnSpec> columns_;
};

struct Column {
  ColumnSpec spec;
  std::vector<double> f64;
  std::vector<int64_t> i64;

  bool operator==(const Column&) const = default;
  const void* data() const;
  size_t bytes() const;
};

class State {
 public:
  State() = default;
  State(const StateLayout& layout, const Counts& counts);

  // Core columns.
  std::span<Vec3d> x() { return vectors("x"); }  // positions [m]
  std::span<const Vec3d> x() const { return vectors("x"); }
  std::span<Vec3d> v() { return vectors("v"); }  // velocities [m/s]
  std::span<const Vec3d> v() const { return vectors("v"); }
  double time() const { return numbers("time")[0]; }  // [s]
  void set_time(double t) { numbers("time")[0] = t; }
  int64_t step() const { return find("step")->i64[0]; }  // completed steps
  void set_step(int64_t n) { find("step")->i64[0] = n; }
  double increment() const {
    return numbers("increment")[0];
  }  // load increment to try next, as a fraction of a step
  void set_increment(double f) { numbers("increment")[0] = f; }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::span<double> numbers(std::string_view name);
  std::span<const double> numbers(std::string_view name) const;
  std::span<Vec3d> vectors(std::string_view name);
  std::span<const Vec3d> vectors(std::string_view name) const;

  std::span<const int64_t> integers(std::string_view name) const;
  Column& rows(std::string_view name);  // of a column on contacts, to fill anew

  std::span<const Column> columns() const { return columns_; }
  std::vector<Column>& mutable_columns() { return columns_; }
  bool operator==(const State&) const = default;  // byte for byte, except that -0 equals 0
  uint64_t hash() const;
  bool finite() const;

 private:
  Column* find(std::string_view name);
  const Column* find(std::string_view name) const;
  std::vector<Column> columns_;
};

}  // namespace sinew::model
