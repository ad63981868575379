#!/usr/bin/env python3
"""How much gets through where the screen changes between the look and the act: no test, it judges nothing.

    tests/soak/race.py BINARY [--operator 0.12.5] [--backend shell] [--profile phone] [--until MS] [--times N]

Another app with a twin of the button comes to the front at every millisecond, so many times each: after the command
has begun, which clicks a ref or a text, or after the look of a click on the first node of several. The ref and that node
are guarded, the text takes what is there. The phone's record tells whose button was touched."""
import argparse
import collections
import json
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "contract/situations"), str(TESTS / "contract")]
import run
import screens
from checks import ref_in
from own_phone import own_phone


def clicked(phone, words, name, after):
    phone.simctl("reset")
    phone.simctl("show", screens.SHOP, "main")
    tree = json.loads(phone.run(*words, "snapshot", "--format", "compact").stdout)["envelope"]["stepResults"][0]["data"]["text"]
    words_of = {"ref": ["--ref", ref_in(tree.split("\n"), "Allow")], "nth": ["--text", "Allow", "--nth", "1"], "text": ["--text", "Allow"]}
    phone.simctl("after", "look" if name == "nth" else "now", str(after), "simctl show", screens.BANK, "main")
    done = phone.run(*words, "click", *words_of[name], "--tries", "1")
    touched = [each["node"]["package"] for each in json.loads(phone.simctl("touches")) if each["node"]]
    if screens.BANK in touched:
        return "wrong"
    return "right" if touched else "refused" if done.returncode else "nothing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--operator", default="0.12.5")
    parser.add_argument("--backend", choices=["app", "shell"], default="app")
    parser.add_argument("--profile", default="phone")
    parser.add_argument("--until", type=int, default=400, metavar="MS")
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    words = ("--backend", "shell") if options.backend == "shell" else ()
    with tempfile.TemporaryDirectory(prefix="clawperator-race-") as name:
        folder = pathlib.Path(name)
        screens.write(folder / "screens")
        place = run.Place(os.path.abspath(options.binary), folder, run.clean_env(folder, run.free_port()), None)
        with own_phone(place, "--operator", options.operator, "--profile", options.profile, "--screens", str(folder / "screens")) as phone:
            for naming in ("ref", "nth", "text"):
                ends, through = collections.Counter(), []
                for after in range(options.until):
                    for _ in range(options.times):
                        end = clicked(phone, words, naming, after)
                        ends[end] += 1
                        through += [after] if end == "wrong" else []
                before = ends.total() - ends["right"]  # where it is right, the other app came after the touch
                when = f", at {min(through)} to {max(through)} ms" if through else ""
                print(f"by {naming}: {ends['wrong']} of {before} changes before the touch got through{when}; {dict(ends)}", flush=True)


if __name__ == "__main__":
    main()
