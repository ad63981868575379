"""The tools of `clawperator mcp` beside the same executions over HTTP, and what `--verify` costs: `tools/bench --name
mcp`.

One simulated phone, profile zero. `mcp` (over stdio, with the phone kept in its own process) and `serve` take turns;
the time of both is that of the request until its answer is read. `click --verify changed` takes turns with a plan of
the same steps: tree, click, pause, tree."""
import contextlib
import datetime
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import bench_warm
import peer
import run_bench

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
POINT = {"x": 540, "y": 1200}


class Conversation:
    def __init__(self, environment, address):
        self.child = subprocess.Popen(run_bench.claw("--no-daemon", "--device", address, "--transport", "tcp", "mcp"),
                                      env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
        self.asked = 0

    def ask(self, method, params):
        self.asked += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}).encode() + b"\n"
        self.child.stdin.write(line)
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())["result"]

    def tap(self):
        result = self.ask("tools/call", {"name": "tap", "arguments": {**POINT, "observe": "none"}})
        if result.get("isError"):
            raise RuntimeError(result)

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def plan(number, *actions):
    return {"commandId": f"c{number}", "taskId": "t", "source": "bench", "expectedFormat": "android-ui-automator",
            "timeoutMs": 9000,
            "actions": list(actions)}


def post(connection, path, body):
    connection.request("POST", path, json.dumps(body),
                       {"Content-Type": "application/json", "Authorization": f"Bearer {bench_warm.TOKEN}"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        raise RuntimeError(text)


def milliseconds_of(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def call_beside_http(given, folder, phone):
    click = {"id": "a", "type": "click", "params": {"coordinate": POINT}}
    with bench_warm.serving(folder, phone.address) as (_, port, environment):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        talk = Conversation(environment, phone.address)
        talk.ask("initialize", HELLO)
        ours, engine = [], []
        for number in range(-5, given.pairs * 10):
            body = {"execution": plan(number, click), "deviceId": phone.address}
            pair = milliseconds_of(talk.tap), milliseconds_of(lambda: post(connection, "/execute", body))
            if number >= 0:
                ours.append(pair[0])
                engine.append(pair[1])
        talk.end()
    row = bench_warm.compared("tool `tap` beside POST /execute", ours, engine, 1.0)
    return row


def start(given, environment, address):
    times = []
    for _ in range(given.pairs):
        begin = time.perf_counter()
        talk = Conversation(environment, address)
        talk.ask("initialize", HELLO)
        times.append((time.perf_counter() - begin) * 1000)
        talk.end()
    return bench_warm.bounded("mcp, start to the answer of initialize", "ms", statistics.median(times), most=10)


def verify(given, environment, address):
    look = {"id": "{}", "type": "snapshot_ui"}
    steps = [{**look, "id": "before"}, {"id": "a", "type": "click", "params": {"coordinate": POINT}},
             {"id": "s", "type": "sleep", "params": {"durationMs": 300}}, {**look, "id": "look"}]
    claw = run_bench.claw("--no-daemon", "--device", address, "--transport", "tcp")
    # The point changes nothing, which is exit 1: what counts is the time.
    ours = ["sh", "-c", '"$@" >/dev/null || true', "sh", *claw, "click", "--coordinate", str(POINT["x"]),
            str(POINT["y"]), "--verify", "changed"]
    theirs = ["sh", "-c", '"$@" >/dev/null', "sh", *claw, "exec", json.dumps(plan(1, *steps))]
    row = run_bench.Row("click --verify changed", ours, theirs, ratio=1.2)
    return run_bench.summarise("simdroid", row, run_bench.measure(row, given.pairs, environment))


def main(given):
    quiet, load = run_bench.wait_for_quiet(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, contextlib.ExitStack() as at_end:
        phone = peer.Simdroid("--profile", "zero")
        at_end.callback(phone.stop)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": folder, "CLAWPERATOR_USB": "0",
                       "ANDROID_ADB_SERVER_PORT": str(peer.free_port())}
        warm = [call_beside_http(given, pathlib.Path(folder), phone)]
        figures = [start(given, environment, phone.address)]
        rows = [verify(given, environment, phone.address)]
        print(run_bench.line_of(rows[0]), flush=True)
    run_bench.keep("mcp", {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(), "quiet": quiet,
                           "load": [load, os.getloadavg()[0]], "pairs": given.pairs, "warm": warm, "figures": figures,
                           "rows": rows})
    return 1 if given.against and any(each["missed"] for each in warm + figures + rows) else 0
