"""Waits of `wait_for` that the host decides: several conditions, texts in nodes, a still screen, the keyboard."""
import json

from api_server import ApiServer, expect, wait_for_count
from conversation import Conversation

CONFORMANCE = "com.clawperator.conformance"
LONG_MS = 30000


def node(**selector):
    return {"selector": selector}


def open_form(talk):
    talk.tool("open_url", url="conformance://", observe="none")
    return talk.tool("tap", selector={"text": "Form"}, observe="none")


def open_later(talk):
    talk.tool("open_url", url="conformance://", observe="none")
    return talk.tool("tap", selector={"text": "Later"}, observe="none")


def several(place):
    """Any of them, all of them, and which ones hold."""
    with Conversation(place) as talk:
        open_later(talk)
        wishes = [node(text="No such text"), node(text="Here I am"), {**node(text="Loading..."), "gone": True}]
        reply = talk.tool("wait_for", any=wishes[:2], timeout_ms=LONG_MS)
        expect(place, "any", (reply.verdict["met"], "Here I am" in str(reply.lines)), ([1], True))
        open_later(talk)
        reply = talk.tool("wait_for", all=[*wishes[1:], {"package": CONFORMANCE}, {"keyboard": "hidden"},
                                           {"still": True}], timeout_ms=LONG_MS, observe="none")
        expect(place, "all", reply.verdict, {"ok": True, "met": [0, 1, 2, 3, 4]})
        reply = talk.tool("wait_for", any=[node(text="Here I am"), {"package": "com.android.chrome"}, wishes[2]],
                          observe="none")
        expect(place, "at once", reply.verdict["met"], [0, 2])


def texts(place):
    """A text of the node, or of one below it, as it is now; the short id is one of the screen as it is now."""
    with Conversation(place) as talk:
        open_later(talk)
        row = {**node(role="listitem"), "contains": "two seconds"}
        reply = talk.tool("wait_for", any=[row], timeout_ms=LONG_MS, observe="none")
        expect(place, "of a node below it", reply.verdict["met"], [0])
        open_form(talk)
        title = lambda text, **more: {**node(id="form_title"), "contains": text, **more}
        wishes = [title("Fo"), title("fo"), title("Nothing", gone=True), title("Fo", gone=True)]
        reply = talk.tool("wait_for", any=wishes, observe="none")
        expect(place, "of its own", reply.verdict["met"], [0, 2])


def keyboard(place):
    """As the phone reports it: the app's tree has the window in front alone."""
    for words in ((), ("--backend", "shell")):
        with Conversation(place, *words) as talk:
            open_form(talk)
            place.device.simctl("after", "now", "500", "simctl", "keyboard", "on")
            reply = talk.tool("wait_for", any=[{"package": "com.android.chrome"}, {"keyboard": "shown"}],
                              timeout_ms=LONG_MS, observe="none")
            expect(place, "shown", reply.verdict["met"], [1])
            place.device.simctl("keyboard", "off")
            reply = talk.tool("wait_for", all=[{"keyboard": "hidden"}], observe="none")
            expect(place, "hidden", reply.verdict["met"], [0])


def in_vain(place):
    """What holds, what does not, and what the screen has instead; its refs can be used."""
    with Conversation(place) as talk:
        open_form(talk)
        wishes = [node(text="submit"), {"package": CONFORMANCE}, node(text="disabled"),
                  {**node(text="Form"), "gone": True}]
        reply = talk.refused("COMMAND_TIMEOUT", "wait_for", all=wishes, timeout_ms=400)
        near = [line.split(" ", 1)[1].split(" #")[0] for line in reply["near"]]
        expect(place, "all", (reply["message"], reply["met"], reply["unmet"], reply["foreground"], near),
               ("not every condition holds after 400 ms", [1], [0, 2, 3], CONFORMANCE,
                ['button "Submit"', 'button "Disabled"']))
        sent = talk.tool("tap", ref=reply["near"][0].split()[0])
        expect(place, "a ref of it", "Form sent" in str(sent.lines), True)
        reply = talk.refused("COMMAND_TIMEOUT", "wait_for", any=[{"package": "com.android.chrome"}], timeout_ms=400)
        expect(place, "one", (reply["message"], reply["unmet"], reply["near"]),
               ("no condition holds after 400 ms", [0], []))


def last_look(place):
    """What is so at the end of the time is seen: the last look is not before."""
    with Conversation(place) as talk:
        open_form(talk)
        before = place.device.counters()["broadcast"]
        talk.refused("COMMAND_TIMEOUT", "wait_for", any=[node(text="No such")], timeout_ms=100)
        looks = place.device.counters()["broadcast"] - before
        expect(place, "looks in half of the time between two", looks, 2)


def free_phone(place):
    """Another command acts between two looks, and a cancelled call looks no more."""
    with Conversation(place) as talk:
        open_form(talk)
        before = place.device.counters()["broadcast"]
        talk.send({"id": "w", "method": "tools/call", "params": {"name": "wait_for", "arguments": {
            "any": [node(text="Form sent")], "timeout_ms": LONG_MS}}})
        wait_for_count(place, count=before + 2)
        done = place.run("click", "--text", "Submit", "--wait", "10000")
        expect(place, "another command", done.returncode, 0)
        reply = json.loads(talk.message()["result"]["content"][0]["text"].split("\n")[0])
        expect(place, "it sees what that did", reply["met"], [0])
        talk.send({"id": "v", "method": "tools/call", "params": {"name": "wait_for", "arguments": {
            "any": [node(text="No such")], "timeout_ms": LONG_MS}}},
            {"method": "notifications/cancelled", "params": {"requestId": "v"}}, {"id": "p", "method": "ping"})
        expect(place, "the next", talk.message()["id"], "p")
        expect(place, "nothing afterwards", talk.end(), ([], 0, b""))


def as_hosts_send_them(place):
    """Texts where objects belong, and what a model has left out."""
    with Conversation(place) as talk:
        open_form(talk)
        filled = {"selector": json.dumps({"text": "Nothing", "id": ""}), "gone": "true", "contains": "", "package": "",
                  "keyboard": "", "still": False}
        reply = talk.tool("wait_for", any=json.dumps([filled, {}]), all=[], selector={}, gone=False, observe="none")
        expect(place, "it is meant", reply.verdict, {"ok": True, "met": [0]})


def refused(place):
    with Conversation(place) as talk:
        for given, words in (
                ({"any": [{}]}, "an array of 1 to 16"), ({"any": [7]}, "any[0] must be an object"),
                ({"any": [node(text="a")], "all": [node(text="a")]}, "any or all"),
                ({"any": [node(text="a")], "package": "a.b"}, "any or all"),
                ({"any": [node(text="a")], "gone": True}, "any or all"),
                ({"all": [node(text="a"), {"toast": "x"}]}, "all[1].toast is none of"),
                ({"any": [{**node(text="a"), "package": "a.b"}]}, "any[0] needs one of"),
                ({"any": [{"gone": True}]}, "any[0] needs one of"),
                ({"any": [{"package": "a.b", "gone": True}]}, "which need a selector"),
                ({"any": [{"keyboard": "up"}]}, "any[0].keyboard is none of"),
                ({"any": [node(colour="red")]}, "any[0].selector.colour is not one of id"),
                ({"any": [{"selector": "Form"}]}, "any[0].selector must be an object"),
                ({"any": [node(text="a")] * 17}, "an array of 1 to 16"), ({"any": {"selector": {}, "x": 1}}, "array")):
            reply = talk.refused("USAGE", "wait_for", **given)
            expect(place, f"{given}: {reply['message']}", words in reply["message"], True)


def by_http(place):
    with ApiServer(place) as server:
        reply = server.json("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "wait_for", "arguments": {"all": [{"still": True}], "observe": "none"}}})
        expect(place, "/mcp", (reply[0], json.loads(reply[1]["result"]["content"][0]["text"])),
               (200, {"ok": True, "device": place.device.serial, "met": [0]}))


CHECKS = [
    ("mcp: waits for several conditions", True, several),
    ("mcp: waits for texts in nodes", True, texts),
    ("mcp: waits for the keyboard", True, keyboard),
    ("mcp: waits for several in vain", True, in_vain),
    ("mcp: waits to the end of the time", True, last_look),
    ("mcp: waits with a free phone", True, free_phone),
    ("mcp: conditions as hosts send them", True, as_hosts_send_them),
    ("mcp: conditions that are refused", False, refused),
    ("mcp: waits for conditions over HTTP", True, by_http),
]
