#!/usr/bin/env python3
"""Writes the table of docs/internals/agent-costs.md: what the tasks of tests/contract/agent cost by each way to a
phone.

usage: tools/agents_page.py [BINARY]        (build/release/clawperator; a simulated phone is started)"""
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/internals/agent-costs.md"
END = "<!-- end of the table -->\n"
sys.path[:0] = [str(ROOT / "tests/contract"), str(ROOT / "tests/contract/agent"), str(ROOT / "tests/support")]
import checks
import hands
import run
import tasks

WAYS = [hands.Plain, hands.CommandLine, hands.Tools]


def cost_of(binary, device, folder, name, way):
    """By an agent that has seen nothing before."""
    home = folder / way.__name__ / name
    home.mkdir(parents=True)
    env = {**device.env, "ANDROID_SERIAL": device.serial, "CLAWPERATOR_NO_DAEMON": "1"}
    began = time.monotonic()
    hand = checks.do_task(run.Place(binary, home, env, device), name, way)
    return hand.calls, hand.sent, hand.got, time.monotonic() - began


def cell(cost):
    calls, sent, got, seconds = cost
    return f"{calls} / {sent:,} / {got:,} / {seconds:.1f}"


def table_of(costs):
    lines = ["| task | " + " | ".join(way.name for way in WAYS) + " |", "|---|" + "---:|" * len(WAYS)]
    lines += [f"| {name} | " + " | ".join(map(cell, row)) + " |" for name, row in costs.items()]
    sums = [tuple(map(sum, zip(*column))) for column in zip(*costs.values())]
    lines.append("| **all** | " + " | ".join(map(cell, sums)) + " |")
    return "\n".join(lines) + "\n"


def put_table(writer, table):
    """Into the page, where the table of this program stands."""
    begin = f"<!-- table: {writer} -->\n"
    head, rest = PAGE.read_text().split(begin)
    PAGE.write_text(head + begin + table + END + rest.split(END, 1)[1])


def main():
    binary = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/clawperator").resolve())
    costs = {}
    with tempfile.TemporaryDirectory(prefix="clawperator-agents-") as folder:
        folder = pathlib.Path(folder)
        device = run.Device(binary, folder)
        try:
            for name in tasks.TASKS:
                costs[name] = [cost_of(binary, device, folder, name, way) for way in WAYS]
                print(name, *map(cell, costs[name]), sep=" | ", flush=True)
        finally:
            device.close()
    put_table("tools/agents_page.py", table_of(costs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
