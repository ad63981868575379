"""The table: what can happen to a screen between the look and the act, the ways to name a node, and what is right.

What is right is said here without a look at how it is reached: the node that was shown is touched, or the command
fails and nothing is touched. Never another node."""
import itertools
import typing

from screens import AIMS, ALLOW, BANK, NAME, PRICE, SHOP


class Situation(typing.NamedTuple):
    name: str
    screen: str
    change: str  # simctl's words, between the look and the act
    shown: bool = True  # the node has a place on the screen that was shown
    point: tuple = None  # for a point by hand, if not the node's own place
    split: bool = False  # another app stands beside, in the other half of the screen


SITUATIONS = (
    Situation("nothing", "main", "word none on"),
    Situation("another app in front", "main", f"show {BANK} main"),
    Situation("dialog above", "main", f"show {SHOP} dialog"),
    Situation("dialog above, no id around the node", "bare", f"show {SHOP} dialog"),
    Situation("dialog after a dialog that looks alike", "delete", f"show {SHOP} pay"),
    Situation("permission dialog over a twin text", "main", f"show {SHOP} permission"),
    Situation("notification shade", "main", "run cmd statusbar expand-notifications"),
    Situation("node moved", "main", "word moved on"),
    Situation("node gone", "main", "word gone on"),
    Situation("twin node before it", "main", "word twin on"),
    Situation("picture of that description before it", "described", "word none on"),
    Situation("beside another app", "main", "word none on", split=True),
    Situation("the app beside has taken the focus", "main", f"show {BANK} main", split=True),
    Situation("beside another app since then", "main", f"split {BANK} main"),
    Situation("rotated between", "main", "run wm user-rotation lock 1"),
    Situation("keyboard above", "low", "keyboard on"),
    Situation("clipped by a pager, as views report it", "pager", "word none on", False, (1300, 60)),
    Situation("clipped by a pager, as web pages report it", "web", "word none on", False, (1300, 60)),
    Situation("off screen", "below", "word none on", False, (300, 2700)),
    Situation("zero size", "flat", "word none on", False, (-1, 60)),
)
# Where another app is in front than the one that was shown.
ELSEWHERE = {"another app in front", "permission dialog over a twin text", "notification shade",
             "the app beside has taken the focus"}
HANDS = ("app 0.5.3", "app 0.12.5", "shell")
# A long click differs from a click in the kind of touch alone, a read touches nothing: two ways each.
WAYS = (
    ("cli", "click", ("ref", "selector", "nth", "point")),
    ("cli", "long", ("ref", "point")),
    ("cli", "type", ("ref", "selector", "nth")),
    ("cli", "read", ("ref", "selector")),
    ("mcp", "tap", ("ref", "selector", "nth", "point")),
    ("mcp", "type", ("ref", "selector", "nth")),
)
NODES = {"click": ALLOW, "long": ALLOW, "tap": ALLOW, "type": NAME, "read": PRICE}
IDS = {NAME: f"{SHOP}:id/field", PRICE: f"{SHOP}:id/price"}
TYPED = "Bob"


class Cell(typing.NamedTuple):
    surface: str
    verb: str
    naming: str
    situation: Situation

    @property
    def text(self):
        """Of the node that is aimed at."""
        return NODES[self.verb]

    @property
    def id(self):
        return IDS.get(self.text)

    @property
    def aim(self):
        return self.situation.screen, AIMS[self.situation.screen][self.text]

    def __str__(self):
        return f"{self.surface} {self.verb} by {self.naming}, {self.situation.name}"


def all_cells():
    for (surface, verb, namings), situation in itertools.product(WAYS, SITUATIONS):
        for naming in namings:
            yield Cell(surface, verb, naming, situation)


class Outcome(typing.NamedTuple):
    ok: bool
    text: str  # what was read, or why it failed
    touches: list
    point: tuple = None


def named(touch):
    node = touch["node"]
    where = f"in {touch['window']} ({touch['screen']})"
    if node is None:
        return f"{touch['kind']} on nothing {where}"
    return f"{touch['kind']} on {node['id'] or node['class']} \"{node['text']}\" {where}"


def all_named(touches):
    """Of equal ones that follow each other the first."""
    return "; ".join(name for name, _ in itertools.groupby(map(named, touches)))


def fits(cell, touch):
    """The node has what the selector asks for: its id, of the button its text."""
    node = touch["node"]
    if node is None:
        return False
    return node["id"] == cell.id if cell.id else (node["text"] or node["description"]) == cell.text


def is_aim(cell, touch):
    return touch["node"] is not None and (touch["screen"], touch["node"]["number"]) == cell.aim


def is_bound_to_app(cell):
    """Over MCP a point, and a text without an id of the app, are only of the app that was shown."""
    has_id = cell.naming == "selector" and cell.id is not None
    return cell.surface == "mcp" and cell.naming in ("point", "selector") and not has_id


def wrong(cell, outcome):
    """What is wrong, or an empty text."""
    touched = all_named(outcome.touches)
    if outcome.ok and is_bound_to_app(cell) and cell.situation.name in ELSEWHERE:
        return f"acted in another app: {touched}"
    if not outcome.ok:
        return f"failed ({outcome.text}), and touched: {touched}" if touched else ""
    if cell.naming == "point":
        return wrong_point(cell, outcome, touched)
    if cell.verb == "read":
        if touched:
            return f"a read touched: {touched}"
        return "" if outcome.text == cell.text else f"read {outcome.text!r}"
    if not outcome.touches:
        return "says that it is done, and touched nothing"
    # A text also names a picture that has it as its description: the first of the two is the picture.
    is_first = cell.naming == "nth" and cell.situation.screen == "described"
    right = fits if cell.naming == "selector" or is_first else is_aim
    if not all(right(cell, each) for each in outcome.touches):
        return f"touched: {touched}"
    several = cell.surface == "mcp" and cell.naming == "selector" and cell.situation.name == "twin node before it"
    return f"took one of two nodes: {touched}" if several else ""


def wrong_point(cell, outcome, touched):
    """By hand: what lies there is touched; beside the screen nothing does."""
    if not cell.situation.shown:
        return f"took a point beside the screen: {touched or 'nothing touched'}"
    at = [tuple(each.get("at", ())) for each in outcome.touches]
    return "" if at == [outcome.point] else f"not a finger at {outcome.point}: {touched or 'nothing touched'}"


def must_succeed(cell):
    """Where nothing has come between, a refusal would be none of the two."""
    if cell.situation.name in ("nothing", "beside another app"):
        return True
    is_elsewhere = cell.surface == "mcp" and cell.situation.name in ELSEWHERE
    return cell.naming == "point" and cell.situation.shown and not is_elsewhere
