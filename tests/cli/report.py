"""`sinew report`, and the page that every run leaves: well formed, whole, with pictures that decode."""
import base64
import html.parser
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *


class Page(html.parser.HTMLParser):
    """Checks that tags are closed in order; keeps texts and what would reach for the network."""

    VOID = {"meta", "img", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.images, self.problems = [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "img":
            self.images.append(values["src"])
        if tag in ("script", "link", "iframe", "object"):
            self.problems.append(f"<{tag}>")
        for name in ("src", "href", "onload", "onclick"):
            if name in values and not values[name].startswith("data:"):
                self.problems.append(f"{name}={values[name]}")

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        self.texts.append(data)

    def has(self, words):
        return words in " ".join("".join(self.texts).split())


def read_page(path):
    text = pathlib.Path(path).read_text()
    page = Page(text)
    check(not page.problems, f"{path}: {page.problems}")
    for svg in text.split("<svg")[1:]:
        xml.etree.ElementTree.fromstring("<svg" + svg.split("</svg>")[0] + "</svg>")
    return page


def pixels(source):
    """Width, height and the share of pixels that are covered, of a PNG in a data address."""
    data = base64.b64decode(source.split("base64,")[1], validate=True)
    check(len(source) < 100000, f"a picture of {len(source)} bytes")
    check(data[:8] == b"\x89PNG\r\n\x1a\n", "a PNG")
    at, packed, size = 8, b"", None
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        check(zlib.crc32(name + content) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], "its sums")
        if name == b"IHDR":
            size = struct.unpack(">IIBB", content[:10])
        packed += content if name == b"IDAT" else b""
        at += 12 + length
    width, height, depth, kind = size
    check((depth, kind) == (8, 6), "eight bits with opacity")
    plain, stride, above, covered = zlib.decompress(packed), 4 * width + 1, bytes(4 * width), 0
    check(len(plain) == stride * height, "all rows")
    for y in range(height):
        filtered, row = plain[y * stride:(y + 1) * stride], bytearray(4 * width)
        for i in range(4 * width):
            before = {0: 0, 1: row[i - 4] if i >= 4 else 0, 2: above[i]}[filtered[0]]
            row[i] = filtered[1 + i] + before & 255
        covered += sum(value > 127 for value in row[3::4])
        above = row
    return width, height, covered / (width * height)


# Every run leaves its page.
scene = write_scene("beam.json", title="Beam <&> wall", time={"fps": 60, "frames": 5},
                    expect={"beam.volume": {"min": 0.4}, "wall.force.y": {"min": 1e9, "frame": 2}})
result = expect(1, ["run", scene, "-o", fresh("out"), "--set", "bodies.beam.density=900"], "out/report.html")
page = read_page("out/report.html")
for words in ("Beam <&> wall", "Done: all 5 frames.", "1 of 2 expectations not met.", "beam.volume", "Relative residual",
              "Reactions of attachments", "Time a frame", "density=900", "neo_hookean"):
    check(page.has(words), f"the page has no '{words}'")
check(page.has(f"{TOOL} run {scene} -o out --set bodies.beam.density=900"), "the command")
check(len(page.images) == 3, f"{len(page.images)} pictures")
shares = []
for image in page.images:
    width, height, share = pixels(image)
    shares.append(share)
    check(width >= 320 and 0.05 < share < 0.9, f"a picture of {width} x {height}, {share:.2f} of it covered")
check(json.loads(pathlib.Path("out/run.json").read_text())["command"][1:3] == ["run", scene], "run.json")

# Again by hand; the same page, anywhere.
before = pathlib.Path("out/report.html").read_bytes()
pathlib.Path("out/report.html").unlink()
expect(0, ["report", "out"], "out/report.html")
check(pathlib.Path("out/report.html").read_bytes() == before, "the page is the same again")
expect(0, ["report", "out", "-o", "elsewhere.html"], "elsewhere.html")
check(pathlib.Path("elsewhere.html").read_bytes() == before, "-o")
shutil.rmtree("moved", ignore_errors=True)
shutil.copytree("out", "moved")
pathlib.Path(scene).unlink()
expect(0, ["report", "moved"], "moved/report.html")
check(pathlib.Path("moved/report.html").read_bytes() == before, "a run that was moved, its scene gone")

# --force and --resume leave no page of an older run.
scene = write_scene("beam.json", time={"fps": 60, "frames": 3})
expect(0, ["run", scene, "-o", "out", "--force", "--quiet"])
check(read_page("out/report.html").has("Done: all 3 frames."), "the page after --force")
expect(0, ["run", scene, "-o", "out", "--resume", "--quiet"])
check_sums("out")
expect(0, ["run", scene, "-o", fresh("only_frame"), "--frames", "2:2", "--quiet"])
check(len(read_page("only_frame/report.html").images) == 1, "one frame, one picture")

# Contact, and colliders of all shapes.
shapes = {"floor": {"plane": {"point": [0, -0.1, 0], "normal": [0, 1, 0]}},
          "ball": {"sphere": {"centre": [1, -2, 0.25], "radius": 0.5}},
          "rod": {"capsule": {"from": [-1, -2, 0], "to": [-1, -1, 0], "radius": 0.3}},
          "drum": {"cylinder": {"from": [3, -2, 0], "to": [3, -1, 0], "radius": 0.3}},
          "room": {"box": {"size": [9, 9, 9]}}}
touching = write_scene("touching.json", attach=[], time={"fps": 60, "frames": 12}, contact={"friction": 0.3},
                       colliders={name: {"shape": shape, "hollow": name == "room"} for name, shape in shapes.items()})
expect(0, ["run", touching, "-o", fresh("touching"), "--quiet"])
page = read_page("touching/report.html")
for words in ("Pairs in contact", "Deepest penetration", "Contact forces", "floor (plane)", "room (hollow box)", "friction 0.3"):
    check(page.has(words), f"contact: the page has no '{words}'")

# Runs that did not end well.
# Steel far away: its positions are too coarse for its strains.
hard = write_scene("hard.json", time={"frames": 1}, solve={"mode": "quasistatic"}, bodies={"beam": {
    **BEAM["bodies"]["beam"], "place": {"translate": [4e6, 0, 0]},
    "material": {"model": "corotated", "young": 2e11, "poisson": 0.3}}})
expect(3, ["run", hard, "-o", fresh("hard"), "--quiet"])
check(read_page("hard/report.html").has("Not converged"), "a run that does not converge")
long = write_scene("long.json", time={"fps": 600, "frames": 100000})
running = subprocess.Popen([TOOL, "run", long, "-o", fresh("long"), "--quiet"], stderr=subprocess.DEVNULL)
while not pathlib.Path("long/frames/frame_00005.npz").exists():
    time.sleep(0.01)
running.send_signal(signal.SIGINT)
check(running.wait() == 130, "an interrupted run")
check(read_page("long/report.html").has("Interrupted after frame"), "the page of an interrupted run")
running = subprocess.Popen([TOOL, "run", long, "-o", fresh("long"), "--quiet"], stderr=subprocess.DEVNULL)
while not pathlib.Path("long/frames/frame_00005.npz").exists():
    time.sleep(0.01)
running.kill()
running.wait()
check(not pathlib.Path("long/report.html").exists(), "a killed run has no page yet")
expect(0, ["report", "long"], "long/report.html")
check(read_page("long/report.html").has("The end was not recorded"), "the page of a killed run")

# Folders that hold no run, or a broken one.
pathlib.Path(fresh("empty")).mkdir()
expect(2, ["report", "empty"], "empty", "run.json")
expect(2, ["report", "no_such_folder"], "no_such_folder")
for text in ("", "{", "[]", "{\"sinew\": 1}", "null"):
    shutil.rmtree("broken", ignore_errors=True)
    shutil.copytree("out", "broken")
    pathlib.Path("broken/report.html").unlink()
    pathlib.Path("broken/run.json").write_text(text)
    code = sinew("report", "broken")
    check(code.returncode == 2 and "broken/run.json" in code.stderr, f"run.json {text!r}: {code.returncode} {code.stderr}")
    check(not pathlib.Path("broken/report.html").exists(), "nothing is written")
expect(4, ["report", "out", "-o", "no/such/folder/page.html"], "no/such/folder/page.html")
finish()
