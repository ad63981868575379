"""[A2] A finger goes only to what can be seen, and text only into the field that has the focus. The screens are trees
that the simulated phone's uiautomator writes as they are given (`simctl fault tree-file`); what was sent is what the
phone has counted."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from api_server import ApiServer, expect, expect_error
from conversation import Conversation
from own_phone import run_json

SHELL = ("--backend", "shell")
SCREEN = (0, 0, 1080, 2400)
LEAST, MOST = -2**31, 2**31 - 1
FLAGS = ("checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable",
         "password", "selected")


def node(text, bounds, *children, kind="android.widget.Button", name="", flags=("clickable",)):
    left, top, right, bottom = bounds
    held = "".join(f' {flag}="{str(flag in ("enabled", *flags)).lower()}"' for flag in FLAGS)
    return (
        f'<node index="0" text="{text}" resource-id="{name}" class="{kind}" package="com.example" '
        f'content-desc=""{held} '
        f'bounds="[{left},{top}][{right},{bottom}]">{"".join(children)}</node>')


def show(place, *windows):
    """From now on uiautomator sees these."""
    file = place.sandbox / "tree.xml"
    file.write_text(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy "
        f"rotation=\"0\">{''.join(windows)}</hierarchy>")
    done = place.run("adb", "-s", place.device.serial, "push", str(file), "/data/local/tmp/tree.xml")
    expect(place, "the tree is there", (done.returncode, done.stderr.decode()[:200]), (0, ""))
    place.device.simctl("fault", "tree-file", "/data/local/tmp/tree.xml")


def window(*nodes):
    return node("", SCREEN, *nodes, kind="android.widget.FrameLayout", flags=())


def plan(*actions):
    steps = [{"id": f"s{number}", "type": kind, "params": params} for number, (kind, params) in enumerate(actions)]
    return {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000, "actions": steps}


def sent(place):
    """What fingers and keys did, and what the app was sent."""
    return {name: count
            for name, count in place.device.counters().items() if name.startswith("input.") or name == "broadcast"}


def failed(place, code, *words):
    """An envelope, or an error of the command itself, with this code."""
    status, document, _ = run_json(place, *words)
    envelope = document.get("envelope")
    expect(place, f"{words}: {document}", (status, envelope.get("errorCode") if envelope else document.get("code")),
           (1, code))
    return document


PAGER = node("", (0, 300, 1080, 2000),
             node("Half", (900, 400, 1900, 500)),
             node("Next page", (1200, 400, 1400, 500)),
             node("Twin", (1200, 600, 1400, 700)), node("Twin", (1200, 800, 1400, 900)),
             kind="androidx.viewpager.widget.ViewPager", flags=("scrollable",))
HIDDEN = [node("Below", (0, 2500, 1080, 2600)), node("Above", (0, -200, 1080, -100)), node("Nothing", (5, 5, 5, 9)),
          node("Backwards", (900, 900, 100, 100)), node("Far", (MOST - 1, LEAST, MOST, LEAST + 1))]
KEYBOARD = node("", SCREEN, node("", (0, 1620, 1080, 2400), kind="android.widget.FrameLayout",
                                 name="android:id/inputArea", flags=()),
                kind="android.widget.FrameLayout", flags=())
COVERED = node("Covered", (0, 1700, 1080, 1800))
OFF = ("Below", "Above", "Nothing", "Backwards", "Far", "Next page", "Covered")


def nodes_that_cannot_be_seen(place):
    """Nothing is sent for a node outside of the screen, of what clips it, below the keyboard, or without an area; by
    command, HTTP and MCP."""
    show(place, window(PAGER, *HIDDEN, COVERED, node("Field", (0, 2500, 1080, 2600), kind="android.widget.EditText",
                                                     name="a:id/field")), KEYBOARD)
    for text in OFF:
        for more in ((), ("--long",)):
            failed(place, "OFF_SCREEN", *SHELL, "click", "--text", text, "--patience", "0", *more)
    failed(place, "OFF_SCREEN", *SHELL, "type", "secret", "--id", "a:id/field", "--patience", "0")
    once = {"maxAttempts": 1}
    with ApiServer(place, *SHELL) as server:
        for action in (("click", {"matcher": {"textEquals": "Below"}, "retry": once}),
                       ("enter_text", {"matcher": {"resourceId": "a:id/field"}, "text": "x", "retry": once})):
            status, answer = server.json("POST", "/execute", {"execution": plan(action)})
            expect(place, str(action), (status, answer["envelope"].get("errorCode")), (200, "OFF_SCREEN"))
    with Conversation(place, *SHELL) as talk:
        talk.greet()
        for tool in ("tap", "long_press"):
            talk.refused("OFF_SCREEN", tool, selector={"text": "Next page"}, observe="none")
        talk.refused("OFF_SCREEN", "type_text", selector={"id": "a:id/field"}, text="x", observe="none")
    expect(place, "what was sent", sent(place), {})


def refs_and_nth_that_become_points(place):
    """A node that its place alone identifies is no point where none of it can be seen."""
    show(place, window(PAGER, *HIDDEN))
    status, document, _ = run_json(place, *SHELL, "snapshot", "--format", "compact")
    tree = document["envelope"]["stepResults"][0]["data"]["text"]
    refs = re.findall(r'(@\d+) button "Twin"', tree)
    expect(place, f"two twins: {tree}", len(refs), 2)
    for backend in (SHELL, ()):
        failed(place, "OFF_SCREEN", *backend, "click", "--ref", refs[1])
    failed(place, "OFF_SCREEN", *SHELL, "click", "--text", "Twin", "--nth", "2")
    with Conversation(place, *SHELL) as talk:
        talk.greet()
        shown = talk.tool("snapshot").result["content"][0]["text"]
        talk.refused("OFF_SCREEN", "tap", ref=re.findall(r'(@\d+) button "Twin"', shown)[0], observe="none")
        talk.refused("OFF_SCREEN", "tap", selector={"text": "Twin"}, nth=1, observe="none")
    with ApiServer(place, *SHELL) as server:
        answer = server.json("POST", "/execute",
                             {"execution": plan(("click", {"matcher": {"textEquals": "Twin"}})), "nth": 2})
        expect_error(place, answer, 404, "OFF_SCREEN")
    expect(place, "what was sent", sent(place), {})


def part_of_a_node(place):
    """The finger goes to the middle of what can be seen."""
    show(place, window(PAGER, node("Edge", (0, 2300, 1080, 2600)), node("Top of it", (0, 1500, 1080, 1800))), KEYBOARD)
    for text, at in (("Half", (990, 450)), ("Top of it", (540, 1560))):
        status, document, log = run_json(place, "--verbose", *SHELL, "click", "--text", text)
        expect(place, text, (status, document["envelope"]["status"]), (0, "success"))
        expect(place, f"{text}: {log}", re.search(r"tap\W+(\d+)\W+(\d+)", log).groups(), tuple(map(str, at)))
    show(place, window(PAGER, node("Edge", (0, 2300, 1080, 2600))))
    log = run_json(place, "--verbose", *SHELL, "click", "--text", "Edge")[2]
    expect(place, "Edge", re.search(r"tap\W+(\d+)\W+(\d+)", log).groups(), ("540", "2350"))


def keyboard_that_the_phone_reports(place):
    """Where uiautomator does not see the keyboard, the phone's window manager says what it covers."""
    show(place, window(COVERED))
    expect(place, "without a keyboard", run_json(place, *SHELL, "click", "--text", "Covered")[0], 0)
    place.device.simctl("clear", "tree-file")
    for words in (("open", "conformance://"), ("click", "--text", "Form"),
                  ("click", "--id", "com.clawperator.conformance:id/name_field")):
        expect(place, str(words), run_json(place, *SHELL, *words)[0], 0)
    show(place, window(COVERED))
    before = sent(place)
    failed(place, "OFF_SCREEN", *SHELL, "click", "--text", "Covered", "--patience", "0")
    expect(place, "what was sent", sent(place), before)


OUTSIDE = ((1080, 5), (5, 2400), (5000, 200), (32767, 32767))


def points_outside(place):
    """A point outside of the screen is refused on every surface by both backends, and nothing is sent; one on its edge
    is taken."""
    for x, y in OUTSIDE:
        for backend in ((), SHELL):
            for more in ((), ("--long",)):
                error = failed(place, "OFF_SCREEN", *backend, "click", "--coordinate", str(x), str(y), *more)
                expect(place, "its details",
                       {name: error["details"].get(name) for name in ("x", "y", "width", "height")},
                       {"x": x, "y": y, "width": 1080, "height": 2400})
            failed(place, "OFF_SCREEN", *backend, "exec", json.dumps(plan(("click", {"coordinate": {"x": x, "y": y}}))))
        for words in (("input", "tap"), ("double-tap",)):
            failed(place, "OFF_SCREEN", *words, str(x), str(y))
        for words in (("swipe",), ("input", "swipe"), ("drag",)):
            failed(place, "OFF_SCREEN", *words, "5", "5", str(x), str(y))
            failed(place, "OFF_SCREEN", *words, str(x), str(y), "5", "5")
    two = plan(("click", {"coordinate": {"x": 5, "y": 5}}), ("click", {"coordinate": {"x": 5, "y": 9999}}))
    for backend in ((), SHELL):
        expect(place, "the step", failed(place, "OFF_SCREEN", *backend, "exec", json.dumps(two))["details"]["actionId"],
               "s1")
    expect(place, "what was sent", sent(place), {})
    for backend in ((), SHELL):
        expect(place, "the last pixel", run_json(place, *backend, "click", "--coordinate", "1079", "2399")[0], 0)
    expect(place, "the last pixel", run_json(place, "swipe", "0", "0", "1079", "2399")[0], 0)


def points_outside_of_a_server(place):
    """The same by HTTP and MCP, cold and warm."""
    with ApiServer(place) as server:
        for _ in range(2):
            for x, y in OUTSIDE:
                for backend in ("app", "shell"):
                    body = {"execution": plan(("click", {"coordinate": {"x": x, "y": y}})), "backend": backend}
                    expect_error(place, server.json("POST", "/execute", body), 404, "OFF_SCREEN")
                path = f"/devices/{place.device.serial}/input"
                expect_error(place, server.json("POST", path, {"type": "tap", "x": x, "y": y}), 404, "OFF_SCREEN")
                expect_error(place, server.json("POST", path, {"type": "swipe", "x1": 1, "y1": 1, "x2": x, "y2": y}),
                             404, "OFF_SCREEN")
    for backend in ((), SHELL):
        with Conversation(place, *backend) as talk:
            talk.greet()
            for x, y in OUTSIDE:
                for tool in ("tap", "long_press"):
                    talk.refused("OFF_SCREEN", tool, x=x, y=y, observe="none")
                talk.refused("OFF_SCREEN", "swipe", x1=1, y1=1, x2=x, y2=y, observe="none")
            talk.refused("OFF_SCREEN", "execute", actions=plan(("click", {"coordinate": {"x": 5, "y": 9999}}))[
                "actions"]) if not backend else None
    expect(place, "what was sent", sent(place), {})


def sizes_that_change(place):
    """The phone's word counts, and where it does not say its size the point is sent."""
    serial = place.device.serial
    expect(place, "a small screen", place.run("adb", "-s", serial, "shell", "wm", "size", "720x1600").returncode, 0)
    for words in ((*SHELL, "click", "--coordinate", "1000", "200"), ("input", "tap", "1000", "200"),
                  ("click", "--coordinate", "1000", "200")):
        failed(place, "OFF_SCREEN", *words)
    expect(place, "the size that it had", place.run("adb", "-s", serial, "shell", "wm", "size", "reset").returncode, 0)
    for words in ((*SHELL, "click", "--coordinate", "1000", "200"), ("input", "tap", "1000", "200"),
                  ("click", "--coordinate", "1000", "200")):
        expect(place, str(words), run_json(place, *words)[0], 0)
    place.device.simctl("fault", "screen-untold")
    for words in ((*SHELL, "click", "--coordinate", "5000", "200"), ("input", "tap", "5000", "200"),
                  ("click", "--coordinate", "5000", "200")):
        expect(place, f"{words}, where nothing is known", run_json(place, *words)[0], 0)


def text_goes_to_its_field(place):
    """No key is sent where the field does not take the focus, or another one has it."""
    field = lambda name, at, *flags: node("old", (0, at, 1080, at + 100), kind="android.widget.EditText",
                                          name=f"a:id/{name}",
                                          flags=("clickable", *flags))
    once = {"maxAttempts": 1}
    for other in ((), ("focused",)):
        show(place, window(field("amount", 300), field("note", 500, *other)))
        failed(place, "INPUT_NOT_FOCUSED", *SHELL, "type", "secret", "--id", "a:id/amount", "--submit")
        failed(place, "INPUT_NOT_FOCUSED", *SHELL, "type", "", "--clear", "--id", "a:id/amount")
        with ApiServer(place, *SHELL) as server:
            action = ("enter_text", {"matcher": {"resourceId": "a:id/amount"}, "text": "x", "retry": once})
            expect(place, "http", server.json("POST", "/execute", {"execution": plan(action)})[1]["envelope"].get(
                "errorCode"), "INPUT_NOT_FOCUSED")
        with Conversation(place, *SHELL) as talk:
            talk.greet()
            talk.refused("INPUT_NOT_FOCUSED", "type_text", selector={"id": "a:id/amount"}, text="x", observe="none")
    expect(place, "what was sent", sent(place), {"input.tap": 8})
    show(place, window(field("amount", 300, "focused"), field("note", 500)))
    run_json(place, *SHELL, "type", "7", "--id", "a:id/amount")
    expect(place, "into the field that has it", sent(place).get("input.text"), 1)


CHECKS = [
    ("places: nodes that cannot be seen", True, nodes_that_cannot_be_seen),
    ("places: refs and nth that become points", True, refs_and_nth_that_become_points),
    ("places: part of a node", True, part_of_a_node),
    ("places: keyboard that the phone reports", True, keyboard_that_the_phone_reports),
    ("places: points outside", True, points_outside),
    ("places: points outside of a server", True, points_outside_of_a_server),
    ("places: sizes that change", True, sizes_that_change),
    ("places: text goes to its field", True, text_goes_to_its_field),
]
