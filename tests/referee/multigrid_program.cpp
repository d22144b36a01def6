// Our side of the comparison with hypre: writes the stiffness matrix of a body at rest to a file, and solves with it, once for
// each line of input, by conjugate gradients with solve/multigrid.h on one thread. One JSON object is printed for the matrix and
// one for each solve; multigrid.py beside this file drives it.
//
//     referee_multigrid BODY TETS POISSON FILE      BODY: the beginning of a name in bench/held_bodies.h
//
// The file: rows and blocks (int64), the first block of each row and the end of the last (int64), columns (int32), blocks by rows,
// right side, rest positions of the rows (double). The values are those of the matrix in single precision.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <string>

#include "base/parallel.h"
#include "bench/held_bodies.h"
#include "json/json.h"
#include "solve/multigrid.h"
#include "solve/vectors.h"

namespace {

using namespace sinew;
using math::Vec3d;

constexpr double tolerance = 1e-8;
constexpr int max_iterations = 10000;

struct Case {
  model::Model model;
  solve::System system{model};
  energy::BlockMatrix matrix;
  std::vector<Vec3d> b;

  explicit Case(model::Model held) : model(std::move(held)) {
    matrix.reset(system.pattern(), energy::Precision::single);
    system.assemble(model.X, solve::Hessian::projected, matrix);
    b.assign(matrix.rows(), Vec3d{0, -1, 0});
  }
};

template <class T>
void write(std::ofstream& out, const std::vector<T>& values) {
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
}

bool write_matrix(const Case& c, const std::string& file) {
  const energy::BlockPattern& pattern = c.matrix.pattern();
  std::ofstream out(file, std::ios::binary);
  write(out, std::vector<int64_t>{pattern.rows(), pattern.blocks()});
  write(out, pattern.row_begin);
  write(out, pattern.column);
  std::vector<double> values;
  values.reserve(9 * pattern.blocks());
  for (int64_t s = 0; s < pattern.blocks(); ++s) {
    const math::Mat3d block = c.matrix.block(s);
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) values.push_back(block(r, k));
  }
  write(out, values);
  write(out, c.b);
  std::vector<Vec3d> places;
  for (const int32_t node : c.system.dofs().node_of_block()) places.push_back(c.model.X[node]);
  write(out, places);
  return static_cast<bool>(out.flush());
}

// On one thread CPU time is what the clock on the wall would show if nothing else ran.
template <class F>
double cpu_seconds_of(F&& f) {
  const std::clock_t start = std::clock();
  f();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// |b - A x| / |b|
double residual_of(const Case& c, std::span<const Vec3d> x) {
  std::vector<Vec3d> Ax(x.size());
  c.matrix.multiply(x, Ax);
  double error = 0;
  for (size_t i = 0; i < x.size(); ++i) error += norm2(c.b[i] - Ax[i]);
  return std::sqrt(error / solve::dot_of(c.b, c.b));
}

// The first iteration after which the residual is small. Our stop test is in another norm; hypre's is in this one.
int iterations_needed(const Case& c, const solve::Product& product, solve::Multigrid& multigrid) {
  const double stop = tolerance * std::sqrt(solve::dot_of(c.b, c.b));
  int calls = 0, needed = max_iterations;
  const solve::Precondition watched = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
    if (std::sqrt(solve::dot_of(r, r)) <= stop) needed = std::min(needed, calls);
    ++calls;
    multigrid.precondition(r, z);
  };
  std::vector<Vec3d> x(c.b.size());
  solve::ConjugateGradients().solve(product, watched, c.b, x, tolerance * 1e-6, max_iterations);
  return needed;
}

// Set-up is all that a solver needs beyond the matrix: the copy for products, lattices, patterns, matrices of the levels.
json::Json solve_once(const Case& c, int& iterations) {
  solve::SymmetricProduct values;
  solve::Multigrid multigrid;
  solve::ConjugateGradients cg;
  std::vector<Vec3d> x(c.b.size());
  const solve::Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
    return values(p, out);
  };
  const solve::Precondition precondition = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
    multigrid.precondition(r, z);
  };
  const double set_up = cpu_seconds_of([&] {
    values.take(c.matrix);
    multigrid.prepare(c.system, c.matrix, values);
  });
  if (iterations == 0) iterations = iterations_needed(c, product, multigrid);
  solve::LinearReport report;
  const double seconds =
      cpu_seconds_of([&] { report = cg.solve(product, precondition, c.b, x, tolerance * 1e-6, iterations); });
  json::Json row = json::Json::object();
  row.set("iterations", report.iterations);
  row.set("set_up", set_up);
  row.set("solve", seconds);
  row.set("residual", residual_of(c, x));
  row.set("work", solve::dot_of(c.b, x));
  row.set("complexity", multigrid.operator_complexity());
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "referee_multigrid BODY TETS POISSON FILE\n";
    return 2;
  }
  const auto list = bench::held_bodies();
  const auto body = std::find_if(list.begin(), list.end(), [&](const bench::HeldBody& candidate) {
    return candidate.name.rfind(argv[1], 0) == 0;
  });
  if (body == list.end()) {
    std::cerr << "no body " << argv[1] << "\n";
    return 2;
  }
  set_thread_count(1);
  const Case c(body->make(std::atoll(argv[2]), std::atof(argv[3])));
  if (!write_matrix(c, argv[4])) {
    std::cerr << "cannot write " << argv[4] << "\n";
    return 1;
  }
  json::Json row = json::Json::object();
  row.set("tets", c.model.elements.size());
  row.set("unknowns", 3 * c.matrix.rows());
  std::cout << row.compact() << std::endl;
  int iterations = 0;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << solve_once(c, iterations).compact() << std::endl;
  return 0;
}
