"""sinew compare on a terminal: its bar, and an interrupt."""
import os
import pathlib
import pty
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

try:
    main, terminal = pty.openpty()
except OSError as reason:
    print(f"skipped: no pseudo-terminal here ({reason})")
    sys.exit(77)

# An interrupt: nothing is written. The bar on a terminal names what runs.
long = write_scene("long.json", solve={"mode": "quasistatic"}, bodies={"beam": {
    **BEAM["bodies"]["beam"], "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [24, 6, 6]}}}})
fresh("stopped")
process = subprocess.Popen([TOOL, "compare", long, "--methods", "newton", "--repeats", "1000", "-o", "stopped"],
                           stderr=terminal, stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm"})
os.close(terminal)
shown = b""
while b"timing newton" not in shown:
    shown += os.read(main, 4096)
process.send_signal(signal.SIGINT)
check(process.wait(timeout=60) == 130, "SIGINT ends it with 130")
check(not os.path.exists("stopped"), "an interrupted comparison writes nothing")
finish()
