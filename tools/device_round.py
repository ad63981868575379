#!/usr/bin/env python3
"""One round with Android's Settings on a device: close, open, read, click, read again, screenshot. tools/kit --act
calls it.

usage: tools/device_round.py CLAWPERATOR REPORT [--device SERIAL ...]

The report has the time of each command and the code of its error, and no text of the screen."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

LIMIT_S = 120  # a command's own limits are far below
SETTINGS = "com.android.settings"
SETTLE_SECONDS = 1.0


class StepFailed(Exception):
    """What a person sees; the report has the error's code alone."""


def code_of(answer):
    """Of an error of ours, or of the Operator app's."""
    return answer.get("code") or (answer.get("envelope") or {}).get("errorCode")


class Round:
    """The steps share what they saw; each one's run is kept for the report."""

    def __init__(self, binary, target):
        self.binary, self.target = binary, target
        self.runs, self.tree, self.label = [], None, None

    def command(self, *words):
        began = time.monotonic()
        done = subprocess.run([self.binary, *self.target, "--timings", *map(str, words)], capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=LIMIT_S, check=False)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        self.runs.append({"command": words[0], "exitStatus": done.returncode,
                          "milliseconds": round((time.monotonic() - began) * 1000, 1),
                          "timings": answer.get("timings"), "code": code_of(answer)})
        if done.returncode != 0:
            raise StepFailed((done.stdout or done.stderr).decode(errors="replace")[:1000])
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


def main():
    binary, report, *target = sys.argv[1:]
    round_ = Round(binary, target)
    steps = []
    for name, why in play(round_):
        print(f"ok: {name}" if why is None else f"FAIL: {name}: {why}", flush=True)
        steps.append({"step": name, "ok": why is None})
    ok = all(step["ok"] for step in steps)
    pathlib.Path(report).write_text(json.dumps({"ok": ok, "steps": steps, "runs": round_.runs}, indent=2) + "\n")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
