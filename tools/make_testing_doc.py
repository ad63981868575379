#!/usr/bin/env python3
"""Writes docs/internals/testing.md: what runs on which phone, and which test proves which finding.

    tools/make_testing_doc.py [--table FILE] [--check]

The ids come from the tests: tags of Catch2 cases ([F2]), ids in brackets in docstrings and comments of Python tests,
"proves" of the contract's JSON cases. The tables of phones are those of FILE, which the contract check `phones`
writes where CLAWPERATOR_PHONE_TABLE says; without FILE the tables that are there stay. --check only looks."""
import argparse
import ast
import io
import json
import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/contract/situations"))
import marks as situations

DOCUMENT = ROOT / "docs/internals/testing.md"
# Which ids there are: the reviews' findings have gaps.
KINDS = {"A": ("Failures that users of similar tools reported", [*range(1, 14)]),
         "W": ("Assumptions that real phones contradicted", [*range(1, 8)]),
         "R": ("Risks of real phones", [*range(1, 29)]),
         "F": ("Findings of reviews", [*range(1, 34), *range(40, 55), *range(60, 72)]),
         "S": ("Attacks that got through", [*range(1, 15)]),
         "T": ("Tests that the audit of Android required", [*range(1, 16)])}
ID = re.compile(r"\[([AWRFTS]\d{1,2})\]")
STRING = r'"(?:[^"\\]|\\.)*"'
CASE = re.compile(rf"TEST_CASE\(\s*((?:{STRING}\s*)+),\s*((?:{STRING}\s*)+)\)")
# Attacks on the program. A test fails if the attack succeeds; CI lets none pass.
ATTACKS = {
    1: "another app, or an old line of the log, answers for a command",
    2: "another user of the computer uses `serve`, or makes it write files",
    3: "a page of another site uses `serve` through the browser",
    4: "secrets in the log, in traces and in the environment of programs that are started",
    5: "a token is guessed, or read from a public file",
    6: "a screen or a device's name writes control characters to the terminal",
    7: "another phone answers at a known address",
    8: "another user owns the folder of locks and sockets, or it differs between shells",
    9: "a process is killed while it writes a file",
    10: "a server or device sends lists, pictures, names or trees of garbage",
    11: "idle connections fill the server",
    12: "a file with stored state is damaged",
    13: "a device invents folders without end while files are pulled",
    14: "memory errors, a systemd service without limits, an app with another signer",
}
VERSIONS = """
## Every version of the Operator app on every phone

`open`, `snapshot`, `click` and a plan of two steps, from the same run (`--operator VERSION --phone NAME`).

"""

SITUATIONS = """
## A screen that changes between reading and acting

`tests/contract/run.py BINARY --only situations` runs each verb by each way of naming a node in each situation. The
phone's own record names the touched node. A ref and `nth` touch the node that was shown, or nothing. A selector touches
a node of the present screen that matches. A point touches what is there, and is refused outside the screen. These
checks protect a ref:

- `matcher`: the app finds the node by its properties, and touches it at once. The gap is the time between the app's
  reading and its touch, a few milliseconds.
- `guard`: the node has no id of its app around it. The phone compares the app in front with the one that was shown, in
  the command that starts the app, and sends nothing if they differ. The gap is the time from there to the app's touch;
  `tests/soak/race.py` prints the share of wrong touches.
- `look`: the screen is read once more before the act. The gap is the time from that reading to the touch.
- `witness`: in the same reading the app takes the node only within a container that has a certain other text of the
  window. If the text is gone, nothing is touched, and the screen is read again to decide. A dialog of the same app with
  the same node and the same text, in a container of the same id, is not distinguished from the shown one.

Results of `tests/soak/race.py` on the simulated phone with a phone's latencies. The screen changed at each millisecond
after the start of the command (for the shell: at each 40 ms, and at each 5 ms from 1360 to 1580 ms). Of the changes
before the touch these led to a wrong touch:

| named by | the change | wrong touches |
|---|---|---|
| text, app 0.12.5 | another app in front | 97 of 97 |
| ref, app 0.12.5 | another app in front | 0 of 69 |
| ref, app 0.12.5 | dialog of the same app | 0 of 79 |
| ref, app 0.5.3 (`look`) | another app in front | 30 of 100, at 66 to 102 ms |
| ref, shell (`look`) | another app in front | 0 of 35 until 1360 ms; then 9 of 22, at 1365 to 1550 ms |

A click by a ref, compared with one by a text (`--cost 30`, in turns): with app 0.12.5 1.007 times as long (quartiles
0.912 to 1.094), one broadcast each; with app 0.5.3 1.778 times (1.602 to 2.354), because of the reading before.

"""

NET = """
## Tests that nothing has changed

Files of `tests/golden` contain what the program did when they were last written. They prove that nothing has changed,
not that it is right.

- `bytes-*.txt`: the bytes that the phone receives for each verb of `clawperator help`, by the app and by the shell, on
  Android 7, 10 and 16.
- `conversation-*.txt`: the whole answers of the command line, HTTP and MCP to the same requests.

`UPDATE_GOLDEN=1 tests/contract/run.py BINARY --only "bytes: "` (or `"conversations: "`) writes them again; read the
difference before you commit it.

`tools/house/mutations.py` makes forty faults, one at a time, in an overlay over the tree: a missing guard, a limit that
is off by one, a second try after a dispatch, a secret that shows. The narrowest test must fail for each. It builds for
each fault, so CI does not run it. Run it when code moves, and move its rows along; `--check` lists the rows that have
lost their place, `--list` all of them.

## Under load

`tests/soak/serve_load.py` judges each execution: its answer is its own, and the phone's own log has it once, or at
most once if the outcome is unknown. Results on 2 cores with simulated phones:

- 8 phones, 3 clients each, 60 s, 52 links cut, phones killed and started again: 10,662 results, 24 unknown outcomes,
  none lost, mixed or repeated.
- 5,000 clicks by 8 clients on one phone: the phone began 5,000, each once.
- 300 clients of GET /events that do not read: 600 other requests are answered; the server grows from 13 to 76 MiB.
- Ten minutes, 4 phones: 24.3 MiB after 30 s and 24.9 MiB at the end, 26 to 35 descriptors.
"""


def marks(name):
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


INTRO = f"""# What is tested, and on which phones

This page lists which test proves which finding. `tools/make_testing_doc.py` makes it from the tests; edit those.
[CONTRIBUTING.md](../../CONTRIBUTING.md) describes how to run them.

## The main loop on every phone

Each row is `clawperator sim --phone NAME`. A cell is the command's result in the last run of
`CLAWPERATOR_PHONE_TABLE=table.json tests/contract/run.py BINARY --only phones`: "ok", or the code while the phone
refused and, after "then", the result when its owner had changed the phone's switches.

"""


def text_of(literals):
    return "".join(json.loads(part) for part in re.findall(STRING, literals))


def from_cpp(path):
    for names, tags in CASE.findall(path.read_text(errors="replace")):
        for found in ID.findall(text_of(names + tags)):
            yield found, ID.sub("", text_of(names)).strip()


def owner_of(line, functions):
    """The function that a comment stands in, or right above."""
    inside = [each for each in functions if each.lineno <= line <= each.end_lineno]
    if inside:
        return max(inside, key=lambda each: each.lineno).name
    below = [each for each in functions if line < each.lineno <= line + 6]
    return min(below, key=lambda each: each.lineno).name if below else ""


def from_python(path):
    source = path.read_text()
    tree = ast.parse(source)
    nodes = [each for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.ClassDef))]
    for node in [tree, *nodes]:
        name = getattr(node, "name", "")
        for found in ID.findall(ast.get_docstring(node) or ""):
            yield found, f"{path.relative_to(ROOT / 'tests')} {name}".strip()
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef)]
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        for found in ID.findall(token.string):
            yield found, f"{path.relative_to(ROOT / 'tests')} {owner_of(token.start[0], functions)}".strip()


def from_json(path):
    content = json.loads(path.read_text())
    for case in content.get("cases", []) if isinstance(content, dict) else []:
        row = case.get("row", "")
        name = case.get("name") or (row if isinstance(row, str) else row[0])
        for found in case.get("proves", []):
            yield found, f"{path.relative_to(ROOT / 'tests')} {name}"


def collect():
    """id -> the names of its tests, sorted."""
    readers = {".cpp": from_cpp, ".py": from_python, ".json": from_json}
    found = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix in readers and path.is_file():
            for key, name in readers[path.suffix](path):
                found.setdefault(key, set()).add(name)
    return {key: sorted(names) for key, names in found.items()}


def phone_table(table):
    columns = list(next(iter(table.values())))
    lines = ["| phone | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += ["| " + " | ".join([name, *[cells.get(column, "") for column in columns]]) + " |"
              for name, cells in table.items()]
    return "\n".join(lines)


def old_table(name):
    text = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    begin, end = map(re.escape, marks(name))
    inside = re.search(begin + r"\n(.*?)\n" + end, text, re.DOTALL)
    return inside.group(1) if inside else "(not run yet)"


def marked(name, table):
    begin, end = marks(name)
    return f"{begin}\n{table}\n{end}"


def escaped(name):
    return re.sub(r"([|<>*_`\[\]])", r"\\\1", name)


def proofs(found):
    for kind, (title, numbers) in KINDS.items():
        yield f"\n## {title}\n"
        has_attacks = kind == "S"
        columns = [kind, *(["attack", "tests", "succeeded"] if has_attacks else []), "proved by"]
        yield "| " + " | ".join(columns) + " |\n|" + "---|" * len(columns)
        missing = []
        for number in numbers:
            names = found.get(f"{kind}{number}")
            if names:
                attack = f"{ATTACKS[number]} | {len(names)} | 0 | " if has_attacks else ""
                yield f"| {kind}{number} | {attack}" + "<br>".join(map(escaped, names)) + " |"
            else:
                missing.append(f"{kind}{number}")
        if missing:
            yield "\nNo test names " + ", ".join(missing) + "."


def document(tables):
    found = collect()
    known = {f"{kind}{number}" for kind, (_, numbers) in KINDS.items() for number in numbers}
    if unknown := sorted(found.keys() - known):
        sys.exit(f"there is no {', '.join(unknown)}: {found[unknown[0]][0]}")
    parts = [INTRO + marked("phones", tables["phones"]), VERSIONS + marked("versions", tables["versions"]),
             SITUATIONS + situations.table(), NET, *proofs(found)]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.table:
        tables = {name: phone_table(table) for name, table in json.loads(options.table.read_text()).items()}
    else:
        tables = {name: old_table(name) for name in ("phones", "versions")}
    wanted = document(tables)
    if not options.check:
        DOCUMENT.write_text(wanted)
    elif not DOCUMENT.exists() or DOCUMENT.read_text() != wanted:
        print("docs/internals/testing.md is older than the tests: run tools/make_testing_doc.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
