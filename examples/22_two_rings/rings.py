#!/usr/bin/env python3
"""Writes the surface of two rings that run through each other's material: rings.py > rings.obj."""
import math

ALONG, AROUND = 40, 14
MAJOR, MINOR = 1.0, 0.25  # [m]
RINGS = {  # name: where the point (x, y, z) of a ring about the z axis goes
    "still": lambda x, y, z: (x, z, y),
    "loose": lambda x, y, z: (x + 1.7, y + 0.05, z + 0.03),
}

base = 1
for name, place in RINGS.items():
    turned = name == "still"  # swapping two axes mirrors the ring: its triangles then run the other way round
    for i in range(ALONG):
        a = 2 * math.pi * i / ALONG
        for j in range(AROUND):
            b = 2 * math.pi * j / AROUND
            r = MAJOR + MINOR * math.cos(b)
            print("v %.4f %.4f %.4f" % place(r * math.cos(a), r * math.sin(a), MINOR * math.sin(b)))
    print("g", name)
    for i in range(ALONG):
        for j in range(AROUND):
            p = [base + (i + k) % ALONG * AROUND + (j + l) % AROUND for k, l in ((0, 0), (1, 0), (1, 1), (0, 1))]
            for t in ((p[0], p[1], p[2]), (p[0], p[2], p[3])):
                print("f %d %d %d" % (t[::-1] if turned else t))
    base += ALONG * AROUND
