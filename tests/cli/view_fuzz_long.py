"""A client that sends anything for 60 s: the server neither dies nor grows, and a well-behaved page goes on."""
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from view_client import *

need_page()

SECONDS = float(os.environ.get("SINEW_FUZZ_SECONDS", 60))
GOOD = [{"do": "ready"}, {"do": "frame", "pane": 0, "index": 3}, {"do": "show", "field": "von_mises", "component": ""},
        {"do": "show", "pane": 0, "field": "displacement", "component": "x", "range": "run"},
        {"do": "clip", "pane": 0, "plane": [1, 0, 0, 0.5]}, {"do": "clip", "plane": None}, {"do": "play"}, {"do": "step"},
        {"do": "pause"}, {"do": "reset"}, {"do": "grab", "node": 20, "to": [1, 1, 1]}, {"do": "move", "to": [1, 1, 0]},
        {"do": "release"}, {"do": "pose", "name": "attach.wall", "translate": [0, 0.1, 0],
                            "rotate": {"axis": [1, 0, 0], "degrees": 5}},
        {"do": "input", "name": "gravity", "value": [0, -1, 0]}, {"do": "method", "name": "newton"},
        {"do": "set", "path": "bodies.beam.density", "value": 900}]
rest = random.Random(7)


def mutated(data):
    data = bytearray(data)
    for _ in range(rest.randrange(1, 6)):
        kind = rest.randrange(4)
        at = rest.randrange(len(data) + 1)
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = rest.randrange(256)
        elif kind == 1:
            data[at:at] = bytes(rest.randrange(256) for _ in range(rest.randrange(1, 20)))
        elif kind == 2 and data:
            del data[at:at + rest.randrange(1, 10)]
        else:
            data[at:at] = rest.choice([b"1e308", b"null", b"[]", b'"', b"{", b"-1", b"99999999999", b"\0"])
    return bytes(data)


def something():
    good = json.dumps(rest.choice(GOOD)).encode()
    kind = rest.randrange(8)
    if kind <= 2:
        return frame(good)
    if kind <= 4:
        return frame(mutated(good))
    if kind == 5:
        return mutated(frame(good))
    if kind == 6:
        return frame(bytes(rest.randrange(256) for _ in range(rest.randrange(300))), rest.randrange(16),
                     rest.random() < 0.7)
    return bytes(rest.randrange(256) for _ in range(rest.randrange(1, 3000)))


def attack(server):
    kind = rest.randrange(5)
    try:
        if kind == 0:
            with server.raw() as connection:
                connection.settimeout(1)
                connection.sendall(mutated(f"GET {server.page()} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()))
                if rest.random() < 0.5:
                    connection.recv(100)
            return
        page = Page(server)
        page.connection.settimeout(0.2)
        for _ in range(rest.randrange(1, 15)):
            page.connection.sendall(something())
            if rest.random() < 0.3:
                page.connection.recv(1 << rest.randrange(20))
        page.close()
    except (OSError, ConnectionError, ValueError):
        pass


def fuzz(*arguments):
    server = Server(*arguments)
    steady = Page(server)
    steady.until("hello")
    steady.until("frame", {"do": "ready"})
    end, rounds, settled = time.time() + SECONDS / 2, 0, 0
    while time.time() < end and server.alive():
        attack(server)
        rounds += 1
        if rounds % 100 == 0:
            steady.say(do="frame", pane=0, index=0)
            while steady.next().get("say") != "frame":
                pass
        if not settled and time.time() > end - 0.7 * SECONDS / 2:
            settled = server.memory()
    check(server.alive(), f"{arguments}: it has died: {server.process.stderr.read() if not server.alive() else ''}")
    if server.alive():
        grown = server.memory() - settled
        print(f"{arguments}: {rounds} attacks, {server.memory() / 1e6:.1f} MB, grown by {grown / 1e6:.1f} MB")
        check(grown < 64e6, f"{arguments}: it grew by {grown / 1e6:.1f} MB")
        steady.close()
        code, said = server.stop()
        check(code == 0, f"{arguments}: exit {code}\n{said}")


expect(0, ["run", write_scene("beam.json"), "-o", fresh("run"), "--quiet", "--export", "none"])
fuzz("run")
fuzz("beam.json")
finish()
