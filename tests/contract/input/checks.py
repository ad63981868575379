"""POST /devices/:serial/input: what a hand does, by the device's own input command, without the Operator app."""
import json

from api_server import ApiServer, expect, expect_error, wait_for_count


def plan(name, action):
    return {"commandId": name, "taskId": "task", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000,
            "actions": [action]}


OPEN_SETTINGS = plan("open", {"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}})
NAP = plan("nap", {"id": "n", "type": "sleep", "params": {"durationMs": 1500}})


def sent(place):
    """What a hand does, by the device's own input command; the events report it before it is answered."""
    with ApiServer(place) as server:
        serial = place.device.serial
        path = f"/devices/{serial}/input"
        expect(place, "settings", server.json("POST", "/execute", {"execution": OPEN_SETTINGS})[0], 200)
        look = lambda: server.ask("GET", f"/devices/{serial}/screenshot.png")[2]
        before, reader = look(), server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        answer = {"ok": True, "deviceId": serial, "backend": "shell", "effect": "unobserved"}
        for body, counter, count, published in (
                ({"type": "swipe", "x1": 540, "y1": 1800, "x2": 540, "y2": 600, "durationMs": 50}, "swipe", 1, None),
                ({"type": "key", "key": "KEYCODE_HOME"}, "keyevent", 1, None),
                ({"type": "key", "key": 3}, "keyevent", 2, None),
                ({"type": "tap", "x": 1, "y": 2399}, "tap", 1, None),
                ({"type": "text", "text": "it's 100%sure & \"$HOME\""}, "text", 2, {"type": "text", "length": 23})):
            expect(place, str(body), server.json("POST", path, body), (200, answer))
            expect(place, "event", reader.next()[:2],
                   ("clawperator:input", {"deviceId": serial, "input": published or body, "result": answer}))
            expect(place, str(body), place.device.counters().get(f"input.{counter}"), count)
            after = look()
            expect(place, "the execution of the look", reader.next()[0], "clawperator:result")
            expect(place, "the execution of the look", reader.next()[0], "clawperator:execution")
            if counter != "text" and count == 1 and counter != "tap" and after == before:
                raise place.Mismatch(f"{body} changed nothing")
            before = after
        answer = server.json("POST", "/devices/absent/input", {"type": "key", "key": 4})
        expect_error(place, answer, 404, "DEVICE_NOT_FOUND")
        expect(place, "the requested device", answer[1]["deviceId"], "absent")
        reader.close()
        place.device.simctl("fault", "shell-restricted")
        status, answer = server.json("POST", path, {"type": "tap", "x": 1, "y": 1})
        expect_error(place, (status, answer), 500, "INPUT_FAILED")
        if "INJECT_EVENTS" not in answer["error"]["message"] or "Developer options" not in answer["error"]["hint"]:
            raise place.Mismatch(f"it does not say what to do: {answer}")


def refused(place):
    """What breaks the form, cannot be typed or comes while an execution runs reaches no device."""
    bad = [{}, {"type": "pinch"}, {"type": "tap", "x": 1}, {"type": "tap", "x": -1, "y": 1},
           {"type": "tap", "x": 1, "y": 1.5},
           {"type": "tap", "x": 1, "y": 1, "z": 1},
           {"type": "swipe", "x1": 1, "y1": 1, "x2": 1, "y2": 1, "durationMs": 10001},
           {"type": "key", "key": "BACK"}, {"type": "key", "key": "KEYCODE_BACK; reboot"}, {"type": "key", "key": 0},
           {"type": "text", "text": ""}, {"type": "text", "text": "a" * 1001}]
    with ApiServer(place) as server:
        path = f"/devices/{place.device.serial}/input"
        for body in bad:
            expect_error(place, server.json("POST", path, body), 400, "INVALID_INPUT")
        for text in ("gr\u00fc\u00df", "a\nb", "\t"):
            expect_error(place, server.json("POST", path, {"type": "text", "text": text}), 400,
                         "INPUT_TEXT_UNSUPPORTED")
        expect_error(place, server.json("POST", path, []), 400, "INVALID_BODY")
        expect_error(place, server.json("POST", path, '{"type":"tap","x":1,"y":1}'), 400, "INVALID_BODY")
        long = server.in_background("POST", "/execute", {"execution": NAP})
        wait_for_count(place)
        expect_error(place, server.json("POST", path, {"type": "tap", "x": 1, "y": 1}), 423,
                     "EXECUTION_CONFLICT_IN_FLIGHT")
        long.join()
        expect(place, "sent", [name for name in place.device.counters() if name.startswith("input.")], [])
        expect(place, "afterwards", server.json("POST", path, {"type": "tap", "x": 1, "y": 1})[0], 200)


def on_each_release(place):
    """By the program before Android 12, by the service from then on; a maker's switch is named where it is in the
    way."""
    serial = place.device.serial
    for release in range(7, 17):
        place.device.simctl("phone", f"android-{release}")
        with ApiServer(place, "--device", serial, "--transport", "tcp") as server:
            for body in ({"type": "tap", "x": 5, "y": 5}, {"type": "key", "key": "KEYCODE_HOME"},
                         {"type": "text", "text": "it's 5% off"},
                         {"type": "swipe", "x1": 1, "y1": 2, "x2": 1, "y2": 2}):
                answer = server.json("POST", f"/devices/{serial}/input", body)
                expect(place, f"Android {release}: {body}", (answer[0], answer[1]["ok"]), (200, True))
        counted = place.device.counters()
        expect(place, f"Android {release}",
               [counted.get(f"input.{verb}", 0) for verb in ("tap", "keyevent", "text", "swipe")],
               [1, 1, 1, 1])
        expect(place, f"Android {release}: by the service", counted.get("service.input", 0), 4 if release >= 12 else 0)
        place.device.simctl("reset")
    place.device.simctl("phone", "xiaomi")
    with ApiServer(place, "--device", serial, "--transport", "tcp") as server:
        answer = server.json("POST", f"/devices/{serial}/input", {"type": "tap", "x": 5, "y": 5})
        expect_error(place, answer, 500, "INPUT_FAILED")
        if "USB debugging (Security settings)" not in answer[1]["error"]["hint"]:
            raise place.Mismatch(f"the hint is {answer[1]['error']['hint']}")


def by_commands(place):
    """swipe and key: one call of the device's input each, which a tree shows the effect of; what is wrong reaches no
    device."""
    def run_json(*words):
        done = place.run(*words)
        return done.returncode, json.loads(done.stdout)

    compact = ("snapshot", "--format", "compact")
    tree = lambda: run_json(*compact)[1]["envelope"]["stepResults"][0]["data"]["text"]
    answer = {"ok": True, "deviceId": place.device.serial, "backend": "shell", "effect": "unobserved"}
    expect(place, "settings", run_json("open", "com.android.settings")[0], 0)
    before = tree()
    expect(place, "swipe", run_json("swipe", "540", "1800", "540", "600", "--ms", "50"), (0, answer))
    scrolled = tree()
    expect(place, "it scrolled", scrolled != before and "com.android.settings" in scrolled, True)
    expect(place, "tap and text", [run_json("input", "tap", "1", "2399"), run_json("input", "text", "a b")],
           [(0, answer)] * 2)
    expect(place, "keys", run_json("key", "home", "KEYCODE_WAKEUP"), (0, answer))
    expect(place, "home", "launcher" in tree().split("\n")[0], True)
    counters = place.device.counters()
    calls = [counters.get(f"input.{name}") for name in ("swipe", "keyevent", "tap", "text")]
    expect(place, "calls", calls, [1, 2, 1, 1])
    for words, code in ((("swipe", "1", "2", "3"), "EXECUTION_VALIDATION_FAILED"),
                        (("swipe", "1", "2", "3", "x"), "EXECUTION_VALIDATION_FAILED"),
                        (("swipe", "1", "2", "3", "4", "--ms", "10001"), "EXECUTION_VALIDATION_FAILED"),
                        (("swipe", "1", "2", "3", "40000"), "EXECUTION_VALIDATION_FAILED"),
                        (("swipe", "1", "2", "3", "4", "5"), "USAGE"),
                        (("key",), "MISSING_ARGUMENT"), (("input", "text", "gr\u00fc\u00df"), "INPUT_TEXT_UNSUPPORTED"),
                        (("input", "pinch"), "USAGE"), (("input", "tap", "1", "-1"), "EXECUTION_VALIDATION_FAILED"),
                        (("key", "home", "no_such_key"), "EXECUTION_VALIDATION_FAILED"),
                        (("key", "289"), "EXECUTION_VALIDATION_FAILED")):
        status, error = run_json(*words)
        expect(place, str(words), (status, error["code"]), (1, code))
    expect(place, "what is wrong is named",
           "'seven' is no pixel" in run_json("swipe", "1", "2", "3", "seven")[1]["message"], True)
    expect(place, "calls", place.device.counters().get("input.keyevent"), 2)
    place.device.simctl("fault", "shell-restricted")
    status, error = run_json("key", "back")
    expect(place, "a maker's switch", (status, error["code"], "INJECT_EVENTS" in error["message"]),
           (1, "INPUT_FAILED", True))


CHECKS = [
    ("input: by commands", True, by_commands),
    ("input: sent", True, sent),
    ("input: refused", True, refused),
    ("input: on each release", True, on_each_release),
]
