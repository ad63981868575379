#!/usr/bin/env python3
"""Writes what the program's own tables say into docs/reference: actions.md (`clawperator help exec --json`), and the
table of environment variables in configuration.md (`clawperator help --json`).

usage: tools/make_reference.py [--check] BINARY     --check: fails if a page differs"""
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs/reference"
BEGIN, END = "<!-- environment: tools/make_reference.py -->\n", "<!-- end of the environment -->\n"
ACTIONS_HEAD = """# Actions

An execution is an ordered list of actions. `exec`, `POST /execute` and the tool `execute` run one:

```json
{"commandId":"c1","taskId":"t1","source":"me","expectedFormat":"android-ui-automator","timeoutMs":30000,
 "actions":[{"id":"open","type":"open_app","params":{"applicationId":"com.android.settings"}},
            {"id":"settle","type":"sleep","params":{"durationMs":500}},
            {"id":"look","type":"snapshot_ui"}]}
```

| member | content |
|---|---|
| `commandId` | a name that you choose; answers, events and logs have it. It is never in flight twice |
| `taskId` | a name that you choose for the task; answers and logs have it |
| `source` | the sender's name, for the phone's log |
| `expectedFormat` | always `android-ui-automator` |
| `timeoutMs` | the time limit of the whole plan on the device |
| `actions` | each with an `id`, a `type` and `params` |

The actions run in their order on the device, in one go. A node that is not found ends the plan. A `wait_for_navigation`
that finds nothing does not. The limits are 50 actions, 120000 ms and 64000 bytes. `clawperator help exec` prints the
same list.

"""


def actions_page(manual):
    fields = ", ".join(f"`{name}`" for name in manual["matcherFields"])
    text = ACTIONS_HEAD + f"A matcher has one or more of these fields:\n{fields}.\n"
    for action in manual["actions"]:
        text += f"\n## {action['type']}\n\n{action['summary']}"
        if action["aliases"]:
            text += " Also: " + ", ".join(f"`{alias}`" for alias in action["aliases"]) + "."
        text += "\n"
        if action["params"]:
            text += "\n| parameter | kind | what |\n|---|---|---|\n"
        for param in action["params"]:
            must = ", required" if param["required"] else ""
            text += f"| `{param['name']}` | {param['kind']}{must} | {param['meaning']} |\n"
    return text


def environment_table(rows):
    lines = [f"| {', '.join(f'`{name}`' for name in row['name'].split(', '))} | {row['help']} |\n" for row in rows]
    return "| variable | meaning |\n|---|---|\n" + "".join(lines)


def configuration_page(page, rows):
    head, tail = page.split(BEGIN)[0], page.split(END)[1]
    return head + BEGIN + environment_table(rows) + END + tail


def main(words):
    checks = words[:1] == ["--check"]
    binary, = words[checks:]

    def manual(*command):
        return json.loads(subprocess.run([binary, "help", *command, "--json"], check=True, capture_output=True,
                                         text=True).stdout)

    configuration = FOLDER / "configuration.md"
    pages = {FOLDER / "actions.md": actions_page(manual("exec")),
             configuration: configuration_page(configuration.read_text(), manual()["environment"])}
    for path, text in pages.items():
        if not checks:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"docs/reference/{path.name} is older than the program: run tools/make_reference.py BINARY")


if __name__ == "__main__":
    main(sys.argv[1:])
