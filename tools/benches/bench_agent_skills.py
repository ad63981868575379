#!/usr/bin/env python3
"""The commands of agent skills, a thousand of them, beside node, which reads the same files and does nothing with them;
and what one question costs a server that has seen them, after one of them changed. usage:
tools/benches/bench_agent_skills.py [--pairs N] [--against]

Writes docs/bench/agent-skills.json and the page that shows it."""
import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import run_bench

SKILLS = 1000
TOKEN = "a-token-of-the-bench"  # root's server asks for one
READ = ("const fs = require('fs'); const root = process.env.HOME + '/.openclaw/skills/';"
        "let bytes = 0; for (const name of fs.readdirSync(root)) bytes += fs.readFileSync(root + name + "
        "'/SKILL.md').length;"
        "console.log(bytes)")


def write_skills(home):
    root = home / ".openclaw/skills"
    for number in range(SKILLS):
        needs = {"emoji": "x", "requires": {"bins": ["sh", f"bin-{number}"] if number % 2 else ["sh"], "env": ["HOME"]},
                 "install": [{"kind": "brew", "formula": f"f{number}", "bins": [f"bin-{number}"]}]}
        folder = root / f"skill-{number:04}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(
            f"---\nname: skill-{number:04}\ndescription: Does the thing number {number}, for those who want it done.\n"
            f"homepage: https://example.com/{number}\nmetadata: {json.dumps({'openclaw': needs})}\n---\n"
            + "What a model reads once it has chosen this skill.\n" * 40)
    return root / "skill-0500/SKILL.md"


def after_one_change(changed, environment, turns):
    """In one process; the processor's speed differs from one process to the next, so there are several."""
    program = run_bench.ROOT / "build/release/tools/bench_agent_skills"
    subprocess.run(["cmake", "--build", run_bench.ROOT / "build/release", "--target", "bench_agent_skills"], check=True,
                   stdout=subprocess.DEVNULL)
    rounds = [subprocess.run([program, changed, "40"], env=environment, check=True, capture_output=True,
                             text=True).stdout.split()
              for _ in range(turns)]
    samples = [float(each) for one in rounds for each in one]
    value = run_bench.spread(samples)["median"]
    return {"row": f"loading, gating and formatting {SKILLS} after one changed, in one process", "value": value,
            "unit": "ms",
            "most": 5, "missed": value > 5}


class Server:
    def __init__(self, environment):
        self.child = subprocess.Popen(run_bench.claw("serve", "--port", "0"), env=environment, stderr=subprocess.PIPE,
                                      text=True)
        self.base = re.search(r"http://\S+", self.child.stderr.readline()).group()

    def stop(self):
        self.child.terminate()
        self.child.wait()


def rows(changed, base):
    claw, row = run_bench.claw, run_bench.Row
    change = f"echo more >>{shlex.quote(str(changed))}"
    ask = lambda path: ["sh", "-c",
                        f"{change}; exec curl -s -o /dev/null -H 'Authorization: Bearer {TOKEN}' {base}{path}"]
    node = ["node", "-e", READ]
    return [
        row(f"agent-skills snapshot of {SKILLS}", claw("agent-skills", "snapshot"), node, milliseconds=40, mib=30),
        row(f"agent-skills list of {SKILLS}", claw("agent-skills", "list"), node, milliseconds=40, mib=30),
        row(f"agent-skills check of {SKILLS}", claw("agent-skills", "check"), node, milliseconds=40, mib=30),
        row("GET /agent-skills/bins after one change", ask("/agent-skills/bins"), ask("/healthz")),
    ]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=21)
    options.add_argument("--against", action="store_true")
    given = options.parse_args()
    quiet, load = run_bench.wait_for_quiet(), os.getloadavg()[0]
    runtime = run_bench.runtime_folder()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home = pathlib.Path(folder)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": runtime.name,
                       "CLAWPERATOR_USB": "0",
                       "CLAWPERATOR_TOKEN": TOKEN}
        changed = write_skills(home)
        figures = [after_one_change(changed, environment, given.pairs)]
        print(f"{figures[0]['row']}: {figures[0]['value']:.2f} ms", flush=True)
        server = Server(environment)
        found = []
        try:
            for row in rows(changed, server.base):
                found.append(run_bench.summarise("this computer", row,
                                                 run_bench.measure(row, given.pairs, environment)))
                print(run_bench.line_of(found[-1]), flush=True)
        finally:
            server.stop()
            runtime.cleanup()
    report = {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(), "quiet": quiet,
              "load": [load, os.getloadavg()[0]], "pairs": given.pairs, "rows": found, "figures": figures}
    run_bench.keep("agent-skills", report)
    return 1 if given.against and any(row["missed"] for row in found + figures) else 0


if __name__ == "__main__":
    sys.exit(main())
