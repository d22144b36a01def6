#!/usr/bin/env python3
"""Draws frames of a run as a PNG: tools/picture.py RUN... -o out.png [--field von_mises] [--frames 1,10,20,30].

Each RUN is a run folder with vtk/*.vtu as `sinew run` writes them; `--frames` gives the frames drawn side by side.
Needs numpy only: the surface is drawn with a depth buffer, flat shading and one light.
"""
import argparse
import base64
import glob
import os
import struct
import sys
import xml.etree.ElementTree
import zlib

import numpy


def data_array(element):
    """The numbers of an inline base64 + zlib DataArray with 32- or 64-bit headers."""
    types = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}
    text = "".join(element.text.split())
    root_header = 8 if element.get("wide") == "1" else 4
    code = "<Q" if root_header == 8 else "<I"
    first = base64.b64decode(text[: 4 * ((root_header + 2) // 3)])
    blocks = struct.unpack_from(code, first)[0]
    size = root_header * (3 + blocks)
    length = 4 * ((size + 2) // 3)
    header = base64.b64decode(text[:length])
    sizes = [struct.unpack_from(code, header, root_header * (3 + i))[0] for i in range(blocks)]
    body = base64.b64decode(text[length:])
    data, at = b"", 0
    for n in sizes:
        data += zlib.decompress(body[at : at + n])
        at += n
    values = numpy.frombuffer(data, types[element.get("type")])
    width = int(element.get("NumberOfComponents") or 1)
    return values.reshape(-1, width) if width > 1 else values


def read_vtu(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    wide = "1" if root.get("header_type") == "UInt64" else "0"
    for element in root.iter("DataArray"):
        element.set("wide", wide)
    piece = root.find(".//Piece")
    points = data_array(piece.find("Points/DataArray"))
    cells = {e.get("Name"): e for e in piece.findall("Cells/DataArray")}
    tets = data_array(cells["connectivity"]).reshape(-1, 4)
    fields = {}
    for kind in ("PointData", "CellData"):
        for e in piece.findall(kind + "/DataArray"):
            fields[e.get("Name")] = (kind, data_array(e))
    return points, tets, fields


def surface(tets):
    """Boundary triangles and the tet of each."""
    faces = tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    owner = numpy.repeat(numpy.arange(len(tets)), 4)
    key = numpy.sort(faces, axis=1)
    _, first, count = numpy.unique(key, axis=0, return_index=True, return_counts=True)
    keep = first[count == 1]
    return faces[keep], owner[keep]


COLOURS = numpy.array(  # from dark blue to yellow, even in lightness for colour-blind readers
    [[0.00, 0.13, 0.30], [0.15, 0.25, 0.43], [0.34, 0.36, 0.43], [0.49, 0.48, 0.47], [0.65, 0.61, 0.45],
     [0.82, 0.75, 0.37], [1.00, 0.91, 0.27]])


def colour_of(t):
    t = numpy.clip(t, 0, 1) * (len(COLOURS) - 1)
    i = numpy.minimum(t.astype(int), len(COLOURS) - 2)
    f = (t - i)[..., None]
    return COLOURS[i] * (1 - f) + COLOURS[i + 1] * f


def view_matrix(yaw, pitch, up):
    cy, sy, cp, sp = numpy.cos(yaw), numpy.sin(yaw), numpy.cos(pitch), numpy.sin(pitch)
    base = numpy.eye(3) if up == "y" else numpy.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)
    turn = numpy.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    tilt = numpy.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
    return tilt @ turn @ base


def draw(image, depth, points, faces, colour, edges):
    """Triangles into the depth buffer; points in pixels and depth."""
    for face, rgb in zip(faces, colour):
        a, b, c = points[face]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(area) < 1e-9:
            continue
        x0, x1 = int(max(min(a[0], b[0], c[0]), 0)), int(min(max(a[0], b[0], c[0]) + 1, image.shape[1] - 1))
        y0, y1 = int(max(min(a[1], b[1], c[1]), 0)), int(min(max(a[1], b[1], c[1]) + 1, image.shape[0] - 1))
        if x1 < x0 or y1 < y0:
            continue
        x, y = numpy.meshgrid(numpy.arange(x0, x1 + 1) + 0.5, numpy.arange(y0, y1 + 1) + 0.5)
        u = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        v = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        w = 1 - u - v
        inside = (u >= 0) & (v >= 0) & (w >= 0)
        z = w * a[2] + u * b[2] + v * c[2]
        window = depth[y0 : y1 + 1, x0 : x1 + 1]
        near = inside & (z > window)
        window[near] = z[near]
        shade = numpy.ones(z.shape + (1,))
        if edges:
            side = numpy.minimum(numpy.minimum(u, v), w) * abs(area) ** 0.5
            shade = numpy.where(side < 0.35, 0.72, 1.0)[..., None]
        image[y0 : y1 + 1, x0 : x1 + 1][near] = (rgb * shade)[near]


def write_png(path, image):
    rows = (numpy.clip(image, 0, 1) * 255 + 0.5).astype(numpy.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 2, 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("-o", required=True)
    parser.add_argument("--field", default="von_mises")
    parser.add_argument("--frames", default="-1", help="comma-separated; negative counts from the end")
    parser.add_argument("--width", type=int, default=480, help="pixels of one frame")
    parser.add_argument("--height", type=int, default=300)
    parser.add_argument("--yaw", type=float, default=-30)
    parser.add_argument("--pitch", type=float, default=20)
    parser.add_argument("--up", choices="yz", default="y")
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--fit", choices=("all", "each"), default="all", help="one scale for all frames, or each its own")
    options = parser.parse_args()

    scenes = []
    for run in options.runs:
        files = sorted(glob.glob(os.path.join(run, "vtk", "*.vtu")))
        if not files:
            sys.exit(f"{run}: no vtk/*.vtu here; run the scene with \"export\": [\"pvd\"]")
        scenes += [read_vtu(files[int(k)]) for k in options.frames.split(",")]

    over = 2  # drawn at twice the size, then averaged
    view = view_matrix(numpy.radians(options.yaw), numpy.radians(options.pitch), options.up)
    turned = [points @ view.T for points, _, _ in scenes]
    width, height = options.width * over, options.height * over
    levels = []
    for _, tets, fields in scenes:
        faces, owner = surface(tets)
        kind, values = fields[options.field]
        if values.ndim > 1:
            values = numpy.linalg.norm(values, axis=1)
        levels.append(values[owner] if kind == "CellData" else values[faces].mean(axis=1))
    top = max(numpy.percentile(level, 99) for level in levels) or 1.0
    tiles = []
    for (_, tets, _), t, level in zip(scenes, turned, levels):
        fitted = [t] if options.fit == "each" else turned
        low = numpy.min([q.min(axis=0) for q in fitted], axis=0)
        high = numpy.max([q.max(axis=0) for q in fitted], axis=0)
        scale = 0.9 * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
        middle = (low + high) / 2
        p = numpy.empty_like(t)
        p[:, 0] = width / 2 + (t[:, 0] - middle[0]) * scale
        p[:, 1] = height / 2 - (t[:, 1] - middle[1]) * scale
        p[:, 2] = t[:, 2]
        faces, _ = surface(tets)
        normal = numpy.cross(t[faces[:, 1]] - t[faces[:, 0]], t[faces[:, 2]] - t[faces[:, 0]])
        normal /= numpy.maximum(numpy.linalg.norm(normal, axis=1), 1e-30)[:, None]
        light = numpy.array([0.3, 0.6, 0.74])
        shade = 0.35 + 0.65 * numpy.clip(normal @ light, 0, 1)
        image = numpy.ones((height, width, 3))
        depth = numpy.full((height, width), -numpy.inf)
        front = normal[:, 2] > 0
        draw(image, depth, p, faces[front], (colour_of(level / top) * shade[:, None])[front], True)
        tiles.append(image.reshape(options.height, over, options.width, over, 3).mean(axis=(1, 3)))
    rows = [tiles[i : i + options.columns] for i in range(0, len(tiles), options.columns)]
    blank = numpy.ones_like(tiles[0])
    width = max(len(row) for row in rows)
    write_png(options.o, numpy.vstack([numpy.hstack(row + [blank] * (width - len(row))) for row in rows]))


if __name__ == "__main__":
    main()
