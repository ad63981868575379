"""The warm runtime beside the least that a client can do: `tools/bench --name warm`.

`serve` and bench_warm.cpp (the bare wire exchange over a link that is open) take turns on one simulated phone, profile
zero; then a crowd of phones, commands that go through the daemon, and what an idle server costs."""
import contextlib
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time
import urllib.request

import bench_page
import peer
import run_bench

FLOOR = run_bench.ROOT / "build/peers/bench_warm"
TOKEN = "a-token-of-the-bench"  # root's server asks for one
CROWD, LOAD_SECONDS, LOAD_ROUNDS, IDLE_SECONDS = 32, 3, 5, 60
# A screen of about 250 KB beside the 60 KB of conformance://big.
LARGER = {"package": "com.example.large", "label": "Large", "versionName": "1.0", "versionCode": 1, "launch": "large",
          "uris": {"large://": "large"},
          "screens": {"large": {"activity": ".Large", "title": "Large", "root": {"class": "LinearLayout", "children": [
              {"repeat": 70, "class": "LinearLayout", "id": "line", "flow": "row", "h": 8, "children": [
                  {"repeat": 8, "class": "TextView", "id": "cell", "weight": 1, "h": 8, "text": "Cell {i}"}]}]}}}}


@contextlib.contextmanager
def serving(folder, *addresses):
    """(process, port, environment) of a server with a home of its own, which keeps these phones, and no adb server."""
    environment = os.environ | {"HOME": str(folder), "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder),
                                "CLAWPERATOR_USB": "0", "CLAWPERATOR_TOKEN": TOKEN,
                                "ANDROID_ADB_SERVER_PORT": str(peer.free_port())}
    for address in addresses:
        subprocess.run(run_bench.claw("connect", address), env=environment, check=True, capture_output=True)
    child = subprocess.Popen(run_bench.claw("serve", "--port", "0"), env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield child, int(child.stderr.readline().rsplit(":", 1)[1]), environment
    finally:
        child.terminate()
        child.communicate()


def ask(port, path, body=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode() if body else None,
                                     {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def open_screen(port, address, uri):
    plan = {"commandId": uri, "taskId": "t", "source": "bench", "expectedFormat": "android-ui-automator",
            "timeoutMs": 9000,
            "actions": [{"id": "o", "type": "open_uri", "params": {"uri": uri}}]}
    ask(port, "/execute", {"execution": plan, "deviceId": address})


def native(*words):
    return json.loads(subprocess.run([str(FLOOR), *map(str, words)], check=True, capture_output=True,
                                     env=os.environ | {"CLAWPERATOR_TOKEN": TOKEN}).stdout)


def late(values):
    return sorted(values)[len(values) * 99 // 100]


def compared(name, ours, floor, over=None, late_ratio=None):
    """Pairs of milliseconds. `over`: how much more than the floor ours may take at the median; `late_ratio`: how many
    times the floor's p99 ours may be."""
    differences = [one - other for one, other in zip(ours, floor)]
    p99 = {"ours": late(ours), "floor": late(floor)}
    missed = [what for what, is_missed in (
        ("p50", over is not None and statistics.median(differences) > over),
        ("p99", late_ratio is not None and p99["ours"] > late_ratio * p99["floor"])) if is_missed]
    row = {"row": name, "ours_ms": run_bench.spread(ours), "floor_ms": run_bench.spread(floor), "p99_ms": p99,
           "difference_ms": run_bench.spread(differences),
           "target": run_bench.without_none(over_ms=over, p99_ratio=late_ratio),
           "rounds": len(ours), "missed": missed}
    print(f"{name:<24} {bench_page.warm_line(row)}", flush=True)
    return row


def bounded(name, unit, value, most=None, least=None):
    """One figure with its bound."""
    is_missed = (most is not None and value > most) or (least is not None and value < least)
    row = {"row": name, "unit": unit, "value": value, **run_bench.without_none(most=most, least=least),
           "missed": is_missed}
    print(f"{name:<40} {bench_page.figure_line(row)}", flush=True)
    return row


def milliseconds(values):
    return [value / 1000 for value in values]


def paired(name, what, port, address, rounds, over, late_ratio=None):
    seen = native("pairs", what, port, address, rounds)
    return compared(name, milliseconds(seen["ours_us"]), milliseconds(seen["floor_us"]), over, late_ratio)


def raw_as_png(port, address, rounds, environment):
    """No route scales or encodes PNG, but a command that goes through the server does."""
    words = run_bench.claw("--device", address, "screenshot", "--path", "-", "--max-side", "16384")
    ours, floor = [], []
    for _ in range(rounds):
        ours.append(run_bench.once(words, environment)["wall_us"] / 1000)
        floor += milliseconds(native("pairs", "raw", port, address, 1)["floor_us"])
    return compared("screenshot, raw + PNG (command)", ours, floor, 60)


def one_phone(given, folder):
    screens = folder / "screens"
    screens.mkdir()
    (screens / "large.json").write_text(json.dumps(LARGER))
    phone = peer.Simdroid("--profile", "zero", "--screens", str(screens))
    try:
        with serving(folder, phone.address) as (_, port, environment):
            many, few = given.pairs * 20, given.pairs
            yield paired("click", "click", port, phone.address, many, 1.0, 2.0)
            open_screen(port, phone.address, "conformance://big")
            yield paired("snapshot, 60 KB", "snapshot", port, phone.address, many, 1.5)
            open_screen(port, phone.address, "large://")
            size = len(ask(port, "/snapshot", {"deviceId": phone.address}))
            yield paired(f"snapshot, {size // 1000} KB", "snapshot", port, phone.address, few * 5, 5.0)
            open_screen(port, phone.address, "conformance://big")
            yield paired("screenshot, passed through", "png", port, phone.address, few, 5.0)
            yield paired("screenshot, raw + JPEG", "jpeg", port, phone.address, few, 25.0)
            yield raw_as_png(port, phone.address, few, environment)
    finally:
        phone.stop()


def crowd(profile, folder):
    phones = [peer.Simdroid("--profile", profile, "--serial", f"CROWD{number:02}") for number in range(CROWD)]
    addresses = [phone.address for phone in phones]
    try:
        with serving(folder, *addresses) as (child, port, _):
            alone = resident(child.pid)
            native("load", "ours", "click", port, 1, *addresses)  # every link is dialled, every log open
            if profile == "phone":
                yield bounded("memory a phone", "MiB", (resident(child.pid) - alone) / CROWD, most=1)
            yield from throughput(profile, "click", "click", port, addresses)
            yield from throughput(profile, "click and snapshot", "both", port, addresses)
    finally:
        for phone in phones:
            phone.stop()


def throughput(profile, name, what, port, addresses):
    """Phones that take no time at all leave the processors as the only bound, which floor, phones and server share: a
    figure of what the server costs, without a target."""
    seen = {"ours": [], "floor": []}
    for turn in range(LOAD_ROUNDS):
        for who in ("ours", "floor") if turn % 2 == 0 else ("floor", "ours"):
            seen[who].append(native("load", who, what, port, LOAD_SECONDS, *addresses)["us"])
    ratios = [len(ours) / len(floor) for ours, floor in zip(seen["ours"], seen["floor"])]
    together = [each for turn in seen["ours"] for each in turn]
    rates = {who: statistics.median(len(turn) / LOAD_SECONDS for turn in turns) for who, turns in seen.items()}
    crowd_name = f"{CROWD} phones, profile {profile}, {name}"
    yield bounded(f"{crowd_name}: results beside the floor's ({rates['ours']:.0f}/s, {rates['floor']:.0f}/s)", "x",
                  statistics.median(ratios), least=0.7 if profile == "phone" else None)
    yield bounded(f"{crowd_name}: p99 beside p50 ({statistics.median(together) / 1000:.1f} ms)", "x",
                  late(together) / statistics.median(together), most=5)


def resident(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s*(\d+)", status, re.MULTILINE).group(1)) / 1024


def ticks(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def wake_ups(pid):
    return sum(int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", task.read_text(), re.MULTILINE).group(1))
               for task in pathlib.Path(f"/proc/{pid}/task").glob("*/status"))


def idle(folder):
    phone = peer.Simdroid("--profile", "zero")
    try:
        with serving(folder, phone.address) as (child, port, _):
            ask(port, "/healthz")
            yield bounded("memory of an idle server", "MiB", resident(child.pid), most=15)
            ask(port, "/snapshot", {"deviceId": phone.address})
            time.sleep(2)
            before = ticks(child.pid), wake_ups(child.pid)
            time.sleep(IDLE_SECONDS)
            yield bounded(f"processor ticks in {IDLE_SECONDS} s, a phone connected", "ticks",
                          ticks(child.pid) - before[0], most=0)
            yield bounded(f"wake-ups in {IDLE_SECONDS} s, a phone connected", "times", wake_ups(child.pid) - before[1])
    finally:
        phone.stop()


def start(given, folder):
    environment = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "CLAWPERATOR_USB": "0",
                   "ANDROID_ADB_SERVER_PORT": str(peer.free_port())}
    words = ["/usr/bin/env", *(f"{name}={value}" for name, value in environment.items()),
             *run_bench.claw("serve", "--port", "0")]
    times = milliseconds(native("start", *words)["us"] for _ in range(given.pairs))
    yield bounded("start to listening", "ms", statistics.median(times), most=20)


def by_daemon(given):
    """Commands that go through a daemon, beside adb and its server."""
    home = peer.Home()
    device, server = peer.Simdroid("--profile", "zero"), peer.AdbServer(home)
    try:
        serial = server.connect(device)
        run_bench.once(run_bench.claw("--device", serial, "open", "conformance://big"), server.environment)
        with run_bench.daemon(server.environment) as folder:
            yield from run_bench.measure_rows("simdroid", run_bench.daemon_rows(folder, serial), given.pairs,
                                              server.environment)
    finally:
        server.stop()
        device.stop()
        home.remove()


def rows_of(part, *more):
    with tempfile.TemporaryDirectory(prefix="bench-", dir="/dev/shm") as folder:
        return list(part(*more, pathlib.Path(folder)))


def main(given):
    quiet, load = run_bench.wait_for_quiet(), os.getloadavg()[0]
    warm = rows_of(one_phone, given)
    figures = rows_of(crowd, "phone") + rows_of(crowd, "zero") + rows_of(start, given) + rows_of(idle)
    report = {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(), "quiet": quiet,
              "pairs": given.pairs, "warm": warm, "figures": figures, "rows": list(by_daemon(given))}
    report["load"] = [load, os.getloadavg()[0]]
    run_bench.keep("warm", report)
    return 1 if given.against and any(row["missed"] for row in [*warm, *figures, *report["rows"]]) else 0
