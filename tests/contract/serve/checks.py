"""`clawperator serve` as those see it who ask over HTTP."""
import contextlib
import json
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import time

import peers
from api_server import ApiServer, expect, expect_error, wait_for_count
from bearing import Bearing
from limits import LIMIT_S
from ports import free_port

PLAN = {"commandId": "plan", "taskId": "task", "source": "test", "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000, "actions": [{"id": "s", "type": "snapshot_ui"}]}
SETTINGS = {"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}}
DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "docs/reference/http.md"
TREE_MARK = b"<hierarchy"


def nap(name, milliseconds):
    return {**PLAN, "commandId": name,
            "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": milliseconds}}]}


def routes(place):
    """The index names every route; none of them is unknown, and a wrong method's error names the right ones."""
    with ApiServer(place) as server:
        status, index = server.json("GET", "/")
        expect(place, "GET /", (status, index["ok"], index["name"]), (200, True, "clawperator"))
        methods = {}
        for route in index["routes"]:
            methods.setdefault(route["path"], set()).add(route["method"])
        for path, known in methods.items():
            status, headers, body = server.ask("PATCH", path.replace(":serial", "x").replace(":name", "x"))
            expect(place, path, (status, json.loads(body)["error"]["code"]), (405, "METHOD_NOT_ALLOWED"))
            if not known <= set(headers["Allow"].split(", ")):
                raise place.Mismatch(f"{path}: Allow is {headers['Allow']}, the index says {known}")
        expect_error(place, server.json("GET", "/nowhere"), 404, "NOT_FOUND")
        expect_error(place, server.json("GET", "/devices/x/y/z"), 404, "NOT_FOUND")
        expect(place, "HEAD", server.ask("HEAD", "/healthz")[::2], (200, b""))
        expect(place, "GET /healthz", server.json("GET", "/healthz"), (200, {"ok": True}))
        expect(place, "GET /readyz", server.json("GET", "/readyz"), (200, {"ok": True}))


def bad_bodies(place):
    """Nothing is dispatched; the published code and message for each."""
    with ApiServer(place) as server:
        missing = "Invalid or missing JSON body"
        kinds = {"Content-Type": "application/json; charset=utf-8"}
        expect_error(place, server.json("POST", "/execute"), 400, "INVALID_BODY", missing)
        expect_error(place, server.json("POST", "/execute", "{}"), 400, "INVALID_BODY", missing)
        expect_error(place, server.json("POST", "/execute", "{}", {"Content-Type": "text/plain"}), 400, "INVALID_BODY")
        for text in ("{", "7", '"x"', '{"a":1}}', b'{"a":"\xff"}', "[" * 200 + "]" * 200):
            answer = server.json("POST", "/execute", text, kinds)
            expect_error(place, answer, 400, "INVALID_JSON", "Malformed JSON body")
        for body in ({}, [], {"execution": None}, {"execution": 0}, {"execution": ""}, {"execution": False}):
            answer = server.json("POST", "/execute", body)
            expect_error(place, answer, 400, "MISSING_EXECUTION", "Missing 'execution' in body")
        for value in (7, None, [], {}):
            answer = server.json("POST", "/execute", {"execution": PLAN, "deviceId": value})
            expect_error(place, answer, 400, "INVALID_DEVICE_ID", "'deviceId' must be a string")
            answer = server.json("POST", "/snapshot", {"operatorPackage": value})
            expect_error(place, answer, 400, "INVALID_OPERATOR_PACKAGE", "'operatorPackage' must be a string")
        answer = server.json("POST", "/snapshot", {"operatorPackage": " "})
        expect_error(place, answer, 400, "INVALID_OPERATOR_PACKAGE", "'operatorPackage' must be a non-empty string")
        for value in ("", 7, None):
            answer = server.json("POST", "/screenshot", {"path": value})
            expect_error(place, answer, 400, "INVALID_PATH", "'path' must be a non-empty string")
        expect_error(place, server.json("POST", "/snapshot", []), 400, "INVALID_BODY", missing)
        expect_error(place, server.json("POST", "/execute", {"execution": {"actions": []}}), 400,
                     "EXECUTION_VALIDATION_FAILED")
        expect_error(place, server.json("POST", "/execute", {"execution": 7}), 400, "EXECUTION_VALIDATION_FAILED")
        answer = server.json("POST", "/execute", "x" * 102401, kinds)
        expect_error(place, answer, 413, "PAYLOAD_TOO_LARGE", "Payload exceeds 100kb limit")
        expect_error(place, server.json("GET", "/devices/x/snapshot?format=html"), 400, "INVALID_QUERY")
        expect_error(place, server.json("GET", "/devices/x/snapshot?since=now"), 400, "INVALID_QUERY")


def no_device_there(place):
    with ApiServer(place) as server:
        answer = server.json("GET", "/devices")
        expect_error(place, answer, 500, "INTERNAL_ERROR", "Failed to list devices")
        expect_error(place, server.json("POST", "/execute", {"execution": PLAN}), 500, "ADB_SERVER_FAILED")


def executes(place):
    """What the command line does, over a link that stays: the same envelopes."""
    with ApiServer(place, "--files", ".") as server:
        serial = place.device.serial
        devices = server.json("GET", "/devices")[1]
        expect(place, "devices", [row["state"] for row in devices["devices"] if row["serial"] == serial], ["device"])
        for _ in range(2):
            status, answer = server.json("POST", "/execute", {"execution": {**PLAN, "actions": [SETTINGS]}})
            expect(place, "execute", (status, list(answer)), (200, ["ok", "envelope", "deviceId", "terminalSource"]))
            envelope = answer["envelope"]
            expect(place, "envelope", (envelope["commandId"], envelope["status"], answer["deviceId"]),
                   ("plan", "success", serial))
        for path in ("/snapshot", "/observe/snapshot"):
            status, answer = server.json("POST", path, {"deviceId": serial})
            step = answer["envelope"]["stepResults"][0]
            expect(place, path, (status, step["id"], step["data"]["text"].lstrip()[:1]), (200, "snap", "<"))
            if not answer["envelope"]["commandId"].startswith("serve-snap-"):
                raise place.Mismatch(f"{path}: {answer['envelope']['commandId']}")
        picture = place.sandbox / "shot.png"
        status, answer = server.json("POST", "/screenshot", {"path": str(picture)})
        step = answer["envelope"]["stepResults"][0]
        expect(place, "screenshot", (status, step["id"], step["data"]["path"]), (200, "shot", str(picture)))
        expect(place, "picture", picture.read_bytes()[:4], b"\x89PNG")
        missing = {**PLAN, "actions": [{"id": "c", "type": "click", "params": {"matcher": {"textEquals": "No such"}}}]}
        status, answer = server.json("POST", "/execute", {"execution": missing})
        expect(place, "a failed envelope", (status, answer["ok"], answer["envelope"]["status"]), (200, True, "failed"))
        answer = server.json("POST", "/execute", {"execution": PLAN, "deviceId": "absent"})
        expect_error(place, answer, 404, "DEVICE_NOT_FOUND")
        expect(place, "the requested device", answer[1]["deviceId"], "absent")


def looks(place):
    """The tree and the picture by themselves, and what changed since."""
    with ApiServer(place) as server:
        start = f"/devices/{place.device.serial}/"
        status, headers, body = server.ask("GET", start + "snapshot")
        expect(place, "xml", (status, headers["Content-Type"]), (200, "application/xml; charset=utf-8"))
        if TREE_MARK not in body:
            raise place.Mismatch(f"no hierarchy: {body[:200]!r}")
        status, headers, body = server.ask("GET", start + "snapshot?format=compact")
        expect(place, "compact", (status, headers["Content-Type"]), (200, "text/plain; charset=utf-8"))
        seen = headers["X-Tree-Hash"]
        if seen.encode() not in body:
            raise place.Mismatch(f"compact does not name its hash {seen}: {body[:200]!r}")
        status, headers, _ = server.ask("GET", start + f"snapshot?format=compact&since={seen}")
        expect(place, "since", (status, headers["X-Since"], headers["X-Tree-Hash"]), (200, "unchanged", seen))
        status, headers, _ = server.ask("GET", start + "snapshot?since=0123456789ab")
        expect(place, "since an unknown hash", (status, headers["X-Since"]), (200, "unknown"))
        tree = json.loads(server.ask("GET", start + "snapshot?format=nodes")[2])
        expect(place, "json", isinstance(tree, dict), True)
        for name, kind, magic in (("png", "image/png", b"\x89PNG"), ("jpg", "image/jpeg", b"\xff\xd8\xff")):
            status, headers, body = server.ask("GET", f"{start}screenshot.{name}")
            expect(place, name, (status, headers["Content-Type"], body[:len(magic)]), (200, kind, magic))
        expect_error(place, server.json("GET", "/devices/absent/screenshot.png"), 404, "DEVICE_NOT_FOUND")


def events(place):
    """Every attempt is reported, before its answer, and a client that comes back gets what it missed."""
    with ApiServer(place) as server:
        serial = place.device.serial
        reader = server.events()
        expect(place, "head", (reader.status, reader.headers["content-type"], reader.headers["cache-control"]),
               ("HTTP/1.1 200 OK", "text/event-stream", "no-cache"))
        connected = {"code": "CONNECTED", "message": "Clawperator SSE stream active"}
        expect(place, "heartbeat", reader.next(), ("heartbeat", connected, None))
        answer = server.json("POST", "/execute", {"execution": PLAN})[1]
        name, event, first = reader.next()
        expect(place, "result", (name, event), ("clawperator:result",
                                                {"deviceId": serial, "envelope": answer["envelope"]}))
        name, event, second = reader.next()
        expect(place, "execution", (name, event["deviceId"], event["input"]["commandId"], event["result"]),
               ("clawperator:execution", serial, "plan", answer))
        expect(place, "ids", int(second), int(first) + 1)
        # Nothing was dispatched: no result; the device is the requested one, or none.
        server.json("POST", "/execute", {"execution": PLAN, "deviceId": "absent"})
        name, event, _ = reader.next()
        expect(place, "unknown device", (name, event["deviceId"], event["result"]["ok"]),
               ("clawperator:execution", "absent", False))
        server.json("POST", "/execute", {"execution": {"actions": "none"}})
        name, event, _ = reader.next()
        expect(place, "invalid", (name, event["deviceId"], event["input"]),
               ("clawperator:execution", None, {"actions": "none"}))
        reader.close()
        again = server.events(last_event_id=first)
        expect(place, "heartbeat", again.next()[0], "heartbeat")
        expect(place, "replay", again.next()[2], second)
        again.close()
        # Of another start of the server: a gap of unknown size, then all that is held.
        for foreign in (7, 10**16):
            other = server.events(last_event_id=foreign)
            other.next()
            name, event, number = other.next()
            expect(place, "gap", (name, event["code"], event["lastEventId"], event["missed"], number),
                   ("clawperator:gap", "EVENTS_MISSED", foreign, None, None))
            expect(place, "replay of all", other.next()[2], first)
            other.close()
    with ApiServer(place) as server:
        reader = server.events(last_event_id=second)
        reader.next()
        expect(place, "gap after a restart", reader.next()[0], "clawperator:gap")
        server.json("POST", "/execute", {"execution": {"actions": "none"}})
        expect(place, "ids go on", int(reader.next()[2]) > int(second), True)
        reader.close()


def unknown_members(place):
    """A mistyped member is refused with the nearest one, and nothing is done. [B9]"""
    with ApiServer(place) as server:
        for method, path, body, code, near in (
                ("GET", "/devices?formt=x", None, "INVALID_QUERY", "'formt'"),
                ("GET", "/events?stage=true", None, "INVALID_QUERY", "'stages'"),
                ("GET", "/devices/x/snapshot?formt=compact", None, "INVALID_QUERY", "'format'"),
                ("GET", "/devices/x/screenshot.png?maxSide=9", None, "INVALID_QUERY", "'maxSide'"),
                ("GET", "/skills?keywords=x", None, "INVALID_QUERY", "'keyword'"),
                ("POST", "/execute", {"execution": PLAN, "device": "x"}, "INVALID_BODY", "'deviceId'"),
                ("POST", "/execute", {"execution": {**PLAN, "timeout": 5}}, "EXECUTION_VALIDATION_FAILED", "timeout"),
                ("POST", "/snapshot", {"device": "x"}, "INVALID_BODY", "'deviceId'"),
                ("POST", "/snapshot", {"verify": "changed"}, "INVALID_BODY", "'verify'"),
                ("POST", "/screenshot", {"pth": "x"}, "INVALID_BODY", "'path'"),
                ("POST", "/session", {"tokn": "x"}, "INVALID_BODY", "'token'"),
                ("POST", "/skills/a/run", {"arg": []}, "INVALID_BODY", "'args'"),
                ("POST", "/android/emulators/create", {"nam": "x"}, "INVALID_BODY", "'name'"),
                ("POST", "/android/provision/emulator", {"nam": "x"}, "INVALID_BODY", "'name'")):
            status, answer = server.json(method, path, body)
            expect_error(place, (status, answer), 400, code)
            if near not in json.dumps(answer["error"]):
                raise place.Mismatch(f"{path}: {near} is not in {answer}")


def failed_plans(place):
    """A plan that failed names its step beside the envelope; an app that is missing is one answer. [B10]"""
    with ApiServer(place) as server:
        missing = {"id": "c", "type": "click",
                   "params": {"matcher": {"textEquals": "No such"}, "retry": {"maxAttempts": 1}}}
        for backend in ("app", "shell"):
            plan = {"execution": {**PLAN, "actions": [missing]}, "backend": backend}
            status, answer = server.json("POST", "/execute", plan)
            expect(place, backend, (status, answer["ok"], answer["failed"]["code"]), (200, True, "NODE_NOT_FOUND"))
            if backend == "shell":  # as newer apps do
                expect(place, backend, answer["envelope"]["errorCode"], "NODE_NOT_FOUND")
        absent = {"id": "o", "type": "open_app", "params": {"applicationId": "no.such.app"}}
        for actions in ([absent], [absent, missing]):
            for backend in ("app", "shell"):
                plan = {"execution": {**PLAN, "actions": actions}, "backend": backend}
                expect_error(place, server.json("POST", "/execute", plan), 404, "ANDROID_APP_LAUNCH_FAILED")
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": "open_app", "arguments": {"package": "no.such.app"}}}
        text = server.json("POST", "/mcp", message)[1]["result"]["content"][0]["text"]
        expect(place, "MCP", json.loads(text)["code"], "ANDROID_APP_LAUNCH_FAILED")
        message["params"]["arguments"]["package"] = "Setings"
        text = server.json("POST", "/mcp", message)[1]["result"]["content"][0]["text"]
        expect(place, "[D6] near", json.loads(text)["details"]["near"], ["com.android.settings"])


def refusals_are_logged(place):
    """With the peer; a stranger who goes on cannot fill the log."""
    with ApiServer(place, "--require-token", "--log-level", "warn") as server:
        for _ in range(70):
            server.json("GET", "/devices", headers={"Authorization": "Bearer wrong"})
        server.json("GET", "/devices", headers={"Host": "elsewhere.example"})
    lines = [json.loads(line) for file in (place.sandbox / ".clawperator/logs").glob("*.log*")
             for line in file.read_text().splitlines()]
    refused = [line for line in lines if line.get("event") == "serve.http.refused"]
    expect(place, "refusals", len(refused), 60)
    expect(place, "statuses", {line["status"] for line in refused}, {401, 429})
    expect(place, "peers and the last one", [(line["peer"] != "", line["moreAreDropped"]) for line in refused],
           [(True, False)] * 59 + [(True, True)])


def allowed_origins(place):
    """A page of a named origin may read and act; any other one is refused, and learns how it could be named. [B12]"""
    page, asked = "http://localhost:5173", {"Access-Control-Request-Method": "POST"}
    with ApiServer(place, "--allow-origin", f"{page},https://x.example") as server:
        for origin in (page, "https://x.example"):
            status, headers, body = server.ask("OPTIONS", "/execute", headers={"Origin": origin, **asked})
            expect(place, "preflight", (status, headers["Access-Control-Allow-Origin"], body), (204, origin, b""))
            allowed = headers["Access-Control-Allow-Headers"].split(", ")
            expect(place, "its headers", {"Authorization", "Mcp-Method", "Mcp-Name"} <= {*allowed}, True)
        for path, site in (("/", "same-site"), ("/events", "cross-site"), ("/nowhere", "same-site")):
            method = "GET" if path != "/events" else "HEAD"
            answer = server.ask(method, path, headers={"Origin": page, "Sec-Fetch-Site": site})
            expect(place, path, (answer[0] in (200, 404), answer[1]["Access-Control-Allow-Origin"]), (True, page))
        status, headers, _ = server.ask("POST", "/execute", {}, headers={"Origin": page})
        expect(place, "POST", (status, headers["Access-Control-Allow-Origin"], headers["Vary"]), (400, page, "Origin"))
        for origin in (page + "1", "http://localhost:1", "null", page.upper()):
            status, headers, _ = server.ask("OPTIONS", "/execute", headers={"Origin": origin, **asked})
            expect(place, origin, (status, "Access-Control-Allow-Origin" in headers), (403, False))
        own = server.ask("GET", "/", headers={"Origin": f"http://localhost:{server.port}"})
        expect(place, "its own", (own[0], "Access-Control-Allow-Origin" in own[1]), (200, False))
    with ApiServer(place) as server:
        status, answer = server.json("OPTIONS", "/execute", headers={"Origin": page, **asked})
        expect(place, "none is named", (status, "--allow-origin" in answer["error"]["message"]), (403, True))
    for wrong in ("*", "null", "localhost:5173", "http://a/b", "HTTP://a", "", "http://", "http://*.example"):
        done = place.run("serve", "--port", "0", "--allow-origin", wrong)
        expect(place, wrong, (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))


def stages(place):
    """A client that requests the stages of steps gets them while they run, before the result; others do not."""
    with ApiServer(place) as server:
        expect_error(place, server.json("GET", "/events?stages=2"), 400, "INVALID_QUERY")
        asks, plain = server.events(query="?stages=true"), server.events()
        for reader in (asks, plain):
            expect(place, "heartbeat", reader.next()[0], "heartbeat")
        expect(place, "execute", server.json("POST", "/execute", {"execution": PLAN})[0], 200)
        shown = []
        while (event := asks.next())[0] == "clawperator:stage":
            shown.append((event[1]["commandId"], event[1]["stage"], event[1]["operation"], event[2]))
        expect(place, "stages", shown, [("plan", "begun", "execution", None), ("plan", "start", "logUiTree", None),
                                        ("plan", "success", "logUiTree", None)])
        expect(place, "then the result", event[0], "clawperator:result")
        expect(place, "the other one", plain.next()[0], "clawperator:result")
        asks.close()
        plain.close()


def crowd(place):
    """A thousand readers of events get each event; one more is refused until some have left."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096), most))
    with ApiServer(place) as server:
        readers = [server.events() for _ in range(1000)]
        expect_error(place, server.json("GET", "/events"), 429, "TOO_MANY_REQUESTS")
        for reader in readers:
            expect(place, "heartbeat", reader.next()[0], "heartbeat")
        server.json("POST", "/execute", {"execution": {"actions": "none"}})
        for reader in readers:
            expect(place, "event", reader.next()[0], "clawperator:execution")
            reader.close()
        deadline = time.monotonic() + LIMIT_S
        while (last := server.events()).status != "HTTP/1.1 200 OK":
            last.close()
            if time.monotonic() > deadline:
                raise place.Mismatch(f"readers that left still count: {last.status}")
            time.sleep(0.05)
        expect(place, "afterwards", last.next()[0], "heartbeat")
        last.close()


def busy(place):
    """One execution at a time on a device, one at a time of a name."""
    with ApiServer(place) as server:
        long = server.in_background("POST", "/execute", {"execution": nap("long", 2500)})
        wait_for_count(place)
        answer = server.json("POST", "/execute", {"execution": nap("long", 10)})
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        answer = server.json("POST", "/execute", {"execution": nap("other", 10)})
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        picture = server.ask("GET", f"/devices/{place.device.serial}/screenshot.png")
        expect(place, "a picture does not wait", (picture[0], picture[2][:4]), (200, b"\x89PNG"))
        long.join()
        expect(place, "the first", (long.answer[0], long.answer[1]["envelope"]["commandId"]), (200, "long"))
        status, answer = server.json("POST", "/execute", {"execution": nap("long", 10)})
        expect(place, "afterwards", (status, answer["envelope"]["status"]), (200, "success"))


def wait_for_line(place, server, length):
    """Until so many wait in line behind the execution that runs."""
    deadline = time.monotonic() + LIMIT_S
    body = {"execution": nap("look", 10), "queue": True, "queueTimeoutMs": 1}
    while server.json("POST", "/execute", body)[1]["error"]["details"]["position"] <= length:
        if time.monotonic() > deadline:
            raise place.Mismatch("no request waits in line")


def in_line(place):
    """Who asks to wait is served in turn; how long, and what happens when the server ends."""
    with ApiServer(place) as server:
        for body in ({"queue": 1}, {"queueTimeoutMs": 5}, {"queue": True, "queueTimeoutMs": 0}):
            expect_error(place, server.json("POST", "/execute", {"execution": PLAN, **body}), 400, "INVALID_BODY")
            expect_error(place, server.json("POST", "/snapshot", body), 400, "INVALID_BODY")
            expect_error(place, server.json("POST", "/screenshot", body), 400, "INVALID_BODY")
        long = server.in_background("POST", "/execute", {"execution": nap("long", 2000)})
        wait_for_count(place)
        second = server.in_background("POST", "/execute", {"execution": nap("second", 10), "queue": True})
        wait_for_line(place, server, 1)
        third = server.in_background("POST", "/snapshot", {"queue": True, "queueTimeoutMs": 30000})
        wait_for_line(place, server, 2)
        answer = server.json("POST", "/execute", {"execution": nap("short", 10), "queue": True, "queueTimeoutMs": 20})
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        details = answer[1]["error"]["details"]
        expect(place, "its place", (details["position"], details["waitedMs"] >= 20), (3, True))
        answer = server.json("POST", "/execute", {"execution": nap("second", 10)})  # the id makes no difference
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        answer = server.json("POST", "/execute", {"execution": nap("other", 10)})
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        expect(place, "no place", "position" in answer[1]["error"]["details"], False)
        for each in (long, second, third):
            each.join()
            expect(place, "in turn", (each.answer[0], each.answer[1]["envelope"]["status"]), (200, "success"))
        long = server.in_background("POST", "/execute", {"execution": nap("long", 2000)})
        wait_for_count(place, count=4)
        second = server.in_background("POST", "/execute", {"execution": nap("second", 10), "queue": True})
        wait_for_line(place, server, 1)
        expect(place, "exit code", server.stop(), 0)
        long.join()
        second.join()
        expect(place, "what ran ends", (long.answer[0], long.answer[1]["envelope"]["status"]), (200, "success"))
        expect_error(place, second.answer, 500, "CANCELLED")
        expect(place, "nothing more was dispatched", place.device.counters()["broadcast"], 4)


def leaves_the_line(place):
    """Who hangs up while his execution waits in line has asked for nothing; who waits behind him is served."""
    with ApiServer(place) as server:
        long = server.in_background("POST", "/execute", {"execution": nap("long", 1500)})
        wait_for_count(place)
        link = server.connect()
        link.request("POST", "/execute", json.dumps({"execution": nap("left", 10), "queue": True}),
                     {"Content-Type": "application/json", **server.bearing})
        wait_for_line(place, server, 1)
        link.close()
        answer = server.json("POST", "/execute", {"execution": nap("behind", 10), "queue": True})
        expect(place, "behind him", (answer[0], answer[1]["envelope"]["status"]), (200, "success"))
        long.join()
        expect(place, "dispatched", place.device.counters()["broadcast"], 2)


def looks_while_busy(place):
    """A snapshot that cannot be taken now says what was seen last."""
    with ApiServer(place) as server:
        path = f"/devices/{place.device.serial}/snapshot"
        status, headers, _ = server.ask("GET", path + "?format=compact")
        expect(place, "a snapshot", status, 200)
        long = server.in_background("POST", "/execute", {"execution": nap("long", 2000)})
        wait_for_count(place, count=2)
        for request in (("GET", path), ("POST", "/snapshot", {}), ("POST", "/execute", {"execution": PLAN})):
            answer = server.json(*request)
            expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
            tree = answer[1]["error"]["details"]["lastTree"]
            expect(place, "the last tree", (tree["hash"], 0 < tree["ageMs"] < 60000), (headers["X-Tree-Hash"], True))
        answer = server.json("POST", "/execute", {"execution": nap("other", 10)})
        expect(place, "who acts", "lastTree" in answer[1]["error"]["details"], False)
        for query in ("queue=maybe", "queueTimeoutMs=5", "queue=true&queueTimeoutMs=0"):
            expect_error(place, server.json("GET", f"{path}?{query}"), 400, "INVALID_QUERY")
        answer = server.json("GET", path + "?queue=true&queueTimeoutMs=20")
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        expect(place, "its place", answer[1]["error"]["details"]["position"], 1)
        waiting = server.in_background("GET", path + "?format=nodes&queue=true")
        long.join()
        waiting.join()
        expect(place, "who waited", (waiting.answer[0], "hash" in waiting.answer[1]), (200, True))


@contextlib.contextmanager
def tiny_disk(folder):
    """A file system of 64 KiB; nothing where none can be mounted."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)],
                             capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def full_disk(place):
    """Executions go on while the log has no room, and the log does once it has."""
    logs = place.sandbox / "small"
    with tiny_disk(logs) as mounted, ApiServer(place, env={"CLAWPERATOR_LOG_DIR": str(logs)}) as server:
        def run(name):
            status, answer = server.json("POST", "/execute", {"execution": nap(name, 10)})
            expect(place, name, (status, answer["envelope"]["status"]), (200, "success"))

        def events(name):
            lines = next(logs.glob("clawperator-*.log")).read_text().splitlines()
            return [json.loads(line)["event"] for line in lines if name in line and line.endswith("}")]

        run("before")
        filler = logs / "filler"
        if mounted:
            with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
                while file.write(b"x" * 1024):
                    pass
            file = next(logs.glob("clawperator-*.log"))
            with contextlib.suppress(OSError), open(file, "ab", buffering=0) as last:  # the rest of its last page
                while last.write(b"\n"):
                    pass
        else:
            size = next(logs.glob("clawperator-*.log")).stat().st_size
            unlimited = resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        run("meanwhile")
        expect(place, "no room", events("meanwhile"), [])
        if mounted:
            filler.unlink()
        else:
            resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, unlimited)
        run("afterwards")
        expect(place, "room again", "execution.finished" in events("afterwards"), True)
        expect(place, "what was lost", len(events("log.resumed")), 1)


def access(place):
    """Other names of this host, and pages of other sites, are turned away; `access` has the rest."""
    with ApiServer(place) as server:
        foreign = {"Host": "evil.example"}
        expect_error(place, server.json("GET", "/devices", headers=foreign), 403, "FORBIDDEN_HOST")
        for origin in ("http://evil.example", "null"):
            expect_error(place, server.json("GET", "/", headers={"Origin": origin}), 403, "FORBIDDEN_ORIGIN")
        expect(place, "own origin", server.ask("GET", "/", headers={"Origin": "http://localhost:1"})[0], 200)


def ends_well(place):
    """SIGTERM lets the work in flight end and notifies who reads events; the exit code is 0."""
    server = ApiServer(place)
    with server:
        reader = server.events()
        reader.next()
        working = server.in_background("POST", "/execute", {"execution": nap("last", 1500)})
        wait_for_count(place)
        server.child.send_signal(signal.SIGTERM)
        expect(place, "the stream ends", reader.next(), None)
        try:
            socket.create_connection(("127.0.0.1", server.port), LIMIT_S).close()
            raise place.Mismatch("it still takes connections")
        except ConnectionRefusedError:
            pass
        working.join()
        expect(place, "the work in flight", (working.answer[0], working.answer[1]["envelope"]["status"]),
               (200, "success"))
        expect(place, "exit code", server.child.wait(LIMIT_S), 0)
        reader.close()


def cannot_listen(place):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = place.run("serve", "--port", str(port))
        error = json.loads(done.stdout)
        expect(place, "exit", (done.returncode, error["code"]), (1, "SERVE_FAILED"))
        if not error["message"].startswith("Failed to start server: "):
            raise place.Mismatch(error["message"])
    for words, part in ((["--port", "70000"], "--port"), (["--port", "x"], "--port"),
                        (["--token", "a" * 20 + " b"], "--token"),
                        (["--token", ""], "--token"), (["--token", "a", "--token-file", "b"], "not both"),
                        (["--host", "nowhere"], "nowhere"), (["more"], "more")):
        done = place.run("serve", *words)
        if done.returncode != 1 or part not in done.stdout.decode():
            raise place.Mismatch(f"serve {words}: {done.returncode} {done.stdout!r}")


def emulators(place):
    with ApiServer(place) as server:
        expect(place, "list", server.json("GET", "/android/emulators"), (200, {"ok": True, "avds": []}))
        status, shown = server.json("GET", "/android/emulators/none")
        expect(place, "unknown", (status, shown["ok"], shown["name"], shown["exists"]), (200, True, "none", False))
        expect(place, "bad name", server.ask("GET", "/android/emulators/a%2Fb")[0], 400)
        expect(place, "running", server.json("GET", "/android/emulators/running"), (200, {"ok": True, "devices": []}))
        answer = server.json("POST", "/android/emulators/none/start")
        expect(place, "start", (answer[0], answer[1]["ok"]), (404, False))


LABELS = r'(?:\{[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*")*\})?'
SAMPLE = re.compile(r"([a-zA-Z_:][\w:]*)(" + LABELS + r") (-?\d+(?:\.\d+)?)")


def read_metrics(place, text):
    """As the text format of Prometheus is defined: HELP and TYPE, then the samples of that family."""
    family, samples = None, {}
    for line in text.decode().splitlines():
        if line.startswith("# HELP "):
            family = line.split(" ")[2]
        elif line.startswith("# TYPE "):
            expect(place, line, line.split(" ")[2:] in [[family, kind] for kind in ("counter", "gauge", "histogram")],
                   True)
        else:
            found = SAMPLE.fullmatch(line)
            if not found or re.sub("_(bucket|sum|count)$", "", found[1]) != family and found[1] != family:
                raise place.Mismatch(f"no sample of {family}: {line}")
            if found[1] + found[2] in samples:
                raise place.Mismatch(f"twice: {line}")
            samples[found[1] + found[2]] = float(found[3])
    return samples


def numbers(place):
    """What was carried out, by HTTP and by the daemon's socket, is counted."""
    with ApiServer(place) as server:
        serial = place.device.serial
        expect(place, "nothing yet", server.json("GET", f"/devices/{serial}/stats"),
               (200, {"ok": True, "deviceId": serial, "verbs": {}}))
        for _ in range(3):
            expect(place, "snapshot", server.json("POST", "/snapshot", {})[0], 200)
        expect(place, "click", place.run("click", "--coordinate", "1", "2").returncode, 0)
        expect_error(place, server.json("POST", "/snapshot", {"deviceId": "absent"}), 404, "DEVICE_NOT_FOUND")
        status, headers, text = server.ask("GET", "/metrics")
        expect(place, "/metrics", (status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
        samples = read_metrics(place, text)
        counted = {name: value for name, value in samples.items() if name.startswith("clawperator_executions_total")}
        expect(place, "executions", counted, {
            f'clawperator_executions_total{{device="{serial}",verb="snapshot_ui",result="ok"}}': 3,
            f'clawperator_executions_total{{device="{serial}",verb="click",result="ok"}}': 1,
            'clawperator_executions_total{device="",verb="snapshot_ui",result="DEVICE_NOT_FOUND"}': 1})
        expect(place, "phases", samples['clawperator_phase_seconds_count{verb="snapshot_ui",phase="total"}'], 3)
        expect(place, "devices", samples['clawperator_devices{state="device"}'] >= 1, True)
        status, stats = server.json("GET", f"/devices/{serial}/stats")
        expect(place, "stats", (status, stats["ok"], stats["verbs"]["snapshot_ui"]["count"]), (200, True, 3))
        total = stats["verbs"]["snapshot_ui"]["micros"]["total"]
        expect(place, "quantiles", 0 < total["p50"] <= total["p95"] <= total["p99"] <= total["max"], True)


def checked_by_promtool(place):
    """Prometheus's own checker has nothing to say of /metrics; of a text without help it has."""
    with ApiServer(place) as server:
        server.json("POST", "/snapshot", {})
        server.json("POST", "/snapshot", {"deviceId": "no\"body\\"})
        text = server.ask("GET", "/metrics")[2]
    done = peers.promtool("check", "metrics", given=text)
    expect(place, "promtool", (done.returncode, done.stdout + done.stderr), (0, b""))
    bad = peers.promtool("check", "metrics", given=re.sub(rb"# HELP clawperator_devices .*\n", b"", text))
    expect(place, "promtool on a text without help", (bad.returncode, b"no help text" in bad.stdout + bad.stderr),
           (3, True))


def documented(place):
    """docs/reference/http.md has every route, and its example runs as it is printed, but for the port."""
    document = DOCUMENT.read_text()
    examples = re.findall(r"^```sh\n(.*?)^```", document, re.MULTILINE | re.DOTALL)
    expect(place, "examples", len(examples), 1)
    with ApiServer(place) as server, contextlib.ExitStack() as stack:
        for route in server.json("GET", "/")[1]["routes"]:
            if route["path"].rsplit("/", 1)[1] not in document:
                raise place.Mismatch(f"docs/reference/http.md does not list {route['path']}")
        if not shutil.which("curl"):
            raise peers.Unavailable("curl is missing (package curl)")
        relay = stack.enter_context(Bearing(server))  # a user who is no root needs no token
        for text in examples:
            text = text.replace("127.0.0.1:3000", f"127.0.0.1:{relay.port}")
            done = subprocess.run(["sh", "-c", text], capture_output=True, text=True, timeout=LIMIT_S, check=False)
            if done.returncode != 0 or "success" not in done.stdout:
                raise place.Mismatch(f"{text}: {done.stdout!r} {done.stderr!r}")


def server_comes_late(place):
    """An adb server that came between two looks, seconds apart by now, is found by the first who asks."""
    port = str(free_port())
    with ApiServer(place, env={"ANDROID_ADB_SERVER_PORT": port}) as server:
        expect_error(place, server.json("GET", "/devices"), 500, "INTERNAL_ERROR", "Failed to list devices")
        time.sleep(9)  # dialled after 0.25, 0.5, 1, 2, 4 s: the next look is at 16
        adb = subprocess.Popen([place.device.adb, "-L", f"tcp:localhost:{port}", "nodaemon", "server"],
                               env=place.device.env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + LIMIT_S
            printed = b""
            while b"connected to" not in printed and time.monotonic() < deadline:
                printed = subprocess.run([place.device.adb, "-P", port, "connect", place.device.serial],
                                         env=place.device.env,
                                         capture_output=True, timeout=LIMIT_S, check=False).stdout
            devices = server.json("GET", "/devices")[1]["devices"]
            expect(place, "devices", [device["serial"] for device in devices], [place.device.serial])
        finally:
            adb.terminate()
            adb.wait(LIMIT_S)


CHECKS = [
    ("serve: server comes late", True, server_comes_late),
    ("serve: routes", False, routes),
    ("serve: bad bodies", False, bad_bodies),
    ("serve: no device there", False, no_device_there),
    ("serve: executes", True, executes),
    ("serve: looks", True, looks),
    ("serve: events", True, events),
    ("serve: stages", True, stages),
    ("serve: unknown members", False, unknown_members),
    ("serve: failed plans", True, failed_plans),
    ("serve: refusals are logged", False, refusals_are_logged),
    ("serve: allowed origins", False, allowed_origins),
    ("serve: crowd", False, crowd),
    ("serve: busy", True, busy),
    ("serve: in line", True, in_line),
    ("serve: leaves the line", True, leaves_the_line),
    ("serve: looks while busy", True, looks_while_busy),
    ("serve: full disk", True, full_disk),
    ("serve: access", False, access),
    ("serve: ends well", True, ends_well),
    ("serve: cannot listen", False, cannot_listen),
    ("serve: emulators", False, emulators),
    ("serve: numbers", True, numbers),
    ("serve: checked by promtool", True, checked_by_promtool),
    ("serve: documented", True, documented),
]
