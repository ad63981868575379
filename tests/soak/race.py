#!/usr/bin/env python3
"""How much gets through where the screen changes between the look and the act: no test, it judges nothing.

    tests/soak/race.py BINARY [--operator 0.12.5] [--backend shell] [--profile phone] [--by ref,nth,text] [--change
    app|dialog]
                       [--until MS] [--step MS] [--times N] [--cost N]

Another app, or a dialog of the same one, with a twin of the button comes to the front at every millisecond, or at
steps, so many times each: after the command has begun, which clicks a ref or a text, or after the look of a click on
the first node of several. The ref and that node are guarded, the text takes what is there. The phone's record shows
whose button was touched.

--cost: instead, how long a click by the ref takes as compared with one by the text: so many pairs, in turns."""
import argparse
import collections
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "contract/situations"), str(TESTS / "contract")]
import run
import screens
from checks import ref_in
from own_phone import own_phone


CHANGES = {"app": (screens.BANK, "main"), "dialog": (screens.SHOP, "dialog")}
NAMINGS = ("ref", "nth", "text")


def shown(phone, words):
    """The words that name the button, by each naming, on the screen that is there from now on."""
    phone.simctl("reset")
    phone.simctl("show", screens.SHOP, "main")
    tree = json.loads(phone.run(*words, "snapshot", "--format",
                                "compact").stdout)["envelope"]["stepResults"][0]["data"]["text"]
    return {"ref": ["--ref", ref_in(tree.split("\n"), "Allow")], "nth": ["--text", "Allow", "--nth", "1"],
            "text": ["--text", "Allow"]}


def clicked(phone, words, name, change, after):
    named = shown(phone, words)[name]
    phone.simctl("after", "look" if name == "nth" else "now", str(after), "simctl show", *change)
    done = phone.run(*words, "click", *named, "--patience", "0")
    touched = [(each["node"]["package"], each["screen"])
               for each in json.loads(phone.simctl("touches")) if each["node"]]
    if change in touched:
        return "wrong"
    return "right" if touched else "refused" if done.returncode else "nothing"


def race(phone, words, options):
    for name in options.by.split(","):
        ends, through = collections.Counter(), []
        for after in range(0, options.until, options.step):
            for _ in range(options.times):
                end = clicked(phone, words, name, CHANGES[options.change], after)
                ends[end] += 1
                through += [after] if end == "wrong" else []
        before = ends.total() - ends["right"]  # where it is right, the change came after the touch
        when = f", at {min(through)} to {max(through)} ms" if through else ""
        print(f"by {name}: {ends['wrong']} of {before} changes before the touch got through{when}; {dict(ends)}",
              flush=True)


def cost(phone, words, pairs):
    """Each pair by turns in either order, so that what else the computer does meets both."""
    named, ratios, took = shown(phone, words), [], {"ref": [], "text": []}
    phone.run(*words, "click", *named["text"])  # from now on it is remembered what the phone is like
    for number in range(pairs):
        pair = {}
        for name in ("ref", "text") if number % 2 else ("text", "ref"):
            begin = time.perf_counter()
            if phone.run(*words, "click", *named[name], "--patience", "0").returncode:
                sys.exit(f"no click by {name}")
            pair[name] = time.perf_counter() - begin
            took[name].append(pair[name] * 1000)
        ratios.append(pair["ref"] / pair["text"])
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(
        f"{pairs} pairs: by ref {statistics.median(took['ref']):.1f} ms, by text {statistics.median(took['text']):.1f} "
        "ms; "
        f"ratio {middle:.3f} (quartiles {low:.3f} to {high:.3f})", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--operator", default="0.12.5")
    parser.add_argument("--backend", choices=["app", "shell"], default="app")
    parser.add_argument("--profile", default="phone")
    parser.add_argument("--by", default=",".join(NAMINGS))
    parser.add_argument("--change", choices=CHANGES, default="app")
    parser.add_argument("--cost", type=int, metavar="PAIRS")
    parser.add_argument("--until", type=int, default=400, metavar="MS")
    parser.add_argument("--step", type=int, default=1, metavar="MS")
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    words = ("--backend", "shell") if options.backend == "shell" else ()
    with tempfile.TemporaryDirectory(prefix="clawperator-race-") as name:
        folder = pathlib.Path(name)
        screens.write(folder / "screens")
        place = run.Place(os.path.abspath(options.binary), folder, run.clean_env(folder, run.free_port()), None)
        with own_phone(place, "--operator", options.operator, "--profile", options.profile, "--screens",
                       str(folder / "screens")) as phone:
            if options.cost:
                cost(phone, words, options.cost)
            else:
                race(phone, words, options)


if __name__ == "__main__":
    main()
