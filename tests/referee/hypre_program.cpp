// hypre's side of the comparison with solve/multigrid.h: conjugate gradients preconditioned by BoomerAMG (Henson, Yang: BoomerAMG:
// a parallel algebraic multigrid solver and preconditioner, 2002), in a program of its own that nothing of Sinew is linked to.
//
//     referee_hypre FILE      the matrix, as multigrid_program.cpp writes it
//
// Each line of input is a list of settings "name=value ..."; it is answered by a solve and one JSON object. The rotations of a rigid
// body may join the interpolation (Baker, Kolev, Yang: Improving algebraic multigrid interpolation operators for linear elasticity
// problems, 2010). The stop test is the 2-norm of the residual over that of the right side.
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_ls.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr double tolerance = 1e-8;
constexpr int max_iterations = 500;

struct Matrix {
  std::vector<int64_t> row_begin;
  std::vector<int32_t> column;
  std::vector<double> value, b, place;
  HYPRE_Int size = 0;  // unknowns
};

template <class T>
std::vector<T> read(std::ifstream& in, int64_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return values;
}

bool read_matrix(const char* file, Matrix& m) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  const auto head = read<int64_t>(in, 2);
  m.row_begin = read<int64_t>(in, head[0] + 1);
  m.column = read<int32_t>(in, head[1]);
  m.value = read<double>(in, 9 * head[1]);
  m.b = read<double>(in, 3 * head[0]);
  m.place = read<double>(in, 3 * head[0]);
  m.size = static_cast<HYPRE_Int>(3 * head[0]);
  return static_cast<bool>(in);
}

// What may be set, with its value where it is not, which is good for all bodies that were tried. "relax" names the smoother by hypre's
// numbers: 3 is Gauss-Seidel, forward on the way down and backward on the way up, 13 is its l1 form; 6 and 8 are both in one sweep;
// 16 is Chebyshev. "agg" counts levels of aggressive coarsening.
using Settings = std::map<std::string, double>;
const Settings defaults = {{"coarsen", 10},       {"threshold", 0.25}, {"nodal", 4},      {"nodal_diag", 1},
                           {"keep_same_sign", 0}, {"agg", 1},          {"functions", 3},  {"interp", 17},
                           {"p_max", 4},          {"trunc", 0},        {"refine", 0},     {"vectors", 1},
                           {"variant", 2},        {"q_max", 0},        {"q_trunc", 0.01}, {"smooth", 1},
                           {"relax", 3},          {"sweeps", 1},       {"order", 2},      {"fraction", 0.3},
                           {"scale", 1},          {"cycle", 1}};

bool parse(const std::string& line, Settings& settings) {
  settings = defaults;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const size_t at = word.find('=');
    if (at == std::string::npos || !settings.count(word.substr(0, at))) {
      std::fprintf(stderr, "no setting %s\n", word.c_str());
      return false;
    }
    settings[word.substr(0, at)] = std::stod(word.substr(at + 1));
  }
  return true;
}

struct Vector {
  HYPRE_IJVector ij = nullptr;
  HYPRE_ParVector par = nullptr;

  explicit Vector(const std::vector<double>& values) {
    const auto n = static_cast<HYPRE_Int>(values.size());
    std::vector<HYPRE_BigInt> index(n);
    std::iota(index.begin(), index.end(), 0);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, n - 1, &ij);
    HYPRE_IJVectorSetObjectType(ij, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(ij);
    HYPRE_IJVectorSetValues(ij, n, index.data(), values.data());
    HYPRE_IJVectorAssemble(ij);
    HYPRE_IJVectorGetObject(ij, reinterpret_cast<void**>(&par));
  }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  ~Vector() { HYPRE_IJVectorDestroy(ij); }
};

HYPRE_IJMatrix make_matrix(const Matrix& m) {
  HYPRE_IJMatrix ij = nullptr;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, 0, m.size - 1, 0, m.size - 1, &ij);
  HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
  std::vector<HYPRE_Int> lengths(m.size);
  for (HYPRE_Int i = 0; i < m.size; ++i)
    lengths[i] = static_cast<HYPRE_Int>(3 * (m.row_begin[i / 3 + 1] - m.row_begin[i / 3]));
  HYPRE_IJMatrixSetRowSizes(ij, lengths.data());
  HYPRE_IJMatrixInitialize(ij);
  std::vector<HYPRE_BigInt> columns;
  std::vector<double> values;
  for (HYPRE_Int i = 0; i < m.size; ++i) {
    columns.clear();
    values.clear();
    for (int64_t s = m.row_begin[i / 3]; s < m.row_begin[i / 3 + 1]; ++s)
      for (int k = 0; k < 3; ++k) {
        columns.push_back(3 * m.column[s] + k);
        values.push_back(m.value[9 * s + 3 * (i % 3) + k]);
      }
    const HYPRE_BigInt row = i;
    HYPRE_IJMatrixSetValues(ij, 1, &lengths[i], &row, columns.data(), values.data());
  }
  HYPRE_IJMatrixAssemble(ij);
  return ij;
}

// e_axis x (X - centre), for each axis.
std::array<std::vector<double>, 3> rotations(const Matrix& m) {
  std::array<double, 3> centre = {0, 0, 0};
  for (HYPRE_Int i = 0; i < m.size; ++i) centre[i % 3] += m.place[i] / (m.size / 3);
  std::array<std::vector<double>, 3> modes;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    modes[axis].assign(m.size, 0);
    for (HYPRE_Int i = 0; i < m.size; i += 3) {
      modes[axis][i + next] = -(m.place[i + last] - centre[last]);
      modes[axis][i + last] = m.place[i + next] - centre[next];
    }
  }
  return modes;
}

HYPRE_Solver make_cycle(Settings& s, std::vector<HYPRE_ParVector>& modes) {
  const auto whole = [&](const char* name) { return static_cast<HYPRE_Int>(s.at(name)); };
  HYPRE_Solver cycle = nullptr;
  HYPRE_BoomerAMGCreate(&cycle);
  HYPRE_BoomerAMGSetPrintLevel(cycle, 0);
  HYPRE_BoomerAMGSetTol(cycle, 0);
  HYPRE_BoomerAMGSetMaxIter(cycle, 1);
  HYPRE_BoomerAMGSetMaxLevels(cycle, 25);
  HYPRE_BoomerAMGSetCoarsenType(cycle, whole("coarsen"));
  HYPRE_BoomerAMGSetInterpType(cycle, whole("interp"));
  HYPRE_BoomerAMGSetPMaxElmts(cycle, whole("p_max"));
  HYPRE_BoomerAMGSetTruncFactor(cycle, s.at("trunc"));
  HYPRE_BoomerAMGSetStrongThreshold(cycle, s.at("threshold"));
  HYPRE_BoomerAMGSetAggNumLevels(cycle, whole("agg"));
  HYPRE_BoomerAMGSetCycleType(cycle, whole("cycle"));
  HYPRE_BoomerAMGSetNumSweeps(cycle, whole("sweeps"));
  HYPRE_BoomerAMGSetRelaxOrder(cycle, 0);
  const HYPRE_Int relax = whole("relax");
  const bool one_way = relax == 3 || relax == 13;
  HYPRE_BoomerAMGSetRelaxType(cycle, relax);
  HYPRE_BoomerAMGSetCycleRelaxType(cycle, relax, 1);
  HYPRE_BoomerAMGSetCycleRelaxType(cycle, one_way ? relax + 1 : relax, 2);
  HYPRE_BoomerAMGSetCycleRelaxType(cycle, 9, 3);
  HYPRE_BoomerAMGSetChebyOrder(cycle, whole("order"));
  HYPRE_BoomerAMGSetChebyFraction(cycle, s.at("fraction"));
  HYPRE_BoomerAMGSetChebyScale(cycle, whole("scale"));
  // The unknowns go round by node, which is what hypre takes for granted where no list of functions is given.
  HYPRE_BoomerAMGSetNumFunctions(cycle, whole("functions"));
  HYPRE_BoomerAMGSetNodal(cycle, whole("nodal"));
  HYPRE_BoomerAMGSetNodalDiag(cycle, whole("nodal_diag"));
  HYPRE_BoomerAMGSetKeepSameSign(cycle, whole("keep_same_sign"));
  if (s.at("vectors") > 0) {
    HYPRE_BoomerAMGSetInterpVectors(cycle, static_cast<HYPRE_Int>(modes.size()), modes.data());
    HYPRE_BoomerAMGSetInterpVecVariant(cycle, whole("variant"));
    if (s.at("q_max") > 0) HYPRE_BoomerAMGSetInterpVecQMax(cycle, whole("q_max"));
    if (s.at("q_trunc") > 0) HYPRE_BoomerAMGSetInterpVecAbsQTrunc(cycle, s.at("q_trunc"));
    HYPRE_BoomerAMGSetSmoothInterpVectors(cycle, whole("smooth"));
  }
  HYPRE_BoomerAMGSetInterpRefine(cycle, whole("refine"));
  return cycle;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void solve_once(const Matrix& m, HYPRE_ParCSRMatrix A, Settings& settings) {
  const Vector b(m.b), x(std::vector<double>(m.size, 0)), r(m.b);
  const auto turns = rotations(m);  // a cycle may smooth them in place
  const Vector turn_x(turns[0]), turn_y(turns[1]), turn_z(turns[2]);
  std::vector<HYPRE_ParVector> modes = {turn_x.par, turn_y.par, turn_z.par};
  HYPRE_Solver cycle = make_cycle(settings, modes), pcg = nullptr;
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
  HYPRE_PCGSetTol(pcg, tolerance);
  HYPRE_PCGSetTwoNorm(pcg, 1);
  HYPRE_PCGSetMaxIter(pcg, max_iterations);
  HYPRE_PCGSetPrecond(pcg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                      reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), cycle);
  const double start = cpu_seconds();
  HYPRE_ParCSRPCGSetup(pcg, A, b.par, x.par);
  const double set_up = cpu_seconds() - start;
  HYPRE_ParCSRPCGSolve(pcg, A, b.par, x.par);
  const double solve = cpu_seconds() - start - set_up;

  HYPRE_Int iterations = 0;
  HYPRE_PCGGetNumIterations(pcg, &iterations);
  HYPRE_ParCSRMatrixMatvec(-1, A, x.par, 1, r.par);
  HYPRE_Real error = 0, size = 0, work = 0;
  HYPRE_ParVectorInnerProd(r.par, r.par, &error);
  HYPRE_ParVectorInnerProd(b.par, b.par, &size);
  HYPRE_ParVectorInnerProd(b.par, x.par, &work);
  // Entries of all levels over those of the first.
  auto* data = static_cast<hypre_ParAMGData*>(static_cast<void*>(cycle));
  double entries = 0;
  const HYPRE_Int levels = hypre_ParAMGDataNumLevels(data);
  for (HYPRE_Int l = 0; l < levels; ++l)
    entries += static_cast<double>(hypre_ParCSRMatrixNumNonzeros(hypre_ParAMGDataAArray(data)[l]));
  const double first = static_cast<double>(hypre_ParCSRMatrixNumNonzeros(hypre_ParAMGDataAArray(data)[0]));
  std::printf(
      "{\"iterations\": %d, \"set_up\": %.9g, \"solve\": %.9g, \"residual\": %.9g, \"work\": %.17g, "
      "\"complexity\": "
      "%.9g, \"levels\": %d, \"version\": \"%s\"}\n",
      static_cast<int>(iterations), set_up, solve, std::sqrt(error / size), work, entries / first,
      static_cast<int>(levels), HYPRE_RELEASE_VERSION);
  std::fflush(stdout);
  HYPRE_ParCSRPCGDestroy(pcg);
  HYPRE_BoomerAMGDestroy(cycle);
  HYPRE_ClearAllErrors();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  Matrix m;
  if (argc != 2 || !read_matrix(argv[1], m)) {
    std::fprintf(stderr, "referee_hypre FILE\n");
    return 2;
  }
  HYPRE_IJMatrix ij = make_matrix(m);
  HYPRE_ParCSRMatrix A = nullptr;
  HYPRE_IJMatrixGetObject(ij, reinterpret_cast<void**>(&A));
  for (std::string line; std::getline(std::cin, line);) {
    Settings settings;
    if (!parse(line, settings)) return 2;
    solve_once(m, A, settings);
  }
  HYPRE_IJMatrixDestroy(ij);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
