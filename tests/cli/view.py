"""sinew view: who gets in, what a page receives, and that nothing a page sends does harm."""
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from view_client import *

need_page()


def run_beam(folder, **changes):
    expect(0, ["run", write_scene("beam.json", **changes), "-o", fresh(folder), "--quiet", "--export", "none"])
    return folder


def frames_of(folder):
    frames = {}
    for path in sorted((pathlib.Path(folder) / "frames").glob("*.npz")):
        frames[int(path.stem.split("_")[1])] = numpy.load(path)["x"]
    return frames


def who_gets_in(server):
    good = server.page()
    status, head, body = server.http(good)
    check(status == 200 and b"</html>" in body.lower(), f"the page: {status} {head}")
    for field in ("Content-Security-Policy", "Cache-Control: no-store", "X-Content-Type-Options: nosniff"):
        check(field.lower() in head.lower(), f"no {field} in {head}")
    check(server.http(good, method="HEAD")[::2] == (200, b""), "HEAD")
    check(server.http(good, host=f"localhost:{server.port}")[0] == 200, "localhost")
    for target, host, fields, wanted in [
            ("/", None, [], 403), ("/?token=", None, [], 403), ("/?token=" + "0" * 32, None, [], 403),
            ("/ws", None, [], 403), (good, "evil.example", [], 403), (good, f"evil.example:{server.port}", [], 403),
            (good, "127.0.0.1", [], 403), (good, "", [], 403), (good, None, ["Origin: http://evil.example"], 403),
            (good, None, ["Origin: null"], 403), (good, None, ["Host: evil.example"], 403),
            ("/index.html", None, [], 404), ("/favicon.ico", None, [], 404), ("/../../etc/passwd", None, [], 404),
            ("/%2e%2e/%2e%2e/etc/passwd", None, [], 404), ("//etc/passwd", None, [], 404), ("/ws/x", None, [], 404),
            (f"/etc/passwd?token={server.token}", None, [], 404)]:
        status = server.http(target, host, fields=fields)[0]
        check(status == wanted, f"{target} {host} {fields}: {status}, expected {wanted}")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT"):
        check(server.http(good, method=method)[0] in (400, 405), method)
    check(Page(server, token="0" * 32).status == 403, "a socket with a wrong token")
    check(Page(server, token="").status == 403, "a socket without a token")
    check(Page(server, origin="http://evil.example").status == 403, "a socket from another site")
    check(Page(server, origin=f"http://127.0.0.1:{server.port}").status == 101, "a socket of the page itself")


def what_comes(server, folder):
    stored = frames_of(folder)
    page, other = Page(server), Page(server)
    hello = page.until("hello")
    check(hello["protocol"] == 1 and hello["kind"] == "run" and not hello["live"], f"hello: {hello}")
    pane = hello["panes"][0]
    check([f["index"] for f in pane["frames"]] == sorted(stored), f"frames {pane['frames']}")
    check(len(pane["stats"]) == len(stored), "a line for every frame")
    names = [field["name"] for field in pane["fields"]]
    for name in ("displacement", "von_mises", "det_F", "strain", "colour"):
        check(name in names, f"no field {name} in {names}")
    other.until("hello")
    topology = page.until("topology", {"do": "ready"})["data"]
    page.until("frame")
    x = stored[0][topology["nodes"]]
    volume = numpy.einsum("ti,ti->", x[topology["triangles"][:, 0]],
                          numpy.cross(x[topology["triangles"][:, 1]], x[topology["triangles"][:, 2]])) / 6
    check(abs(volume - 0.5) < 1e-9, f"the surface encloses {volume}")
    for index in (0, 7, 20):
        frame = page.until("frame", {"do": "frame", "pane": 0, "index": index})
        check(frame["index"] == index and frame["line"]["frame"] == index, f"frame {index}: {frame}")
        difference = abs(frame["data"]["positions"] - stored[index][topology["nodes"]]).max()
        check(difference < 1e-6, f"positions of frame {index} differ by {difference}")
    frame = page.until("frame", {"do": "show", "pane": 0, "field": "displacement", "component": "y"})
    wanted = (stored[20] - stored[0])[topology["nodes"], 1]
    check(abs(frame["data"]["values"] - wanted).max() < 1e-6, "displacements")
    check(abs(frame["field"]["min"] - (stored[20] - stored[0])[:, 1].min()) < 1e-6, f"range {frame['field']}")
    frame = page.until("frame", {"do": "show", "pane": 0, "field": "von_mises"})
    check(len(frame["data"]["values"]) == len(topology["triangles"]) and frame["field"]["unit"] == "Pa", "von Mises")
    check(len(frame["data"]["constraints"]) == 9, "the nodes at the wall")
    cut = page.until("topology", {"do": "clip", "pane": 0, "plane": [1, 0, 0, 1]})
    check(len(cut["data"]["nodes"]) < len(topology["nodes"]) or len(cut["data"]["triangles"]) > 0, "a clip plane")
    page.until("frame")
    # The other page has its own frame, without a field.
    frame = other.until("frame", {"do": "frame", "pane": 0, "index": 3})
    check(frame["index"] == 3 and frame["field"] is None, "two pages")
    for wish, word in (({"do": "frame", "index": 99}, "frame 99"), ({"do": "show", "field": "von_misses"}, "von_mises"),
                       ({"do": "play"}, "live")):
        other.say(**wish)
        answer = other.next()
        while answer["say"] != "error":
            answer = other.next()
        check(word in answer["text"], f"{wish}: {answer}")
    page.close()
    check(other.until("frame", {"do": "frame", "index": 4})["index"] == 4, "one page is closed, the other goes on")
    other.close()


def what_does_no_harm(server):
    rest = random.Random(1)
    noise = bytes(rest.randrange(256) for _ in range(4000))
    cases = [
        (frame(b"nonsense"), 1008), (frame(b"{"), 1008), (frame(b"[]"), 1008), (frame(b'{"do": 3}'), 1008),
        (frame(b'{"do": "frame", "index": {}}'), 1008), (frame(b'{"do": "frame", "pane": 7, "index": 0}'), 1008),
        (frame(b'{"do": "clip", "plane": "x"}'), 1008), (frame(b"[" * 50000), 1008), (frame(b" " * 70000), 1009),
        (frame(b"\xff\xff"), 1007), (frame(b"abc", 2), 1003), (frame(noise, 2), 1003), (frame(b"x", 5), 1002),
        (frame(b"x", 0), 1002), (b"\x81\x02{}", 1002), (b"\xf1\x80\1\2\3\4", 1002),
        (b"\x82\xff" + b"\x7f" + b"\xff" * 7 + b"\1\2\3\4", 1009), (frame(b"a" * 126, 9), 1002), (noise, None)]
    for bytes_sent, wanted in cases:
        page = Page(server)
        page.connection.settimeout(20)
        page.connection.sendall(bytes_sent)
        code = page.closing_code()
        check(wanted is None or code == wanted, f"{bytes_sent[:30]}: closed with {code}, expected {wanted}")
        page.close()
    for cut in (1, 3, 6, 10):
        page = Page(server)
        page.connection.sendall(frame(b'{"do": "ready"}')[:cut])
        page.close()
    for rubbish in (b"", b"\r\n\r\n", noise, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10000, b"GET /" + b"a" * 100000):
        with server.raw() as connection:
            try:
                connection.sendall(rubbish)
            except OSError:
                pass
    page = Page(server)
    page.until("hello")
    check(page.until("frame", {"do": "frame", "index": 2})["index"] == 2, "after all that")
    check(server.alive(), "it has died")


def growing(folder):
    """A run that is still going on."""
    hidden = pathlib.Path("hidden")
    shutil.rmtree(hidden, ignore_errors=True)
    hidden.mkdir()
    for path in sorted((pathlib.Path(folder) / "frames").glob("*.npz"))[10:]:
        path.rename(hidden / path.name)
    server = Server(folder)
    page = Page(server)
    check(len(page.until("hello")["panes"][0]["frames"]) == 10, "ten frames are there")
    for path in sorted(hidden.glob("*.npz")):
        path.rename(pathlib.Path(folder) / "frames" / path.name)
    found = []
    while len(found) < 11:
        found += [f["index"] for f in page.until("grow")["frames"]]
    check(found == list(range(10, 21)), f"the frames that came: {found}")
    check(page.until("frame", {"do": "frame", "index": 20})["index"] == 20, "the last frame")
    server.stop()


def live():
    scene = write_scene("live.json", time={"fps": 60, "frames": 20})
    server = Server(scene)
    page = Page(server)
    hello = page.until("hello")
    check(hello["live"] and hello["kind"] == "scene", f"{hello['kind']}")
    scene_info = hello["scene"]
    check("newton" in scene_info["methods"] and scene_info["method"] in scene_info["methods"], f"{scene_info['methods']}")
    numbers = {entry["path"]: entry for entry in scene_info["numbers"]}
    check(numbers["bodies.beam.material.young"]["value"] == 1e6, f"{sorted(numbers)}")
    check(scene_info["attachments"][0]["name"] == "wall", f"{scene_info['attachments']}")
    nodes = page.until("topology", {"do": "ready"})["data"]["nodes"]
    start = page.until("frame")
    check(start["index"] == 0 and not start["playing"], "it begins paused")
    page.say(do="ready")
    page.say(do="step")
    check(page.until("frame")["index"] == 1, "one step")
    page.say(do="play")
    check(page.until("state")["playing"], "it plays")
    last = 1
    for _ in range(3):
        frame = page.until("frame", {"do": "ready"})
        check(frame["index"] > last, f"frames go on: {frame['index']} after {last}")
        last = frame["index"]
    other = Page(server)
    check(other.until("hello")["playing"], "the second page knows")
    other.until("frame", {"do": "ready"})
    page.close()
    index = other.until("frame", {"do": "ready"})["index"]
    while index < last + 5:
        index = other.until("frame", {"do": "ready"})["index"]
    other.say(do="pause")
    while other.until("state")["playing"]:
        pass
    # The wall goes up, and the beam with it.
    other.say(do="pose", name=scene_info["attachments"][0]["input"], translate=[0, 1, 0])
    other.say(do="play")
    held = numpy.flatnonzero(start["data"]["positions"][:, 0] == 0)
    for _ in range(200):
        frame = other.until("frame", {"do": "ready"})
        if abs(frame["data"]["positions"][held, 1] - start["data"]["positions"][held, 1] - 1).max() < 1e-6:
            break
    else:
        check(False, "the attachment did not arrive")
    other.say(do="reset")
    while True:
        message = other.until("state")
        if message.get("reset"):
            break
    other.say(do="pause")
    other.say(do="grab", node=10 ** 8, to=[0, 0, 0])
    message = other.next()
    while message["say"] != "error":
        message = other.next()
    check("node" in message["text"], f"{message}")
    other.say(do="method", name="pbng")
    while "scene" not in (message := other.until("state")):
        pass
    check(message["scene"]["method"] == "pbng", "another method")
    other.say(do="save")
    note = other.until("note")["text"]
    session = pathlib.Path("live-session.json")
    check(session.exists() and str(session.absolute()) in note, note)
    check(json.loads(session.read_text())["sinew_session"] == 1, "a session")
    check(server.alive(), "it has died")
    check(server.stop()[0] == 0, "Ctrl-C ends it")


def program(name):
    """A program that writes its arguments, one a line, and a copy of the last, which is a file, beside itself."""
    path = pathlib.Path("programs").absolute() / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {path}.part\nfor last; do :; done\ncp "$last" {path}.html\n'
                    f'mv {path}.part {path}.arguments\n')
    path.chmod(0o755)
    for ending in (".arguments", ".html"):
        path.with_name(name + ending).unlink(missing_ok=True)
    return path


def token_in_no_list_of_processes(folder):
    """The browser gets the address by a file of the user's own, whatever starts it."""
    opener = program("xdg-open")
    environment = {**os.environ, "DISPLAY": ":0", "PATH": f"{opener.parent}:{os.environ['PATH']}"}
    process = subprocess.Popen([TOOL, "view", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    url = process.stdout.readline().strip()
    arguments = pathlib.Path(f"{opener}.arguments")
    for _ in range(400):
        if arguments.exists():
            break
        time.sleep(0.05)
    words = arguments.read_text()
    check("token" not in words and url.split("token=")[1] not in words, f"the token is in the arguments: {words}")
    check(f"url={url}\"" in pathlib.Path(f"{opener}.html").read_text(), "the page of the browser leads elsewhere")
    start = pathlib.Path(words.split()[-1])
    check(start.parent.stat().st_mode & 0o77 == 0, "others may read the page")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    check(not start.parent.exists(), "the page is left behind")
    painter = program("chromium")
    expect(4, ["picture", folder, "-o", "no.png"], "it ended before it made a picture",
           env={**os.environ, "SINEW_CHROMIUM": str(painter)})
    words = pathlib.Path(f"{painter}.arguments").read_text()
    check("token" not in words, f"the token is in the arguments: {words}")
    check("?token=" in pathlib.Path(f"{painter}.html").read_text(), "the page of chromium leads elsewhere")


folder = run_beam("beam-run")
token_in_no_list_of_processes(folder)
server = Server(folder)
who_gets_in(server)
what_comes(server, folder)
what_does_no_harm(server)
second = sinew("view", folder, "--no-browser", "--port", server.port)
check(second.returncode == 4 and f"port {server.port} is in use" in second.stderr and "--port" in second.stderr,
      f"a port in use: {second.returncode} {second.stderr}")
code, said = server.stop()
check(code == 0, f"Ctrl-C: {code} {said}")
check(Server(folder).stop(signal.SIGTERM)[0] == 0, "SIGTERM")

growing(folder)
live()

pair = Server(folder, folder)
page = Page(pair)
check(len(page.until("hello")["panes"]) == 2, "two runs")
page.say(do="ready")
seen = {(m["say"], m["pane"]) for m in (page.next() for _ in range(4))}
check(seen == {("topology", 0), ("frame", 0), ("topology", 1), ("frame", 1)}, f"{seen}")
pair.stop()

expect(4, ["view", "nothing-here"], "no such file")
expect(2, ["view", "."], "no run")
expect(2, ["view", folder, "--camera", "1,2"], "azimuth,elevation,zoom")
expect(2, ["view", folder, "--set", "a=1"], "is none")
expect(2, ["view", folder, "--frames", "1:2"], "--export")
expect(2, ["view", "beam.json", "beam.json"], "alone")
finish()
