"""`--trace FILE`, and requests with a traceparent."""
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from api_server import ApiServer
from limits import LIMIT_S

TRACE_ID, SPAN_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PARENT = f"00-{TRACE_ID}-{SPAN_ID}-00"
NAP = {"commandId": "nap", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
       "timeoutMs": 30000, "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 20000}}]}


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:600]}")


def answer(place, *words, **options):
    done = place.run(*words, **options)
    expect(place, f"exit code of {words}: {done.stdout!r} {done.stderr!r}", done.returncode, 0)
    return json.loads(done.stdout)


class Trace:
    """What a file holds, as a strict reader sees it."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.text = self.path.read_text(encoding="utf-8")
        self.events = json.loads(self.text)
        self.rows = {event["tid"]: event["args"]["name"] for event in self.events
                     if event["ph"] == "M" and event["name"] == "thread_name"}

    def named(self, name, kind=None):
        return [event for event in self.events if event.get("name") == name and kind in (None, event["ph"])]

    def on(self, row):
        """Of all rows of that name: the second is called `NAME 2`, as when a link was dialled again."""
        names = {tid for tid, name in self.rows.items() if re.fullmatch(re.escape(row) + r"( \d+)?", name)}
        return [event for event in self.events if event["ph"] != "M" and event["tid"] in names]


def check_format(place, trace):
    """The members that the Trace Event Format wants of each kind, and that slices of a row nest."""
    slices = {}
    for event in trace.events:
        kind = event["ph"]
        wanted = {"X": {"name", "ts", "dur"}, "B": {"name", "ts"}, "E": {"ts"}, "i": {"name", "ts", "s"},
                  "M": {"name", "args"}}[kind] | {"pid", "tid"}
        if not wanted <= set(event):
            raise place.Mismatch(f"{kind} without {wanted - set(event)}: {event}")
        row = slices.setdefault(event["tid"], {"open": [], "closed": []})
        if kind == "X":
            row["closed"].append((nanos(event["ts"]), nanos(event["ts"]) + nanos(event["dur"])))
        elif kind == "B":
            row["open"].append(nanos(event["ts"]))
        elif kind == "E":
            row["closed"].append((row["open"].pop(), nanos(event["ts"])))
    for row, found in slices.items():
        ends = []
        for start, end in sorted(found["closed"], key=lambda one: (one[0], -one[1])):
            while ends and ends[-1] <= start:
                ends.pop()
            if ends and end > ends[-1]:
                raise place.Mismatch(f"row {trace.rows.get(row)}: {start}..{end} overlaps what ends at {ends[-1]}")
            ends.append(end)


def nanos(micros):
    return round(micros * 1000)


def check_phases(place, trace, timings):
    """Each phase is as long as the answer's timings say, and stands inside the execution."""
    begin, = [event for event in trace.on("execution") if event["ph"] == "B"]
    end, = [event for event in trace.on("execution") if event["ph"] == "E"]
    for name in ("resolve", "attach", "device", "parse"):
        expect(place, name, sum(nanos(one["dur"]) // 1000 for one in trace.named(name, "X")), timings[name])
    for one in trace.named("preflight", "X"):
        expect(place, "preflight", nanos(one["dur"]) // 1000, timings["preflight"])
    for event in trace.on("execution"):
        if not begin["ts"] <= event["ts"] <= end["ts"]:
            raise place.Mismatch(f"{event} is outside of its execution")
    took = nanos(end["ts"]) - nanos(begin["ts"])
    if took // 1000 < timings["total"]:
        raise place.Mismatch(f"the execution took {took // 1000} us, the answer says {timings['total']}")


def directly(place):
    serial = place.device.serial
    document = answer(place, "--trace", "t.json", "snapshot", "--timings", "--transport", "tcp", "--device", serial,
                      "--no-daemon")
    trace = Trace(place.sandbox / "t.json")
    expect(place, "mode", stat.S_IMODE(os.stat(trace.path).st_mode), 0o600)
    check_format(place, trace)
    check_phases(place, trace, document["timings"])
    begin = trace.named("snapshot_ui", "B")[0]["args"]
    expect(place, "ids", begin["commandId"], document["envelope"]["commandId"])
    packets = trace.on(f"tcp {serial}")
    expect(place, "the first packets", [(one["name"], one["args"]["direction"]) for one in packets[:2]],
           [("CNXN", "sent"), ("CNXN", "received")])
    names = {one["name"] for one in packets}
    if not {"OPEN", "OKAY", "WRTE", "CLSE"} <= names:
        raise place.Mismatch(f"the link has {packets}, the rows are {trace.rows}")
    if not trace.named("clock")[0]["args"]["wallTimeMicros"] / 1e6 - time.time() < LIMIT_S:
        raise place.Mismatch("the clock is wrong")
    stages = [one for one in trace.on("execution") if one["ph"] == "i"]
    if not any("deviceTimeMicros" in one["args"] for one in stages):
        raise place.Mismatch(f"nothing of the device's log: {stages}")


def by_server(place):
    document = answer(place, "--trace", "t.json", "snapshot", "--timings", "--no-daemon")
    trace = Trace(place.sandbox / "t.json")
    check_format(place, trace)
    check_phases(place, trace, document["timings"])
    requests = {one["name"]: one["args"]["answer"] for one in trace.events if one["tid"] and
                trace.rows[one["tid"]].startswith("adb server") and one["ph"] == "X"}
    for wanted in ("host:", "shell,v2,raw:"):
        if not any(name.startswith(wanted) and document == "OKAY" for name, document in requests.items()):
            raise place.Mismatch(f"no {wanted} in {requests}")


def keeps_secrets(place):
    """What is typed, and what the screen shows, is in no trace, whichever way it went."""
    plan = {**NAP, "actions": [{"id": "e", "type": "enter_text",
                                "params": {"matcher": {"textEquals": "Wi-Fi"}, "text": "hunter2"}},
                               {"id": "s", "type": "snapshot_ui"}]}
    for words in (["--transport", "tcp", "--device", place.device.serial], []):
        done = place.run("--trace", "t.json", "exec", json.dumps(plan), "--no-daemon", *words)
        if b"hierarchy" not in done.stdout and b"stepResults" not in done.stdout:
            raise place.Mismatch(f"nothing was run: {done.stdout!r}")
        trace = Trace(place.sandbox / "t.json")
        if "[REDACTED]" not in trace.text:
            raise place.Mismatch("the broadcast is not there")
        for secret in ("hunter2", "Wi-Fi", "hierarchy"):
            if secret in trace.text:
                raise place.Mismatch(f"{secret} is in the trace")


def of_other_commands(place):
    """Chores and adb's own commands show what goes over the wire."""
    for words in (["devices"], ["adb", "shell", "true"], ["doctor"], ["screenshot", "--path", "s.png"]):
        place.run("--trace", "t.json", *words)
        trace = Trace(place.sandbox / "t.json")
        check_format(place, trace)
        if not any(row.startswith("adb server") for row in trace.rows.values()):
            raise place.Mismatch(f"{words}: only {trace.rows}")


def refuses(place):
    """Nothing is begun where the trace cannot be written."""
    pipe = place.sandbox / "pipe"
    os.mkfifo(pipe)
    for path in ("/dev/null", str(pipe), str(place.sandbox), "no/such/folder.json"):
        done = place.run("--trace", path, "snapshot")
        expect(place, path, (done.returncode, json.loads(done.stdout)["code"]), (1, "FILE_WRITE_FAILED"))
    for words in (["--trace"], ["--trace", ""], ["--trace", "-"]):
        done = place.run("snapshot", *words)
        expect(place, str(words), (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))
    expect(place, "broadcasts", place.device.counters().get("broadcast", 0), 0)


def wait_for_dispatch(place):
    deadline = time.monotonic() + LIMIT_S
    while not place.device.counters().get("broadcast", 0):
        if time.monotonic() > deadline:
            raise place.Mismatch("nothing was dispatched")
        time.sleep(0.02)


def killed(place):
    """A process that is killed leaves whole JSON, which says what it was at."""
    path = place.sandbox / "t.json"
    child = subprocess.Popen([place.binary, "--trace", path, "exec", json.dumps(NAP), "--no-daemon"], env=place.env,
                             cwd=place.sandbox, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    try:
        wait_for_dispatch(place)
        deadline = time.monotonic() + LIMIT_S
        while b'"sleep"' not in path.read_bytes():
            if time.monotonic() > deadline:
                raise place.Mismatch("nothing was written")
            time.sleep(0.02)
    finally:
        child.send_signal(signal.SIGKILL)
        child.communicate()
    trace = Trace(path)
    expect(place, "what it was at", [one["ph"] for one in trace.on("execution") if one["ph"] in "BE"], ["B"])


def header(headers):
    return {name.lower(): value for name, value in headers.items()}.get("traceparent")


def over_http(place):
    path = place.sandbox / "serve.json"
    logs = place.sandbox / "logs"
    serial = place.device.serial
    with ApiServer(place, "--trace", str(path), env={"CLAWPERATOR_LOG_DIR": str(logs)}) as server:
        for method, route, body in (("POST", "/snapshot", {"deviceId": serial}),
                                    ("GET", f"/devices/{serial}/snapshot?format=compact", None),
                                    ("GET", f"/devices/{serial}/screenshot.png", None), ("GET", "/devices", None)):
            status, headers, _ = server.ask(method, route, body, {"Traceparent": PARENT})
            expect(place, route, status, 200)
            version, trace_id, span_id, flags = header(headers).split("-")
            expect(place, route, (version, trace_id, flags, span_id != SPAN_ID, len(span_id)),
                   ("00", TRACE_ID, "01", True, 16))
        status, headers, _ = server.ask("POST", "/execute", {"execution": {}}, {"traceparent": PARENT})
        expect(place, "an error", (status, header(headers)[:35]), (400, PARENT[:35]))
        for wrong in (PARENT.upper(), PARENT + "-x", PARENT.replace(TRACE_ID, "0" * 32), "x", ""):
            status, headers, _ = server.ask("POST", "/snapshot", {"deviceId": serial}, {"traceparent": wrong})
            expect(place, wrong, (status, header(headers)), (200, None))
        expect(place, "exit code", server.stop(), 0)
    trace = Trace(path)
    check_format(place, trace)
    spans = {one["args"]["spanId"]: one for one in trace.events if "spanId" in one.get("args", {})}
    expect(place, "spans", len(spans), 8)
    runs = [one for one in spans.values() if one["ph"] == "B"]
    expect(place, "executions", sorted(one["name"] for one in runs), ["snapshot_ui", "snapshot_ui", "take_screenshot"])
    for run in runs:
        asking = spans[run["args"]["parentSpanId"]]
        expect(place, "who asked", (asking["args"]["parentSpanId"], trace.rows[asking["tid"]][:4]), (SPAN_ID, "http"))
    entries = [json.loads(line) for file in logs.iterdir() for line in file.read_text().splitlines()]
    finished = [one.get("traceId") for one in entries if one["event"] == "execution.finished"]
    expect(place, "the log", (finished.count(TRACE_ID), finished.count(None)), (3, 5))


def by_daemon(place):
    """The command's file has what it knows; the daemon's file has the rest, of the same trace."""
    serial = place.device.serial
    env = {**place.env, "TRACEPARENT": "00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01"}
    child = subprocess.Popen([place.binary, "daemon", "run", "--trace", "daemon.json"], env=env, cwd=place.sandbox,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        child.stderr.readline()
        document = answer(place, "--trace", "command.json", "snapshot", "--device", serial, "--timings",
                          env={"TRACEPARENT": PARENT})
        expect(place, "by the daemon", document["timings"].get("daemon"), True)
    finally:
        child.terminate()
        child.communicate(timeout=LIMIT_S)
    command, daemon = Trace(place.sandbox / "command.json"), Trace(place.sandbox / "daemon.json")
    for trace in (command, daemon):
        check_format(place, trace)
        begin = trace.named("snapshot_ui", "B")[0]["args"]
        expect(place, "trace", (begin["traceId"], begin["executionId"]),
               (TRACE_ID, daemon.named("snapshot_ui", "B")[0]["args"]["executionId"]))
    expect(place, "by the daemon", command.named("snapshot_ui", "B")[0]["args"]["daemon"], True)
    for name in ("resolve", "device"):
        phase, = command.named(name, "X")
        expect(place, name, (nanos(phase["dur"]) // 1000, phase["args"]), (document["timings"][name],
                                                                           {"placed": "by duration"}))


def one_shot(place):
    """TRACEPARENT is for commands; a wrong one is ignored."""
    for variable, wanted in ((PARENT, TRACE_ID), ("00-x", None)):
        answer(place, "--trace", "t.json", "snapshot", "--no-daemon", env={"TRACEPARENT": variable})
        begin = Trace(place.sandbox / "t.json").named("snapshot_ui", "B")[0]["args"]
        expect(place, variable, begin.get("traceId"), wanted)


def starts_traced(place):
    """`daemon start` hands the file on to the daemon."""
    answer(place, "daemon", "start", "--trace", "t.json", "--idle", "5")
    try:
        answer(place, "snapshot", "--device", place.device.serial)
    finally:
        answer(place, "daemon", "stop")
    trace = Trace(place.sandbox / "t.json")
    expect(place, "its process", trace.events[0]["args"]["name"].split(" ", 2)[2], "daemon run")
    expect(place, "executions", len(trace.named("snapshot_ui", "B")), 1)


CHECKS = [
    ("trace: directly", True, directly),
    ("trace: by server", True, by_server),
    ("trace: keeps secrets", True, keeps_secrets),
    ("trace: of other commands", True, of_other_commands),
    ("trace: refuses", True, refuses),
    ("trace: killed", True, killed),
    ("trace: over HTTP", True, over_http),
    ("trace: by daemon", True, by_daemon),
    ("trace: one shot", True, one_shot),
    ("trace: starts traced", True, starts_traced),
]
