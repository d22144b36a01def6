"""Starts `sinew view` and talks to it on plain sockets: HTTP as text, WebSocket frames byte by byte (RFC 6455)."""
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys

import sinew_tool
from sinew_tool import *

try:
    import numpy
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

NOT_BUILT_IN = 5
TYPES = {"f4": "<f4", "i4": "<i4", "u1": "u1", "u2": "<u2"}


class Server:
    """A running `sinew view ARGUMENTS`; None as its port where the page is not built in."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([TOOL, "view", *map(str, arguments), "--no-browser"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})(&.*)?", self.url)
        self.port, self.token = (int(found[1]), found[2]) if found else (None, None)
        if not found:
            self.process.wait()
            self.said = self.process.stderr.read()

    def stop(self, kind=signal.SIGINT):
        """Exit code and what it said."""
        self.process.send_signal(kind)
        try:
            said = self.process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            check(False, "the server did not end")
            said = ""
        return self.process.returncode, said

    def alive(self):
        return self.process.poll() is None

    def memory(self):
        """Resident [bytes]."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS:"):
                return 1024 * int(line.split()[1])
        return 0

    def raw(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def http(self, target, host=None, method="GET", fields=()):
        """Status, head and body."""
        host = f"127.0.0.1:{self.port}" if host is None else host
        with self.raw() as connection:
            lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", *fields, "", ""]
            connection.sendall("\r\n".join(lines).encode())
            data = b""
            while piece := connection.recv(1 << 16):
                data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        return int(head.split()[1]) if head else 0, head.decode(), body

    def page(self):
        return f"/?token={self.token}"


class Page:
    """What a page does: messages come as dictionaries, arrays of binary ones under "data"."""

    def __init__(self, server, token=None, origin=None):
        self.connection = server.raw()
        self.buffer = b""
        fields = [f"GET /ws?token={server.token if token is None else token} HTTP/1.1", f"Host: 127.0.0.1:{server.port}",
                  "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                  "Sec-WebSocket-Version: 13", *([f"Origin: {origin}"] if origin else []), "", ""]
        self.connection.sendall("\r\n".join(fields).encode())
        while b"\r\n\r\n" not in self.buffer:
            piece = self.connection.recv(4096)
            if not piece:
                break
            self.buffer += piece
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0

    def close(self):
        self.connection.close()

    def send_frame(self, payload, opcode=1, last=True):
        self.connection.sendall(frame(payload, opcode, last))

    def say(self, **message):
        self.send_frame(json.dumps(message).encode())

    def take(self, count):
        while len(self.buffer) < count:
            piece = self.connection.recv(1 << 20)
            if not piece:
                raise ConnectionError("the server closed")
            self.buffer += piece
        out, self.buffer = self.buffer[:count], self.buffer[count:]
        return out

    def next_frame(self):
        """Opcode and payload; pings are passed over."""
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if first & 15 != 9:
                return first & 15, payload

    def next(self):
        opcode, payload = self.next_frame()
        if opcode == 8:
            raise ConnectionError(f"closed with {struct.unpack('>H', payload[:2])[0] if payload else 'nothing'}")
        return json.loads(payload) if opcode == 1 else parse(payload)

    def until(self, kind, say=None):
        """The next message that says so; errors on the way are failures."""
        if say:
            self.say(**say)
        while True:
            message = self.next()
            if message.get("say") == kind:
                return message
            check(message.get("say") != "error", f"the server complains: {message}")

    def closing_code(self):
        """How the server ends it; None: without a closing frame."""
        try:
            while True:
                opcode, payload = self.next_frame()
                if opcode == 8:
                    return struct.unpack(">H", payload[:2])[0]
        except (ConnectionError, OSError):
            return None


def frame(payload, opcode=1, last=True, mask=b"\1\2\3\4"):
    head = bytes([(0x80 if last else 0) | opcode])
    if len(payload) < 126:
        head += bytes([0x80 | len(payload)])
    elif len(payload) < 65536:
        head += bytes([0x80 | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", len(payload))
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def parse(payload):
    length = struct.unpack("<I", payload[:4])[0]
    message = json.loads(payload[4:4 + length])
    start = 4 + length
    check(start % 8 == 0, f"the arrays begin at {start}")
    message["data"] = {}
    for array in message["arrays"]:
        count = int(numpy.prod(array["shape"]))
        values = numpy.frombuffer(payload, TYPES[array["type"]], count, start + array["offset"])
        message["data"][array["name"]] = values.reshape(array["shape"])
    return message


def need_page():
    """Ends the script where this tool has no page of the viewer."""
    if not built_in():
        print("skipped: the page is not built in")
        sys.exit(1 if sinew_tool.failures else 77)


def built_in():
    """Whether this tool has the viewer's page."""
    Path = pathlib.Path
    Path("probe.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    server = Server("probe.obj")
    if server.port is None:
        check(server.process.returncode == NOT_BUILT_IN, f"exit {server.process.returncode}: {server.said}")
        check("nodejs" in server.said and "npm" in server.said, f"it does not say what to install: {server.said}")
        return False
    server.stop()
    return True
