"""[A1] [A2] The hand touches only what was shown: verbs by ways of naming by hands by situations (cells.py), judged by
the phone's own record of touches. Each cell that is wrong is one line.

    tests/contract/run.py BINARY --often RELEASE --only situations"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "mcp")]
import screens
from cells import HANDS, SITUATIONS, TYPED, Outcome, all_cells, must_succeed, wrong
from conversation import Conversation, answered_by
from own_phone import own_phone

NOT_SHOWN = "not shown"


class Hand:
    """A phone and a way to act on it, by commands and by a conversation."""

    def __init__(self, place, phone, name, talk):
        self.place, self.phone, self.talk = place, phone, talk
        self.words = ("--backend", "shell") if name == "shell" else ()
        self.points = {}  # (screen, text) -> the middle of the node

    def run(self, cell):
        """What came of the cell; NOT_SHOWN where the look has no such node, so that there is no ref."""
        phone, situation = self.phone, cell.situation
        phone.simctl("reset")
        phone.simctl("show", screens.SHOP, situation.screen)
        if situation.split:
            phone.simctl("split", screens.BANK, "main")
        arguments = self.named(cell)
        if arguments is None:
            return NOT_SHOWN
        if cell.naming == "nth":  # it looks by itself
            phone.simctl("after look 0 simctl", situation.change)
        else:
            phone.simctl(situation.change)
        ok, text = getattr(self, cell.surface)(cell, arguments)
        return Outcome(ok, text, json.loads(phone.simctl("touches")), arguments if cell.naming == "point" else None)

    def named(self, cell):
        """The ref or the point of the node that is aimed at."""
        if cell.naming == "ref":
            return self.cli_ref(cell) if cell.surface == "cli" else self.mcp_ref(cell)
        return self.point_of(cell) if cell.naming == "point" else ()

    def cli_ref(self, cell):
        done = self.phone.run(*self.words, "snapshot", "--format", "compact")
        if done.returncode != 0:
            raise self.place.Mismatch(f"{cell}: no look: {done.stdout[:300]!r}")
        tree = json.loads(done.stdout)["envelope"]["stepResults"][0]["data"]["text"]
        return ref_in(tree.split("\n"), cell.text)

    def mcp_ref(self, cell):
        return ref_in(self.talk.tool("snapshot").lines, cell.text)

    def point_of(self, cell):
        return cell.situation.point or self.points[cell.situation.screen, cell.text]

    def read_points(self):
        """Before the cells: uiautomator takes the app its accessibility service for a while."""
        for screen in {each.screen for each in SITUATIONS if each.shown}:
            self.phone.simctl("reset")
            self.phone.simctl("show", screens.SHOP, screen)
            dump = self.phone.simctl("run", "uiautomator", "dump", "/dev/tty").partition("UI hierchary")[0]
            for node in xml.etree.ElementTree.fromstring(dump).iter("node"):
                left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds")))
                self.points.setdefault((screen, node.get("text")), ((left + right) // 2, (top + bottom) // 2))

    def cli(self, cell, arguments):
        verb = {"long": ["click", "--long"], "type": ["type", TYPED]}.get(cell.verb, [cell.verb])
        done = self.phone.run(*self.words, *verb, *self.cli_name(cell, arguments))
        document = json.loads(done.stdout)
        step = (document.get("envelope", {}).get("stepResults") or [{}])[0].get("data", {})
        code = document.get("code") or document.get("envelope", {}).get("errorCode") or document.get("envelope",
                                                                                                     {}).get("error")
        return done.returncode == 0, step.get("text", "") if done.returncode == 0 else str(code)

    @staticmethod
    def cli_name(cell, arguments):
        if cell.naming == "point":
            return ["--coordinate", *map(str, arguments)]
        selector = ["--id", cell.id] if cell.id else ["--text", cell.text]
        name = {"ref": ["--ref", arguments], "selector": selector, "nth": [*selector, "--nth", "1"]}[cell.naming]
        return [*name, "--patience", "0"]

    def mcp(self, cell, arguments):
        selector = {"id": cell.id} if cell.id else {"text": cell.text}
        name = {"ref": {"ref": arguments}, "selector": {"selector": selector}, "nth": {"selector": selector, "nth": 1},
                "point": dict(zip("xy", arguments))}[cell.naming]
        text = {"text": TYPED} if cell.verb == "type" else {}
        result = self.talk.call({"tap": "tap", "type": "type_text"}[cell.verb], observe="none", **name, **text)
        found = answered_by(result).verdict
        return not result.get("isError"), str(found.get("code"))


def ref_in(lines, text):
    """Of the last line that has this text: a picture that is described by it stands before the node."""
    found = [re.search(rf'(@\d+) [^"]*"{text}"', line) for line in lines]
    return next((each[1] for each in reversed(found) if each), None)


def judge(cell, outcome):
    if outcome is NOT_SHOWN:
        return "" if not cell.situation.shown else "the look does not show it"
    if must_succeed(cell) and not outcome.ok:
        return f"refused: {outcome.text}"
    return wrong(cell, outcome)


def table_of(name):
    def check(place):
        folder = place.sandbox / "screens"
        screens.write(folder)
        operator = "none" if name == "shell" else name.removeprefix("app ")
        with own_phone(place, "--operator", operator, "--screens", str(folder)) as phone:
            if place.run("connect", phone.serial).returncode != 0:
                raise place.Mismatch(f"{name}: no connection")
            words = ("--backend", "shell") if name == "shell" else ()
            with Conversation(place, "--device", phone.serial, *words) as talk:
                hand, lines, counts = Hand(place, phone, name, talk), [], collections.Counter()
                hand.read_points()
                for cell in all_cells():
                    outcome = hand.run(cell)
                    problem = judge(cell, outcome)
                    counts["wrong" if problem else NOT_SHOWN if outcome is NOT_SHOWN else "done" if outcome.ok
                           else "refused"] += 1
                    if problem:
                        lines.append(f"{name}: {cell}: {problem}")
        print(f"situations, {name}: {dict(counts)}", flush=True)
        if lines:
            raise place.Mismatch(f"{len(lines)} of {counts.total()} cells\n" + "\n".join(lines))
    return check


STARTS_OFTEN = True
CHECKS = [(f"situations: {name}", False, table_of(name)) for name in HANDS]
