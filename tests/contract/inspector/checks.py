"""What `serve` has for a page that shows the phone; the page itself is looked at by tests/web."""
import contextlib
import gzip
import json
import pathlib
import re

from api_server import ApiServer, expect, expect_error
from own_phone import own_phone

DIST = pathlib.Path(__file__).resolve().parents[3] / "web" / "dist"
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SETTINGS = {"commandId": "open", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000,
            "actions": [{"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}}]}


def page(place):
    """A browser gets the page, without the token and with a policy; a program gets the list of routes."""
    with ApiServer(place, "--require-token") as server:
        server.token = None
        status, headers, body = server.ask("GET", "/", headers=HTML)
        expect(place, "html", (status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        policy = headers["Content-Security-Policy"]
        expect(place, "policy", ("default-src 'none'" in policy, "unsafe" in policy), (True, False))
        if re.search(rb"<script(?![^>]* src=)|style=|https?://", body):
            raise place.Mismatch(f"the page has a script or style of its own, or another server: {body[:500]!r}")
        for path, kind in (("/ui/app.js", "text/javascript; charset=utf-8"), ("/ui/app.css", "text/css; charset=utf-8"),
                           ("/ui/icon.svg", "image/svg+xml")):
            if path.encode() not in body:
                raise place.Mismatch(f"the page does not name {path}")
            status, headers, body_of_file = server.ask("GET", path)
            expect(place, path, (status, headers["Content-Type"], len(body_of_file) > 40), (200, kind, True))
            if headers.get("Content-Encoding") == "gzip":
                body_of_file = gzip.decompress(body_of_file)
            expect(place, path, body_of_file == (DIST / path.rpartition("/")[2]).read_bytes(), True)
            status, _, again = server.ask("GET", path, headers={"If-None-Match": headers["ETag"]})
            expect(place, "known already", (status, again), (304, b""))
        expect_error(place, server.json("GET", "/ui/other.js"), 401, "UNAUTHORIZED")
        expect_error(place, server.json("GET", "/"), 401, "UNAUTHORIZED")
        expect_error(place, server.json("GET", "/devices"), 401, "UNAUTHORIZED")


def device_facts(place):
    """What one phone reports of itself, and which command has it."""
    with own_phone(place, "--operator-version", "0.12.5") as phone, ApiServer(place) as server:
        place.run("connect", phone.serial)
        status, facts = server.json("GET", f"/devices/{phone.serial}")
        expect(place, "facts", (status, facts["deviceId"], facts["device"]["transport"]), (200, phone.serial, "tcp"))
        expect(place, "the phone", (facts["android"], facts["operator"], facts["busy"]),
               ({"release": "14", "sdk": 34}, {"package": "com.clawperator.operator", "version": "0.12.5"}, None))
        expect(place, "its battery", sorted(facts["battery"]), ["percent", "status"])
        nap = {**SETTINGS, "commandId": "nap",
               "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 3000}}]}
        long = server.in_background("POST", "/execute", {"execution": nap, "deviceId": phone.serial})
        while (busy := server.json("GET", f"/devices/{phone.serial}")[1]["busy"]) is None:
            pass
        expect(place, "busy", (busy["commandId"], busy["since"] > 0), ("nap", True))
        long.join()
        stats = server.json("GET", f"/devices/{phone.serial}/stats")
        expect(place, "its times", (stats[0], "sleep" in str(stats[1]["verbs"])), (200, True))
        expect(place, "idle", server.json("GET", f"/devices/{phone.serial}")[1]["busy"], None)
        expect_error(place, server.json("GET", "/devices/absent"), 404, "DEVICE_NOT_FOUND")
    with own_phone(place, "--operator", "none") as phone, ApiServer(place) as server:
        place.run("connect", phone.serial)
        expect(place, "no app", server.json("GET", f"/devices/{phone.serial}")[1]["operator"], None)


def by_tls(place):
    """A phone that requires TLS; its key is known to it."""
    with own_phone(place, "--auth", "tls") as stranger:
        place.run("connect", stranger.serial)  # makes the key
    key = next(place.sandbox.rglob("adbkey.pub"))
    with own_phone(place, "--auth", "tls", "--authorised", str(key)) as phone, ApiServer(place) as server:
        place.run("connect", phone.serial)
        server.json("GET", f"/devices/{phone.serial}")  # waits for the link
        rows = server.json("GET", "/devices")[1]["devices"]
        row = next(row for row in rows if row["serial"] == phone.serial)
        expect(place, "by TLS", (row["transport"], row.get("tls")), ("tcp", True))


def plugged(place):
    """A phone that comes or goes is an event."""
    with ApiServer(place) as server, contextlib.closing(server.events()) as reader:
        reader.skips_devices = False

        def until(serial, there):
            while True:
                name, event, _ = reader.next()
                if name == "clawperator:devices" and there == (serial in [row["serial"] for row in event["devices"]]):
                    return event

        with own_phone(place) as phone:
            place.run("connect", phone.serial)
            rows = until(phone.serial, True)["devices"]
            while next(row for row in rows if row["serial"] == phone.serial)["state"] != "device":
                rows = until(phone.serial, True)["devices"]
            row = next(row for row in rows if row["serial"] == phone.serial)
            expect(place, "its row", (row["transport"], row["model"]), ("tcp", "Simdroid"))
            place.run("disconnect", phone.serial)
            until(phone.serial, False)


def pictures(place):
    """Scaled, known already, and without an event."""
    with ApiServer(place) as server, contextlib.closing(server.events(query="?stages=true")) as reader:
        reader.next()
        path = f"/devices/{place.device.serial}/screenshot.png"
        status, headers, whole = server.ask("GET", path + "?events=false")
        expect(place, "whole", (status, int.from_bytes(whole[20:24], "big")), (200, 2400))
        status, _, body = server.ask("GET", path + "?events=false", headers={"If-None-Match": headers["ETag"]})
        expect(place, "unchanged", (status, body), (304, b""))
        status, scaled, small = server.ask("GET", path + "?maxSide=600&events=false")
        expect(place, "scaled", (status, int.from_bytes(small[16:20], "big"), int.from_bytes(small[20:24], "big")),
               (200, 270, 600))
        expect(place, "the screen", (headers.get("X-Screen-Size"), scaled["X-Screen-Size"]), (None, "1080x2400"))
        expect(place, "another picture", scaled["ETag"] != headers["ETag"], True)
        for query in ("maxSide=63", "maxSide=x", "maxSide=16385", "events=maybe", "width=3"):
            expect_error(place, server.json("GET", f"{path}?{query}"), 400, "INVALID_QUERY")
        for query in ("", "?events=false"):
            answer = server.json("GET", f"/devices/absent/screenshot.png{query}")
            expect_error(place, answer, 404, "DEVICE_NOT_FOUND")
            expect(place, f"who was named{query}", answer[1].get("deviceId"), "absent")
            if not query:
                expect(place, "it is an event", reader.next()[1]["deviceId"], "absent")
        server.json("POST", "/execute", {"execution": SETTINGS})
        expect(place, "the first event", reader.next()[1].get("commandId"), "open")


def selectors(place):
    """The selectors of a node, the best first, each of which finds it."""
    with ApiServer(place) as server:
        server.json("POST", "/execute", {"execution": SETTINGS})
        path = f"/devices/{place.device.serial}/snapshot?format=nodes"
        _, headers, body = server.ask("GET", path)
        shown = headers["X-Tree-Hash"]
        nodes = json.loads(body)["nodes"]
        node = next(node for node in nodes if node.get("text") == "Network & internet")
        status, answer = server.json("GET", f"/snapshots/{shown}/selectors?ref={node['ref']}")
        found = answer["candidates"]
        expect(place, "by text", (status, found[0]), (200, {"matcher": {"textEquals": "Network & internet"},
                                                            "matches": 1, "nth": 1}))
        several = next(each for each in found if each["matcher"] == {"resourceId": "android:id/title"})
        titles = [each["ref"] for each in nodes if each.get("id") == "android:id/title"]
        expect(place, "by id", (several["matches"], titles[several["nth"] - 1]), (len(titles), node["ref"]))
        expect(place, "unique ones first", [each["matches"] == 1 for each in found],
               sorted((each["matches"] == 1 for each in found), reverse=True))
        for each in found:
            action = {"id": "r", "type": "read_text", "params": {"matcher": each["matcher"]}}
            if each["matches"] == 1:
                answer = server.json("POST", "/execute", {"execution": {**SETTINGS, "actions": [action]}})[1]
                expect(place, f"{each}", answer["envelope"]["stepResults"][0]["data"]["text"], node["text"])
        for bad, code in ((f"{shown}/selectors", "INVALID_QUERY"), ("zz/selectors?ref=@1", "INVALID_QUERY"),
                          (f"{shown}/selectors?ref=1", "USAGE")):
            expect_error(place, server.json("GET", f"/snapshots/{bad}"), 400, code)
        for gone in (f"{shown}/selectors?ref=@9999", "0123456789ab/selectors?ref=@1"):
            status, answer = server.json("GET", f"/snapshots/{gone}")
            expect(place, gone, answer["error"]["code"], "STALE_REF")


def changes(place):
    """What differs between two snapshots that were shown, without a look at the phone."""
    with ApiServer(place) as server:
        path = f"/devices/{place.device.serial}/snapshot?format=nodes"
        server.json("POST", "/execute", {"execution": SETTINGS})
        before = server.ask("GET", path)[1]["X-Tree-Hash"]
        expect(place, "unchanged", server.json("GET", f"/snapshots/{before}/changes?since={before}")[1],
               {"ok": True, "unchanged": True, "text": "unchanged", "added": [], "changed": [], "removed": []})
        tap = {"id": "c", "type": "click", "params": {"matcher": {"textEquals": "Network & internet"}}}
        answer = server.json("POST", "/execute", {"execution": {**SETTINGS, "actions": [tap]}, "observe": "nodes"})[1]
        look = answer["envelope"]["stepResults"][-1]["data"]
        after, nodes = look["tree_hash"], json.loads(look["text"])["nodes"]
        status, diff = server.json("GET", f"/snapshots/{after}/changes?since={before}")
        expect(place, "changed", (status, diff["unchanged"], diff["text"].startswith(f"since {before}")),
               (200, False, True))
        wifi = next(node["ref"] for node in nodes if node.get("text") == "AndroidWifi")
        expect(place, "new", wifi in diff["added"], True)
        expect(place, "refs", set(diff["added"] + diff["changed"]) <= {node["ref"] for node in nodes}, True)
        status, answer = server.json("GET", f"/snapshots/{after}/changes?since=0123456789ab")
        expect(place, "not held", answer["error"]["code"], "STALE_REF")
        expect_error(place, server.json("GET", f"/snapshots/{after}/changes"), 400, "INVALID_QUERY")


def gives_way(place):
    """A page that reads the tree makes no command fail; any other reading does, as published."""
    with own_phone(place, "--profile", "phone", "--operator-version", "0.12.5") as phone, ApiServer(place) as server:
        place.run("connect", phone.serial)
        path = f"/devices/{phone.serial}"
        for query, status in (("&giveWay=true", 200), ("", 423)):
            reading = server.in_background("GET", f"{path}/snapshot?backend=shell&format=nodes{query}")
            while server.json("GET", path)[1]["busy"] is None:
                pass
            command = {**SETTINGS, "commandId": f"command{status}"}
            expect(place, query, server.json("POST", "/execute", {"execution": command})[0], status)
            reading.join()
        expect_error(place, server.json("GET", f"{path}/snapshot?giveWay=maybe"), 400, "INVALID_QUERY")


def sessions_of_pages(place):
    """What installs programs or stores keys needs a session from a page; from a program it does not."""
    with ApiServer(place, "--require-token") as server:
        own = {"Origin": f"http://127.0.0.1:{server.port}"}
        update = {"skillKey": "weather", "enabled": True}
        for path, body in (("/agent-skills/update", update),
                           ("/agent-skills/install", {"name": "none", "installId": "x"})):
            expect_error(place, server.json("POST", path, body, own), 403, "SESSION_REQUIRED")
        for _ in range(12):
            expect_error(place, server.json("POST", "/session", {"token": ""}), 401, "UNAUTHORIZED")
        expect(place, "a program", server.json("POST", "/agent-skills/update", update)[0], 200)
        token, server.token = server.token, None
        expect_error(place, server.json("POST", "/agent-skills/update", update, own), 401, "UNAUTHORIZED")
        status, headers, _ = server.ask("POST", "/session", {"token": token}, own)
        cookie = {**own, "Cookie": headers["Set-Cookie"].split(";")[0]}
        expect(place, "with a session", (status, server.json("POST", "/agent-skills/update", update, cookie)[0]),
               (200, 200))
        other = {**cookie, "Origin": "http://localhost:1"}
        expect_error(place, server.json("POST", "/agent-skills/update", update, other), 403, "FORBIDDEN_ORIGIN")
        server.ask("DELETE", "/session", headers=cookie)
        expect_error(place, server.json("POST", "/agent-skills/update", update, cookie), 401, "UNAUTHORIZED")


def prompt(place):
    """The prompt of the agent skills is what the command prints."""
    with ApiServer(place) as server:
        status, answer = server.json("GET", "/agent-skills/prompt")
        printed = json.loads(place.run("agent-skills", "prompt").stdout)
        expect(place, "prompt", (status, answer["prompt"]), (200, printed["prompt"]))


CHECKS = [
    ("inspector: page", False, page),
    ("inspector: device facts", False, device_facts),
    ("inspector: by TLS", False, by_tls),
    ("inspector: plugged", False, plugged),
    ("inspector: pictures", True, pictures),
    ("inspector: selectors", True, selectors),
    ("inspector: changes", True, changes),
    ("inspector: gives way", False, gives_way),
    ("inspector: sessions of pages", False, sessions_of_pages),
    ("inspector: prompt", False, prompt),
]
