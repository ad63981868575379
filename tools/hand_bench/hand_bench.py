#!/usr/bin/env python3
"""What a hand costs and whether it can be trusted: forty errands on a simulated phone, over MCP, by two policies.

usage: tools/hand_bench/hand_bench.py [--binary PATH] [--policy NAME] [--only TEXT] [--json FILE] [--trace] [--page]
                                      [--tokenizer FOLDER] [--mobile-mcp FOLDER]

--only       errands whose name contains this text
--json       writes all results into this file
--trace      prints every call with its answer
--page       writes the table of docs/internals/agent-costs.md
--tokenizer  counts tokens by the npm package gpt-tokenizer (o200k_base) in this folder's node_modules; without it a
             token is four bytes
--mobile-mcp plays them by npm's @mobilenext/mobile-mcp in this folder's node_modules instead, behind an adb server"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tools")]
import agents_page
import mobile_mcp
import play
import run
from errands import ERRANDS
from policies import POLICIES

COUNTING = """
import {countTokens} from "gpt-tokenizer/encoding/o200k_base";
let given = "";
for await (const part of process.stdin.setEncoding("utf8")) given += part;
console.log(JSON.stringify(JSON.parse(given).map((story) => story.reduce((sum, text) => sum + countTokens(text), 0))));
"""


def count_tokens(results, folder):
    done = subprocess.run(["node", "--input-type=module", "--eval", COUNTING], cwd=folder, capture_output=True,
                          input=json.dumps([each["story"] for each in results]), text=True, check=True)
    for each, tokens in zip(results, json.loads(done.stdout)):
        each["tokens"] = tokens


def line_of(result):
    verdict = "done" if result["done"] else f"NOT DONE: {result['missing']}"
    harm = f"; HARM: {', '.join(result['harm'])}" if result["harm"] else ""
    return (f"{result['policy']:8} {result['errand']:36} {result['calls']:3} calls {result['written']:5} written "
            f"{result['read']:6} read {result['seconds']:5.1f} s  {verdict}{harm}")


def cell(result):
    cost = f"{result['calls']} / {result['written']:,} / {result['read']:,} / {result['tokens']:,}"
    marks = ["not done"] * (not result["done"]) + ["**harm**"] * bool(result["harm"])
    return ", ".join([cost, *marks])


def table_of(results, sums):
    lines = ["| errand | " + " | ".join(sums) + " |", "|---|" + "---:|" * len(sums)]
    for errand in dict.fromkeys(each["errand"] for each in results):
        row = [cell(each) for each in results if each["errand"] == errand]
        lines.append(f"| {errand} | " + " | ".join(row) + " |")
    for title, key in (("**done**", "done"), ("**with harm**", "harmful"), ("**bytes read, median**", "median_read"),
                       ("**seconds, all**", "seconds")):
        lines.append(f"| {title} | " + " | ".join(f"{each[key]:,}" for each in sums.values()) + " |")
    return "\n".join(lines) + "\n"


def results_of(binary, folder, errands, given):
    place = run.Place(binary, folder, run.clean_env(folder, run.free_port()), None)
    if given.mobile_mcp is None:
        policies = [each for name, each in POLICIES.items() if given.policy in (None, name)]
        yield from play.play_all(place, errands, policies)
        return
    with mobile_mcp.phone(binary, folder, play.SCREENS, given.mobile_mcp) as phone:
        for errand in errands:
            yield play.play(mobile_mcp.place(phone, folder, given.mobile_mcp), phone, errand, mobile_mcp.Mobile)


def played(errands, given):
    results = []
    with tempfile.TemporaryDirectory(prefix="clawperator-hand-", ignore_cleanup_errors=True) as folder:
        for result in results_of(str(given.binary.resolve()), pathlib.Path(folder), errands, given):
            results.append(result)
            print(*(result["story"] if given.trace else []), line_of(result), sep="\n", flush=True)
    return results


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", type=pathlib.Path, default=ROOT / "build/release/clawperator")
    options.add_argument("--policy", choices=POLICIES)
    options.add_argument("--only", default="")
    options.add_argument("--json", type=pathlib.Path)
    options.add_argument("--trace", action="store_true")
    options.add_argument("--page", action="store_true")
    options.add_argument("--tokenizer", type=pathlib.Path)
    options.add_argument("--mobile-mcp", type=pathlib.Path)
    given = options.parse_args()
    errands = [each for each in ERRANDS if given.only in each.name]
    if not errands:
        sys.exit(f"hand_bench: no errand's name contains '{given.only}'")
    results = played(errands, given)
    if given.tokenizer:
        count_tokens(results, given.tokenizer)
    sums = {name: play.summary([each for each in results if each["policy"] == name])
            for name in dict.fromkeys(each["policy"] for each in results)}
    for name, each in sums.items():
        print(name, json.dumps(each))
    if given.json:
        given.json.write_text(json.dumps({"summary": sums, "results": results}, indent=1, ensure_ascii=False) + "\n")
    if given.page:
        agents_page.put_table("tools/hand_bench/hand_bench.py", table_of(results, sums))
    return 0


if __name__ == "__main__":
    sys.exit(main())
