"""Errands played by policies on a simulated phone, and what each cost and did."""
import json
import pathlib
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent.parent / "tests"
sys.path[:0] = [str(TESTS / name) for name in ("contract/agent", "contract/mcp", "support")]
import hands
import judge
import own_phone

SCREENS = HERE / "screens"
PHONE = ("--operator", "0.12.5", "--screens", str(SCREENS))


class Recorded(hands.Tools):
    """Keeps what a model writes and reads."""

    def __init__(self, place, phone):
        super().__init__(place, "--device", phone.serial, "--transport", "tcp")
        self.story = []

    def call(self, tool, **arguments):
        answer = super().call(tool, **arguments)
        self.story += [f"{tool} {json.dumps(arguments, ensure_ascii=False)}", answer.result["content"][0]["text"]]
        return answer


def play(place, phone, errand, policy_class):
    """The result; `story` has what was written and read in turns."""
    phone.simctl("reset")
    with Recorded(place, phone) as hand:
        policy = policy_class(hand)
        began = time.monotonic()
        for step in errand.steps:
            if step[0] == "meanwhile":
                phone.simctl(*step[1:])
            else:
                policy.step(*step)
        seconds = time.monotonic() - began
    seen = judge.Phone(phone)
    harm = judge.harm(errand, seen)
    missing = judge.missing(errand, seen)
    return {"errand": errand.name, "group": errand.group, "policy": policy.name, "done": not missing,
            "missing": missing, "harm": harm, "calls": hand.calls, "written": hand.sent, "read": hand.got,
            "tokens": (hand.sent + hand.got) // 4, "seconds": round(seconds, 2), "story": hand.story}


def play_all(place, errands, policies):
    """Each errand by each policy; a result at a time."""
    with own_phone.own_phone(place, *PHONE) as phone:
        for errand in errands:
            for policy in policies:
                yield play(hands.unseen(place, f"{errand.name}, {policy.name}"), phone, errand, policy)


def summary(results):
    sums = {key: sum(each[key] for each in results) for key in ("done", "calls", "written", "read", "tokens")}
    return {"errands": len(results), **sums, "harmful": sum(bool(each["harm"]) for each in results),
            "median_read": int(statistics.median(each["read"] for each in results)),
            "seconds": round(sum(each["seconds"] for each in results), 1)}
