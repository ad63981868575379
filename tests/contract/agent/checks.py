"""Tasks of an agent, by the command line and by MCP: each is done, and where it has a goal costs no more calls and bytes.
`tools/agents_page.py` writes the table of docs/agents.md with the same tasks."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "mcp")]
import hands
import tasks


def do_task(place, name, hand_class):
    task, goals = tasks.TASKS[name]
    place.device.simctl("reset")
    with hand_class(place) as hand:
        task(hand)
    if hand.is_plain:
        return hand
    for goal, cost in (("calls", hand.calls), ("bytes", hand.got)):
        if cost > goals.get(goal, cost):
            raise place.Mismatch(f"{name}, {hand.name}: {cost} {goal}, {goals[goal]} allowed")
    return hand


def check_of(name):
    def check(place):
        for hand_class in hands.HANDS:
            do_task(place, name, hand_class)
    return check


CHECKS = [(f"agent: {name}", True, check_of(name)) for name in tasks.TASKS]
