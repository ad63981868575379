#!/usr/bin/env python3
"""The same command line given to the real adb and to our binary under the name adb.

    outcomes = compare.run([compare.Case("shell", "echo hi"), ...], route="server34")

runs every case beside a fresh adbd 34 (tools/in_adbd_ns), first with the real adb, then with ours:

    server29, server34   both through the same real adb server, theirs with the client of that version
    direct               ours speaks to adbd itself; theirs goes through server 34

A case is its arguments and what stdin is. A Terminal case runs in a pseudo terminal and is a
conversation: what to type, and for which text to wait. `compare.check(test, cases, route)` is the
usual use: stdout and exit code must agree (`same` says what else, or less).

A case's `setup` and `after` are shell commands run around each of the two; `after`'s output is part
of the outcome. {who} in arguments, setup and after is `theirs` or `ours`, {tmp} a private folder, {adb}
the program.
"""
import base64
import dataclasses
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from limits import LIMIT_S, scaled

NAMESPACE = ROOT / "tools/in_adbd_ns"
ADBD = "127.0.0.1:5600"
UNAVAILABLE = 3
NO_SERVER = 5999
ROUTES = ("direct", "server29", "server34")
ADB29 = ["/usr/bin/adb"]


def adb34():
    usr = ROOT / "build/peers/adbd/root/usr"
    libraries = next(usr.glob("lib/*/libc.so.6")).parent
    loader = next(libraries.glob("ld-linux*.so.*"))
    return [str(loader), "--argv0", "adb", "--library-path", f"{libraries}:{libraries}/android",
            str(usr / "lib/android-sdk/platform-tools/adb")]


@dataclasses.dataclass
class Case:
    arguments: tuple
    stdin: object = "null"      # bytes: a pipe; "null", "closed"; "file:PATH"
    setup: str = ""
    after: str = ""
    signal: tuple = ()          # ("SIGINT", seconds)
    same: tuple = ("out", "status", "after")
    blur: str = ""              # a pattern whose matches in stdout do not count
    limit: float = 20
    only_ours: bool = False     # theirs is not run; the test looks at ours itself
    terminal: list = dataclasses.field(default_factory=list)
    size: tuple = (24, 80)

    def __init__(self, *arguments, **options):
        for field in dataclasses.fields(self):
            default = field.default if field.default is not dataclasses.MISSING else []
            setattr(self, field.name, options.pop(field.name, default))
        self.limit = scaled(self.limit)
        self.arguments = [str(word) for word in arguments]
        assert not options, options

    def __str__(self):
        return f"adb {' '.join(self.arguments)}"[:200]


class Terminal(Case):
    """Steps: ("type", text), ("see", pattern), ("size", rows, columns), ("signal", name). Ours must
    see all that it waits for and leave the terminal as it was, whatever theirs does."""

    def __init__(self, *arguments, steps, **options):
        super().__init__(*arguments, terminal=[list(step) for step in steps],
                         **{"same": ("seen", "status")} | options)


def fetch_adb34():
    """With its adbd; skips the test with the reason where they cannot be had."""
    prepared = subprocess.run([str(ROOT / "tools/fetch/adbd"), "--with-adb"], capture_output=True, check=False)
    if prepared.returncode == UNAVAILABLE:
        raise unittest.SkipTest(prepared.stderr.decode().strip().splitlines()[-1])


def run(cases, route, userland=None):
    """Outcomes as [(case, theirs, ours)]; skips the test with the reason where there is no adbd."""
    fetch_adb34()
    if route == "server29" and not os.path.exists(ADB29[0]):
        raise unittest.SkipTest("no adb 29 (package adb)")
    import peer
    job = {"route": route, "ours": str(peer.BINARY), "cases": [to_json(case) for case in cases]}
    where = ["--userland", str(userland)] if userland else []
    done = subprocess.run([str(NAMESPACE), *where, "--", sys.executable, "-B", __file__], cwd=ROOT,
                          input=json.dumps(job).encode(), capture_output=True, check=False,
                          timeout=LIMIT_S + 2 * sum(case.limit for case in cases))
    if done.returncode == UNAVAILABLE:
        raise unittest.SkipTest(done.stderr.decode().strip().splitlines()[-1])
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode(errors="replace"))
    pairs = [[each and from_json(each) for each in pair] for pair in json.loads(done.stdout)]
    return [(case, *pair) for case, pair in zip(cases, pairs)]


def check(test, cases, route, userland=None):
    for case, theirs, ours in run(cases, route, userland):
        with test.subTest(route=route, case=str(case)):
            test.assertTrue(all(ours.get("seen", [])), f"steps of {case}: {brief(ours)}")
            test.assertTrue(ours.get("restored", True), f"terminal after {case}: {brief(ours)}")
            for what in () if case.only_ours else case.same:
                test.assertEqual(blurred(case, ours[what]), blurred(case, theirs[what]),
                                 f"{what} of {case}\ntheirs: {brief(theirs)}\nours:   {brief(ours)}")


def blurred(case, value):
    if not case.blur or not isinstance(value, bytes):
        return value
    return re.sub(case.blur.encode(), b"#", value)


def brief(outcome):
    return {name: value[:300] if isinstance(value, bytes) else value for name, value in outcome.items()}


def to_json(case):
    return dataclasses.asdict(case) | {"stdin": encode(case.stdin)}


def encode(value):
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def decode(value):
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) else value


def from_json(outcome):
    return {name: decode(value) for name, value in outcome.items()}


# --- beside adbd ------------------------------------------------------------------------------

class Side:
    """One of the two programs, with its folder."""

    def __init__(self, who, command, environment):
        self.who, self.command, self.environment = who, command, environment
        self.tmp = tempfile.mkdtemp(prefix=f"{who}-")

    def fill(self, text):
        words = {"{who}": self.who, "{tmp}": self.tmp, "{adb}": shlex.join(self.command)}
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        return text

    def shell(self, script):
        done = subprocess.run(["sh", "-c", self.fill(script)], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT_S, check=False)
        return done.stdout + done.stderr

    def run(self, case):
        """Theirs has races of its own in a terminal: what it missed then is tried twice more."""
        for _ in range(3 if case["terminal"] and self.who == "theirs" else 1):
            if case["setup"]:
                self.shell(case["setup"])
            argv = [*self.command, *map(self.fill, case["arguments"])]
            outcome = self.converse(case, argv) if case["terminal"] else self.once(case, argv)
            outcome["after"] = self.shell(case["after"]) if case["after"] else b""
            if all(outcome.get("seen", [])):
                break
        return outcome

    def once(self, case, argv):
        stdin = decode(case["stdin"])
        source = subprocess.PIPE if isinstance(stdin, bytes) else subprocess.DEVNULL
        if isinstance(stdin, str) and stdin.startswith("file:"):
            source = open(self.fill(stdin.removeprefix("file:")), "rb")
        def prepare():
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup may have started this program
            if stdin == "closed":
                os.close(0)
        process = subprocess.Popen(argv, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment, preexec_fn=prepare)
        if case["signal"]:
            time.sleep(case["signal"][1])
            process.send_signal(getattr(signal, case["signal"][0]))
        try:
            out, err = process.communicate(stdin if isinstance(stdin, bytes) else None, case["limit"])
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err += b"[killed: too slow]"
        status = process.returncode
        err = re.sub(rb"^ld-linux[^:]*: ", b"adb: ", err, flags=re.MULTILINE)  # what adb 34 is started by
        return {"out": out, "err": err, "status": 128 - status if status < 0 else status}

    def converse(self, case, argv):
        pid, terminal = pty.fork()
        if pid == 0:
            set_size(0, *case["size"])
            os.execvpe(argv[0], argv, self.environment)
        before = termios.tcgetattr(terminal)
        seen, transcript, end = [], b"", time.monotonic() + case["limit"]
        at = 0
        for step in case["terminal"]:
            if step[0] == "type":
                os.write(terminal, step[1].encode())
            elif step[0] == "size":
                set_size(terminal, *step[1:])
            elif step[0] == "signal":
                os.kill(pid, getattr(signal, step[1]))
            else:
                found = None
                while not found and time.monotonic() < end:
                    found = re.search(step[1].encode(), transcript[at:])
                    if not found and not readable(terminal, end - time.monotonic()):
                        break
                    if not found:
                        transcript += take(terminal)
                seen.append(bool(found))
                at += found.end() if found else 0
        status = reap(pid, terminal, end)
        try:
            restored = termios.tcgetattr(terminal) == before
        except termios.error:
            restored = None
        os.close(terminal)
        return {"seen": seen, "status": status, "restored": restored, "out": transcript}


def set_size(terminal, rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def readable(terminal, limit):
    return bool(select.select([terminal], [], [], max(0, limit))[0])


def take(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:
        time.sleep(0.02)
        return b""


def reap(pid, terminal, end):
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return 128 - code if code < 0 else code
        if readable(terminal, 0.02):
            take(terminal)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "too slow"


def connected(adb, environment):
    port = int(environment["ANDROID_ADB_SERVER_PORT"])
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.02)
    subprocess.run([*adb, "connect", ADBD], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                   timeout=LIMIT_S, check=False)
    for _ in range(200):
        state = subprocess.run([*adb, "get-state"], env=environment, stdin=subprocess.DEVNULL,
                               capture_output=True, timeout=LIMIT_S, check=False)
        if state.stdout.strip() == b"device":
            return
        time.sleep(0.02)
    sys.exit("compare: the adb server does not see adbd")


def main():
    job = json.load(sys.stdin)
    theirs = ADB29 if job["route"] == "server29" else adb34()
    environment = dict(os.environ, ADB_LOCAL_TRANSPORT_MAX_PORT="5553", TERM="xterm", ADB_MDNS="0",
                       ADB_MDNS_OPENSCREEN="0")
    # It ends with the namespace.
    subprocess.Popen([*theirs, "-L", f"tcp:{environment['ANDROID_ADB_SERVER_PORT']}", "nodaemon", "server"],
                     env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                     stderr=subprocess.DEVNULL)
    connected(theirs, environment)
    ours = pathlib.Path(tempfile.mkdtemp()) / "adb"
    ours.symlink_to(job["ours"])
    own = dict(environment)
    command = [str(ours)]
    if job["route"] == "direct":
        own["ANDROID_ADB_SERVER_PORT"] = str(NO_SERVER)
        command += ["-s", ADBD]
    sides = [Side("theirs", theirs, environment), Side("ours", command, own)]
    outcomes = []
    for case in job["cases"]:
        outcomes.append([None if case["only_ours"] and side is sides[0] else
                         {name: encode(value) for name, value in side.run(case).items()} for side in sides])
    json.dump(outcomes, sys.stdout)


if __name__ == "__main__":
    main()
