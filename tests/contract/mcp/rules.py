"""What holds for every tool: one node alone is acted on, the backend that is named is obeyed, a device that is given up
is free, words that the app does not know go nowhere."""
import json
import time

from api_server import ApiServer, expect, expect_error, wait_for_count
from conversation import Conversation
from life import cancel
from own_phone import own_phone

SETTINGS = "com.android.settings"
SUMMARY = {"text": "Summary"}  # which the feed has several of


def feed(talk):
    talk.tool("open_url", url="conformance://", observe="none")
    return talk.tool("tap", selector={"text": "Feed"}, observe="compact")


def refuses_several(place, talk, what):
    seen = feed(talk)
    count = sum(1 for line in seen.lines if '"Summary"' in line)
    for tool, more in (("tap", {}), ("long_press", {}), ("tap", {"observe": "none"})):
        reply = talk.refused("NODE_AMBIGUOUS", tool, selector=SUMMARY, **more)
        expect(place, f"{what}: {tool}", (reply["matches"], len(reply["candidates"]), "nth" in reply["hint"]),
               (count, count, True))
        lines = [line.split(" ", 1)[1] for line in reply["candidates"]]
        expect(place, f"{what}: each candidate has its place", len(set(lines)), count)
    expect(place, f"{what}: the screen is as it was", talk.tool("snapshot").hash, seen.hash)
    plan = [{"id": "c", "type": "click", "params": {"matcher": {"textEquals": "Summary"}}}]
    reply = talk.refused("NODE_AMBIGUOUS", "execute", actions=plan) if what == "an old app" else \
        json.loads(talk.call("execute", actions=plan)["content"][0]["text"])
    expect(place, f"{what}: a plan of one step", (reply["code"], reply["matches"]), ("NODE_AMBIGUOUS", count))
    expect(place, f"{what}: the screen is still as it was", talk.tool("snapshot").hash, seen.hash)
    ref = reply["candidates"][1].split()[0]
    expect(place, f"{what}: a candidate's ref acts", talk.tool("tap", ref=ref).verdict["ok"], True)
    feed(talk)
    expect(place, f"{what}: nth acts", talk.tool("tap", selector=SUMMARY, nth=2).verdict["matches"], count)


def several(place):
    """An app from 0.10 on says it itself, of an older one a look does; the phone's shell counts what it sees."""
    with Conversation(place) as talk:
        refuses_several(place, talk, "an old app")
    with own_phone(place, "--operator", "0.12.5") as phone:
        with Conversation(place, "--device", phone.serial, "--transport", "tcp") as talk:
            talk.tool("open_app", package=SETTINGS, observe="compact")
            before = phone.counter("broadcast")
            talk.tool("tap", selector={"text": "Network & internet"})
            expect(place, "one that is alone costs no look", phone.counter("broadcast") - before, 1)
            before = phone.counter("broadcast")
            talk.refused("NODE_AMBIGUOUS", "tap", selector={"id": "android:id/title"})
            expect(place, "nor does one that is not", phone.counter("broadcast") - before, 1)
            refuses_several(place, talk, "a new app")
    with Conversation(place, "--backend", "shell") as talk:
        seen = feed(talk)
        taps = place.device.counters().get("input.tap", 0)
        reply = talk.refused("NODE_AMBIGUOUS", "tap", selector=SUMMARY)
        expect(place, "the shell", (reply["matches"] > 1, place.device.counters().get("input.tap", 0)), (True, taps))
        expect(place, "its screen", talk.tool("snapshot").hash, seen.hash)


def strict_plans(place):
    """`strict` refuses by the command line, too, and goes to no app that would ignore it."""
    plan = json.dumps({"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
                       "timeoutMs": 30000, "actions": [
                           {"id": "o", "type": "open_app", "params": {"applicationId": SETTINGS}},
                           {"id": "w", "type": "wait_for_navigation",
                            "params": {"expectedPackage": SETTINGS, "timeoutMs": 9000}},
                           {"id": "c", "type": "click",
                            "params": {"matcher": {"resourceId": "android:id/title"}, "strict": True}}]})
    with own_phone(place, "--operator", "0.12.5") as phone:
        status, reply, _ = phone.ask("exec", plan)
        expect(place, "by a new app", (status, reply["envelope"]["errorCode"]), (1, "NODE_AMBIGUOUS"))
        seen = phone.ask("snapshot")[1]["envelope"]["stepResults"][0]["data"]["text"]
        once = ("--patience", "0")
        for words in (("click", *once), ("read", *once), ("type", "x", *once), ("scroll-until", "--click")):
            status, reply, _ = phone.ask(*words, "--id", "android:id/title", "--strict")
            expect(place, f"{words} of a new app",
                   (status, reply["envelope"]["errorCode"], reply["matches"] > 1, len(reply["candidates"])),
                   (1, "NODE_AMBIGUOUS", True, 10))
        expect(place, "nothing was done", phone.ask("snapshot")[1]["envelope"]["stepResults"][0]["data"]["text"], seen)
    before = place.device.counters().get("broadcast", 0)
    done = place.run("exec", plan)
    reply = json.loads(done.stdout)
    expect(place, "by an old one", (done.returncode, reply["code"], reply["details"]["feature"]),
           (1, "OPERATOR_FEATURE_MISSING", "strict"))
    expect(place, "nothing was sent", place.device.counters().get("broadcast", 0), before)
    reply = json.loads(place.run("exec", plan, "--backend", "shell").stdout)
    expect(place, "by the shell", reply["envelope"]["errorCode"], "NODE_AMBIGUOUS")


def backends(place):
    """A backend that is named is obeyed, else what needs no app does without; each answer says by whom."""
    opens = {"package": SETTINGS, "observe": "none"}
    with Conversation(place, "--backend", "app") as talk:
        before = place.device.counters().get("broadcast", 0)
        expect(place, "the app", talk.tool("open_app", **opens).verdict.get("backend"), None)
        expect(place, "its broadcast", place.device.counters().get("broadcast", 0) - before, 1)
    with Conversation(place) as talk:
        before = place.device.counters().get("broadcast", 0)
        expect(place, "by itself", talk.tool("open_app", **opens).verdict.get("backend"), "shell")
        expect(place, "no broadcast", place.device.counters().get("broadcast", 0), before)
    for options, backend in (((), "shell"), (("--backend", "app"), None)):
        with ApiServer(place, *options) as server:
            status, answer = server.json("POST", "/screenshot", {})
            expect(place, f"a picture: {options}", (status, answer.get("backend")), (200, backend))


def default_device(place):
    """[A12] The device that calls are for is the first of the list, whether it is there or not."""
    with Conversation(place, "--device", place.device.serial) as talk:
        row = talk.tool("devices").verdict["devices"][0]
        expect(place, "there", (row["device"], row["state"], row["default"]), (place.device.serial, "device", True))
    with Conversation(place, "--device", "missing") as talk:
        first, *others = talk.tool("devices").verdict["devices"]
        expect(place, "away", first, {"device": "missing", "state": "absent", "default": True})
        expect(place, "the others", [row for row in others if "default" in row], [])


def waits_in_parts(place):
    """A wait that is given up leaves the phone free within its part; what it waits for is still found late."""
    with Conversation(place) as talk:
        talk.greet()
        talk.tool("open_app", package=SETTINGS)
        before = place.device.counters()["broadcast"]
        talk.send({"id": "w", "method": "tools/call", "params": {"name": "wait_for", "arguments": {
            "selector": {"text": "No such text"}, "timeout_ms": 30000}}})
        wait_for_count(place, count=before + 2)  # parts: the second has begun
        talk.send(cancel("w"))
        talk.tool("press_key", key="back", observe="none")
        talk.tool("snapshot")
        later = place.device.counters()["broadcast"] - before - 2
        expect(place, f"{later} broadcasts later, of which the key and the look are two", later <= 3, True)
        reply = talk.refused("NODE_NOT_FOUND", "wait_for", selector={"text": "No such text"}, timeout_ms=1200)
        expect(place, "the whole time is reported", "1200 ms" in reply["message"], True)


def holder(place):
    """[A13] Who is refused learns which command has the phone, and since when."""
    with ApiServer(place) as server:
        long = server.in_background("POST", "/execute", {"execution": plan_of("long", 2500)})
        wait_for_count(place)
        answer = server.json("POST", "/execute", {"execution": plan_of("other", 10)})
        expect_error(place, answer, 423, "EXECUTION_CONFLICT_IN_FLIGHT")
        details = answer[1]["error"]["details"]
        expect(place, "in this process", (details["commandId"], 0 < time.time() * 1000 - details["since"] < 600_000),
               ("long", True))
        done = json.loads(place.run("back", "--no-daemon").stdout)
        expect(place, "of another process", (done["code"], done["details"]["commandId"], done["details"]["since"]),
               ("EXECUTION_CONFLICT_IN_FLIGHT", "long", details["since"]))
        picture = server.json("POST", "/screenshot", {})
        expect(place, "a picture does not wait", (picture[0], picture[1].get("backend")), (200, "shell"))
        long.join()


def plan_of(command, milliseconds):
    return {"commandId": command, "taskId": command, "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000, "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": milliseconds}}]}


def values(place):
    """Words that the app would drop are refused by every surface, with those that there are."""
    steps = (("press_key", {"key": "volume_up"}, ["back", "home", "recents"]),
             ("scroll_and_click", {"matcher": {"textEquals": "x"}, "direction": "sideways"},
              ["down", "up", "left", "right"]),
             ("click", {"matcher": {"textEquals": "x"}, "clickType": "double"},
              ["default", "click", "long_click", "longclick", "focus"]),
             ("read_text", {"matcher": {"textEquals": "x"}, "validator": "number"},
              ["temperature", "version", "regex"]))
    with Conversation(place) as talk, ApiServer(place) as server:
        before = place.device.counters().get("broadcast", 0)
        for kind, params, allowed in steps:
            step = {"id": "s", "type": kind, "params": params}
            reply = talk.refused("EXECUTION_VALIDATION_FAILED", "execute", actions=[step])["details"]
            expect(place, kind, (reply["actionId"], reply["value"], reply["allowed"]),
                   ("s", list(params.values())[-1], allowed))
            status, answer = server.json("POST", "/execute", {"execution": {**plan_of("c", 1), "actions": [step]}})
            expect(place, f"{kind} by HTTP", (status, answer["error"]["details"]["allowed"]), (400, allowed))
        talk.refused("USAGE", "swipe", direction="sideways")
        talk.refused("USAGE", "press_key", key="no such key")
        expect(place, "nothing was sent", place.device.counters().get("broadcast", 0), before)
        expect(place, "a padded key", talk.tool("press_key", key=" Back ", observe="none").verdict["ok"], True)


def refusals(place):
    """Who looks for the refusal is offered the refusal, and never the consent."""
    with Conversation(place) as talk:
        talk.tool("open_url", url="conformance://", observe="none")
        talk.tool("tap", selector={"text": "Ask"}, observe="none")
        near = talk.refused("NODE_NOT_FOUND", "tap", selector={"text": "Don't delete"})["near"]
        expect(place, "near", [line for line in near if '"Delete"' in line or "everything" in line], [])
        near = talk.refused("NODE_NOT_FOUND", "tap", selector={"text": "DELÉTE"})["near"]
        expect(place, "but for its accents", '"Delete"' in near[0], True)


CHECKS = [
    ("mcp: several", True, several),
    ("mcp: strict plans", True, strict_plans),
    ("mcp: backends", True, backends),
    ("mcp: default device", True, default_device),
    ("mcp: waits in parts", True, waits_in_parts),
    ("mcp: holder", True, holder),
    ("mcp: values", True, values),
    ("mcp: refusals", True, refusals),
]
