"""sinew picture, sinew film and sinew view --export: what comes out holds what the run holds."""
import base64
import pathlib
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from view_client import *

need_page()
temporary = tempfile.TemporaryDirectory()
os.environ["TMPDIR"] = temporary.name


def read_png(path):
    """Pixels (H,W,3) of a PNG with 8 bits a channel (ISO/IEC 15948)."""
    data = pathlib.Path(path).read_bytes()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path}: no PNG")
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    channels = {2: 3, 6: 4}[colour]
    raw = numpy.frombuffer(zlib.decompress(packed), "u1").reshape(height, 1 + width * channels).astype(int)
    out = numpy.zeros((height + 1, width + 1, channels), int)
    for y in range(height):
        row = raw[y, 1:].reshape(width, channels)
        up, kind = out[y, 1:], raw[y, 0]
        if kind == 0:
            out[y + 1, 1:] = row
        elif kind == 2:
            out[y + 1, 1:] = row + up & 255
        elif kind == 1:
            out[y + 1, 1:] = numpy.cumsum(row, axis=0) & 255
        else:
            for x in range(width):
                left, above, corner = out[y + 1, x], out[y, x + 1], out[y, x]
                if kind == 3:
                    guess = (left + above) // 2
                else:
                    p = left + above - corner
                    a, b, c = abs(p - left), abs(p - above), abs(p - corner)
                    guess = numpy.where((a <= b) & (a <= c), left, numpy.where(b <= c, above, corner))
                out[y + 1, x + 1] = row[x] + guess & 255
    return out[1:, 1:, :3]


def drawn(pixels):
    """Where it is not the background, which is what most pixels are."""
    colours, counts = numpy.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    return abs(pixels - colours[counts.argmax()]).sum(axis=2) > 120  # more than the lines of the ground


def messages_of(html):
    text = html.split('id="sinew-data">')[1].split("</script>")[0]
    data = zlib.decompress(base64.b64decode(text))
    at, messages = 0, []
    while at < len(data):
        length = struct.unpack("<I", data[at:at + 4])[0]
        messages.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return messages


def check_page(folder):
    """The exported frames against the stored ones."""
    expect(0, ["view", folder, "--export", "run.html", "--field", "displacement", "--component", "y"], "run.html")
    messages = messages_of(pathlib.Path("run.html").read_text())
    hello = json.loads(messages[0])
    check(len(hello["panes"][0]["frames"]) == 21, f"{hello['panes'][0]['frames']}")
    topology = parse(messages[1])["data"]
    sums, values = 0, 0
    for index, message in enumerate(messages[2:]):
        frame = parse(message)
        stored = numpy.load(pathlib.Path(folder) / f"frames/frame_{index:05}.npz")["x"]
        planes = lambda name: frame["data"][name].reshape(-1).view("u1").reshape(2, -1).astype(int)
        sums = (sums + planes("positions")[0] + 256 * planes("positions")[1]) % 65536
        values = (values + planes("values")[0] + 256 * planes("values")[1]) % 65536
        packed = frame["packed"]
        x = numpy.array(packed["origin"]) + numpy.array(packed["scale"]) * sums.reshape(-1, 3)
        difference = abs(x - stored[topology["nodes"]]).max()
        check(difference < 1.01 * max(packed["scale"]) / 2 + 1e-6, f"frame {index}: positions differ by {difference}")
        rest = numpy.load(pathlib.Path(folder) / "frames/frame_00000.npz")["x"]
        u = packed["values"]["origin"] + packed["values"]["scale"] * values
        difference = abs(u - (stored - rest)[topology["nodes"], 1]).max()
        check(difference < 1.01 * packed["values"]["scale"] / 2 + 1e-6, f"frame {index}: values differ by {difference}")
    expect(0, ["view", folder, "--export", "part.html", "--frames", "5:9"], "5 frames")
    expect(2, ["view", folder, "--export", "no.html", "--frames", "50:60"], "no frames from 50 to 60")
    expect(2, ["view", folder, "--export", "no.html", "--field", "stres"], "stress")
    expect(4, ["view", folder, "--export", "no/such/folder/no.html"], "no/such/folder")
    expect(2, ["view", "beam.json", "--export", "no.html"], "sinew run")
    check(not pathlib.Path("no.html").exists(), "a page that failed is there")


def check_pictures(folder):
    expect(0, ["picture", folder, "--frame", 0, "--camera", "0,0,1", "--size", "640x480", "--theme", "light", "-o",
               "rest.png"], "rest.png")
    pixels = read_png("rest.png")
    check(pixels.shape == (480, 640, 3), f"{pixels.shape}")
    mask = drawn(pixels)
    rows, columns = numpy.flatnonzero(mask.any(axis=1)), numpy.flatnonzero(mask.any(axis=0))
    check(len(rows) > 0, "nothing is drawn")
    if len(rows) > 0:
        ratio = (columns[-1] - columns[0]) / (rows[-1] - rows[0])
        check(3 < ratio < 5, f"a beam of 2 x 0.5 m is drawn {ratio:.2f} times as wide as high")
    common = [folder, "--camera", "0,0,1", "--size", "640x480", "--theme", "light"]
    expect(0, ["picture", *common, "-o", "last.png"])
    check((read_png("last.png") != pixels).any(), "the last frame looks like the first")
    expect(0, ["picture", *common, "--field", "displacement", "--range", "run", "-o", "field.png"])
    colourful = numpy.ptp(read_png("field.png"), axis=2) > 60
    check(colourful.sum() > 1000 and not (numpy.ptp(pixels, axis=2) > 120).any(), "the field has no colours")
    expect(0, ["picture", "beam.json", "--size", "320x240", "-o", "scene.png"])
    check(drawn(read_png("scene.png")).any(), "the scene is empty")
    expect(2, ["picture", folder, "--frame", 99, "-o", "no.png"], "no frame 99")
    expect(2, ["picture", folder, "--field", "von_misses", "-o", "no.png"], "von_mises")
    expect(2, ["picture", folder, "--hide", "beem", "-o", "no.png"], "beam")
    expect(4, ["picture", folder, "-o", "no/such/folder/a.png"], "no/such/folder")
    environment = {**os.environ, "SINEW_CHROMIUM": "no-such-program"}
    expect(2, ["picture", folder, "-o", "no.png"], "SINEW_CHROMIUM", env=environment)
    expect(5, ["picture", folder, "-o", "no.png"], "install the package chromium", env={"PATH": "nowhere"})
    expect(4, ["picture", folder, "-o", "no.png"], "it ended before", env={**os.environ, "SINEW_CHROMIUM": "false"})
    check(not pathlib.Path("no.png").exists(), "a picture that failed is there")
    left = list(pathlib.Path(os.environ["TMPDIR"]).glob("sinew-browser-*"))
    check(not left, f"left behind: {left}")


def check_films(folder):
    expect(2, ["film", folder, "-o", "film.avi"], ".mp4 or .gif")
    if not shutil.which("ffmpeg"):
        expect(5, ["film", folder, "-o", "film.mp4"], "install the package ffmpeg")
        print("no ffmpeg: films are not tried")
        return
    for name, kind in (("film.mp4", b"ftyp"), ("film.gif", b"GIF8")):
        expect(0, ["film", folder, "--frames", "0:3", "--size", "161x121", "-o", name], name)
        check(kind in pathlib.Path(name).read_bytes()[:16], f"{name} is none")
        if shutil.which("ffprobe"):
            probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                    "stream=nb_read_frames,pix_fmt,codec_name", "-of", "csv=p=0", name],
                                   capture_output=True, text=True).stdout
            check(probe.strip().endswith(",4"), f"{name}: {probe}")
    check(not list(pathlib.Path(".").glob("film*.tmp.*")), "unfinished films")


scene = write_scene("beam.json", bodies={"beam": {**BEAM["bodies"]["beam"], "material": {
    "model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}})
expect(0, ["run", scene, "-o", fresh("beam-run"), "--quiet", "--export", "none"])
check_page("beam-run")
if any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
    check_pictures("beam-run")
    check_films("beam-run")
else:
    expect(5, ["picture", "beam-run"], "install the package chromium")
    print("no chromium: pictures are not tried")
finish()
