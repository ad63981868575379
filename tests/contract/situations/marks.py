"""What keeps a hand from another node in each situation, by rule, as a table for docs/internals/testing.md."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from cells import HANDS, SITUATIONS

DIALOGS = ("dialog above", "dialog after a dialog that looks alike")
ANOTHER_APP = ("another app in front", "the app beside has taken the focus", "permission dialog over a twin text",
               "notification shade")


def kept_by(hand, situation):
    """Of a ref, and of the nth node that fits; a selector takes what fits, a point what lies there."""
    if not situation.shown:
        return "look"  # at the tree that was shown: the node has no place on the screen
    if hand != "app 0.12.5":
        return "look"  # by the shell each act begins with one; an app before 0.10 cannot be strict
    if situation.screen == "bare":
        return "look"  # no container binds the node to a witness
    if situation.name in DIALOGS:
        return "matcher, witness"  # the same app has the same node there
    return "matcher, guard" if situation.name in ANOTHER_APP else "matcher"


def table():
    lines = ["| situation | " + " | ".join(HANDS) + " |", "|---" * (len(HANDS) + 1) + "|"]
    for situation in SITUATIONS[1:]:
        lines.append(f"| {situation.name} | " + " | ".join(kept_by(hand, situation) for hand in HANDS) + " |")
    return "\n".join(lines)
