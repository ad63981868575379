"""Tasks of an agent, by the command line and by MCP: each is done, and where it has a goal costs no more calls and
bytes. None reads more than a third of what it takes to read the whole screen after each step. `tools/agents_page.py`
writes the table of docs/internals/agent-costs.md with the same tasks."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "mcp")]
import hands
import tasks


def do_task(place, name, hand_class):
    task, goals = tasks.TASKS[name]
    goals = {} if hand_class.is_plain else goals
    place.device.simctl("reset")
    with hand_class(hands.unseen(place, hand_class.name)) as hand:  # no hand has seen what another one saw
        task(hand)
    for goal, cost in (("calls", hand.calls), ("bytes", hand.got)):
        if cost > goals.get(goal, cost):
            raise place.Mismatch(f"{name}, {hand.name}: {cost} {goal}, {goals[goal]} allowed")
    return hand


def check_of(name):
    def check(place):
        plain = do_task(place, name, hands.Plain)
        for hand_class in hands.HANDS:
            hand = do_task(place, name, hand_class)
            if 3 * hand.got > plain.got:
                raise place.Mismatch(f"{name}, {hand.name}: reads {hand.got} bytes, more than a third of {plain.got}")
    return check


CHECKS = [(f"agent: {name}", True, check_of(name)) for name in tasks.TASKS]
