#!/usr/bin/env python3
"""Paired measurements of file transfers in one run: clawperator and the real adb take turns.

usage: tools/benches/bench_files.py [--pairs N] [--only PART] [--name NAME] [--against]

Beside the real adbd 34 in a private namespace, with Debian's adb server (29) and, where it can be
had, adb 34's. The files lie in memory. Rows:

  push, pull   256 MiB of random bytes and of text, plain and compressed: through the same server 34,
               and directly (against adb through its server). Pulls go to a name that is not there yet:
               where there is a file, adb removes it first, and we keep it until the new one is whole
  5000 files   through both servers and directly
  window       10 MiB of a command's output over a link of 10 ms, with and without delayed_ack

--against ends with status 1 when a target is missed. Writes docs/bench/NAME.json and
docs/internals/benchmarks.md.
Needs the release build with tests (window_probe) and build/peers/bench_floor: tools/bench makes them.
"""
import argparse
import datetime
import functools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import run_bench
from run_bench import ROOT, Row

sys.path.insert(0, str(ROOT / "tests/peer"))
import compare
import peer

SIZE = 256 << 20
ADBD = "127.0.0.1:5600"
PORT29, PORT34, NO_SERVER = "5637", "5638", "5639"


class Files:
    """In memory: `here` is ours, `device` is written by adbd, `back` is where pulls go."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="bench-"))
        for folder in ("here", "device", "back"):
            (self.root / folder).mkdir()
        (self.here / "random").write_bytes(os.urandom(SIZE))
        words = random.Random(1).choices([f"word{n}" for n in range(3000)], k=200_000)
        text = (" ".join(words) + "\n").encode()
        (self.here / "text").write_bytes((text * (SIZE // len(text) + 1))[:SIZE])
        for name in ("random", "text"):
            shutil.copy(self.here / name, self.device / name)
        for n in range(5000):
            folder = self.here / "many" / str(n % 50)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / str(n)).write_bytes(os.urandom(200 + n % 2000))

    here = property(lambda self: self.root / "here")
    device = property(lambda self: self.root / "device")
    back = property(lambda self: self.root / "back")

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)


class Clients:
    """Command lines: env sets what each needs, so that both are started the same way."""

    def __init__(self, adb34, files):
        link = files.root / "adb"
        link.symlink_to(peer.BINARY)
        self.link = str(link)
        self.adb34 = adb34

    def ours(self, port):
        return ["env", f"ANDROID_ADB_SERVER_PORT={port}", self.link, "-s", ADBD]

    def theirs(self, port):
        return ["env", f"ANDROID_ADB_SERVER_PORT={port}", *(self.adb34 if port == PORT34 else ["adb"]), "-s", ADBD]


def transfer_rows(clients, files):
    for what in ("random", "text"):
        for how in ("none", "any", "lz4"):
            flag = ["-Z"] if how == "none" else ["-z", how]
            for verb in ("push", "pull"):
                paths = ([files.here / what, files.device / what] if verb == "push" else
                         [files.device / what, files.back / what])
                words = [verb, *flag, *map(str, paths)]
                theirs = [*clients.theirs(PORT34), *words]
                for way, port in (("server", PORT34), ("direct", NO_SERVER)):
                    yield Row(f"{verb} {what} {how}, {way}", [*clients.ours(port), *words], theirs, ratio=1.0,
                              prepare=functools.partial((files.back / what).unlink, missing_ok=True))


def many_rows(clients, files):
    words = ["push", str(files.here / "many"), str(files.device)]
    yield Row("push 5000 files, server 29", [*clients.ours(PORT29), *words], [*clients.theirs(PORT29), *words],
              ratio=0.3)
    yield Row("push 5000 files, server 34", [*clients.ours(PORT34), *words], [*clients.theirs(PORT34), *words],
              ratio=0.8)
    yield Row("push 5000 files, direct", [*clients.ours(NO_SERVER), *words], [*clients.theirs(PORT34), *words],
              ratio=0.8)


def pull_many_rows(clients, files):
    words = ["pull", str(files.device / "many"), str(files.back)]
    yield Row("pull 5000 files, server 29", [*clients.ours(PORT29), *words], [*clients.theirs(PORT29), *words],
              ratio=0.3)
    yield Row("pull 5000 files, server 34", [*clients.ours(PORT34), *words], [*clients.theirs(PORT34), *words],
              ratio=0.8)


def window_rows(proxy_port):
    probe = [str(peer.build_of("window_probe")), f"127.0.0.1:{proxy_port}"]
    command = "head -c 10485760 /dev/zero"
    yield Row("10 MiB over 10 ms, delayed_ack", [*probe, "announced", command], [*probe, "silent", command],
              ratio=1 / 3)


def start_server(adb, port):
    subprocess.Popen([*adb, "-L", f"tcp:{port}", "nodaemon", "server"], stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peer.wait_until(lambda: peer.accepts(int(port)), f"server on {port}")
    environment = os.environ | {"ANDROID_ADB_SERVER_PORT": port}
    subprocess.run([*adb, "connect", ADBD], env=environment, capture_output=True, timeout=20, check=True)
    ready = [*adb, "-s", ADBD, "wait-for-device"]
    subprocess.run(ready, env=environment, capture_output=True, timeout=20, check=True)


def same(first, second):
    return subprocess.run(["diff", "-rq", str(first), str(second)], check=False).returncode == 0


def beside_adbd(pairs, only, result):
    """Runs in the namespace; leaves its summaries in a file."""
    os.environ |= {"ADB_LOCAL_TRANSPORT_MAX_PORT": "5553", "ADB_MDNS": "0", "CLAWPERATOR_USB": "0"}
    adb34 = compare.adb34()
    start_server(["adb"], PORT29)
    start_server(adb34, PORT34)
    proxy = subprocess.Popen([sys.executable, str(ROOT / "tests/peer/delay_proxy.py"), "5600", "5"],
                             stdout=subprocess.PIPE)
    proxy_port = proxy.stdout.readline().decode().strip()
    files = Files()
    clients = Clients(adb34, files)
    try:
        rows = [*transfer_rows(clients, files), *many_rows(clients, files), *window_rows(proxy_port)]
        slow = list(pull_many_rows(clients, files))  # adb waits 40 ms for each file, now and then
        wanted = lambda rows: [row for row in rows if only in row.name]
        found = list(run_bench.measure_rows("adbd", wanted(rows), pairs, dict(os.environ)))
        if wanted(slow):
            shutil.copytree(files.here / "many", files.device / "many", dirs_exist_ok=True)
        found += run_bench.measure_rows("adbd", wanted(slow), min(pairs, 3), dict(os.environ))
        for name in ("random", "text", "many"):
            for copy in (files.device / name, files.back / name):
                if copy.exists() and not same(files.here / name, copy):
                    sys.exit(f"bench: {copy} differs from what was sent")
    finally:
        files.remove()
    pathlib.Path(result).write_text(json.dumps(found))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=11)
    options.add_argument("--only", default="", help="rows whose name has this in it")
    options.add_argument("--name", default="files")
    options.add_argument("--against", action="store_true")
    options.add_argument("--beside-adbd", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.beside_adbd:
        return beside_adbd(given.pairs, given.only, given.beside_adbd)
    subprocess.run([str(ROOT / "tools/fetch/adbd"), "--with-adb"], check=True)
    quiet, load = run_bench.wait_for_quiet(10), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        subprocess.run([str(ROOT / "tools/in_adbd_ns"), "--", sys.executable, "-B", __file__, "--beside-adbd",
                        f"{folder}/rows.json", "--pairs", str(given.pairs), "--only", given.only], check=True,
                       env=os.environ | {"TMPDIR": "/dev/shm"})  # in memory, and seen by adbd
        found = json.loads(pathlib.Path(f"{folder}/rows.json").read_text())
    report = {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(), "quiet": quiet,
              "load": [load, os.getloadavg()[0]], "pairs": given.pairs, "rows": found}
    run_bench.keep(given.name, report)
    return 1 if given.against and any(row["missed"] for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
