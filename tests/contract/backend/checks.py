"""--backend shell: the same executions without the Operator app, by uiautomator, input and am. What it answers is
compared with what the (simulated) app answers to the same plan."""
import json
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from api_server import ApiServer, expect, expect_error
from conversation import Conversation

from limits import LIMIT_S
from own_phone import run_json

FORM, SETTINGS = "com.clawperator.conformance", "com.android.settings"
SHELL = ("--backend", "shell")
ONCE = {"maxAttempts": 1}


def plan(*actions, timeout=60000):
    steps = [{"id": f"s{number}", "type": kind, **({"params": params} if params else {})}
             for number, (kind, params) in enumerate(actions)]
    return json.dumps({"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
                       "timeoutMs": timeout, "actions": steps})


def envelope(place, *words):
    status, document, _ = run_json(place, *words)
    if "envelope" not in document:
        raise place.Mismatch(f"{words}: {document}")
    expect(place, f"{words}: the exit status", status, 0 if document["envelope"]["status"] == "success" else 1)
    return document["envelope"]


def data(place, *words):
    """Of the first step, which succeeds."""
    answer = envelope(place, *words)
    expect(place, str(words), (answer["status"], answer["error"]), ("success", None))
    return answer["stepResults"][0]["data"]


def text_id(name):
    return {"resourceId": f"{FORM}:id/{name}"}


# Members that differ in time by another hand, and members that uiautomator does not report.
UNCOMPARED = ("elapsed_ms", "has_overlay", "window_count", "text")


def comparable(answer):
    """uiautomator writes a dot for a control character."""
    for step in answer["stepResults"]:
        if step["actionType"] == "read_text" and "text" in step["data"]:
            step["data"]["text"] = step["data"]["text"].replace("\\u0007", ".")
        for name in UNCOMPARED if step["actionType"] in ("snapshot_ui", "wait_for_navigation") else ():
            step.get("data", {}).pop(name, None)
    return answer


def both(place, payload):
    answers = []
    for backend in ("app", "shell"):
        place.device.simctl("reset")
        answers.append(comparable(envelope(place, "--backend", backend, "exec", payload)))
    if "errorCode" not in answers[0]:  # an app before 0.10 has none
        answers[1].pop("errorCode", None)
    expect(place, "by the shell, as by the app", answers[1], answers[0])
    return answers[0]


def as_the_app(place):
    """A plan with every kind of step that both can do has one envelope."""
    answer = both(place, plan(
        ("close_app", {"applicationId": FORM}), ("open_app", {"applicationId": FORM}),
        ("wait_for_node", {"matcher": {"textEquals": "Later"}, "timeoutMs": 5000}),
        ("click", {"matcher": {"textEquals": "Form"}}),
        ("read_text", {"matcher": text_id("form_title")}),
        ("read_text", {"matcher": {"role": "button"}, "container": text_id("form"), "all": True}),
        ("enter_text", {"matcher": text_id("name_field"), "text": "Ada's 100%sure; \"$HOME\"", "submit": True}),
        ("wait_for_node", {"matcher": {"textContains": "form SENT"}}),
        ("open_uri", {"uri": "conformance://texts?a=1&b=2"}),
        ("read_text", {"matcher": {"role": "text"}, "all": True}), ("snapshot_ui", None),
        ("open_app", {"applicationId": SETTINGS}),
        ("wait_for_navigation", {"expectedPackage": SETTINGS, "timeoutMs": 5000}),
        ("scroll", {"direction": "down", "settleDelayMs": 0}),
        ("scroll", {"direction": "up", "settleDelayMs": 0}), ("scroll", {"direction": "up", "settleDelayMs": 0}),
        ("scroll_until",
         {"direction": "down", "matcher": {"textEquals": "Accessibility"}, "clickAfter": True, "settleDelayMs": 0}),
        ("press_key", {"key": "Back"}),
        ("scroll_and_click", {"matcher": {"textEquals": "About phone"}, "direction": "UP", "settleDelayMs": 0}),
        ("read_key_value_pair", {"labelMatcher": {"textEquals": "Android version"}}), ("sleep", {"durationMs": 1}),
        ("click", {"coordinate": {"x": 5, "y": 5}, "clickType": "long_click"}), ("press_key", {"key": "home"})))
    expect(place, "the plan", (answer["status"], len(answer["stepResults"])), ("success", 23))
    expect(place, "both directions and the edge",
           [step["data"]["scroll_outcome"] for step in answer["stepResults"] if step["actionType"] == "scroll"],
           ["moved", "moved", "edge_reached"])


def scrolls_to_what_is_further_down(place):
    """To a node that only swipes bring, as the app does."""
    answer = both(place, plan(("open_app", {"applicationId": SETTINGS}),
                              ("scroll_and_click", {"matcher": {"textEquals": "About phone"}, "settleDelayMs": 0}),
                              ("read_key_value_pair", {"labelMatcher": {"textEquals": "Android version"}})))
    expect(place, "the plan", answer["status"], "success")


def clears_a_field(place):
    """An empty field shows its hint: that is no failure; a field that is not as it should be is not sent."""
    open_form = (("open_uri", {"uri": "conformance://"}), ("click", {"matcher": {"textEquals": "Form"}}))
    name = {"matcher": text_id("name_field")}
    answer = envelope(place, *SHELL, "exec", plan(*open_form, ("enter_text", {**name, "text": "Ada"}),
                                                  ("enter_text", {**name, "text": "", "clear": True}),
                                                  ("read_text", name)))
    expect(place, "the plan", (answer["status"], answer["stepResults"][-1]["data"]["text"]), ("success", "Name"))


def misses_as_the_app(place):
    """What the app gives up over, and what is its step's own failure."""
    absent = {"matcher": {"textEquals": "Absent", "role": "button"}, "retry": ONCE}
    start = ("open_uri", {"uri": "conformance://"})
    for step, error in (
            (("click", absent), "No UI node found matching criteria: NodeMatcher(role=button, textEquals=Absent)"),
            (("enter_text", {**absent, "text": "x"}),
             "No UI node found matching criteria: NodeMatcher(role=button, textEquals=Absent)"),
            (("enter_text", {"matcher": {"textEquals": "Form"}, "retry": ONCE, "text": "x"}),
             "Failed to set text on matching UI node"),
            (("wait_for_node", {"matcher": {"textEquals": "Absent"}, "timeoutMs": 100}),
             "Timeout waiting for node matching: NodeMatcher(textEquals=Absent) (timeoutMs=100)"),
            (("open_uri", {"uri": "absent:1", "retry": ONCE}),
             "URI_NOT_HANDLED: no application is registered for absent:1"),
            (("open_app", {"applicationId": "com.absent", "retry": ONCE}),
             "No launch intent found for package: com.absent"),
            (("read_text", {"matcher": {"textEquals": "Form"}, "container": {"textEquals": "Absent"}, "retry": ONCE}),
             "Step s1 (read_text) failed: CONTAINER_NOT_FOUND"),
            (("read_key_value_pair", {"labelMatcher": {"textEquals": "Absent"}, "retry": ONCE}),
             "Step s1 (read_key_value_pair) failed: NODE_NOT_FOUND"),
            (("scroll", {"container": {"textEquals": "Form"}, "direction": "down"}),
             "Step s1 (scroll) failed: CONTAINER_NOT_SCROLLABLE"),
            (("wait_for_navigation", {"expectedPackage": "com.absent", "timeoutMs": 1}),
             "Step s1 (wait_for_navigation) failed: NAVIGATION_TIMEOUT")):
        answer = both(place, plan(start, step))
        expect(place, str(step), answer["error"], error)


def without_the_app(place):
    """Commands with their trees, refs and looks afterwards, on a phone that has no Operator app."""
    place.device.simctl("fault", "package-missing")
    place.run("adb", "-s", place.device.serial, "shell", "settings", "delete", "secure",
              "enabled_accessibility_services")
    expect(place, "open", data(place, *SHELL, "open", FORM), {"application_id": FORM})
    status, document, warnings = run_json(place, *SHELL, "snapshot", "--format", "compact")
    expect(place, "it says who served", (status, document["backend"], warnings), (0, "shell", ""))
    tree = document["envelope"]["stepResults"][0]["data"]
    ref = next(line.split()[0] for line in tree["text"].splitlines() if '"Form"' in line)
    answer = envelope(place, *SHELL, "click", "--ref", ref, "--snapshot", "compact")
    expect(place, "the screen afterwards",
           ("form_title" in answer["stepResults"][-1]["data"]["text"], answer["status"]), (True, "success"))
    hash_now = answer["stepResults"][-1]["data"]["tree_hash"]
    expect(place, "since", data(place, *SHELL, "snapshot", "--since", hash_now)["since"], "unchanged")
    status, document, _ = run_json(place, *SHELL, "click", "--text", "Submitt", "--snapshot", "compact")
    expect(place, "what comes near is reported", (status, "Submit" in str(document["miss"]["near"])), (1, True))
    marked = run_json(place, *SHELL, "screenshot", "--marks", "--path", "screen.png")
    expect(place, "marks", (marked[0], marked[1]["backend"], marked[1]["treeHash"]), (0, "shell", hash_now))
    lines = place.run(*SHELL, "exec", "--stream",
                      plan(("press_key", {"key": "home"}), ("take_screenshot", {"path": "b.png"}))).stdout.splitlines()
    stages = [json.loads(line).get("data") for line in lines]
    expect(place, "its steps are reported", stages, [{"stage": "start", "operation": "press_key", "detail": "s0"},
                                                     {"stage": "success", "operation": "press_key", "detail": "s0"},
                                                     {"stage": "start", "operation": "take_screenshot", "detail": "s1"},
                                                     None])
    data(place, *SHELL, "open", FORM)
    disabled = envelope(place, *SHELL, "exec", plan(("click", {"matcher": text_id("disabled_button"), "retry": ONCE})))
    expect(place, "a disabled one", disabled["error"], "Click on matching UI node failed: it is disabled")
    expect(place, "close", data(place, *SHELL, "close", FORM), {"application_id": FORM})
    expect(place, "no broadcast", place.device.counters().get("broadcast", 0), 0)
    left = place.run("adb", "-s", place.device.serial, "shell", "ls", "/data/local/tmp").stdout
    expect(place, "files left behind", b"clawperator-" in left, False)


def same_tree(place):
    """The refs, lines and hash of a large screen are the app's."""
    data(place, "open", "conformance://big")
    trees = [data(place, "--backend", backend, "snapshot", "--format", "compact") for backend in ("app", "shell")]
    expect(place, "the tree", trees[1]["text"], trees[0]["text"])
    expect(place, "its hash", trees[1]["tree_hash"], trees[0]["tree_hash"])


def typed(place):
    """A field's text is replaced and read back; a password's length is all that is seen of it."""
    data(place, *SHELL, "open", FORM)
    data(place, *SHELL, "click", "--text", "Form")
    for name, text, echo in (("name_field", "first", "first"), ("name_field", "second %s one", "second %s one"),
                             ("password_field", "secret", "\u2022\u2022\u2022\u2022")):
        field = f"{FORM}:id/{name}"
        expect(place, text, data(place, *SHELL, "type", text, "--id", field), {"text": echo, "submit": "false"})
    log = run_json(place, *SHELL, "--verbose", "type", "s3cret", "--id", field)[2]
    expect(place, "what is typed stands in no log", ("input text" in log, "s3cret" in log), (True, False))
    expect(place, "only the second", data(place, *SHELL, "read", "--id", f"{FORM}:id/name_field")["text"],
           "second %s one")


def refused(place):
    """What the shell cannot do truthfully reaches no device."""
    before = place.device.counters()
    for action, code in ((("enter_text", {"matcher": {"textEquals": "x"}, "text": "gr\u00fc\u00df"}),
                          "INPUT_TEXT_UNSUPPORTED"),
                         (("enter_text", {"matcher": {"textEquals": "x"}, "text": "a\nb"}), "INPUT_TEXT_UNSUPPORTED"),
                         (("read_text", {"matcher": {"textEquals": "x"}, "validator": "version"}), "NOT_IMPLEMENTED"),
                         (("click", {"matcher": {"textEquals": "x"}, "clickType": "focus"}), "NOT_IMPLEMENTED"),
                         (("start_recording", None), "NOT_IMPLEMENTED")):
        status, error, _ = run_json(place, *SHELL, "exec", plan(("press_key", {"key": "home"}), action))
        expect(place, str(action), (status, error["code"], error["details"]["actionId"]), (1, code, "s1"))
    expect(place, "what was sent", place.device.counters().get("input.keyevent"), before.get("input.keyevent"))


def no_tree(place):
    """uiautomator's ways of failing, all of which it ends with 0: one retry where that may help, then one clear
    error."""
    for how, dumps, reason in (("idle", 2, "never became idle"), ("null", 2, "no window"),
                               ("write", 1, "no whole tree"), ("half", 1, "no whole tree")):
        place.device.simctl("reset")
        place.device.simctl("fault", "uiautomator-fails", how)
        answer = envelope(place, *SHELL, "snapshot")["stepResults"][0]["data"]
        expect(place, how, (answer["error"], reason in answer["message"]), ("SNAPSHOT_EXTRACTION_FAILED", True))
        expect(place, f"{how}: dumps", place.device.counters()["uiautomator_dump"], dumps)
    answer = envelope(place, *SHELL, "click", "--text", "Form")
    expect(place, "a click without a tree", (answer["errorCode"], answer["stepResults"]),
           ("SNAPSHOT_EXTRACTION_FAILED", []))
    expect(place, "coordinates need none", data(place, *SHELL, "click", "--coordinate", "5", "5")["coordinate"],
           "(5,5)")
    place.device.simctl("reset")
    place.device.simctl("fault", "ui-automation")
    answer = envelope(place, *SHELL, "snapshot")["stepResults"][0]["data"]
    expect(place, "another client", "already registered" in answer["message"], True)
    place.device.simctl("reset")
    place.device.simctl("fault", "uiautomator-fails", "idle-once")
    status, document, warnings = run_json(place, *SHELL, "snapshot")
    expect(place, "the second try", (status, "</hierarchy>" in document["envelope"]["stepResults"][0]["data"]["text"]),
           (0, True))
    expect(place, "the warning", "could not get idle state" in warnings and "read once more" in warnings, True)
    expect(place, "so is what it does to the Operator", "suppressed" in warnings, True)


def no_end(place):
    """A uiautomator that hangs costs no more than the plan's time."""
    place.device.simctl("fault", "uiautomator-fails", "hang")
    answer = envelope(place, *SHELL, "exec", plan(("click", {"matcher": {"textEquals": "Form"}}), timeout=1000))
    expect(place, "the end", answer["error"], "Agent command timed out after 1000ms")
    expect(place, "a nap that is too long",
           envelope(place, *SHELL, "exec", plan(("sleep", {"durationMs": 5000}), timeout=1000))["error"],
           "Agent command timed out after 1000ms")


def makers_switch(place):
    """A phone that lets the shell inject nothing is looked at all the same; what it refuses is its error, with the
    step."""
    place.device.simctl("fault", "shell-restricted")
    expect(place, "a look", "text" in data(place, *SHELL, "snapshot"), True)
    status, error, _ = run_json(place, *SHELL, "exec", plan(("press_key", {"key": "home"})))
    expect(place, "a key", (status, error["code"], "INJECT_EVENTS" in error["message"]), (1, "INPUT_FAILED", True))
    expect(place, "which step", (error["details"]["lastActionId"], "dispatchAttempted" in error["details"]),
           ("s0", False))


def one_at_a_time(place):
    """A plan by shell has the device's lock, as any other; one that is cut short reports where it was."""
    nap = subprocess.Popen([place.binary, *SHELL, "exec",
                            plan(("press_key", {"key": "home"}), ("sleep", {"durationMs": 30000}))],
                           env=place.env, cwd=place.sandbox, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + LIMIT_S
    while not place.device.counters().get("input.keyevent") and time.monotonic() < deadline:
        time.sleep(0.02)
    expect(place, "beside it", run_json(place, *SHELL, "press", "home")[1].get("code"), "EXECUTION_CONFLICT_IN_FLIGHT")
    nap.send_signal(signal.SIGINT)
    error = json.loads(nap.communicate(timeout=LIMIT_S)[0])
    expect(place, "the nap", (nap.returncode, error["code"]), (130, "CANCELLED"))
    expect(place, "where it was",
           [error["details"].get(name) for name in ("lastActionId", "dispatchAttempted", "executionPosition")],
           ["s1", True, "unknown"])
    expect(place, "the next command waits a moment", run_json(place, *SHELL, "press", "home")[1].get("code"),
           "EXECUTION_CONFLICT_IN_FLIGHT")


def on_each_release(place):
    """By the program or the service, whatever am's status means; Android 7 does not say which activity starts an app,
    and starts it all the same."""
    for release in (7, 8, 10, 11, 12, 16):
        place.device.simctl("phone", f"android-{release}")
        wrong = plan(("open_uri", {"uri": "absent:1"}))
        expect(place, f"Android {release}: an error", envelope(place, *SHELL, "exec", wrong)["error"],
               "URI_NOT_HANDLED: no application is registered for absent:1")
        words = plan(("open_uri", {"uri": "conformance://"}), ("click", {"matcher": {"textEquals": "Form"}}),
                     ("read_text", {"matcher": text_id("form_title")}),
                     ("enter_text", {"matcher": text_id("name_field"), "text": "it's 5% off"}),
                     ("open_app", {"applicationId": SETTINGS}))
        answer = envelope(place, *SHELL, "exec", words)
        expect(place, f"Android {release}", (answer["error"], answer["stepResults"][2]["data"]["text"]), (None, "Form"))
        place.device.simctl("reset")


def broadcasts(place):
    return place.device.counters().get("broadcast", 0)


def over_http(place):
    """[A11] `backend` in a body, a query, or once for the whole server; a phone without the app is never switched over
    by itself."""
    place.device.simctl("fault", "package-missing")
    home = json.loads(plan(("press_key", {"key": "home"}), ("snapshot_ui", None)))
    with ApiServer(place, "--files", ".") as server:
        status, document = server.json("POST", "/execute", {"execution": home, "backend": "shell"})
        expect(place, "execute", (status, document["ok"], document["backend"], document["envelope"]["status"]),
               (200, True, "shell", "success"))
        status, document = server.json("POST", "/snapshot", {"backend": "shell"})
        expect(place, "snapshot", (status, document["backend"], "</hierarchy>" in str(document)), (200, "shell", True))
        status, document = server.json("POST", "/screenshot", {"backend": "shell", "path": "a.png"})
        expect(place, "screenshot", (status, document["backend"]), (200, "shell"))
        tree = f"/devices/{place.device.serial}/snapshot"
        expect(place, "a tree", server.ask("GET", tree + "?backend=shell&format=compact")[0], 200)
        for answer in (server.json("POST", "/execute", {"execution": home}),
                       server.json("POST", "/execute", {"execution": home, "backend": "app"}),
                       server.json("GET", tree)):
            expect_error(place, answer, 500, "OPERATOR_NOT_INSTALLED")
            expect(place, "its hint", '"backend":"shell"' in answer[1]["error"]["hint"], True)
        for value in ("hand", "", 1, None, True):
            expect_error(place, server.json("POST", "/execute", {"execution": home, "backend": value}), 400,
                         "INVALID_BODY", "'backend' must be app or shell")
        expect_error(place, server.json("GET", tree + "?backend=hand"), 400, "INVALID_QUERY",
                     "'backend' must be app or shell")
        expect(place, "broadcasts", broadcasts(place), 0)
    with ApiServer(place, *SHELL) as server:
        status, document = server.json("POST", "/execute", {"execution": home})
        expect(place, "the server's own", (status, document.get("backend")), (200, "shell"))
        expect_error(place, server.json("POST", "/execute", {"execution": home, "backend": "app"}), 500,
                     "OPERATOR_NOT_INSTALLED")
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "snapshot", "arguments": {}}}
        expect(place, "its tools", server.json("POST", "/mcp", call)[1]["result"].get("isError", False), False)
    place.device.simctl("reset")
    with ApiServer(place) as server:
        document = server.json("POST", "/execute", {"execution": home})[1]
        expect(place, "by the app", "backend" in document, False)


def over_mcp(place):
    """[A11] `mcp --backend shell` does every task without the app; without it, what needs no app and no
    tree."""
    place.device.simctl("fault", "package-missing")
    with Conversation(place, *SHELL) as talk:
        reply = talk.tool("open_app", package=FORM, observe="compact")
        expect(place, "open_app", (reply.verdict["backend"], any('"Form"' in line for line in reply.lines)),
               ("shell", True))
        reply = talk.tool("tap", ref=reply.ref('"Form"'), observe="compact")
        expect(place, "tap", (reply.verdict["backend"], any("form_title" in line for line in reply.lines)),
               ("shell", True))
        reply = talk.tool("type_text", selector={"id": "name_field"}, text="Ada")
        expect(place, "type_text", reply.verdict["backend"], "shell")
        expect(place, "snapshot", any('"Ada"' in line for line in talk.tool("snapshot").lines), True)
        reply = talk.tool("execute", actions=[{"id": "h", "type": "press_key", "params": {"key": "home"}}])
        expect(place, "execute", reply.verdict["backend"], "shell")
    with Conversation(place) as talk:
        for tool, arguments in (("open_app", {"package": FORM}), ("open_url", {"url": "conformance://"}),
                                ("press_key", {"key": "home"}),
                                ("close_app", {"package": FORM})):
            expect(place, tool, talk.tool(tool, observe="none", **arguments).verdict["backend"], "shell")
        reply = talk.refused("OPERATOR_NOT_INSTALLED", "open_app", package=FORM)
        expect(place, "its hint", "--backend shell" in reply["hint"], True)
    expect(place, "broadcasts", broadcasts(place), 0)


CHECKS = [
    ("backend: over HTTP", True, over_http),
    ("backend: over MCP", True, over_mcp),
    ("backend: as the app", True, as_the_app),
    ("backend: misses as the app", True, misses_as_the_app),
    ("backend: scrolls", True, scrolls_to_what_is_further_down),
    ("backend: clears", True, clears_a_field),
    ("backend: without the app", True, without_the_app),
    ("backend: the same tree", True, same_tree),
    ("backend: typed", True, typed),
    ("backend: refused", True, refused),
    ("backend: no tree", True, no_tree),
    ("backend: no end", True, no_end),
    ("backend: a maker's switch", True, makers_switch),
    ("backend: one at a time", True, one_at_a_time),
    ("backend: on each release", True, on_each_release),
]
