"""FEniCSx: linear elements, the energy written in UFL and differentiated by it, Newton with a direct solver."""
import importlib.util
import logging
import os

import numpy

from answer import answer

NAME = "fenicsx"
LAWS = ["NHlog", "NHdec"]
ELEMENTS = ["linear"]
# Sinew writes stresses in single precision.
TOLERANCE = {"displacement": 1e-9, "stress": 1e-6, "force": 1e-9, "moment": 1e-9}


def missing():
    return None if importlib.util.find_spec("dolfinx") else "dolfinx is not installed (Debian: python3-dolfinx)"


def energy_density(law, F, lame, mu):
    import ufl
    J, I1 = ufl.det(F), ufl.tr(F.T * F)
    if law == "NHlog":
        return mu / 2 * (I1 - 3) - mu * ufl.ln(J) + lame / 2 * ufl.ln(J)**2
    return mu / 2 * (J**(-2 / 3) * I1 - 3) + (lame + 2 * mu / 3) / 2 * (J - 1)**2


def newton(residual, tangent, u, bc):
    """To where corrections stop shrinking: rounding. The first correction moves the held nodes."""
    from dolfinx import fem
    from petsc4py import PETSc
    direct = PETSc.KSP().create(u.function_space.mesh.comm)
    direct.setType("preonly")
    direct.getPC().setType("lu")
    direct.getPC().setFactorSolverType("mumps")
    last = numpy.inf
    for _ in range(50):
        b = fem.petsc.assemble_vector(residual)
        fem.petsc.apply_lifting(b, [tangent], bcs=[[bc]], x0=[u.vector], scale=-1.0)
        fem.petsc.set_bc(b, [bc], u.vector, -1.0)
        A = fem.petsc.assemble_matrix(tangent, bcs=[bc])
        A.assemble()
        direct.setOperators(A)
        step = b.duplicate()
        direct.solve(b, step)
        u.vector.axpy(-1.0, step)
        size = step.norm() / u.vector.norm()
        if not numpy.isfinite(size):
            raise RuntimeError("FEniCSx: Newton diverged")
        if size < 1e-11 and size > last / 10:
            return
        last = size
    raise RuntimeError(f"FEniCSx: Newton stays at {size:.1e}")


def solve(case, law, points, tets, folder):
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")  # compiled forms; nothing is left in the user's own
    import ufl
    from dolfinx import fem, mesh
    from mpi4py import MPI
    logging.disable(logging.INFO)  # the compiler of forms tells every command
    cell = ufl.Mesh(ufl.VectorElement("Lagrange", ufl.tetrahedron, 1))
    domain = mesh.create_mesh(MPI.COMM_SELF, tets.astype(numpy.int64), points, cell)
    V = fem.VectorFunctionSpace(domain, ("Lagrange", 1))
    u, du, v = fem.Function(V), ufl.TrialFunction(V), ufl.TestFunction(V)
    # The library orders nodes and cells in its own way.
    node_of = numpy.empty(len(points), dtype=int)  # dof block -> our node
    node_of[V.dofmap.list.array] = numpy.array(domain.geometry.input_global_indices)[domain.geometry.dofmap.array]
    cell_of = numpy.array(domain.topology.original_cell_index)

    lame, mu = case.lame
    F = ufl.variable(ufl.Identity(3) + ufl.grad(u))
    psi = energy_density(law, F, lame, mu)
    dx = ufl.dx(metadata={"quadrature_degree": 1})
    load = fem.Constant(domain, numpy.zeros(3))
    energy = psi * dx - case.density * ufl.dot(load, u) * dx
    residual = fem.form(ufl.derivative(energy, u, v))
    tangent = fem.form(ufl.derivative(ufl.derivative(energy, u, v), u, du))

    given = fem.Function(V)
    values = given.x.array.reshape(-1, 3)
    block_of = numpy.argsort(node_of)
    held = numpy.concatenate([hold.nodes(points) for hold in case.holds.values()])
    bc = fem.dirichletbc(given, numpy.sort(block_of[held]).astype(numpy.int32))
    for increment in range(1, case.increments + 1):
        fraction = increment / case.increments
        load.value[:] = fraction * numpy.array(case.gravity)
        for hold in case.holds.values():
            values[block_of[hold.nodes(points)]] = hold.displacement(points, fraction)
        newton(residual, tangent, u, bc)

    stress = ufl.diff(psi, F) * F.T / ufl.det(F)
    T = fem.TensorFunctionSpace(domain, ("DG", 0))
    field = fem.Function(T)
    field.interpolate(fem.Expression(stress, T.element.interpolation_points()))
    by_tet = numpy.empty((len(tets), 9))
    by_tet[cell_of] = field.x.array.reshape(-1, 9)
    nodal = fem.petsc.assemble_vector(residual).array.reshape(-1, 3)[block_of]
    return answer(case, points, u.x.array.reshape(-1, 3)[block_of], by_tet[:, [0, 4, 8, 1, 5, 2]], nodal)
