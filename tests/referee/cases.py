"""What every program is given: a mesh, boxes of held nodes and where they go, gravity, elastic constants.

A hold is a box in rest coordinates, both corners included, and the pose of its nodes at the end of the path:
x = R (X - about) + about + translate. Programs may choose their own path; all cases have one equilibrium near it.
"""
import dataclasses
import pathlib

import numpy

FAR = 1e6  # an edge of a box that is meant to be open


@dataclasses.dataclass
class Hold:
    low: tuple
    high: tuple
    translate: tuple = (0, 0, 0)
    degrees: float = 0  # about the x axis through `about`
    about: tuple = (0, 0, 0)

    def nodes(self, points):
        inside = (points >= numpy.array(self.low)) & (points <= numpy.array(self.high))
        return numpy.flatnonzero(inside.all(axis=1))

    def displacement(self, points, fraction):
        """Of its nodes, at a fraction of the path."""
        angle = numpy.radians(self.degrees) * fraction
        c, s = numpy.cos(angle), numpy.sin(angle)
        turn = numpy.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        arm = points[self.nodes(points)] - numpy.array(self.about)
        return arm @ turn.T - arm + numpy.array(self.translate) * fraction


@dataclasses.dataclass
class Case:
    name: str
    mesh: object  # a path below the folder of shared meshes, or the built-in shape of a scene
    holds: dict
    young: float
    poisson: float = 0.3
    density: float = 1000
    gravity: tuple = (0, 0, 0)
    increments: int = 10
    elements: str = "linear"  # or "quadratic"

    @property
    def lame(self):
        """(lambda, mu)"""
        return (self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson)),
                self.young / (2 * (1 + self.poisson)))


CASES = [
    Case("box", {"box": {"size": [2, 1, 1], "cells": [6, 3, 3], "split": "six"}}, young=1e5,
         holds={"left": Hold((-1, -1, -1), (0, 2, 2)),
                "right": Hold((2, -1, -1), (3, 2, 2), translate=(0.4, 0, 0.2), degrees=60, about=(2, 0.5, 0.5))}),
    Case("box10", {"box": {"size": [2, 1, 1], "cells": [4, 2, 2], "split": "six"}}, young=1e5, elements="quadratic",
         holds={"left": Hold((-1, -1, -1), (0, 2, 2)),
                "right": Hold((2, -1, -1), (3, 2, 2), translate=(0.4, 0, 0.2), degrees=60, about=(2, 0.5, 0.5))}),
    Case("bar", pathlib.Path("tets/longbar2.mesh"), young=1e5,
         holds={"left": Hold((-FAR, -FAR, -FAR), (-20, FAR, FAR)),
                "right": Hold((20, -FAR, -FAR), (FAR, FAR, FAR), translate=(10, 0, 8))}),
    Case("armadillo", pathlib.Path("tets/armadillo_4k.node"), young=3e7, gravity=(0, -9.81, 0),
         holds={"feet": Hold((-FAR, -FAR, -FAR), (FAR, -1.0, FAR))}),
]
