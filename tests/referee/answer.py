"""The fields that are compared, and how far two answers are apart."""
import dataclasses

import numpy

FIELDS = ["displacement", "stress", "force", "moment"]


@dataclasses.dataclass
class Answer:
    displacement: numpy.ndarray  # nodes x 3 [m]
    stress: numpy.ndarray        # tets x (xx yy zz xy yz zx), Cauchy [Pa]
    force: numpy.ndarray         # holds x 3, what each exerts on the body [N]
    moment: numpy.ndarray        # holds x 3, about the centroid of its moved nodes [N m]


def answer(case, points, displacement, stress, nodal):
    """From the forces that are exerted on the nodes."""
    force, moment = [], []
    for hold in case.holds.values():
        nodes = hold.nodes(points)
        x = (points + displacement)[nodes]
        force.append(nodal[nodes].sum(axis=0))
        moment.append(numpy.cross(x - x.mean(axis=0), nodal[nodes]).sum(axis=0))
    return Answer(displacement, stress, numpy.array(force), numpy.array(moment))


def differences(a, b):
    """Largest difference of each field over the largest value of that field in b."""
    def relative(x, y):
        return float(numpy.abs(x - y).max() / numpy.abs(y).max())

    return {field: relative(getattr(a, field), getattr(b, field)) for field in FIELDS}
