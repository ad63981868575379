"""The same errands by another hand: npm's `@mobilenext/mobile-mcp`, over adb, as a careful agent uses it. It lists the
elements of the screen before each step, and presses one by its ref."""
import contextlib
import re
import subprocess
import time

import hands
import run
from policies import Policy

SIM = ["sim", "--operator", "none"]  # it needs no app; two programs do not read the tree at once
STUB = '#!/bin/sh\nMOBILEMCP_DISABLE_TELEMETRY=1 MOBILEMCP_ALLOW_UNSAFE_URLS=1 exec node "{}" 2>/dev/null\n'
PROGRAM = "node_modules/@mobilenext/mobile-mcp/lib/index.js"
WAIT_S = 10
MOST_SWIPES = 20  # the longest list has sixty rows, a swipe moves two or three


@contextlib.contextmanager
def phone(binary, folder, screens, package):
    device = run.Device(binary, folder, [*SIM, "--screens", str(screens)])
    try:
        yield device
    finally:
        for helper in package.glob("node_modules/@mobilenext/mobilecli-*/mobilecli-*"):  # it leaves a daemon behind
            subprocess.run([helper.resolve(), "daemon", "stop"], env=device.env, capture_output=True, check=False,
                           timeout=WAIT_S)
        device.close()


def place(device, folder, package):
    """A place whose program is mobile-mcp."""
    stub = folder / "mobile-mcp"
    stub.write_text(STUB.format((package / PROGRAM).resolve()))
    stub.chmod(0o700)
    return run.Place(str(stub), folder, device.env, device)


class Mobile(Policy):
    name = "mobile-mcp"

    def __init__(self, hand):
        super().__init__(hand)
        self.device, self.elements, self.app = {"device": hand.place.device.serial}, [], ""

    def call(self, tool, **arguments):
        return self.hand.call(f"mobile_{tool}", **self.device, **arguments)

    def look(self):
        self.elements = [line for line in self.call("list_elements_on_screen").lines if line.startswith("@e")]

    def open(self, package):
        self.app = package
        self.call("launch_app", packageName=package)

    def url(self, address):
        self.call("open_url", url=address)

    def is_away(self):
        """Lists contain ids, and most ids name the app."""
        return self.app and not any(name in line for line in self.elements for name in (f'"{self.app}:', "permission"))

    def return_to_app(self):
        if self.is_away():
            self.call("press_button", button="BACK")
            self.look()
        if self.is_away():
            self.call("launch_app", packageName=self.app)
            self.look()

    def found(self, words, kind=""):
        """(ref, line): of those with the first word the one whose row has the second."""
        def those(word):
            return [line for line in self.elements if f'text="{word}"' in line or f'label="{word}"' in line]

        def height(line):
            return int(re.search(r" at=\d+,(\d+)", line)[1])
        lines = [line for line in those(words[0]) if kind in line]
        for word in words[1:]:
            beside = [height(line) for line in those(word)]
            lines.sort(key=lambda line: min((abs(height(line) - each) for each in beside), default=0))
        return (lines[0].split(" ")[0], lines[0]) if lines else None

    def seek(self, words, kind=""):
        for _ in range(MOST_SWIPES):
            self.look()
            self.return_to_app()
            found = self.found(words, kind)
            if found:
                return found
            self.call("swipe_on_screen", direction="up")
        return None

    def tap(self, *words):
        if found := self.seek(words):
            self.call("click_on_screen_at_coordinates", ref=found[0])

    def hold(self, *words):
        if found := self.seek(words):
            left, top, width, height = map(int, re.search(r" at=(\d+),(\d+) size=(\d+)x(\d+)", found[1]).groups())
            self.call("long_press_on_screen_at_coordinates", x=left + width // 2, y=top + height // 2)

    def type(self, text, *field, submit=False):
        if found := self.seek(field, "EditText"):
            self.call("click_on_screen_at_coordinates", ref=found[0])
            self.call("type_keys", text=text, submit=submit)

    def enter(self, text, *field):
        self.type(text, *field, submit=True)

    def wait(self, text):
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            self.look()
            if self.found([text]):
                return

    def switch(self, label, wanted):
        found = self.seek([label], "Switch")
        if found and found[1].endswith(" checked") != (wanted == "on"):
            self.call("click_on_screen_at_coordinates", ref=found[0])

    def read(self, name, pattern):
        self.look()
        texts = " ".join(f'"{text}"' for line in self.elements for text in re.findall(r' text="([^"]*)"', line))
        found = re.search(pattern, texts)
        self.learnt[name] = found[1] if found else ""
