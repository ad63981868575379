"""What the peer tests share: private adb servers, simulated devices, and runs of our binary.

Nothing here touches the user's own adb server, keys or phones: every server has its own port, home
and temp folder, and does not look for USB devices or emulators.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from limits import LIMIT_S, scaled
from ports import free_port
BUILD = pathlib.Path(os.environ.get("CLAWPERATOR_BUILD", ROOT / "build/release"))
BINARY = pathlib.Path(os.environ.get("CLAWPERATOR_BINARY", BUILD / "clawperator"))


def wait_until(condition, what, limit=LIMIT_S):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def build_of(program):
    """A program of the same build as the binary under test."""
    found = next((path for path in sorted(BUILD.rglob(program)) if path.is_file()), None)
    if found is None:
        raise unittest.SkipTest(f"{program} is not built in {BUILD}")
    return found


class Home:
    """A home of its own for one test: no configuration, caches, locks or keys of the user's."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="peer-"))

    def environment(self, **extra):
        keep = {name: os.environ[name] for name in ("PATH", "LANG", "ASAN_OPTIONS") if name in os.environ}
        return keep | {"HOME": str(self.path), "TMPDIR": str(self.path), "XDG_RUNTIME_DIR": str(self.path),
                       "CLAWPERATOR_LOCK_DIR": str(self.path),
                       "CLAWPERATOR_USB": "0",
                       **{name: str(value) for name, value in extra.items()}}

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Run:
    def __init__(self, arguments, done):
        self.arguments, self.status = arguments, done.returncode
        self.out, self.err = done.stdout, done.stderr.decode(errors="replace")

    @property
    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            raise AssertionError(f"{self}: stdout is not JSON") from None

    @property
    def step(self):
        return self.json["envelope"]["stepResults"][0]

    def __str__(self):
        return f"{' '.join(map(str, self.arguments))}: {self.status}\n{self.out[:2000]!r}\n{self.err[:2000]}"


def clawperator(*arguments, environment, stdin=b"", limit=LIMIT_S):
    done = subprocess.run([str(BINARY), *map(str, arguments)], env=environment, input=stdin,
                          capture_output=True, timeout=limit, check=False)
    return Run(["clawperator", *arguments], done)


def stop(process):
    process.terminate()
    try:
        process.wait(scaled(5))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class AdbServer:
    """Debian's adb server in the foreground, on a port of its own or on a unix socket."""

    def __init__(self, home, socket_path=None):
        self.program = shutil.which("adb")
        if not self.program:
            raise unittest.SkipTest("no adb in PATH (package adb)")
        self.port = free_port()
        self.spec = f"localfilesystem:{socket_path}" if socket_path else f"tcp:127.0.0.1:{self.port}"
        self.environment = home.environment(ADB_SERVER_SOCKET=self.spec, ADB_LOCAL_TRANSPORT_MAX_PORT=5553)
        listen = self.spec if socket_path else f"tcp:{self.port}"
        with open(home.path / "adb-server.log", "wb") as log:
            self.process = subprocess.Popen(
                without_usb([self.program, "-L", listen, "nodaemon", "server"]),
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        ready = (lambda: os.path.exists(socket_path)) if socket_path else (lambda: accepts(self.port))
        wait_until(ready, "adb server did not start")

    def adb(self, *arguments, limit=LIMIT_S, check=False):
        return subprocess.run([self.program, *map(str, arguments)], env=self.environment, check=check,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)

    def connect(self, device):
        """Until the device is usable; returns its serial."""
        self.adb("connect", device.address)
        state = lambda: self.adb("-s", device.address, "get-state").stdout.strip() == b"device"
        wait_until(state, f"{device.address} did not come up")
        return device.address

    def stop(self):
        stop(self.process)


def without_usb(command):
    """Hides USB devices from a test's adb server, so that it cannot take a phone from the user."""
    usb = pathlib.Path("/dev/bus/usb")
    if not usb.is_dir() or not any(usb.iterdir()):
        return command
    return ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /dev/bus/usb; exec "$@"', "sh", *command]


# The Operator app of simulated devices that ask for no other: what tests and benchmarks here drive.
OPERATOR = ("--operator", "0.5.3")


class Simdroid:
    """A simulated device on a free port."""

    def __init__(self, *options):
        if "--operator" not in options:
            options = (*OPERATOR, *options)
        program = build_of("simdroid")
        self.process = subprocess.Popen([str(program), "--port", "0", *options],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        if not found:
            raise AssertionError(f"simdroid does not say where it listens: {line!r}")
        self.address = f"127.0.0.1:{found.group(1)}"

    def stop(self):
        stop(self.process)
        self.process.stdout.close()


class PeerTest(unittest.TestCase):
    """Cleans up what it started, last first."""

    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.remove)

    def started(self, peer):
        self.addCleanup(peer.stop)
        return peer

    def run_clawperator(self, *arguments, environment=None, **more):
        return clawperator(*arguments, environment=environment or self.home.environment(), **more)

    def assert_ok(self, run):
        self.assertEqual(run.status, 0, str(run))
        return run

    def assert_error(self, run, code):
        self.assertEqual(run.status, 1, str(run))
        self.assertEqual(run.json.get("code"), code, str(run))
        return run
