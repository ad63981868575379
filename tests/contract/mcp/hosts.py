"""What real hosts send for what a model says has the answer of what was meant."""
import json

from api_server import ApiServer, expect
from conversation import Conversation
from host_calls import SENT, plain

SETTINGS = "com.android.settings"


def answer(place, tool, arguments):
    """From the same screen, which a new client has read."""
    with Conversation(place) as talk:
        talk.tool("close_app", package=SETTINGS, observe="none")
        talk.tool("open_app", package=SETTINGS, observe="none")
        talk.tool("wait_for", selector={"text": "Network & internet"}, observe="compact")
        return plain(talk.call(tool, **arguments))


def calls(place):
    for case in SENT["calls"]:
        meant = answer(place, case["tool"], case["meant"])
        expect(place, f"{case['source']}: what is meant", meant[0], False)
        expect(place, f"{case['source']}: {case['tool']}", answer(place, case["tool"], case["sent"]), meant)


def messages(place):
    with Conversation(place) as talk, ApiServer(place) as server:
        for case in SENT["messages"]:
            lines = []
            for text in (case["meant"], case["sent"]):
                talk.write(text.encode() + b"\n")
                lines.append(talk.line())
            expect(place, case["source"], lines[1], lines[0])
            expect(place, f"{case['source']}: a result", "result" in json.loads(lines[0]), True)
            kind = {"Content-Type": "application/json"}
            meant, sent = (server.ask("POST", "/mcp", case[which], kind) for which in ("meant", "sent"))
            expect(place, f"{case['source']} by HTTP", (sent[0], sent[2]), (200, meant[2]))


def refs(place):
    """0,0 beside a ref is no point, and neither is it one that is tapped."""
    with Conversation(place) as talk:
        talk.tool("close_app", package=SETTINGS, observe="none")
        talk.tool("open_app", package=SETTINGS, observe="none")
        home = talk.tool("wait_for", selector={"text": "Network & internet"}, observe="compact")
        reply = talk.tool("tap", ref=home.ref('"Network & internet"'), x=0, y=0, selector={}, nth=0)
        expect(place, "the page behind it", "AndroidWifi" in "\n".join(reply.lines), True)
        talk.refused("USAGE", "tap", ref="@1", x=0, y=5)


def nothing_given(place):
    """What was filled in is not what was given: required arguments are still missing, and unknown ones unknown."""
    with Conversation(place) as talk:
        for tool, given, part in (("tap", {"ref": "", "selector": {"text": None}, "device": ""}, "ref"),
                                  ("wait_for", {"selector": "", "package": ""}, "selector"),
                                  ("execute", {"actions": [], "handle": ""}, "actions"),
                                  ("execute", {"actions": "[]"}, "actions"), ("press_key", {"key": None}, "key"),
                                  ("tap", {"selector": "Apps"}, "selector"), ("tap", {"selector": "[1]"}, "selector"),
                                  ("execute", {"actions": "{}", "x": 1}, "'x'"),
                                  ("execute", {"actions": "{\"id\":1}"}, "actions"), ("tap", {"nosuch": 0}, "nosuch")):
            reply = talk.refused("USAGE", tool, **given)
            expect(place, f"{tool} {given}: {reply['message']}", part in reply["message"], True)
        talk.refused("EXECUTION_VALIDATION_FAILED", "close_app", package="")
        expect(place, "nothing reached the phone", place.device.counters().get("broadcast", 0), 0)


CHECKS = [
    ("mcp: calls of hosts", True, calls),
    ("mcp: messages of hosts", True, messages),
    ("mcp: no point beside a ref", True, refs),
    ("mcp: nothing given", True, nothing_given),
]
