#!/usr/bin/env python3
"""Paired measurements in one run: clawperator, adb and a minimal client take turns.

usage: tools/bench [--pairs N] [--on simdroid|adbd|both] [--name NAME] [--against] [--before BINARY]

--on simdroid  the simulated device (profile zero) through Debian's adb server
--on adbd      Debian trixie's adbd with mksh, toybox and the stub userland, in a private namespace
--against      ends with status 1 when a target is missed
--name warm    `serve` and the daemon beside the bare wire exchange: bench_warm.py
--name inspector  the inspector's page, and an agent beside it: bench_inspector.py
--name mcp     the tools of `mcp` beside the same over HTTP, and `--verify`: bench_mcp.py
--before B     another clawperator takes the place of adb, with a cache of its own: nothing has a
               target then, and what it cannot do on that device is left out

Writes docs/bench/NAME.json (medians and spread), docs/internals/benchmarks.md (the tables) and the ratios that
README.md shows.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/peer"))
import bench_page
import compare
import peer
import phone_files

STOP_WATCH = ROOT / "build/peers/bench_floor"
WARM_UP = 2


class Row:
    """Two or three commands that take turns; the target bounds ours in units of theirs."""

    def __init__(self, name, ours, theirs, floor=None, ratio=None, milliseconds=None, mib=None, prepare=None):
        self.name, self.commands = name, {"ours": ours, "theirs": theirs, "floor": floor}
        self.prepare = prepare or (lambda: None)  # before each command, not measured
        self.target_ratio, self.target_ms, self.target_mib = ratio, milliseconds, mib

    def beside_adbd(self):
        """The verbs' time targets are meant for the simulated device; adb's own commands and memory are judged
        everywhere."""
        if not self.name.startswith("adb "):
            self.target_ratio = self.target_ms = None
        return self


def has_adb34():
    return subprocess.run([ROOT / "tools/fetch/adbd", "--with-adb"], check=False, capture_output=True).returncode == 0


def claw(*words):
    return [str(peer.BINARY), *words]


@contextlib.contextmanager
def daemon(environment):
    """A folder whose daemon carries out the commands that have it as XDG_RUNTIME_DIR."""
    with runtime_folder() as folder:
        child = subprocess.Popen(claw("daemon", "run"), env=environment | {"XDG_RUNTIME_DIR": folder},
                                 stderr=subprocess.PIPE, text=True)
        try:
            child.stderr.readline()
            yield folder
        finally:
            child.terminate()
            child.communicate()


def daemon_rows(folder, serial):
    """Beside adb, whose server stays, too. env costs both the same."""
    def command(*words):
        return ["/usr/bin/env", f"XDG_RUNTIME_DIR={folder}", *claw("--device", serial, *words)]
    adb_true = ["/usr/bin/env", "A=1", "adb", "-s", serial, "shell", "true"]
    return [Row("click, by daemon", command("click", "--coordinate", "540", "5"), adb_true, ratio=1.0, mib=12),
            Row("snapshot, 60 KB, by daemon", command("snapshot"), adb_true, mib=12)]


def rows(port, serial):
    through_server = [str(STOP_WATCH), "exchange", str(port), serial]
    adb = ["adb", "-s", serial]
    adb_true = [*adb, "shell", "true"]
    adb_screencap = [*adb, "exec-out", "screencap", "-p"]
    floor_true = [*through_server, "shell,v2,raw:true"]
    floor_screencap = [*through_server, "shell,v2,raw:screencap -p"]
    screenshot = claw("--device", serial, "screenshot", "--path", "-")
    shell = claw("adb", "-s", serial, "shell", "true")
    # No server listens on that port; env costs both the same.
    directly = ["/usr/bin/env", "ANDROID_ADB_SERVER_PORT=9", *shell]
    newer = [[*compare.adb34(), "-s", serial, "shell", "true"]] if has_adb34() else []
    return [
        Row("adb shell true, by server", shell, adb_true, floor_true, ratio=0.8, mib=12),
        Row("adb shell true, directly", directly, ["/usr/bin/env", "A=1", *adb_true], floor_true, ratio=0.8, mib=12),
        *[Row("adb shell true, beside adb 34", shell, theirs, floor_true, ratio=0.8, mib=12) for theirs in newer],
        Row("devices", claw("devices"), ["adb", "devices"],
            [str(STOP_WATCH), "exchange", str(port), "-", "host:devices"], ratio=1.1, mib=12),
        Row("click", claw("--device", serial, "click", "--coordinate", "540", "5"), adb_true, floor_true,
            ratio=2.5, mib=12),
        Row("snapshot, 60 KB", claw("--device", serial, "snapshot"), adb_true, floor_true, ratio=3.0, mib=12),
        Row("screenshot, passed through", screenshot, adb_screencap, floor_screencap, ratio=1.3, mib=40),
        Row("screenshot, raw + PNG", [*screenshot, "--max-side", "16384"], adb_screencap, floor_screencap,
            milliseconds=80, mib=40),
        Row("screenshot, raw + JPEG", [*screenshot, "--format", "jpeg"], adb_screencap, floor_screencap,
            milliseconds=30, mib=40),
    ]


def beside_before(row, binary, folder):
    """The same command of another clawperator; what each remembers of the phone is its own."""
    def command(program, cache):
        words = [program if word == str(peer.BINARY) else word for word in row.commands["ours"]]
        assignments = words[1:words.index(program)] if words[0] == "/usr/bin/env" else []
        return ["/usr/bin/env", f"XDG_CACHE_HOME={folder}/{cache}", *assignments, *words[words.index(program):]]
    return Row(row.name, command(str(peer.BINARY), "now"), command(binary, "before"))


def all_beside_before(found, given, folder, environment):
    """A row that one of the two cannot do is named, not measured."""
    for row in found:
        paired = beside_before(row, given.before, folder)
        ended = {who: subprocess.run(paired.commands[who], env=environment, capture_output=True, check=False).returncode
                 for who in ("ours", "theirs")}
        if any(ended.values()):
            print(f"SKIP: {row.name}: now ends with {ended['ours']}, before with {ended['theirs']}", flush=True)
        else:
            yield paired


LOCAL_ROWS = [Row("--version", claw("--version"), ["/bin/true"], ratio=4.0, mib=12)]


def once(command, environment):
    done = subprocess.run([str(STOP_WATCH), "measure", *command], env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: cannot run {command[0]}")
    seen = json.loads(done.stdout)
    if seen["status"] != 0:
        output = subprocess.run(command, env=environment, capture_output=True, check=False)
        sys.exit(f"bench: {' '.join(command)} ended with {seen['status']}:\n"
                 f"{output.stdout[:2000].decode(errors='replace')}{output.stderr[:2000].decode(errors='replace')}")
    return seen


def wait_for_quiet(limit=60):
    """On a busy machine every process start waits for a time slice, which makes all ratios alike."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        walls = [once(["/bin/true"], dict(os.environ))["wall_us"] for _ in range(20)]
        if statistics.median(walls) < 2 * min(walls):
            return True
        time.sleep(2)
    print("bench: this machine is busy; the ratios are not to be trusted", file=sys.stderr)
    return False


def measure(row, pairs, environment):
    """Samples per command; each round starts with another command."""
    commands = {who: command for who, command in row.commands.items() if command}
    samples = {who: [] for who in commands}
    for turn in range(-WARM_UP, pairs):
        order = list(commands)
        for who in order[turn % len(order):] + order[:turn % len(order)]:
            row.prepare()
            seen = once(commands[who], environment)
            if turn >= 0:
                samples[who].append(seen)
    return samples


def spread(values):
    first, middle, third = statistics.quantiles(values, n=4)
    return {"median": middle, "q1": first, "q3": third, "min": min(values)}


def verdict(row, summary):
    misses = []
    if row.target_ratio and summary["ratio"]["median"] > row.target_ratio:
        misses.append("ratio")
    if row.target_ms and summary["ours_ms"]["median"] > row.target_ms:
        misses.append("milliseconds")
    if row.target_mib and summary["peak_mib"] > row.target_mib:
        misses.append("memory")
    return misses


def shown(command):
    """A command without this machine's paths, its environment and its device; None when it is too long for a table.
    adb 34 runs under its own loader."""
    if "--argv0" in command:
        at = next(i for i, word in enumerate(command) if word.endswith("/adb"))
        command = [*command[:command.index("--argv0") - 1], "adb34", *command[at + 1:]]
    words = " ".join(pathlib.Path(word).name if word.startswith("/") and pathlib.Path(word).exists() else word
                     for word in command).split()
    if words[0] == "env":
        words = words[2:] if not words[1].startswith("XDG_CACHE_HOME=") else ["before"]
    text = " ".join(words[:1] + words[3:] if words[1:2] == ["-s"] else words)
    return text if len(text) < 40 else None


def without_none(**values):
    return {name: value for name, value in values.items() if value is not None}


def summarise(peer_name, row, samples):
    wall = {who: [each["wall_us"] / 1000 for each in seen] for who, seen in samples.items()}
    summary = {
        "peer": peer_name, "row": row.name,
        "target": without_none(ratio=row.target_ratio, ms=row.target_ms, mib=row.target_mib),
        **{f"{who}_ms": spread(values) for who, values in wall.items()},
        "ratio": spread([ours / theirs for ours, theirs in zip(wall["ours"], wall["theirs"])]),
        "peak_mib": max(each["max_rss_kib"] for each in samples["ours"]) / 1024,
        **without_none(beside=shown(row.commands["theirs"])),
    }
    summary["missed"] = verdict(row, summary)
    return summary


def runtime_folder():
    """In memory, as XDG_RUNTIME_DIR is for a logged-in user."""
    return tempfile.TemporaryDirectory(prefix="bench-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def measure_rows(peer_name, chosen, pairs, environment):
    for row in chosen:
        summary = summarise(peer_name, row, measure(row, pairs, environment))
        print(line_of(summary), flush=True)
        yield summary


def on_simdroid(given):
    home, runtime = peer.Home(), runtime_folder()
    device, server = peer.Simdroid("--profile", "zero"), peer.AdbServer(home)
    try:
        serial = server.connect(device)
        environment = server.environment | {"XDG_RUNTIME_DIR": runtime.name}
        once(claw("--device", serial, "open", "conformance://big"), environment)
        yield from measure_rows("simdroid", chosen_rows(server.port, serial, given, runtime.name, environment),
                                given.pairs, environment)
        if not given.before:
            with daemon(environment) as folder:
                yield from measure_rows("simdroid", daemon_rows(folder, serial), given.pairs, environment)
    finally:
        server.stop()
        device.stop()
        home.remove()
        runtime.cleanup()


def chosen_rows(port, serial, given, folder, environment):
    found = rows(port, serial)
    return list(all_beside_before(found, given, folder, environment)) if given.before else found


def on_adbd(given):
    """Runs this program again beside adbd; it leaves its summaries in a file."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        phone_files.write_phone_files(f"{folder}/phone")
        done = subprocess.run([ROOT / "tools/in_adbd_ns", "--files", f"{folder}/phone", "--", sys.executable,
                               __file__, "--beside-adbd", f"{folder}/rows.json", "--pairs", str(given.pairs),
                               *(["--before", given.before] if given.before else [])], check=False)
        if done.returncode != 0:
            print(f"SKIP: adbd: in_adbd_ns ended with {done.returncode}")
            return []
        return json.loads(pathlib.Path(f"{folder}/rows.json").read_text())


def beside_adbd(given):
    serial, port = f"127.0.0.1:{os.environ['ADBD_PORT']}", os.environ["ANDROID_ADB_SERVER_PORT"]
    subprocess.run(["adb", "connect", serial], capture_output=True, check=True)
    with runtime_folder() as runtime:
        environment = os.environ | {"XDG_RUNTIME_DIR": runtime}
        chosen = [row.beside_adbd() for row in chosen_rows(port, serial, given, runtime, environment)]
        done = list(measure_rows("adbd", chosen, given.pairs, environment))
        if not given.before:
            with daemon(environment) as folder:
                beside = [row.beside_adbd() for row in daemon_rows(folder, serial)]
                done += measure_rows("adbd", beside, given.pairs, environment)
        pathlib.Path(given.beside_adbd).write_text(json.dumps(done))


def line_of(summary):
    ratio = summary["ratio"]
    text = (f"{summary['peer']:<9} {summary['row']:<27} ours {summary['ours_ms']['median']:7.2f} ms"
            f"  {'before' if summary.get('beside') == 'before' else 'adb'} {summary['theirs_ms']['median']:7.2f} ms"
            f"  ratio {ratio['median']:5.2f}"
            f" [{ratio['q1']:.2f}..{ratio['q3']:.2f}]  {summary['peak_mib']:5.1f} MiB")
    return text + f"  {'FAIL ' + ', '.join(summary['missed']) if summary['missed'] else 'PASS'}"


def machine():
    model = next((line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    return f"{os.cpu_count()} x {model}"


def keep(name, report):
    """The rows into docs/bench, the tables into the pages that show them."""
    bench_page.save(name, report)
    bench_page.write()
    print(bench_page.table(bench_page.report_of(name)))


def parse():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=21)
    options.add_argument("--on", choices=["simdroid", "adbd", "both"], default="both")
    options.add_argument("--name", default="first")
    options.add_argument("--against", action="store_true")
    options.add_argument("--before", type=lambda path: str(pathlib.Path(path).resolve()))
    options.add_argument("--beside-adbd", help=argparse.SUPPRESS)
    return options.parse_args()


def main():
    given = parse()
    if given.beside_adbd:
        return beside_adbd(given)
    if given.name == "warm":
        import bench_warm  # which stands on this one
        return bench_warm.main(given)
    if given.name == "mcp":
        import bench_mcp
        return bench_mcp.main(given)
    if given.name == "inspector":
        import bench_inspector
        return bench_inspector.main(given)
    quiet, load = wait_for_quiet(), os.getloadavg()[0]
    with runtime_folder() as folder:
        local = list(all_beside_before(LOCAL_ROWS, given, folder, os.environ)) if given.before else LOCAL_ROWS
        found = list(measure_rows("-", local, given.pairs, dict(os.environ)))
    if given.on != "adbd":
        found += on_simdroid(given)
    if given.on != "simdroid":
        found += on_adbd(given)
    report = {"when": datetime.date.today().isoformat(), "machine": machine(), "quiet": quiet,
              "load": [load, os.getloadavg()[0]], "pairs": given.pairs, "rows": found}
    keep(given.name, report)
    missed = any(row["missed"] for row in found)
    return 1 if missed and given.against else 0


if __name__ == "__main__":
    sys.exit(main())
