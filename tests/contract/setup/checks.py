"""operator setup at a terminal: the bar goes to stderr, the document alone to stdout."""
import json
import os
import pty
import subprocess

import apk
from limits import LIMIT_S



def on_a_terminal(place, terminal, *words):
    """stdout as it is, and what the terminal behind stderr was sent."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([place.binary, *words], env={**place.env, "TERM": terminal}, cwd=place.sandbox,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # EIO: the last writer has gone
            break
        seen += piece
        if not piece:
            break
    out = child.stdout.read()
    child.stdout.close()
    status = child.wait(LIMIT_S)
    os.close(ours)
    if status != 0:
        raise place.Mismatch(f"exit code {status}: {out[:400]!r} {seen[:400]!r}")
    json.loads(out)
    return out, seen


def bar_is_drawn_and_cleared(place):
    apk.write_apk(place.sandbox / "operator.apk", padding=5_000_000)
    out, seen = on_a_terminal(place, "xterm", "operator", "setup", "--apk", "operator.apk")
    if b"%] operator.apk: " not in seen or not seen.endswith(b"\r\x1b[K"):
        raise place.Mismatch(f"no progress bar: {seen[:400]!r}")
    if b"%]" in out:
        raise place.Mismatch(f"the bar is on stdout: {out[:400]!r}")


def dumb_terminal_gets_no_bar(place):
    apk.write_apk(place.sandbox / "operator.apk", padding=5_000_000)
    _, seen = on_a_terminal(place, "dumb", "operator", "setup", "--apk", "operator.apk")
    if seen:
        raise place.Mismatch(f"a bar on a dumb terminal: {seen[:400]!r}")


def bar_shows_no_control_characters(place):
    name = "a\x1b[2J.apk"
    apk.write_apk(place.sandbox / name, padding=1000)
    _, seen = on_a_terminal(place, "xterm", "operator", "setup", "--apk", name)
    if b"\x1b[2J" in seen:
        raise place.Mismatch(f"the file's name moves the cursor: {seen[:400]!r}")


CHECKS = [
    ("setup-bar-on-stderr", True, bar_is_drawn_and_cleared),
    ("setup-bar-dumb-terminal", True, dumb_terminal_gets_no_bar),
    ("setup-bar-hostile-name", True, bar_shows_no_control_characters),
]
