#!/usr/bin/env python3
"""One round with Android's Settings on a device: close, open, read, click, read again, screenshot.

usage: tools/device_round.py                  on a simulated device
       tools/test --device SERIAL             on a phone, with reports in build/device-report.json and
                                              build/phone-report.json
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from limits import LIMIT_S

REPORT = ROOT / "build/device-report.json"
PHONE_REPORT = ROOT / "build/phone-report.json"  # of `clawperator doctor --report`
SETTINGS = "com.android.settings"
SETTLE_SECONDS = 1.0


class StepFailed(Exception):
    pass


class Round:
    """The steps share what they saw; each one's run is kept for the report."""

    def __init__(self, binary, target, environment=None):
        self.binary, self.target = binary, target
        self.environment = environment or dict(os.environ)
        self.runs, self.tree, self.label = [], None, None

    def command(self, *words):
        arguments = [*self.target, "--timings", *map(str, words)]
        began = time.monotonic()
        done = subprocess.run([str(self.binary), *arguments], env=self.environment, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=2 * LIMIT_S, check=False)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        self.runs.append({"command": ["clawperator", *arguments], "exitStatus": done.returncode,
                          "milliseconds": round((time.monotonic() - began) * 1000, 1),
                          "timings": answer.get("timings"), "code": answer.get("code"),
                          "stderr": done.stderr.decode(errors="replace")[-2000:]})
        if done.returncode != 0:
            raise StepFailed(done.stdout.decode(errors="replace")[:1000] or self.runs[-1]["stderr"])
        return answer

    def read_tree(self):
        answer = self.command("snapshot")
        return xml.fromstring(answer["envelope"]["stepResults"][0]["data"]["text"])

    def close_settings(self):
        self.command("close", SETTINGS)

    def open_settings(self):
        self.command("open", SETTINGS)
        time.sleep(SETTLE_SECONDS)

    def snapshot(self):
        self.tree = self.read_tree()
        if self.tree.find(f".//node[@package='{SETTINGS}']") is None:
            raise StepFailed("Settings is not on the screen")

    def click(self):
        self.label = clickable_label(self.tree)
        if self.label is None:
            raise StepFailed("nothing on the screen can be clicked by its text")
        self.command("click", "--text", self.label)
        time.sleep(SETTLE_SECONDS)

    def snapshot_again(self):
        if texts(self.read_tree()) == texts(self.tree):
            raise StepFailed(f"the click on {self.label!r} changed nothing")

    def screenshot(self):
        with tempfile.TemporaryDirectory(prefix="round-") as folder:
            path = pathlib.Path(folder) / "screen.png"
            self.command("screenshot", "--path", path)
            picture = path.read_bytes()
        if picture[:8] != b"\x89PNG\r\n\x1a\n" or picture[-8:-4] != b"IEND":
            raise StepFailed("the screenshot is not a whole PNG")
        width, height = struct.unpack(">II", picture[16:24])
        self.runs[-1]["picture"] = {"width": width, "height": height, "bytes": len(picture)}


STEPS = [Round.close_settings, Round.open_settings, Round.snapshot, Round.click,
         Round.snapshot_again, Round.close_settings, Round.screenshot]


def texts(tree):
    return [node.get("text") for node in tree.iter("node")]


def clickable_label(tree):
    """The text of the first row that leads somewhere: unique, and inside something clickable."""
    seen = texts(tree)

    def search(node, clickable):
        clickable = clickable or node.get("clickable") == "true"
        text = node.get("text") or ""
        if clickable and text.strip() and seen.count(text) == 1 and "EditText" not in node.get("class", ""):
            if "search" not in text.lower():
                return text
        return next(filter(None, (search(child, clickable) for child in node)), None)

    return search(tree, False)


def play(round_):
    """(step, None or why it failed) for each step; what follows a failure is not tried."""
    for step in STEPS:
        name = step.__name__.replace("_", " ")
        try:
            step(round_)
            yield name, None
        except (StepFailed, OSError, KeyError, xml.ParseError, subprocess.TimeoutExpired) as problem:
            yield name, str(problem) or type(problem).__name__
            return


def report(results):
    failed = 0
    for name, why in results:
        print(f"ok: {name}" if why is None else f"FAIL: {name}: {why}", flush=True)
        failed += why is not None
    return len(results) - failed, failed


def write_phone_report(serial):
    """What the phone answers to every question of ours; the round's own verdict is not changed by it."""
    told = subprocess.run([str(ROOT / "build/release/clawperator"), "doctor", "--check-only", "--device", serial,
                           "--report", str(PHONE_REPORT)], stdout=subprocess.DEVNULL, check=False)
    if told.returncode == 0 and PHONE_REPORT.exists():
        print(f"phone report: {PHONE_REPORT.relative_to(ROOT)}")


def on_a_phone(serial):
    for command in (["tools/install_packages", "build"], ["cmake", "--preset", "release"],
                    ["cmake", "--build", "build/release", "--target", "clawperator"]):
        if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            print("0 passed, 1 failed, 0 skipped")
            return 1
    round_ = Round(ROOT / "build/release/clawperator", ["--device", serial])
    results = list(play(round_))
    passed, failed = report(results)
    REPORT.write_text(json.dumps({
        "device": serial, "ok": failed == 0,
        "steps": [{"step": name, "ok": why is None, "why": why} for name, why in results],
        "runs": round_.runs,
    }, indent=2) + "\n")
    print(f"report: {REPORT.relative_to(ROOT)}")
    write_phone_report(serial)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def on_the_simulated_device():
    sys.path.insert(0, str(ROOT / "tests/peer"))
    import peer
    global SETTLE_SECONDS
    SETTLE_SECONDS = 0.05
    home, device = peer.Home(), peer.Simdroid()
    try:
        target = ["--device", device.address, "--transport", "tcp"]
        environment = home.environment(ANDROID_ADB_SERVER_PORT=peer.free_port())
        steps = list(play(Round(peer.BINARY, target, environment)))
    finally:
        device.stop()
        home.remove()
    passed, failed = report(steps)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(on_the_simulated_device())
