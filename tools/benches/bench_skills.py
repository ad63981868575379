#!/usr/bin/env python3
"""The commands of skills, each beside what it cannot do without: node, which reads the same registry; the script
itself, after one question to the phone. usage: tools/benches/bench_skills.py [--pairs N] [--against]

Writes docs/bench/skills.json and the page that shows it."""
import argparse
import datetime
import json
import os
import pathlib
import sys
import tempfile

import run_bench
from run_bench import peer

SKILLS = 5000
COPY = ("const registry = JSON.parse(require('fs').readFileSync('skills/skills-registry.json', 'utf8'));"
        "console.log(JSON.stringify({skills: registry.skills, count: registry.skills.length}))")
FIND = ("const registry = JSON.parse(require('fs').readFileSync('skills/skills-registry.json', 'utf8'));"
        "console.log(JSON.stringify({skills: registry.skills.filter(each => each.keywords.includes('number 77'))}))")


def entry(number):
    app, intent = f"com.example.app{number % 500}", f"do-thing-{number}"
    path = f"skills/{app}.{intent}"
    return {"id": f"{app}.{intent}", "applicationId": app, "intent": intent,
            "summary": f"Do the thing number {number} and verify that it was done on the screen", "path": path,
            "skillFile": f"{path}/SKILL.md", "scripts": [f"{path}/scripts/run.sh"],
            "artifacts": [f"{path}/artifacts/go.recipe.json"], "keywords": ["thing", f"number {number}", "do"]}


def write_skill(root, skill):
    """One of the registry with its files: a script that does nothing, an artifact of one step."""
    folder = root / skill["path"]
    for name in ("scripts", "artifacts"):
        (folder / name).mkdir(parents=True)
    (folder / "SKILL.md").write_text("nothing\n")
    (folder / "skill.json").write_text(json.dumps(skill))
    (folder / "scripts/run.sh").write_text("#!/bin/sh\nexec true\n")
    (folder / "scripts/run.sh").chmod(0o755)
    (folder / "artifacts/go.recipe.json").write_text(json.dumps({
        "commandId": "{{COMMAND_ID}}", "taskId": "{{TASK_ID}}", "source": "bench",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000,
        "actions": [{"id": "a", "type": "click", "params": {"matcher": {"textEquals": "{{TEXT}}"}}}]}))


def write_registry(root):
    skills = [entry(number) for number in range(SKILLS)]
    (root / "skills").mkdir()
    (root / "skills/skills-registry.json").write_text(json.dumps({"schemaVersion": "1.0", "skills": skills},
                                                                 indent=2) + "\n")
    write_skill(root, skills[0])
    small = root / "small"
    (small / "skills").mkdir(parents=True)
    (small / "skills/skills-registry.json").write_text(json.dumps({"skills": skills[:1]}))
    write_skill(small, skills[0])
    return skills[0], small


def rows(serial, skill, small):
    claw, row = run_bench.claw, run_bench.Row
    script = small / skill["scripts"][0]
    few = ["env", f"CLAWPERATOR_SKILLS_REGISTRY={small}/skills/skills-registry.json"]
    return [
        row(f"skills list of {SKILLS}", claw("skills", "list"), ["node", "-e", COPY], milliseconds=30, mib=32),
        row(f"skills search in {SKILLS}", claw("skills", "search", "number 77"), ["node", "-e", FIND], milliseconds=30,
            mib=32),
        row("skills compile-artifact",
            [*few, *claw("skills", "compile-artifact", skill["id"], "--artifact", "go", "--vars",
                         '{"TEXT":"x"}')], ["node", "-e", "0"], milliseconds=5),
        row("skills run of a script that does nothing", [*few, *claw("skills", "run", skill["id"], "--device", serial)],
            ["sh", "-c", f"adb -s {serial} shell true && {script}"], milliseconds=10, floor=[str(script)]),
    ]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=21)
    options.add_argument("--against", action="store_true")
    given = options.parse_args()
    quiet, load = run_bench.wait_for_quiet(), os.getloadavg()[0]
    home, runtime = peer.Home(), run_bench.runtime_folder()
    device, server = peer.Simdroid(), peer.AdbServer(home)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        try:
            serial = server.connect(device)
            skill, small = write_registry(pathlib.Path(folder))
            os.chdir(folder)
            environment = server.environment | {"XDG_RUNTIME_DIR": runtime.name}
            found = []
            for row in rows(serial, skill, small):
                found.append(run_bench.summarise("simdroid", row, run_bench.measure(row, given.pairs, environment)))
                print(run_bench.line_of(found[-1]), flush=True)
        finally:
            server.stop()
            device.stop()
            home.remove()
            runtime.cleanup()
            os.chdir(run_bench.ROOT)
    report = {"when": datetime.date.today().isoformat(), "machine": run_bench.machine(), "quiet": quiet,
              "load": [load, os.getloadavg()[0]], "pairs": given.pairs, "rows": found}
    run_bench.keep("skills", report)
    return 1 if given.against and any(row["missed"] for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
