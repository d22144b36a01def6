#!/usr/bin/env python3
"""Writes the surfaces of two bands, each with a half turn, that run through each other: bands.py > bands.obj.

Once around, the section has turned by half a turn, so that each side of the band goes on as the other one: the surface of a band is
one, and closed.
"""
import math

ALONG, WIDE, THICK = 60, 4, 2  # quads along, across the width and across the thickness
RADIUS, WIDTH, THICKNESS = 1.0, 0.6, 0.2  # [m]
BANDS = {
    "still": lambda x, y, z: (x, z, -y),
    "loose": lambda x, y, z: (x + 0.35, 0.28 * y + 0.96 * z + 0.1, -0.96 * y + 0.28 * z - 0.15),
}

corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
section = []
for k, pieces in enumerate((WIDE, THICK, WIDE, THICK)):
    (y0, z0), (y1, z1) = corners[k], corners[(k + 1) % 4]
    section += [(y0 + (y1 - y0) * i / pieces, z0 + (z1 - z0) * i / pieces) for i in range(pieces)]
around = len(section)

base = 1
for name, place in BANDS.items():
    for i in range(ALONG):
        a = 2 * math.pi * i / ALONG
        c, s = math.cos(a / 2), math.sin(a / 2)
        for y, z in section:
            out, up = 0.5 * WIDTH * y, 0.5 * THICKNESS * z
            r, h = RADIUS + c * out - s * up, s * out + c * up
            print("v %.4f %.4f %.4f" % place(r * math.cos(a), r * math.sin(a), h))
    print("g", name)
    for i in range(ALONG):
        for j in range(around):
            def point(k, l):
                at = (j + l) % around
                if i + k == ALONG:
                    at = (at + around // 2) % around
                return base + (i + k) % ALONG * around + at
            p = [point(0, 0), point(1, 0), point(1, 1), point(0, 1)]
            print("f %d %d %d\nf %d %d %d" % (p[0], p[1], p[2], p[0], p[2], p[3]))
    base += ALONG * around
