"""The tools that act, each of which reports what changed, or what is amiss."""
import json
import re

from api_server import ApiServer, expect
from conversation import Conversation, answered_by, wait_until
from own_phone import own_phone, turning_phone

SETTINGS, CONFORMANCE = "com.android.settings", "com.clawperator.conformance"


def texts(reply):
    return "\n".join(reply.lines)


def start(talk, url=None):
    """The first screen of Settings, whatever was open of it; or what opens a URL."""
    if url:
        return talk.tool("open_url", url=url, observe="compact")
    talk.tool("close_app", package=SETTINGS, observe="none")
    talk.tool("open_app", package=SETTINGS, observe="none")
    return talk.tool("wait_for", selector={"text": "Network & internet"}, observe="compact")


def centre(place, text):
    """Of the first node with that text, by the whole tree."""
    tree = json.loads(place.run("snapshot", "--format", "nodes").stdout)["envelope"]["stepResults"][0]["data"]["text"]
    return next(node["center"] for node in json.loads(tree)["nodes"] if node.get("text") == text)


def says(place, reply, text):
    if text not in texts(reply):
        raise place.Mismatch(f"{text!r} is not in {reply.lines[:40]}")


def form(talk):
    start(talk, "conformance://")
    return talk.tool("tap", selector={"text": "Form"}, observe="compact")


def taps(place):
    """By @n, hash@n, selector, the short id that trees show, and a point: each has the effect."""
    with Conversation(place) as talk:
        home = start(talk)
        ref = home.ref('"Network & internet"')
        x, y = centre(place, "Network & internet")
        for given in ({"ref": ref}, {"ref": home.hash + ref}, {"selector": {"text": "Network & internet"}},
                      {"selector": {"text_contains": "Network &"}}, {"x": x, "y": y}, {"x": str(x), "y": str(y)}):
            start(talk)
            reply = talk.tool("tap", **given, observe="compact")
            says(place, reply, "AndroidWifi")
        start(talk)
        says(place, talk.tool("tap", selector={"id": "search_action_bar"}), "#search_src_text")
        start(talk)
        says(place, talk.tool("tap", selector={"id": f"{SETTINGS}:id/search_action_bar"}, observe="compact"),
             "#search_src_text")
        # Nothing is observed where no observation is wanted, and what did not change is one line.
        expect(place, "observe: none", talk.tool("tap", x=5, y=5, observe="none").lines, [])
        shown = talk.tool("snapshot").hash
        expect(place, "observe: diff", talk.tool("tap", x=5, y=5).lines, [f"as last shown: hash {shown}"])
        reply = talk.tool("tap", x=5, y=5, observe="compact", settle_ms=0)
        expect(place, "observe: compact", reply.hash == talk.tool("snapshot").hash, True)


def taps_twice(place):
    """count: 2 is one gesture of the device's own command, at a point or at a node's."""
    with Conversation(place) as talk:
        start(talk)
        x, y = centre(place, "Network & internet")
        reply = talk.tool("tap", x=x, y=y, count=2, observe="none")
        expect(place, "two taps", (reply.verdict["backend"], place.device.counters()["input.tap"]), ("shell", 2))
        first, second = json.loads(place.device.simctl("touches"))[-2:]
        expect(place, "at one point", (first["at"], second["at"]), ([x, y], [x, y]))
        start(talk)
        scale = talk.tool("screenshot", max_side=1200).verdict["scale"]
        talk.tool("tap", x=int(x * scale), y=int(y * scale), space="picture", count="2", observe="none")
        for given in ({}, {"x": 1}, {"ref": "@1", "x": 1, "y": 1},
                      {"selector": {"text": "About phone"}, "scroll": "down"}):
            talk.refused("USAGE", "tap", **given, count=2)
        talk.refused("OFF_SCREEN", "tap", x=5000, y=5, count=2)
        talk.refused("USAGE", "tap", x=1, y=1, count=3)
        expect(place, "nothing more", place.device.counters()["input.tap"], 4)
        start(talk)
        says(place, talk.tool("tap", x=x, y=y, count=1, observe="compact"), "AndroidWifi")


def taps_a_node_twice(place):
    """count: 2 taps what was shown, or nothing."""
    def taps():
        return place.device.counters().get("input.tap", 0)

    with Conversation(place) as talk:
        home = start(talk)
        y = centre(place, "Network & internet")[1]
        ref = home.hash + home.ref('"Network & internet"')
        for node in ({"selector": {"text": "Network & internet"}}, {"ref": ref}):
            start(talk)
            before = taps()
            talk.tool("tap", **node, count=2, observe="none")
            first, second = json.loads(place.device.simctl("touches"))[-2:]
            expect(place, f"{node}", (taps() - before, second["at"]), (2, first["at"]))
            expect(place, "in its row", abs(first["at"][1] - y) < 100, True)
        start(talk)
        before = taps()
        missed = talk.refused("NODE_NOT_FOUND", "tap", selector={"text": "Network & intrenet"}, count=2)
        expect(place, "near", "Network & internet" in str(missed["details"]["near"]), True)
        several = talk.refused("NODE_AMBIGUOUS", "tap", selector={"id": "android:id/title"}, count=2)
        expect(place, "several", several["matches"] > 2, True)
        talk.refused("STALE_REF", "tap", ref="@999", count=2)
        place.run("press", "home")
        talk.refused("APP_NOT_IN_FRONT", "tap", selector={"text": "Settings"}, count=2)
        stale = talk.refused("STALE_REF", "tap", ref=ref, count=2)
        expect(place, "the app now", stale["details"]["front"], "com.google.android.apps.nexuslauncher")
        expect(place, "nothing was touched", taps(), before)


def named_devices(place):
    """An answer names its device, except where the call does not and the answer before was of the same one."""
    with own_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        def named(tool, **given):
            return talk.tool(tool, **given).verdict.get("device")

        at = {"x": 5, "y": 5, "observe": "none"}
        expect(place, "once", [named("tap", **at), named("tap", **at), named("press_key", key="home")],
               [phone.serial, None, None])
        expect(place, "as the call does", named("tap", device=phone.serial, **at), phone.serial)
        expect(place, "another one", [named("tap", device=place.device.serial, **at), named("tap", **at)],
               [place.device.serial, phone.serial])
        talk.refused("STALE_REF", "tap", ref="@999")
        expect(place, "after an error", [named("tap", **at), named("execute", steps=[{"tap": at}, {"snapshot": {}}])],
               [phone.serial, None])


def scrolls_and_taps(place):
    """What is further down is scrolled to and tapped in one call."""
    with Conversation(place) as talk:
        home = start(talk)
        if "About phone" in texts(home):
            raise place.Mismatch("the row is on the screen already")
        reply = talk.tool("tap", selector={"text": "About phone"}, scroll="down")
        says(place, reply, "Android version")


def stale(place):
    """A ref of a screen that is gone, or that never was, reaches nothing."""
    with Conversation(place) as talk:
        start(talk)
        before = place.device.counters()["broadcast"]
        talk.refused("STALE_REF", "tap", ref="0123456789ab@3")
        talk.refused("STALE_REF", "tap", ref="@999")
        talk.refused("STALE_REF", "type_text", ref="0123456789ab@3", text="a")
        expect(place, "nothing was sent", place.device.counters()["broadcast"], before)
        # A ref that its place alone identifies: the screen is read, and on another one nothing is tapped.
        home = start(talk)
        row = next(line.split()[0] for line in home.lines if re.search(r"@\d+ group click$", line))
        talk.tool("tap", selector={"text": "Apps"}, observe="none")
        apps = talk.tool("snapshot").hash
        talk.refused("STALE_REF", "tap", ref=home.hash + row)
        talk.refused("STALE_REF", "long_press", ref=home.hash + row)
        expect(place, "the screen is as it was", talk.tool("snapshot").hash, apps)
        home = start(talk)
        expect(place, "on its own screen it holds", talk.tool("tap", ref=home.hash + row).hash != home.hash, True)


def known_pages(place):
    """[D2] A screen that this client has read is one line: its hash, and no word of what the action did."""
    with Conversation(place) as talk:
        home = start(talk)
        page = talk.tool("tap", selector={"text": "Network & internet"})
        back = talk.tool("press_key", key="back")
        expect(place, "the way back", back.lines, [f"as shown before, with the refs of then: hash {home.hash}"])
        again = talk.tool("tap", ref=home.ref('"Network & internet"'), verify="changed")
        expect(place, "its refs are those of then", (again.verdict["effect"], again.lines),
               ("changed", [f"as shown before, with the refs of then: hash {page.hash}"]))
        talk.tool("press_key", key="back", observe="none")
        same = talk.tool("tap", selector={"text": "Network & internet"}, verify="changed")
        expect(place, "no contradiction", (same.verdict["effect"], same.lines),
               ("changed", [f"as last shown: hash {page.hash}"]))
        expect(place, "whole where it is wanted", talk.tool("tap", x=5, y=5, observe="compact").hash, page.hash)
        with Conversation(place) as other:
            expect(place, "another client has read nothing", len(other.tool("tap", x=5, y=5).lines) > 5, True)
        for how in {"max_bytes": 200}, {"mode": "full"}:
            with Conversation(place) as other:
                other.tool("snapshot", **how)
                expect(place, f"a part is not read: {how}", len(other.tool("tap", x=5, y=5).lines) > 5, True)
        with Conversation(place) as other:
            other.tool("screenshot", marks="actionable")
            expect(place, "a picture is not read", len(other.tool("tap", x=5, y=5).lines) > 5, True)


def misses(place):
    """The error about an absent node names the nearest ones and the app in front."""
    with Conversation(place) as talk:
        home = start(talk)
        reply = talk.refused("NODE_NOT_FOUND", "tap", selector={"text": "network  INTERNET"})
        expect(place, "foreground", reply["foreground"], SETTINGS)
        expect(place, "near", [line for line in reply["near"] if "Network & internet" in line] != [], True)
        ref = reply["near"][0].split()[0]
        expect(place, "its screen", ref.split("@")[0], home.hash)
        says(place, talk.tool("tap", ref=ref), "AndroidWifi")
        reply = talk.refused("NODE_NOT_FOUND", "type_text", selector={"text": "Qqq"}, text="a")
        expect(place, "nothing is near", (reply["near"], reply["foreground"]), ([], SETTINGS))
        place.run("adb", "shell", f"am crash {SETTINGS}")
        reply = talk.refused("APP_NOT_IN_FRONT", "tap", selector={"text": "Apps"})["details"]
        expect(place, "the app that was seen has crashed", (reply["previous"], reply["crash"]["kind"]),
               (SETTINGS, "java"))


def another_app(place):
    """A touch stays in the app that this client was shown, until it was shown another one."""
    with own_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        talk.tool("open_app", package=SETTINGS)
        phone.simctl("show", CONFORMANCE, "home")
        before = phone.simctl("touches")
        for tool, given in (("tap", {"selector": {"text": "Form"}}), ("tap", {"x": 540, "y": 1200}),
                            ("long_press", {"selector": {"text": "Form"}}),
                            ("tap", {"selector": {"text": "Form"}, "scroll": "down"}),
                            ("type_text", {"selector": {"text": "Form"}, "text": "a"})):
            reply = talk.refused("APP_NOT_IN_FRONT", tool, **given)
            expect(place, f"{tool} {given}", (reply["details"]["previous"], reply["details"]["foreground"]),
                   (SETTINGS, CONFORMANCE))
            expect(place, f"{tool} {given} does nothing", phone.simctl("touches"), before)
        # An id of the app itself is found nowhere else, and what another app has instead is not near.
        reply = talk.refused("NODE_NOT_FOUND", "tap", selector={"id": f"{SETTINGS}:id/forms"})
        expect(place, "an id of the app", (reply["previous"], reply["foreground"], reply["near"]),
               (SETTINGS, CONFORMANCE, []))
        talk.refused("APP_NOT_IN_FRONT", "tap", selector={"text": "Form"})
        talk.tool("snapshot")
        talk.tool("tap", selector={"text": "Form"})
        # A picture shows what a tree may not.
        phone.simctl("show", SETTINGS, "home")
        talk.refused("APP_NOT_IN_FRONT", "tap", selector={"text": "Network & internet"})
        talk.call("screenshot")
        talk.tool("tap", selector={"text": "Network & internet"})
        # Where another app was waited for, it is the one.
        phone.simctl("show", CONFORMANCE, "home")
        talk.tool("wait_for", package=CONFORMANCE, observe="none")
        talk.tool("tap", selector={"text": "Form"})


def empties(place):
    """The app takes no empty text; the phone's own keys empty the field."""
    with Conversation(place) as talk:
        start(talk, "conformance://")
        talk.tool("tap", selector={"text": "Form"})
        says(place, talk.tool("type_text", text="abc", selector={"id": "name_field"}), "abc")
        expect(place, "a disabled node", talk.tool("tap", selector={"text": "Disabled"}).lines,
               [f"as last shown: hash {talk.tool('snapshot').hash}: the node is disabled"])
        reply = talk.tool("type_text", text="", selector={"id": "name_field"})
        expect(place, "by whom", (reply.verdict["ok"], reply.verdict.get("backend")), (True, "shell"))
        says(place, talk.tool("snapshot"), '"Name" #name_field')


def long_presses(place):
    with Conversation(place) as talk:
        home = start(talk, "conformance://")
        ask = home.ref('"Ask"')
        x, y = centre(place, "Ask")
        for given in ({"ref": ask}, {"selector": {"text": "Ask"}}, {"x": x, "y": y}):
            start(talk, "conformance://")
            says(place, talk.tool("long_press", **given, observe="compact"), "You held it long enough.")


def swipes(place):
    """A finger that goes up shows what is further down, and back; between points it drags."""
    with Conversation(place) as talk:
        home = start(talk)
        down = talk.tool("swipe", direction="up", observe="compact")
        expect(place, "it moved", (down.hash != home.hash, '"Google"' in texts(down)), (True, False))
        back = talk.tool("swipe", direction="down", observe="compact")
        says(place, back, '"Network & internet"')
        start(talk)
        talk.tool("snapshot")
        dragged = talk.tool("swipe", x1=540, y1=1800, x2=540, y2=600, duration_ms=50, observe="compact")
        expect(place, "it was dragged", (dragged.hash != home.hash, dragged.verdict["backend"]), (True, "shell"))
        expect(place, "swipes of the device's own command", place.device.counters()["input.swipe"], 1)
        reply = talk.tool("swipe", x1="540", y1="600", x2="540", y2="1800", observe="none")
        expect(place, "numbers as texts", (reply.lines, place.device.counters()["input.swipe"]), ([], 2))


def types(place):
    """Text replaces what is in the field; submit presses Enter; what is typed is what is there."""
    with Conversation(place) as talk:
        field = form(talk).ref("#name_field")
        says(place, talk.tool("type_text", ref=field, text="Anna"), '"Anna"')
        hard = "Gr\u00fc\u00df \"dich\" & 100% $HOME \U0001f600"
        reply = talk.tool("type_text", selector={"id": "name_field"}, text=hard, observe="compact")
        says(place, reply, '"' + hard.replace('"', '\\"') + '"')
        expect(place, "it was replaced", "Anna" in texts(reply), False)
        reply = talk.tool("type_text", selector={"id": "name_field"}, text="Bea", submit="true", observe="compact")
        says(place, reply, "Form sent")
        # An id as trees show it holds on a screen, too, that was not shown yet.
        talk.tool("open_url", url="conformance://", observe="none")
        talk.tool("tap", selector={"text": "Form"}, observe="none")
        says(place, talk.tool("type_text", selector={"id": "email_field"}, text="a@b.c"), '"a@b.c"')


def keys(place):
    """back, home and recents are the app's; every other key is the device's own input command's."""
    with Conversation(place) as talk:
        home = start(talk)
        talk.tool("tap", selector={"text": "Network & internet"}, observe="none")
        expect(place, "back", talk.tool("press_key", key="back", observe="compact").hash, home.hash)
        reply = talk.tool("press_key", key="HOME", observe="compact")
        expect(place, "home", reply.lines[0].split()[0] != SETTINGS, True)
        talk.tool("press_key", key="recents", observe="none")
        expect(place, "by the app", place.device.counters().get("input.keyevent", 0), 0)
        others = ("enter", "KEYCODE_TAB", "volume_up", "Volume Down", "66", "backspace", "keycode_dpad_down")
        for number, key in enumerate(others, 1):
            reply = talk.tool("press_key", key=key, observe="none")
            expect(place, key, (reply.verdict["backend"], place.device.counters().get("input.keyevent")),
                   ("shell", number))
        start(talk)
        talk.tool("tap", selector={"text": "Network & internet"}, observe="none")
        talk.tool("press_key", key="KEYCODE_HOME", observe="none")
        expect(place, "a key of the shell", talk.tool("snapshot").lines[1].split()[0] != SETTINGS, True)


def words_of_the_phone(place):
    """The shade, the keyboard and the rotation are words of press_key: the verbs of the command line."""
    state = lambda: json.loads(place.device.simctl("state"))
    with Conversation(place) as talk:
        start(talk)
        reply = talk.tool("press_key", key="notifications", verify="changed", observe="compact")
        expect(place, "the shade", (state()["screen"], reply.verdict["backend"], reply.verdict["effect"]),
               ("shade", "shell", "changed"))
        talk.tool("press_key", key="Quick settings", observe="none")
        expect(place, "of an open shade", (state()["screen"], "input.keyevent" in place.device.counters()),
               ("shade", False))
        talk.tool("press_key", key="back")
        talk.tool("press_key", key="quick_settings", observe="none")
        expect(place, "the quick settings", state()["screen"], "shade")
        talk.tool("press_key", key="back")
        form(talk)
        talk.tool("tap", selector={"id": "name_field"}, observe="none")
        expect(place, "a keyboard", state()["keyboard"], True)
        for number, key in enumerate(("hide_keyboard", "hide-keyboard")):
            reply = talk.tool("press_key", key=key, observe="compact")
            expect(place, f"away, {number}", (state()["keyboard"], "#name_field" in texts(reply)), (False, True))
        place.run("adb", "shell", "cmd power sleep; cmd power wakeup")
        talk.refused("DEVICE_NOT_INTERACTIVE", "press_key", key="notifications")
    with Conversation(place) as talk, Conversation(place) as other:
        before = place.device.counters().get("broadcast", 0)
        talk.send({"id": "nap", "method": "tools/call", "params": {"name": "execute", "arguments": {
            "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 3000}}]}}})
        wait_until(place, "the plan runs", lambda: place.device.counters().get("broadcast", 0) > before)
        other.refused("EXECUTION_CONFLICT_IN_FLIGHT", "press_key", key="rotate_portrait")
        talk.answer("nap")


def words_of_the_phone_by_http(place):
    """As over stdin and stdout; the event names the word."""
    with ApiServer(place) as server:
        reader = server.events()
        for tool, given in (("open_url", {"url": "conformance://"}), ("tap", {"selector": {"text": "Form"}}),
                            ("tap", {"selector": {"id": "name_field"}}), ("press_key", {"key": "hide_keyboard"})):
            _, answer = server.json("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": tool, "arguments": {**given, "observe": "none"}}})
            expect(place, tool, json.loads(answer["result"]["content"][0]["text"])["ok"], True)
        expect(place, "away", json.loads(place.device.simctl("state"))["keyboard"], False)
        name = ""
        while name != "clawperator:input":
            name, event, _ = reader.next()
        expect(place, "the event", event["input"], {"type": "key", "key": "hide_keyboard"})
        reader.close()


def turns(place):
    """By the way that the phone is upright; a way that the app in front does not take is an error."""
    with turning_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        size = lambda reply: reply.lines[0].split()[1]
        reply = talk.tool("press_key", key="rotate_landscape", verify="changed", observe="compact")
        expect(place, "wide", (size(reply), reply.verdict["effect"]), ("2400x1080", "changed"))
        reply = talk.tool("press_key", key="rotate_portrait", observe="compact")
        expect(place, "tall", size(reply), "1080x2400")
        talk.tool("press_key", key="rotate_landscape", observe="none")
        expect(place, "as held", size(talk.tool("press_key", key="rotate_auto", observe="compact")), "1080x2400")
        start(talk)
        talk.refused("EFFECT_NOT_CONFIRMED", "press_key", key="rotate_landscape")


def apps(place):
    with Conversation(place) as talk:
        says(place, start(talk), f"{SETTINGS} 1080x2400")
        says(place, talk.tool("open_url", url="https://example.com/a?b=c&d", observe="compact"),
             "com.android.chrome 1080x2400")
        reply = talk.tool("close_app", package="com.android.chrome", observe="compact")
        expect(place, "closed", reply.lines[0].split()[0] != "com.android.chrome", True)
        reply = talk.tool("open_app", package=SETTINGS)
        expect(place, "observed by default", reply.hash is not None or reply.lines == ["unchanged"], True)
        reply = answered_by(talk.call("open_app", package="com.no.such"))
        expect(place, "no such app",
               (reply.result["isError"], reply.verdict["ok"], "com.no.such" in reply.verdict["message"]),
               (True, False, True))


def apps_by_name(place):
    """By the words of the package, as a person would say them; never one of two. Without a package: the list."""
    with Conversation(place) as talk:
        listed = talk.tool("open_app").verdict
        expect(place, "apps", (listed["device"], SETTINGS in listed["apps"], listed["apps"] == sorted(listed["apps"])),
               (place.device.serial, True, True))
        expect(place, "as hosts leave it out", talk.tool("open_app", package="").verdict["apps"], listed["apps"])
        for name, package in (("Chrome", "com.android.chrome"), ("settings", SETTINGS), ("android Settings", SETTINGS)):
            reply = talk.tool("open_app", package=name, observe="compact")
            expect(place, name, (reply.verdict["package"], reply.lines[0].split()[0]), (package, package))
        reply = talk.refused("ANDROID_APP_LAUNCH_FAILED", "open_app", package="clawperator")
        expect(place, "two", (reply["details"]["near"], '"clawperator"' in reply["message"]),
               (["com.clawperator.conformance", "com.clawperator.operator"], True))
        reply = talk.refused("ANDROID_APP_LAUNCH_FAILED", "open_app", package="Crome", observe="none")
        expect(place, "none", reply["details"]["near"], ["com.android.chrome"])
        expect(place, "a package is that package", "package" in talk.tool("open_app", package=SETTINGS).verdict, False)
        reply = talk.tool("execute", actions=[
            {"id": "a", "type": "open_app", "params": {"applicationId": "chrome"}}])
        expect(place, "in a plan", reply.verdict["package"], "com.android.chrome")
        place.device.simctl("phone", "android-7")  # which does not list what a launcher shows
        expect(place, "its apps", SETTINGS in talk.tool("open_app").verdict["apps"], True)


def plans(place):
    """What a plan's steps returned, with compact trees; the step that fails is named, and has a code for programs."""
    with Conversation(place) as talk:
        reply = talk.tool("execute", actions=[
            {"id": "o", "type": "open_app", "params": {"applicationId": SETTINGS}}, {"id": "s", "type": "snapshot_ui"},
            {"id": "c", "type": "click", "params": {"matcher": {"textEquals": "Network & internet"}}},
            {"id": "t", "type": "snapshot_ui"}])
        steps = reply.verdict["steps"]
        expect(place, "device", reply.verdict["device"], place.device.serial)
        expect(place, "steps", [(step["id"], step.get("ok", True)) for step in steps],
               [(name, True) for name in "osct"])
        trees = [step["tree"].split("\n")[0] for step in steps if "tree" in step]
        head = re.compile(SETTINGS + r" 1080x2400 hash [0-9a-f]{12}")
        expect(place, "trees", [bool(head.fullmatch(tree)) for tree in trees], [True, True])
        # Refs of the last tree are those that @n means.
        last = answered_by({"content": [{"type": "text", "text": steps[3]["tree"]}]})
        says(place, talk.tool("tap", ref=last.ref('"Internet"')), "Wi-Fi")
        result = talk.call("execute", actions=[
            {"id": "fine", "type": "press_key", "params": {"key": "home"}},
            {"id": "bad", "type": "wait_for_navigation",
             "params": {"expectedPackage": "com.no.such", "timeoutMs": 300}},
            {"id": "never", "type": "snapshot_ui"}])
        reply = json.loads(result["content"][0]["text"])
        expect(place, "a failed plan", (result["isError"], reply["ok"]), (True, False))
        steps = reply["steps"]
        expect(place, "its steps", [(step["id"], step.get("ok", True)) for step in steps[:2]],
               [("fine", True), ("bad", False)])
        expect(place, "what is said of it", (reply["step"], reply["code"]), ("bad", "NAVIGATION_TIMEOUT"))
        expect(place, "an old app names no step", talk.refused("NODE_NOT_FOUND", "execute", actions=[
            {"id": "two", "type": "click", "params": {"matcher": {"textEquals": "Setings"}}}])["step"], "two")
    with own_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        middle = [{"id": "one", "type": "press_key", "params": {"key": "home"}},
                  {"id": "two", "type": "click", "params": {"matcher": {"textEquals": "Setings"}}},
                  {"id": "three", "type": "press_key", "params": {"key": "home"}}]
        reply = talk.refused("NODE_NOT_FOUND", "execute", actions=middle)
        expect(place, "[D3] what was done", [(step["id"], step.get("ok", True)) for step in reply["steps"]],
               [("one", True), ("two", False)])
        expect(place, "[D3] why not the rest", (reply["step"], '"Settings"' in reply["near"][0]), ("two", True))


def steps_of_tools(place):
    """A plan in the tools' own words: each step's result, the last one's screen; it stops where a step fails."""
    with own_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        home = talk.tool("open_app", package=SETTINGS, observe="compact")
        page = talk.tool("execute", steps=[{"tap": {"ref": home.ref('"Network & internet"')}},
                                           {"wait_for": {"selector": {"text": "Internet"}}},
                                           {"tap": {"selector": {"text": "Internet"}, "verify": "changed"}}])
        expect(place, "the steps", [(step["tool"], step.get("effect"), step["ms"] >= 0)
                                    for step in page.verdict["steps"]],
               [("tap", None, True), ("wait_for", None, True), ("tap", "changed", True)])
        says(place, page, "AndroidWifi")
        talk.tool("tap", ref=page.ref('"AndroidWifi"'))
        # As some hosts send it: texts, every tool of the schema, and blanks.
        talk.tool("execute", steps=json.dumps([{"press_key": {"key": "back"}, "tap": {"ref": ""}, "swipe": {}},
                                               json.dumps({"press_key": json.dumps({"key": "back"})})]), observe="")
        talk.tool("tap", selector={"text": "Network & internet"})
        # What cannot be sent ends the plan before its first step.
        before = phone.simctl("touches")
        for steps, words in (([{"tapp": {}}], "step 2 has no tool 'tapp'; known are: snapshot, tap, "),
                             ([{"execute": {"steps": []}}], "step 2 has no tool 'execute'"),
                             ([{"tap": {}}], "step 2: give"), (["tap"], "step 2 must be one tool"),
                             ([{"tap": {"x": 1}}], "step 2: a point needs x and y"),
                             ([{"tap": {"x": 1, "y": 1}, "swipe": {"direction": "up"}}], "step 2 must be one tool"),
                             ([{"press_key": {"key": "nokey"}}], "step 2: no key is called 'nokey'"),
                             ([{"press_key": {"key": "home"}}] * 50, "at most 50 steps")):
            reply = talk.refused("USAGE", "execute", steps=[{"tap": {"x": 5, "y": 5}}, *steps])
            expect(place, f"{words}: said", words in reply["message"], True)
        talk.refused("STALE_REF", "execute", steps=[{"tap": {"x": 5, "y": 5}}, {"tap": {"ref": "@999"}}])
        talk.refused("EXECUTION_VALIDATION_FAILED", "execute", steps=[
            {"tap": {"x": 5, "y": 5}}, {"type_text": {"selector": {"text": "a"}, "text": "b" * 6000}}])
        talk.refused("USAGE", "execute", steps=[{"snapshot": {}}], actions=[{"id": "s", "type": "snapshot_ui"}])
        talk.refused("USAGE", "execute", actions=[{"id": "s", "type": "snapshot_ui"}], observe="compact")
        expect(place, "nothing was sent", phone.simctl("touches"), before)
        # A step that fails has its own error at the top, and what was done is named.
        reply = talk.refused("NODE_NOT_FOUND", "execute", steps=[
            {"snapshot": {}}, {"tap": {"selector": {"text": "Internt"}}}, {"press_key": {"key": "home"}}])
        expect(place, "where it stopped", (reply["step"], reply["tool"], [each["tool"] for each in reply["done"]]),
               (2, "tap", ["snapshot"]))
        expect(place, "what was read", " hash " in reply["done"][0]["screen"], True)
        talk.tool("tap", ref=reply["near"][0].split(" ")[0])
        reply = talk.refused("EFFECT_UNCHANGED", "execute", stop_on="unchanged",
                             steps=[{"tap": {"x": 5, "y": 5}}, {"press_key": {"key": "home"}}])
        expect(place, "what changed nothing", (reply["step"], reply["done"][0]["effect"]), (1, "unchanged"))
        fifty = [{"tap": {"selector": {"text": "none" + str(each)}, "patience": 0}} for each in range(50)]
        expect(place, "fifty that fail", talk.refused("NODE_NOT_FOUND", "execute", steps=fifty)["step"], 1)
        reply = talk.refused("COMMAND_TIMEOUT", "execute", timeout_ms=1000, steps=[
            {"wait_for": {"selector": {"text": "never"}, "gone": True}},
            {"wait_for": {"selector": {"text": "Internet"}, "gone": True, "timeout_ms": 20000}}])
        expect(place, "its time", (reply["step"], len(reply["done"])), (2, 1))


def plans_of_tools_are_safe(place):
    """A bare ref is the client's own screen's; a typed secret stays one; what could not be sent is refused first."""
    with own_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        talk.tool("open_app", package=SETTINGS)
        before = phone.simctl("touches")
        reply = talk.refused("STALE_REF", "execute", steps=[
            {"open_app": {"package": CONFORMANCE}}, {"snapshot": {}}, {"tap": {"ref": "@8"}}])
        expect(place, "another screen's ref", (reply["step"], phone.simctl("touches")), (3, before))
        form(talk)
        secret = "hunter2secret"
        for last in ({"press_key": {"key": "KEYCODE_TAB"}}, {"snapshot": {}}, {"tap": {"selector": {"text": secret}}},
                     {"tap": {"selector": {"text": "hunter2secre"}}}):
            result = talk.call("execute", steps=[
                {"type_text": {"selector": {"id": "name_field"}, "text": secret, "secret": True}}, last])
            shown = json.dumps({**result, "content": [
                {"text": block["text"].replace("textEquals=" + secret, "")} for block in result["content"]]})
            expect(place, f"a secret before {last}", secret in shown, False)
        # A key may show another app; so may what was waited for.
        phone.simctl("show", SETTINGS, "home")
        for first in ({"press_key": {"key": "KEYCODE_HOME"}}, {"wait_for": {"any": [{"package": SETTINGS}]}},
                      {"wait_for": {"selector": {"text": "Network & internet"}}},
                      {"wait_for": {"all": [{"selector": {"text": "Network & internet"}}]}}):
            talk.tool("open_app", package=CONFORMANCE)
            phone.simctl("show", SETTINGS, "home")
            is_key = "press_key" in first
            talk.tool("execute", steps=[first, {"tap": {"selector": {"text": "Settings" if is_key else "Apps"}}}])
        talk.tool("open_app", package=CONFORMANCE)
        phone.simctl("show", SETTINGS, "home")
        talk.refused("APP_NOT_IN_FRONT", "tap", x=540, y=1200, count=2)
        talk.refused("APP_NOT_IN_FRONT", "swipe", x1=540, y1=1200, x2=540, y2=600)
        talk.tool("execute", actions=[{"id": "s", "type": "snapshot_ui"}])
        talk.tool("tap", selector={"text": "Apps"})
        before = phone.simctl("touches")
        for steps in ([{"tap": {"ref": "@999"}}], [{"tap": {"x": 5, "y": 5, "space": "picture"}}]):
            talk.call("execute", steps=[{"tap": {"x": 5, "y": 5}}, *steps])
        expect(place, "nothing was sent", phone.simctl("touches"), before)
        reply = talk.refused("USAGE", "wait_for", all=[{"selector": {"text": "Apps"}}, {"selector": {"text": ""}}])
        expect(place, "a blank condition", "all[1]" in reply["message"], True)
        expect(place, "an app by its name", talk.tool("close_app", package="settings").verdict["package"], SETTINGS)
        talk.refused("ANDROID_APP_LAUNCH_FAILED", "open_app", package="google")
        steps = talk.tool("execute", steps=[{"snapshot": {}},
                                            {"tap": {"x": 5, "y": 5, "device": place.device.serial}}]).verdict
        expect(place, "two phones", (steps["device"], [step.get("device") for step in steps["steps"]]),
               (phone.serial, [None, place.device.serial]))


def results_of_steps(place):
    """Each step has what it returned; of a plan that fails twice, step, code and message belong together."""
    with own_phone(place) as phone, Conversation(place, "--device", phone.serial) as talk:
        steps = talk.tool("execute", actions=[
            {"id": "o", "type": "open_app", "params": {"applicationId": SETTINGS}},
            {"id": "a", "type": "scroll_and_click",
             "params": {"matcher": {"textEquals": "About phone"}, "settleDelayMs": 0}},
            {"id": "v", "type": "read_key_value_pair",
             "params": {"labelMatcher": {"textEquals": "Android version"}}},
            {"id": "p", "type": "take_screenshot"},
            {"id": "r", "type": "start_recording", "params": {"sessionId": "mine"}},
            {"id": "e", "type": "stop_recording", "params": {"sessionId": "mine"}}]).verdict["steps"]
        data = {step["id"]: step.get("data", {}) for step in steps}
        expect(place, "a value", (data["v"]["label"], bool(data["v"]["value"])), ("Android version", True))
        expect(place, "a picture's file", data["p"]["path"].endswith(".png"), True)
        expect(place, "a recording", [(data[step]["sessionId"], bool(data[step]["filePath"])) for step in "re"],
               [("mine", True)] * 2)
        expect(place, "no noise", [name for each in data.values() for name in each if name.startswith("dispatch_")], [])
        phone.simctl("fault", "screencap-fails")
        reply = talk.refused("NODE_NOT_FOUND", "execute", actions=[
            {"id": "a", "type": "take_screenshot"},
            {"id": "b", "type": "read_text", "params": {"matcher": {"textEquals": "Nope"}}}])
        expect(place, "of one step", (reply["step"], "Nope" in reply["message"]), ("b", True))
        expect(place, "codes", [(step["id"], step["code"]) for step in reply["steps"]],
               [("a", "SCREENSHOT_CAPTURE_FAILED"), ("b", "NODE_NOT_FOUND")])


def busy(place):
    """One execution at a time on a phone: the second call waits for it, of one client or of two."""
    with Conversation(place) as one, Conversation(place) as other:
        nap = {"name": "execute",
               "arguments": {"actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 1000}}]}}
        one.send({"id": "a", "method": "tools/call", "params": nap}, {"id": "b", "method": "tools/call", "params": nap})
        reply = other.call("tap", x=1, y=1, observe="none")
        for answer in (one.answer("a"), one.answer("b")):
            expect(place, "both plans", json.loads(answer["result"]["content"][0]["text"])["ok"], True)
        expect(place, "another client", "isError" in reply, False)


def amiss(place):
    """What is wrong with the phone comes with its code, and with what to do."""
    for fault, code in (("package-missing", "OPERATOR_NOT_INSTALLED"), ("accessibility-off", "SERVICE_UNAVAILABLE")):
        with Conversation(place) as talk:
            place.device.simctl("fault", fault)
            reply = talk.refused(code, "snapshot")
            advised = "`clawperator " in reply.get("hint", "") or ": clawperator " in reply["message"]
            expect(place, f"{fault}: what to do", advised, True)
            place.device.simctl("clear", fault)
            talk.tool("snapshot")


def by_http(place):
    """The same tools at /mcp, by the devices of the other routes, reported to the events."""
    with ApiServer(place) as server:
        def call(tool, **given):
            status, answer = server.json("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                                          "params": {"name": tool, "arguments": given}})
            expect(place, tool, (status, answer["id"]), (200, 1))
            return answered_by(answer["result"])

        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        home = call("open_app", package=SETTINGS, observe="compact")
        expect(place, "the events", (reader.next()[0], reader.next()[0]),
               ("clawperator:result", "clawperator:execution"))
        ref = home.ref('"Network & internet"')
        expect(place, "a ref without its hash", call("tap", ref=ref).verdict["code"], "USAGE")
        expect(place, "a ref", "AndroidWifi" in texts(call("tap", ref=home.hash + ref)), True)
        expect(place, "no diff without a client's last tree", "since" in texts(call("tap", x=5, y=5)), False)
        stays = call("wait_for", selector={"text": "Internet"}, gone=True, timeout_ms=600)
        expect(place, "what stays", stays.verdict["code"], "COMMAND_TIMEOUT")
        shot = call("screenshot", max_side=300)
        expect(place, "a picture", [block["type"] for block in shot.result["content"]], ["text", "image"])
        expect(place, "a miss", call("tap", selector={"text": "Qqq"}).verdict["code"], "NODE_NOT_FOUND")
        expect(place, "a stale ref", call("tap", ref="0123456789ab@1").verdict["code"], "STALE_REF")
        expect(place, "a wrong argument", call("tap", foo=1).verdict["code"], "USAGE")
        expect(place, "another device", call("snapshot", device="absent").verdict["code"], "DEVICE_NOT_FOUND")
        reader.close()


CHECKS = [
    ("mcp: taps", True, taps),
    ("mcp: taps twice", True, taps_twice),
    ("mcp: taps a node twice", True, taps_a_node_twice),
    ("mcp: scrolls and taps", True, scrolls_and_taps),
    ("mcp: stale", True, stale),
    ("mcp: known pages", True, known_pages),
    ("mcp: named devices", True, named_devices),
    ("mcp: steps of tools", True, steps_of_tools),
    ("mcp: plans of tools are safe", True, plans_of_tools_are_safe), ("mcp: misses", True, misses),
    ("mcp: a touch in another app", True, another_app),
    ("mcp: empties", True, empties),
    ("mcp: long presses", True, long_presses),
    ("mcp: swipes", True, swipes),
    ("mcp: types", True, types),
    ("mcp: keys", True, keys),
    ("mcp: words of the phone", True, words_of_the_phone),
    ("mcp: words of the phone by HTTP", True, words_of_the_phone_by_http),
    ("mcp: turns", True, turns),
    ("mcp: apps", True, apps),
    ("mcp: apps by name", True, apps_by_name),
    ("mcp: plans", True, plans),
    ("mcp: results of steps", True, results_of_steps),
    ("mcp: busy", True, busy),
    ("mcp: amiss", True, amiss),
    ("mcp: tools by HTTP", True, by_http),
]
