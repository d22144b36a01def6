#!/usr/bin/env python3
"""Writes a scene of nine spindles side by side that are twisted together: bundle.py CELL > scene.json.

CELL: edge of the cubes of the lattice that fills them [m].
"""
import sys

cell = float(sys.argv[1])
GAP = 0.0405  # [m] between the axes of neighbours; their radius is 0.02 m
names = [f"muscle_{i + 1}" for i in range(9)]
bodies, attach = [], []
for i, name in enumerate(names):
    x, y = (GAP * (k - 1) for k in divmod(i, 3))
    bodies.append(
        f'    "{name}": {{"mesh": {{"lattice": {{"cell": {cell}, "solid": {{"ellipsoid": {{"radii": [0.02, 0.02, 0.08]}}}}}}}},\n'
        f'      "place": {{"translate": [{x:g}, {y:g}, 0]}},\n'
        '      "material": [{"model": "neo_hookean", "young": 1e5, "poisson": 0.4},\n'
        '                   {"model": "active_fibre", "tension": 1e4, "fibre": [0, 0, 1], "add": true}],\n'
        '      "density": 1000, "groups": ["muscle"],\n'
        '      "select": {"origin": {"box": [[-1, -1, -1], [1, 1, -0.06]]}, "insertion": {"box": [[-1, -1, 0.06], [1, 1, 1]]}}}')
    attach += [
        f'    {{"what": "{name}.origin", "name": "origin_{i + 1}"}}',
        f'    {{"what": "{name}.insertion", "name": "insertion_{i + 1}",\n'
        '     "motion": [{"time": 0, "about": [0, 0, 0]}, {"time": 1, "about": [0, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": 60}}]}']
comma = ",\n"
print(f"""// Nine spindles side by side, as muscles are, contract and are twisted together; tissue between them lets them slide.
// Written by bundle.py {cell}.
{{
  "sinew": 1,
  "title": "A bundle of muscles",
  "bodies": {{
{comma.join(bodies)}
  }},
  "attach": [
{comma.join(attach)}
  ],
  "contact": {{"self": false}},
  "connect": [{{"between": ["muscle", "muscle"], "kind": "sliding", "distance": 0.005, "stiffness": 1e4}}],
  "solve": {{"mode": "dynamic", "method": "newton", "tolerance": 1e-3}},
  "time": {{"fps": 20, "frames": 20}},
  "output": {{"export": ["pvd"]}},
  "expect": {{
{comma.join(f'    "{name}.inverted": {{"max": 0}}' for name in names)},
    // The one in the middle is turned in place.
    "muscle_5.centre.x": {{"value": 0, "tolerance": 5e-4}},
    "muscle_5.centre.y": {{"value": 0, "tolerance": 5e-4}},
    "muscle_4:muscle_5.contacts": {{"min": 5}}
  }}
}}""")
