#!/usr/bin/env python3
"""Writes a scene of shapes that fall into a glass box: shapes.py COUNT SIDE CELLS FRAMES SWEEPS > scene.json.

SIDE x SIDE shapes to a layer, CELLS cells across each of them, SWEEPS sweeps a step.
"""
import math
import random
import sys

count, side, cells, frames, sweeps = map(int, sys.argv[1:6])
SPACE = 1.08  # [m] between centres in a layer; every shape fits into a ball of radius 0.53
LAYER = 1.08
even = cells + cells % 2
KINDS = {  # all but the cylinder have their centre at the origin
    "box": f'"box": {{"size": [0.6, 0.6, 0.6], "cells": [{cells}, {cells}, {cells}], "origin": [-0.3, -0.3, -0.3]}}',
    "ball": f'"ball": {{"radius": 0.5, "cells": {6 * cells // 5}, "split": "five"}}',
    "torus": f'"torus": {{"major": 0.35, "minor": 0.17, "cells": {max(3, cells // 2)}, "around": {2 * (9 * cells // 4)}, "split": "five"}}',
    "capsule": f'"capsule": {{"radius": 0.25, "length": 0.5, "cells": {max(4, even - 2)}, "layers": {cells}, "split": "five"}}',
    "ellipsoid": f'"ellipsoid": {{"radii": [0.52, 0.38, 0.3], "cells": {6 * cells // 5}, "split": "five"}}',
    "cylinder": f'"cylinder": {{"radius": 0.32, "length": 0.7, "cells": {cells}, "layers": {6 * cells // 5}, "split": "five"}}',
}
rng = random.Random(40)
names, bodies = [], []
for i in range(count):
    kind = list(KINDS)[i % len(KINDS)]
    layer, place = divmod(i, side * side)
    x, z = (SPACE * (k - (side - 1) / 2) for k in divmod(place, side))
    axis = [rng.uniform(-1, 1) for _ in range(3)]
    degrees = rng.uniform(0, 360)
    centre = [x + rng.uniform(-0.005, 0.005), 0.58 + LAYER * layer, z + rng.uniform(-0.005, 0.005)]
    if kind == "cylinder":  # its mesh stands on z = 0: its middle goes where the others have theirs
        axis, degrees = [1, 0, 0], rng.uniform(20, 160)
        centre[1] += 0.35 * math.sin(math.radians(degrees))
        centre[2] -= 0.35 * math.cos(math.radians(degrees))
    numbers = lambda v: "[" + ", ".join(f"{a:.4g}" for a in v) + "]"
    names.append(f"{kind}_{i + 1:02d}")
    bodies.append(
        f'    "{names[-1]}": {{"mesh": {{{KINDS[kind]}}},\n'
        f'      "place": {{"rotate": {{"axis": {numbers(axis)}, "degrees": {degrees:.4g}}}, "translate": {numbers(centre)}}},\n'
        f'      "material": {{"model": "corotated", "young": 3000, "poisson": 0.3}}, "density": 10}}')

width = SPACE * side
height = 2 + LAYER * (count // side**2 + 1)
expect = ",\n".join(f'    "{name}.inverted": {{"max": 0}}, "{name}.centre.y": {{"min": 0.1, "max": {height - 2:.4g}}}' for name in names)
print(f"""// {count} soft shapes fall into a glass box and come to rest on each other. Written by shapes.py {count} {side} {cells} {frames} {sweeps}.
{{
  "sinew": 1,
  "title": "Shapes fall into a glass box",
  "bodies": {{
{(","+chr(10)).join(bodies)}
  }},
  "colliders": {{
    "glass": {{"shape": {{"box": {{"size": [{width:.4g}, {height:.4g}, {width:.4g}], "centre": [0, {height / 2:.4g}, 0]}}}}, "hollow": true}}
  }},
  "gravity": [0, -9.8, 0],
  "contact": {{"self": false, "rounds": 1}},
  "solve": {{"mode": "dynamic", "method": "pbng", "integrator": "backward_euler", "tolerance": 0.5, "pbng": {{"iterations": {sweeps}}}}},
  "time": {{"fps": 30, "frames": {frames}, "substeps": 17}},
  "output": {{"export": ["pvd"], "fields": ["displacement", "von_mises"]}},
  "expect": {{
{expect}
  }}
}}""")
