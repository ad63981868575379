#!/usr/bin/env python3
"""How many round trips to the phone each command takes, by an adb server on this computer and directly.

    tools/benches/round_trips.py build/release/clawperator [--before OTHER] [--profile zero|phone] [--rtt MS...] [--only
    TEXT]

The simulated phone stands in a network namespace of its own, behind a pair of tun devices between which every packet
is held back, so that dialling takes its time as well. A round trip is what a command's time grows by when the link's
grows by one: no constant costs are in it. Needs root (namespaces, tun); adb is the server. `cold` is the first command
of a home, `warm` the fastest of those after it.
"""
import argparse
import asyncio
import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import threading
import time

CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TUN_NO_PI = 0x400454CA, 0x1001
HERE, PHONE, SERVER_PORT = "10.9.0.1", "10.9.0.2", 5999
COMMANDS = {
    "adb shell true": ["adb", "shell", "true"],
    "click": ["click", "--coordinate", "5", "5"],
    "back": ["back"],
    "snapshot": ["snapshot"],
    "snapshot compact": ["snapshot", "--format", "compact"],
    "open": ["open", "com.android.settings"],
    "screenshot": ["screenshot", "--path", "a.png"],
}
libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def link_end(name, address):
    """The tun device of this namespace."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN_NO_PI))
    for words in (["link", "set", "lo", "up"], ["addr", "add", address + "/24", "dev", name],
                  ["link", "set", name, "up"]):
        subprocess.run(["ip", *words], check=True)
    return descriptor


class Link:
    """Packets between two tun devices, each held back for `delay` seconds."""

    def __init__(self, here, there):
        self.loop, self.delay = asyncio.new_event_loop(), 0
        for source, target in ((here, there), (there, here)):
            self.loop.add_reader(source, self.forward, source, target)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def forward(self, source, target):
        while True:
            try:
                packet = os.read(source, 1 << 16)
            except BlockingIOError:
                return
            self.loop.call_later(self.delay, os.write, target, packet)


class Bench:
    def __init__(self, binary, profile, folder):
        self.children = []
        self.folder = folder
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("ANDROID_", "CLAWPERATOR_", "ADB_"))}
        checked(libc.unshare(CLONE_NEWNET))
        here = link_end("near", HERE)
        with open("/proc/self/ns/net") as namespace:
            checked(libc.unshare(CLONE_NEWNET))
            there = link_end("far", PHONE)
            self.phone = self.spawn([binary, "sim", "--operator", "0.5.3", "--listen", PHONE + ":0", "--profile",
                                     profile],
                                    stdout=subprocess.PIPE, text=True)
            self.serial = json.loads(self.phone.stdout.readline())["address"]
            checked(libc.setns(namespace.fileno(), CLONE_NEWNET))
        self.link = Link(here, there)
        self.spawn(["adb", "-L", f"tcp:localhost:{SERVER_PORT}", "nodaemon", "server"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
        self.connect()

    def spawn(self, words, **how):
        self.children.append(subprocess.Popen(words, env=self.env, **how))
        return self.children[-1]

    def connect(self):
        for _ in range(100):
            for words in (["connect", self.serial], ["-s", self.serial, "get-state"]):
                done = subprocess.run(["adb", "-P", str(SERVER_PORT), *words], env=self.env, capture_output=True)
            if done.stdout.strip() == b"device":
                return
            time.sleep(0.1)
        raise SystemExit("adb does not reach the simulated phone")

    def argv(self, binary, way, words):
        server = f"127.0.0.1:{SERVER_PORT}"
        if words[0] == "adb":
            direct = ["--device", self.serial, "--transport", "tcp"] if way == "directly" else []
            return [binary, "--adb-server", server, *direct, *words]
        direct = ["--device", self.serial, "--transport", "tcp"] if way == "directly" else []
        return [binary, *words, "--adb-server", server, *direct]

    def times(self, binary, way, words, rounds):
        """Of one home: the first, and the fastest of the others."""
        home = tempfile.mkdtemp(dir=self.folder)
        env = {**self.env, "HOME": home, "XDG_CACHE_HOME": home, "XDG_RUNTIME_DIR": home, "TMPDIR": home}
        argv, taken = self.argv(binary, way, words), []
        for _ in range(rounds):
            start = time.monotonic()
            done = subprocess.run(argv, env=env, cwd=home, capture_output=True)
            taken.append((time.monotonic() - start) * 1000)
            if done.returncode != 0:
                raise SystemExit(f"{' '.join(argv)}: {done.stdout.decode()} {done.stderr.decode()}")
        return {"cold": taken[0], "warm": min(taken[1:])}

    def close(self):
        for child in reversed(self.children):
            child.terminate()
            child.wait()


def measure(bench, binary, rtts, rounds, only):
    taken = {}
    for rtt in rtts:
        bench.link.delay = rtt / 2000
        for way in ("by server", "directly"):
            for name, words in COMMANDS.items():
                if only not in name:
                    continue
                for when, value in bench.times(binary, way, words, rounds).items():
                    taken.setdefault((name, way, when), []).append(value)
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--before", help="another binary, for columns of its own")
    parser.add_argument("--profile", default="zero")
    parser.add_argument("--rtt", type=float, nargs="+", default=[40, 140], help="milliseconds")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--only", default="", help="commands whose name contains this text")
    options = parser.parse_args()
    binaries = [str(pathlib.Path(one).resolve()) for one in (options.before, options.binary) if one]
    folder = tempfile.mkdtemp()
    bench = Bench(binaries[-1], options.profile, folder)
    try:
        columns = [measure(bench, binary, options.rtt, options.rounds, options.only) for binary in binaries]
    finally:
        bench.close()
        shutil.rmtree(folder, ignore_errors=True)
    names = ["before", "now"][-len(columns):]
    low, high = options.rtt[0], options.rtt[-1]
    heads = [f"{name}: {what}" for name in names
             for what in ["round trips"] * (high > low) + [f"ms at {rtt:g} ms" for rtt in options.rtt]]
    print("| command | way | | " + " | ".join(heads) + " |\n|" + "---|" * (len(heads) + 3))
    for key in columns[0]:
        cells = []
        for column in columns:
            values = column[key]
            if high > low:
                cells.append(f"{(values[-1] - values[0]) / (high - low):.2f}")
            cells += [f"{value:.0f}" for value in values]
        print("| " + " | ".join([*key, *cells]) + " |")


if __name__ == "__main__":
    main()
