"""The inspector's page, and what it costs an agent beside it: `tools/bench --name inspector`.

Headless Chromium opens the page on a server with one simulated phone. The agent's step is POST /execute of a click with
the tree behind it; it takes turns with the same step while a watcher sends the page's own requests: a picture every
400 ms, scaled, with the ETag of the last one, and the events."""
import contextlib
import datetime
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

import bench_mcp
import bench_warm
import peer
import peers
import run_bench

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = [ROOT / "tests/contract/page/browser.mjs", ROOT / "tools/benches/bench_inspector.mjs"]
NODES = 5000
ROUNDS = 20
PICTURE = "/screenshot.jpg?maxSide=660&events=false"


class Watcher:
    """The requests of a page that shows the phone, while it is switched on."""

    def __init__(self, port, serial):
        self.port, self.path = port, f"/devices/{serial}{PICTURE}"
        self.on, self.ended, self.asked = threading.Event(), threading.Event(), 0
        self.events = http.client.HTTPConnection("127.0.0.1", port)
        self.events.request("GET", "/events?stages=true", headers=self.headers())
        self.reader = threading.Thread(target=self.read_events, daemon=True)
        self.reader.start()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    @staticmethod
    def headers(**more):
        return {"Authorization": f"Bearer {bench_warm.TOKEN}", **more}

    def read_events(self):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            answer = self.events.getresponse()
            while answer.readline():
                pass

    def watch(self):
        connection, tag = http.client.HTTPConnection("127.0.0.1", self.port), ""
        while not self.ended.is_set():
            if not self.on.wait(0.05):
                continue
            connection.request("GET", self.path, headers=self.headers(**({"If-None-Match": tag} if tag else {})))
            answer = connection.getresponse()
            answer.read()
            tag, self.asked = answer.headers["ETag"], self.asked + 1
            self.ended.wait(0.4)

    def end(self):
        self.ended.set()
        self.thread.join()
        self.events.close()


def agent_beside(given, port, serial):
    click = {"id": "a", "type": "click", "params": {"coordinate": bench_mcp.POINT}}
    connection = http.client.HTTPConnection("127.0.0.1", port)
    watcher = Watcher(port, serial)
    alone, beside = [], []

    def step(number):
        body = {"execution": bench_mcp.plan(number, click), "deviceId": serial, "observe": "compact"}
        return bench_mcp.milliseconds_of(lambda: bench_mcp.post(connection, "/execute", body))

    for number in range(given.pairs * 2):
        for times, watches in ((alone, False), (beside, True)):
            (watcher.on.set if watches else watcher.on.clear)()
            time.sleep(0.05)
            times.append(step(f"{number}-{watches}"))
    watcher.end()
    if watcher.asked < given.pairs:
        raise RuntimeError(f"the watcher has sent {watcher.asked} requests")
    return bench_warm.compared("an agent's step while the page watches, beside the same alone", beside, alone, 15.0)


def in_browser(port, folder):
    facts = {"url": f"http://127.0.0.1:{port}", "token": bench_warm.TOKEN, "limit": 30000, "rounds": ROUNDS,
             "chromium": shutil.which("chromium"), "folder": str(folder), "phones": []}
    text = "".join(map(pathlib.Path.read_text, SCRIPTS))
    done = subprocess.run([peers.node(), "--input-type=module", "--eval", text], cwd=peers.NPM,
                          input=json.dumps(facts), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])["value"]


def screens(folder):
    """An app with a screen of so many nodes, all of which are on the screen."""
    column = {"class": "LinearLayout", "flow": "column", "w": 14, "h": "fill", "children": [
        {"repeat": 200, "class": "TextView", "text": "Node {i}", "w": 14, "h": 1}]}
    root = {"class": "FrameLayout", "flow": "row", "w": "fill", "h": "fill", "children": [column] * (NODES // 200)}
    folder.mkdir()
    app = {"package": "com.example.many", "label": "Many", "launch": "main",
           "screens": {"main": {"activity": ".Main", "root": root}}}
    (folder / "many.json").write_text(json.dumps(app))
    return str(folder)


def main(given):
    quiet, load = run_bench.wait_for_quiet(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, contextlib.ExitStack() as at_end:
        folder = pathlib.Path(folder)
        phone = peer.Simdroid("--profile", "zero", "--screens", screens(folder / "screens"))
        at_end.callback(phone.stop)
        _, port, _ = at_end.enter_context(bench_warm.serving(folder, phone.address))
        warm = [agent_beside(given, port, phone.address)]
        open_many = {"id": "o", "type": "open_app", "params": {"applicationId": "com.example.many"}}
        bench_warm.ask(port, "/execute", {"execution": bench_mcp.plan("many", open_many), "deviceId": phone.address})
        seen = in_browser(port, folder)
    print(seen["count"])
    weight = sum(path.stat().st_size for path in (ROOT / "web/dist").iterdir())
    figures = [bench_warm.bounded("the page, all files", "KiB", weight / 1024, most=300),
               bench_warm.bounded("first paint", "ms", statistics.median(seen["paints"]), most=500),
               bench_warm.bounded(f"first tree, {NODES} nodes", "ms", statistics.median(seen["trees"]), most=2000),
               bench_warm.bounded(f"a selection among {NODES} nodes", "ms", statistics.median(seen["selections"]),
                                  most=50)]
    run_bench.keep("inspector", {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(),
                                 "quiet": quiet, "load": [load, os.getloadavg()[0]], "pairs": given.pairs,
                                 "warm": warm, "figures": figures})
    return 1 if given.against and any(each["missed"] for each in warm + figures) else 0
