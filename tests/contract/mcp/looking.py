"""The tools that look: devices, doctor, snapshot, screenshot, wait_for."""
import json
import re

from api_server import ApiServer, expect
from conversation import Conversation, picture_of

SCREEN = (1080, 2400)  # of the simulated phone
MOST_OF_PICTURE = 700 * 1024  # as Base64, which hosts take without cutting it off
TREE_LINE = re.compile(r'(  )*@\d+( [a-z]+| desc)?( ".*")*( #\S+)*( [a-z ]+)?(; @\d+ .+)*')
ADDRESS = re.compile(r"([\w.]+) (\d+)x(\d+)( rotation \d)? hash ([0-9a-f]{12})")


def settings(talk):
    return talk.tool("open_app", package="com.android.settings")


def devices(place):
    with Conversation(place) as talk:
        rows = talk.tool("devices").verdict["devices"]
        expect(place, "those that can be used", talk.tool("devices", ready=True).verdict["devices"],
               [row for row in rows if row["state"] == "device"])
        expect(place, "rows", [(row["device"], row["state"]) for row in rows if row["device"] == place.device.serial],
               [(place.device.serial, "device")])


def no_device_there(place):
    """Without any device the tools say so as results, in the published codes."""
    with Conversation(place) as talk:
        for tool, given in (("devices", {}), ("snapshot", {}), ("tap", {"x": 1, "y": 1}), ("screenshot", {}),
                            ("swipe", {"x1": 1, "y1": 1, "x2": 1, "y2": 9}), ("wait_for", {"selector": {"text": "a"}})):
            talk.refused("ADB_SERVER_FAILED", tool, **given)
        report = talk.call("doctor")
        reply = json.loads(report["content"][0]["text"])
        expect(place, "doctor", (reply["ok"], "host.adb.server" in [each["id"] for each in reply["troubles"]]),
               (False, True))


def doctor(place):
    """What is well is counted, what is not is reported with what to do."""
    with Conversation(place) as talk:
        well = talk.tool("doctor").verdict
        expect(place, "all is well", (well["ok"], well["device"], well["troubles"]), (True, place.device.serial, []))
        expect(place, "checks", well["passed"] > 5, True)
        place.device.simctl("fault", "accessibility-off")
        reply = json.loads(talk.call("doctor")["content"][0]["text"])
        expect(place, "without its service", (reply["ok"], reply["passed"] < well["passed"]), (False, True))
        trouble = reply["troubles"][0]
        expect(place, "a trouble", (trouble["status"], bool(trouble["summary"]), bool(reply["nextActions"])),
               ("fail", True, True))


def snapshots(place):
    """Compact as the guide says, full as XML, a diff against what was shown last or against a hash."""
    with Conversation(place) as talk:
        settings(talk)
        compact = talk.tool("snapshot")
        expect(place, "device", compact.lines[0], f"device {place.device.serial}")
        address = ADDRESS.fullmatch(compact.lines[1])
        expect(place, "head", (address[1], int(address[2]), int(address[3])), ("com.android.settings", *SCREEN))
        strange = [line for line in compact.lines[2:] if line and not TREE_LINE.fullmatch(line)]
        expect(place, "lines", (strange, len(compact.lines) > 10), ([], True))
        refs = [int(line.split()[0][1:]) for line in compact.lines[2:] if line]
        expect(place, "refs rise", (refs[0], refs), (1, sorted(set(refs))))
        full = talk.tool("snapshot", mode="full")
        expect(place, "full", "<hierarchy" in "\n".join(full.lines), True)
        same = talk.tool("snapshot", mode="diff")
        expect(place, "nothing has changed", same.lines[1:], ["unchanged"])
        # The same node says something else afterwards: the diff contains it alone.
        talk.tool("open_url", url="conformance://", observe="none")
        talk.tool("tap", selector={"text": "Form"}, observe="compact")
        form = talk.tool("snapshot")
        talk.tool("tap", selector={"text": "Newsletter"}, observe="none")
        diff = talk.tool("snapshot", since=form.hash)
        changed = [line for line in diff.lines if "Newsletter" in line]
        expect(place, "the diff", (len(changed), len(diff.lines) < len(form.lines)), (1, True))
        expect(place, "what it is now", (changed[0].lstrip()[0], " on" in changed[0]), ("~", True))
        expect(place, "its hash", diff.hash not in (None, form.hash), True)
        unknown = talk.tool("snapshot", mode="diff", since="0123456789ab")
        expect(place, "an unknown hash", (unknown.hash, unknown.lines[0].endswith("since unknown: all of it")),
               (diff.hash, True))


def cuts(place):
    """A tree that is longer than asked is cut between lines, and says how much is left out."""
    with Conversation(place) as talk:
        talk.tool("open_url", url="conformance://big", observe="none")
        for mode, limits in (("compact", (200, 400)), ("full", (200, 1000, 5000))):
            whole = talk.tool("snapshot", mode=mode)
            size = len(whole.result["content"][0]["text"].encode())
            for most in limits:
                cut = talk.tool("snapshot", mode=mode, max_bytes=most)
                *kept, note = cut.lines
                expect(place, f"{mode} of {size} in {most}", kept, whole.lines[:len(kept)])
                text = cut.result["content"][0]["text"].encode()
                expect(place, f"{mode}: {len(text)} bytes", len(text) - len(note.encode()) <= most + 40, True)
                left = [line for line in whole.lines[len(kept):] if line]
                expect(place, "the note", ("max_bytes" in note, re.search(r"\d+", note)[0]), (True, str(len(left))))
            as_it_is = talk.tool("snapshot", mode=mode, max_bytes=size + 200)
            expect(place, "nothing is left out", as_it_is.lines, whole.lines)


def screenshots(place):
    """The numbers first, then the picture, which is as large as they say; nothing that would hide it."""
    with Conversation(place) as talk:
        settings(talk)
        for given, kind, longest in (({}, "image/jpeg", 1280), ({"format": "png"}, "image/png", 1280),
                                     ({"format": "jpeg", "max_side": 400}, "image/jpeg", 400),
                                     ({"format": "png", "max_side": "64"}, "image/png", 64),
                                     ({"max_side": 16384}, "image/jpeg", 2400),
                                     ({"marks": "all", "max_side": 600}, "image/jpeg", 600),
                                     ({"marks": "actionable", "format": "png"}, "image/png", 1280)):
            reply = talk.tool("screenshot", **given)
            expect(place, str(given), [block["type"] for block in reply.result["content"]], ["text", "image"])
            expect(place, "structuredContent", "structuredContent" in reply.result, False)
            mime, width, height = picture_of(reply.result)
            expect(place, f"{given}: as reported", (reply.verdict["width"], reply.verdict["height"]), (width, height))
            expect(place, f"{given}: as asked", (mime, max(width, height)), (kind, longest))
            expect(place, f"{given}: scale", round(reply.verdict["scale"], 6), round(longest / SCREEN[1], 6))
            size = len(reply.result["content"][1]["data"])
            expect(place, f"{given}: {size} bytes", size <= MOST_OF_PICTURE, True)
            if "marks" in given:
                expect(place, "its tree", talk.tool("snapshot").hash, reply.verdict["hash"])
        plain, marked = (talk.call("screenshot", **given)["content"][1]["data"] for given in ({}, {"marks": "all"}))
        expect(place, "marks are drawn", plain == marked, False)
        # A ref that a marked picture shows is one that can be tapped.
        hash_ = talk.tool("screenshot", marks="all").verdict["hash"]
        ref = talk.tool("snapshot").ref('"Network & internet"')
        expect(place, "a marked ref", "Internet" in str(talk.tool("tap", ref=f"{hash_}{ref}").lines), True)
        place.device.simctl("fault", "secure-window")
        reply = talk.tool("screenshot", max_side=64)
        expect(place, "a black picture is said to be black, as the command does", "black" in json.dumps(reply.verdict),
               True)
        place.device.simctl("clear", "secure-window")
        place.device.simctl("fault", "screencap-fails")
        talk.refused("SCREENSHOT_CAPTURE_FAILED", "screenshot")


def waits(place):
    """For a node that comes, one that goes, an app; and for what never comes."""
    with Conversation(place) as talk:
        later = lambda: talk.tool("open_url", url="conformance://", observe="none") and talk.tool(
            "tap", selector={"text": "Later"}, observe="none")
        later()
        reply = talk.tool("wait_for", selector={"text": "Here I am"}, timeout_ms=20000)
        expect(place, "it is there", any("Here I am" in line for line in reply.lines), True)
        later()
        reply = talk.tool("wait_for", selector={"text_contains": "Loading"}, gone=True, timeout_ms=20000)
        expect(place, "it is gone",
               (reply.verdict["gone"], any("Loading" in line and "- " not in line for line in reply.lines)),
               (True, False))
        for limit in (5000, 30000):  # which is the most
            reply = talk.tool("wait_for", package="com.clawperator.conformance", timeout_ms=limit, observe="compact")
            expect(place, "the app", reply.lines[0].split()[0], "com.clawperator.conformance")
        reply = talk.refused("NODE_NOT_FOUND", "wait_for", selector={"text": "here  i am"}, timeout_ms=300)
        near = [re.sub("^[0-9a-f]{12}@[0-9]+ ", "", line).split(" #")[0] for line in reply["near"]]
        expect(place, "near", near, ['"Here I am"'])
        reply = talk.refused("NODE_NOT_FOUND", "wait_for", selector={"text": "Quite another thing"}, timeout_ms=300)
        expect(place, "nothing near", (reply["near"], reply["foreground"]), ([], "com.clawperator.conformance"))
        talk.refused("NAVIGATION_TIMEOUT", "wait_for", package="com.android.chrome", timeout_ms=300)
        stays = talk.call("wait_for", selector={"text": "Here I am"}, gone=True, timeout_ms=400)
        reply = json.loads(stays["content"][0]["text"])
        expect(place, "it stays", (stays["isError"], reply["ok"], "not gone after 400 ms" in reply["message"]),
               (True, False, True))


def waits_as_long_as_asked(place):
    """The plan that waits on the phone has no less time than the wait itself."""
    with ApiServer(place) as server:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        for limit in (1000, 30000):
            server.json("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": "wait_for", "arguments": {"selector": {"text": "Settings"}, "timeout_ms": limit}}})
            expect(place, "its result", reader.next()[0], "clawperator:result")
            name, reply, _ = reader.next()
            plan = reply["input"]
            expect(place, f"{limit}: the plan's time {plan['timeoutMs']}", (name, plan["timeoutMs"] >= limit),
                   ("clawperator:execution", True))
        reader.close()


CHECKS = [
    ("mcp: devices", True, devices),
    ("mcp: no device there", False, no_device_there),
    ("mcp: doctor", True, doctor),
    ("mcp: snapshots", True, snapshots),
    ("mcp: cuts", True, cuts),
    ("mcp: screenshots", True, screenshots),
    ("mcp: waits", True, waits),
    ("mcp: waits as long as asked", True, waits_as_long_as_asked),
]
