"""`--verify` and its like over HTTP and MCP: what is reported of the screen afterwards, by trees or by pictures,
and that nothing more is done for it than looking."""
import json
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
import strict_json
from api_server import ApiServer, expect, expect_error, wait_for_count
from conversation import Conversation

from limits import LIMIT_S

APP = "com.clawperator.conformance"
SETTINGS = "com.android.settings"
MOVING, RESTLESS = "conformance://moving", "conformance://restless"  # one rests after 3 seconds, one after 30
SHELL = ("--backend", "shell")
OPEN = {"id": "o", "type": "open_app", "params": {"applicationId": SETTINGS}}
LOOK = {"id": "l", "type": "snapshot_ui"}
HOME = {"id": "h", "type": "press_key", "params": {"key": "home"}}
NAP = {"id": "n", "type": "sleep", "params": {"durationMs": 1}}


def plan(*actions):
    return {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000,
            "actions": [{**action, "id": f"s{number}"} for number, action in enumerate(actions)]}


def run_json(place, *words):
    done = place.run(*words)
    try:
        return done.returncode, strict_json.read(done.stdout)
    except ValueError:
        raise place.Mismatch(f"{words}: no JSON: {done.stdout[:300]!r} {done.stderr[:300]!r}") from None


def effect(document):
    return tuple(document.get(name, "absent") for name in ("effect", "proof", "settled"))


def says(place, words, status, *wanted):
    """Its exit status, and the effect, proof and rest that it reports."""
    found, document = run_json(place, *words)
    expect(place, str(words), (found, *effect(document)), (status, *wanted))
    return document


def refused(place, words, text):
    status, error = run_json(place, *words)
    expect(place, str(words), (status, error["code"], text in error["message"]), (1, "USAGE", True))


def by_trees(place):
    """Where the plan of a verb has them, and the answer leaves them out."""
    place.run("open", SETTINGS)
    document = says(place, ("click", "--text", "Network & internet", "--verify", "changed"), 0, "changed", "tree",
                    "absent")
    expect(place, "its steps", [step["id"] for step in document["envelope"]["stepResults"]], ["click", "settle"])
    says(place, ("click", "--coordinate", "5", "5", "--verify", "changed"), 1, "unchanged", "tree", "absent")
    document = says(place, ("back", "--verify", "changed", "--snapshot", "--output", "brief"), 0, "changed", "tree",
                    "absent")
    expect(place, "the tree behind it", "Network & internet" in document["tree"], True)
    expect(place, "pictures", place.device.counters().get("screencap", 0), 0)


def by_pictures(place):
    """What needs no app needs none for its proof; the status bar, where the clock is, does not count."""
    place.device.simctl("fault", "package-missing")
    document = says(place, ("open", SETTINGS, "--verify", "changed"), 0, "changed", "pixels", "absent")
    expect(place, "who did it", document["backend"], "shell")
    says(place, ("open", SETTINGS, "--verify", "changed"), 1, "unchanged", "pixels", "absent")
    says(place, ("press", "home", "--verify", "changed"), 0, "changed", "pixels", "absent")
    says(place, ("press", "home", "--verify", "changed"), 1, "unchanged", "pixels", "absent")
    says(place, ("open", SETTINGS, "--verify", "settled"), 0, "changed", "pixels", True)
    says(place, ("close", SETTINGS, "--verify", "changed"), 0, "changed", "pixels", "absent")
    expect(place, "broadcasts", place.device.counters().get("broadcast", 0), 0)


def without_trees(place):
    """A tree that cannot be had is no end of it."""
    place.run(*SHELL, "open", SETTINGS)
    place.device.simctl("fault", "uiautomator-fails", "null")
    x, y = "540", "700"
    says(place, (*SHELL, "click", "--coordinate", x, y, "--verify", "changed"), 0, "changed", "pixels", "absent")
    document = says(place, (*SHELL, "click", "--coordinate", "5", "5", "--verify", "changed"), 1, "unchanged", "pixels",
                    "absent")
    expect(place, "they are left out", (document["envelope"]["status"], document["envelope"]["error"]),
           ("success", None))
    place.device.simctl("reset")
    status, document = run_json(place, "click", "--text", "Absent", "--verify", "changed")
    expect(place, "a miss", (status, document["envelope"]["status"]), (1, "failed"))


def settles(place):
    """Until the picture stays; what does not rest in its time fails. One broadcast, whatever is looked at."""
    says(place, ("open", RESTLESS, "--verify", "settled", "--settle", "2500"), 1, "changed", "pixels", False)
    place.run("press", "home")
    says(place, ("open", MOVING, "--verify", "settled", "--settle", "500"), 0, "changed", "pixels", True)
    expect(place, "it rests", "At rest" in place.run("snapshot").stdout.decode(), True)
    place.run("open", SETTINGS)
    before = place.device.counters().get("broadcast", 0)
    document = says(place, ("click", "--text", "Network & internet", "--verify", "settled", "--snapshot", "--output",
                            "brief"), 0,
                    "changed", "pixels", True)
    expect(place, "the tree", "AndroidWifi" in document["tree"], True)
    expect(place, "broadcasts", place.device.counters()["broadcast"] - before, 1)
    says(place, ("click", "--coordinate", "5", "5", "--verify", "settled"), 0, "unchanged", "pixels", True)


def shows_nothing(place):
    """An app that forbids pictures: the effect is unknown, and that is no failure."""
    place.run("open", SETTINGS)
    place.device.simctl("fault", "secure-window")
    says(place, ("press", "home", "--verify", "changed"), 0, "unknown", "absent", "absent")
    says(place, ("press", "home", "--verify", "settled"), 0, "unknown", "absent", None)


def plans(place):
    """By the plan's own snapshots where all that acts stands between them, else by pictures."""
    for actions, wanted in (((LOOK, OPEN, NAP, LOOK), (0, "changed", "tree")),
                            ((LOOK, OPEN, LOOK), (1, "unchanged", "tree")),
                            ((HOME, LOOK), (0, "changed", "pixels")), ((HOME,), (1, "unchanged", "pixels")),
                            ((LOOK, OPEN, LOOK, HOME), (1, "unchanged", "pixels")),
                            ((OPEN, NAP), (0, "changed", "pixels"))):
        for form in ((), ("--format", "compact")):
            given = json.dumps(plan(*actions))
            if form and wanted[0] == 0:
                continue  # it is so already
            says(place, ("exec", given, "--verify", "changed", *form), *wanted, "absent")
    says(place, ("exec", json.dumps(plan(HOME)), "--verify", "settled"), 0, "changed", "pixels", True)


def cut_short(place):
    """A command that is ended while it looks still reports what was done, and that the rest is unknown."""
    for counter, words in (("input.keyevent", ("press", "back", "--verify", "changed", "--settle", "9000")),
                           ("broadcast",
                            ("click", "--coordinate", "5", "5", "--verify", "settled", "--settle", "9000"))):
        child = subprocess.Popen([place.binary, *words], env=place.env, cwd=place.sandbox, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        wait_for_count(place, counter)
        time.sleep(2.5)  # it looks by now, and for some seconds more
        child.send_signal(signal.SIGINT)
        document = json.loads(child.communicate(timeout=LIMIT_S)[0])
        expect(place, str(words), (document["envelope"]["status"], document["effect"]), ("success", "unknown"))


def bad_words(place):
    """Nothing is sent."""
    refused(place, ("back", "--verify", "moved"), "--verify must be one of: changed, settled")
    refused(place, ("back", "--verify", "settled", "--settle-limit", "900"), "'--settle-limit'")
    refused(place, ("back", "--verify", "settled", "--settle", "10001"), "from 0 to 10000")
    refused(place, ("back", "--settle", "400"), "--settle is the time")
    refused(place, ("exec", json.dumps(plan(HOME)), "--settle", "400"), "--settle requires --verify")
    refused(place, ("snapshot", "--verify", "changed"), "--verify")
    expect(place, "broadcasts", place.device.counters().get("broadcast", 0), 0)


def of_input(place):
    """Fingers and keys by the phone's own input, which no plan has: pictures, and the screen afterwards."""
    place.run("open", SETTINGS, "--snapshot")
    document = says(place, ("key", "home", "--verify", "changed"), 0, "changed", "pixels", "absent")
    expect(place, "nothing else", set(document), {"ok", "deviceId", "backend", "effect", "proof"})
    says(place, ("key", "home", "--verify", "changed"), 1, "unchanged", "pixels", "absent")
    says(place, ("input", "tap", "5", "5", "--verify", "settled", "--settle", "200"), 0, "unchanged", "pixels", True)
    expect(place, "broadcasts", place.device.counters().get("broadcast", 0), 1)
    place.run("close", SETTINGS)
    place.run("open", SETTINGS, "--snapshot")
    document = says(place, ("swipe", "540", "1800", "540", "600", "--snapshot", "--verify", "changed"), 0, "changed",
                    "pixels", "absent")
    expect(place, "the rows below", ('"Passwords' in document["tree"], '"Network & internet"' in document["tree"]),
           (True, False))
    hash_now = document["tree"].splitlines()[0].split("hash ")[1]
    # What was shown is what a ref and a diff begin with.
    expect(place, "a diff", run_json(place, "input", "swipe", "5", "5", "5", "6", "--snapshot", "diff")[1]["since"],
           "shown")
    expect(place, "its screen",
           run_json(place, "snapshot", "--since", hash_now)[1]["envelope"]["stepResults"][0]["data"]["since"],
           "unchanged")
    place.run("close", SETTINGS)
    place.run("open", SETTINGS)
    tree = run_json(place, "input", "tap", "5", "5", "--snapshot")[1]["tree"]
    row = next(line.split()[0] for line in tree.split("\n") if '"Connected devices"' in line)
    document = run_json(place, "click", "--ref", row, "--snapshot", "--output", "brief")[1]
    expect(place, "a ref", (document["ok"], "Pair new device" in document["tree"]), (True, True))
    for words in (("double-tap", "540", "900"), ("drag", "540", "900", "540", "1200"), ("input", "text", "a"),
                  ("hide-keyboard",), ("rotate", "auto"),
                  ("notifications", "open"), ("notifications", "close")):
        status, document = run_json(place, *words, "--snapshot", "--settle", "50")
        expect(place, f"{words}: {document}", (status, " hash " in document.get("tree", "").split("\n")[0]), (0, True))
    place.device.simctl("fault", "package-missing")
    status, document = run_json(place, "key", "home", "--snapshot")
    expect(place, "what was done was done", (status, document["ok"], "could not be read" in document["warn"]),
           (0, True, True))
    keys = place.device.counters()["input.keyevent"]
    refused(place, ("key", "home", "--settle", "9"), "--settle is the time")
    refused(place, ("swipe", "1", "1", "2", "2", "--verify", "moved"), "--verify must be one of")
    refused(place, ("rotate", "0", "--settle", "9"), "--settle is the time")
    expect(place, "nothing is sent", place.device.counters()["input.keyevent"], keys)


def several_match(place):
    """A tree that is read shows how many nodes fit and which one was taken, by every way; nth takes another one."""
    title, third = "android:id/title", '"Pair new device"'

    def fresh():
        place.run("close", SETTINGS)
        place.run("open", SETTINGS)
    for words, row in ((("click", "--id", title, "--verify", "changed"), "Google"),
                       (("click", "--id", title, "--nth", "3"), "Connected devices")):
        fresh()
        document = run_json(place, *words)[1]
        expect(place, f"{words}: {document.get('taken')}",
               (document["matches"], document["taken"].startswith(f'"{row}" #title (')), (11, True))
    fresh()
    data = run_json(place, *SHELL, "click", "--id", title)[1]["envelope"]["stepResults"][0]["data"]
    expect(place, "by shell", (data["matches"], '"Google"' in data["taken"]), ("11", True))
    fresh()
    data = run_json(place, *SHELL, "click", "--text", "Network & internet")[1]["envelope"]["stepResults"][0]["data"]
    expect(place, "one alone", set(data), {"click_types"})
    with ApiServer(place) as server:
        tap = {"id": "t", "type": "click", "params": {"matcher": {"resourceId": title}}}
        fresh()
        status, document = server.json("POST", "/execute", {"execution": plan(tap, NAP, LOOK), "nth": 3})
        expect(place, "over HTTP", (status, document["matches"], '"Connected devices"' in document["taken"]),
               (200, 11, True))
        expect(place, "its screen", "Pair new device" in document["envelope"]["stepResults"][2]["data"]["text"], True)
        fresh()
        before = place.device.counters()["broadcast"]
        events = server.events()
        answer = server.json("POST", "/execute", {"execution": plan(tap), "nth": 12})
        expect_error(place, answer, 404, "NODE_NOT_FOUND")
        names = [events.next()[0] for _ in range(2)]
        expect(place, "the events report it", "clawperator:execution" in names, True)
        events.close()
        expect(place, "of which device", answer[1]["deviceId"], place.device.serial)
        expect(place, "one look", place.device.counters()["broadcast"] - before, 1)
        at_point = {"id": "t", "type": "click", "params": {"coordinate": {"x": 1, "y": 1}}}
        # The same code as on the command line: the body is whole, the plan has no such node.
        for steps in ((OPEN, tap), (HOME,), (at_point,)):
            answer = server.json("POST", "/execute", {"execution": plan(*steps), "nth": 1})
            expect_error(place, answer, 400, "USAGE")
            expect(place, str(steps), "begins with a click" in answer[1]["error"]["message"], True)
        for nth in (0, -1, 1.5, "2", None, 65536):
            answer = server.json("POST", "/execute", {"execution": plan(tap), "nth": nth})
            expect_error(place, answer, 400, "INVALID_BODY")
            expect(place, str(nth), "'nth' must be a whole number" in answer[1]["error"]["message"], True)
        expect_error(place, server.json("POST", "/execute", {"execution": plan(), "nth": 1}), 400,
                     "EXECUTION_VALIDATION_FAILED")
        for route in ("/snapshot", "/screenshot"):
            for name in ("verify", "miss", "nth", "ref", "observe"):
                expect_error(place, server.json("POST", route, {name: "changed"}), 400, "INVALID_BODY")
        expect(place, "nothing more", place.device.counters()["broadcast"] - before, 1)
    with Conversation(place) as talk:
        fresh()
        answer = talk.tool("tap", selector={"id": title}, nth=3)
        expect(place, "over MCP", (answer.verdict["matches"], '"Connected devices"' in answer.verdict["taken"],
                                   third in "".join(answer.lines)), (11, True, True))
        fresh()
        talk.refused("NODE_AMBIGUOUS", "tap", selector={"id": title}, verify="changed")
        answer = talk.tool("tap", selector={"id": title}, nth=1, verify="changed")
        expect(place, "with verify", (answer.verdict["matches"], answer.verdict["effect"]), (11, "changed"))
        fresh()
        expect(place, "too few",
               talk.refused("NODE_NOT_FOUND", "tap", selector={"id": title}, nth=12)["details"]["matches"], 11)
        for arguments in ({"x": 1, "y": 1, "nth": 1}, {"ref": "0123456789ab@1", "nth": 1},
                          {"selector": {"text": "a"}, "nth": -1}, {"nth": 1},
                          {"selector": {"text": "a"}, "nth": "x"},
                          {"selector": {"text": "a"}, "scroll": "down", "nth": 1}):
            talk.refused("USAGE", "tap", **arguments)
        talk.tool("open_url", url="conformance://")
        talk.tool("tap", selector={"text": "Form"})
        answer = talk.tool("type_text", text="ada@example.org", selector={"role": "textfield"}, nth=2,
                           observe="compact")
        expect(place, "a field", any("ada@example.org" in line and "#email_field" in line for line in answer.lines),
               True)


def over_http(place):
    with ApiServer(place) as server:
        def execute(*actions, **more):
            status, document = server.json("POST", "/execute", {"execution": plan(*actions), **more})
            return status, document
        status, document = execute(OPEN, NAP, verify="changed")
        expect(place, "changed", (status, document["ok"], *effect(document)),
               (200, True, "changed", "pixels", "absent"))
        status, document = execute(LOOK, OPEN, LOOK, verify="changed")
        expect(place, "unchanged", (status, document["ok"], *effect(document)),
               (200, True, "unchanged", "tree", "absent"))
        status, document = execute(HOME, verify="settled", settleMs=200, backend="shell")
        expect(place, "settled", (*effect(document), document["backend"]), ("changed", "pixels", True, "shell"))
        status, document = execute(HOME)
        expect(place, "who does not ask", effect(document), ("absent",) * 3)
        given = f"/devices/{place.device.serial}/input"
        status, document = server.json("POST", given, {"type": "key", "key": "KEYCODE_APP_SWITCH", "verify": "changed"})
        expect(place, "a key", (status, document["ok"], *effect(document)[:1], document["proof"]),
               (200, True, document["effect"], "pixels"))
        status, document = server.json("POST", given,
                                       {"type": "tap", "x": 5, "y": 5, "verify": "settled", "settleMs": 100})
        expect(place, "a tap", (status, *effect(document)), (200, "unchanged", "pixels", True))
        status, document = server.json("POST", given, {"type": "tap", "x": 5, "y": 5})
        expect(place, "a tap without `verify`", effect(document), ("unobserved", "absent", "absent"))
        before = place.device.counters()
        for more, text in (({"verify": "moved"}, "'verify' must be changed or settled"),
                           ({"verify": True}, "'verify' must be changed or settled"),
                           ({"settleMs": 5}, "needs 'verify'"),
                           ({"verify": "settled", "settleMs": 10001}, "'settleMs' must be"),
                           ({"verify": "settled", "settleMs": "5"}, "'settleMs' must be"),
                           ({"verify": "settled", "settleMs": 0.5}, "'settleMs' must be")):
            for answer in (execute(HOME, **more), server.json("POST", given, {"type": "tap", "x": 5, "y": 5, **more})):
                expect_error(place, answer, 400, "INVALID_BODY")
                expect(place, str(more), text in answer[1]["error"]["message"], True)
        after = place.device.counters()
        for counter in ("broadcast", "input.tap"):
            expect(place, counter, after.get(counter), before.get(counter))


def miss_over_http(place):
    """On request, by one more look: what the step that ended the plan was looking for, and what is there."""
    once = {"maxAttempts": 1}
    tap = {"id": "t", "type": "click", "params": {"matcher": {"textEquals": "NETWORK & internet"}, "retry": once}}
    with ApiServer(place) as server:
        def execute(*actions, **more):
            return server.json("POST", "/execute", {"execution": plan(*actions), **more})[1]
        document = execute(OPEN, tap, HOME, miss=True)
        expect(place, "in front", (document["envelope"]["status"], document["miss"]["foreground"]),
               ("failed", SETTINGS))
        expect(place, "near", '"Network & internet"' in "".join(document["miss"]["near"]), True)
        expect(place, "who does not ask", execute(OPEN, tap).get("miss"), None)
        expect(place, "nothing is missing", execute(OPEN, LOOK, miss=True).get("miss"), None)
        expect_error(place, server.json("POST", "/execute", {"execution": plan(OPEN), "miss": "yes"}), 400,
                     "INVALID_BODY")
        document = execute(OPEN, HOME, tap, miss=True)["miss"]
        expect(place, "the app went on purpose", (document.get("previous"), document["foreground"] == SETTINGS),
               (None, False))
        document = execute(OPEN, tap, {**OPEN, "params": {"applicationId": APP}}, miss=True)["miss"]
        expect(place, "what was not opened yet", (document.get("previous"), document["foreground"]), (None, SETTINGS))
        execute(OPEN)
        expect(place, "seen", server.ask("GET", f"/devices/{place.device.serial}/snapshot?format=compact")[0], 200)
        place.run("adb", "shell", f"am crash {SETTINGS}")
        document = execute(tap, miss=True)["miss"]
        expect(place, "the app that was seen has crashed", (document["previous"], document["crash"]["kind"]),
               (SETTINGS, "java"))
        execute(OPEN)
        place.run("adb", "shell", f"am crash {SETTINGS}")
        document = execute(tap, miss=True)["miss"]
        expect(place, "the app that was opened has crashed", (document["previous"], document["crash"]["kind"]),
               (SETTINGS, "java"))
        expect(place, "then it is unknown", execute(tap, miss=True)["miss"].get("previous"), None)


def over_mcp(place):
    with Conversation(place) as talk:
        answer = talk.tool("open_app", package=SETTINGS, verify="changed")
        expect(place, "open_app", effect(answer.verdict)[:2], ("changed", "tree"))
        answer = talk.tool("tap", x=5, y=5, verify="changed")
        expect(place, "a tap on nothing", (effect(answer.verdict)[:2], answer.lines[0][:13]),
               (("unchanged", "tree"), "as last shown"))
        answer = talk.tool("tap", selector={"text": "Network & internet"}, verify="settled")
        expect(place, "settled", effect(answer.verdict), ("changed", "pixels", True))
        before = place.device.counters()["broadcast"]
        answer = talk.tool("press_key", key="home", observe="none", verify="changed")
        expect(place, "by the shell", (effect(answer.verdict)[:2], answer.verdict["backend"], answer.lines),
               (("changed", "pixels"), "shell", []))
        answer = talk.tool("press_key", key="tab", observe="none", verify="changed")
        expect(place, "a key of input's", answer.verdict["proof"], "pixels")
        expect(place, "broadcasts", place.device.counters()["broadcast"], before)
        answer = talk.tool("execute", actions=[OPEN, {**NAP, "id": "n"}], verify="changed")
        expect(place, "a plan", effect(answer.verdict)[:2], ("changed", "pixels"))
        answer = talk.tool("close_app", package=SETTINGS, verify="changed")
        expect(place, "close_app", effect(answer.verdict)[:2], ("changed", "pixels"))
        talk.refused("USAGE", "tap", x=5, y=5, verify="moved")
        talk.refused("USAGE", "wait_for", selector={"text": "a"}, verify="changed")


def keeps_its_first_answer(place):
    """A screen that is only looked at is not kept: it would push out one that a ref may still name."""
    def kept():
        return {file.stem for file in (place.sandbox / "cache" / "clawperator" / "snapshots").glob("*.xml")}
    place.run("close", SETTINGS)
    place.run("open", SETTINGS)
    before = kept()
    expect(place, "a click", run_json(place, "click", "--id", "android:id/title", "--nth", "3")[0], 0)
    expect(place, "after a click", kept(), before)
    still = run_json(place, "wait", "--still")[1]["hash"]
    expect(place, "after wait --still", kept(), before | {still})
    asserted = run_json(place, "assert", "--text", "Pair new device")[1]["nodes"][0][:12]
    expect(place, "after assert", kept(), before | {still, asserted})
    place.run("close", SETTINGS)
    place.run("open", SETTINGS)
    near = run_json(place, "click", "--id", "android:id/title", "--nth", "99")[1]["details"]["near"][0].split()[0]
    expect(place, "a ref of a miss", run_json(place, "click", "--ref", near)[0], 0)


CHECKS = [
    ("verify: by trees", True, by_trees),
    ("verify: by pictures", True, by_pictures),
    ("verify: without trees", True, without_trees),
    ("verify: settles", True, settles),
    ("verify: shows nothing", True, shows_nothing),
    ("verify: plans", True, plans),
    ("verify: bad words", True, bad_words),
    ("verify: cut short", True, cut_short),
    ("verify: of input", True, of_input),
    ("verify: several match", True, several_match),
    ("verify: keeps its first answer", True, keeps_its_first_answer),
    ("verify: over HTTP", True, over_http),
    ("verify: a miss over HTTP", True, miss_over_http),
    ("verify: over MCP", True, over_mcp),
]
