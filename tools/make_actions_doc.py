#!/usr/bin/env python3
"""docs/reference/actions.md from the program's own table (`clawperator help exec --json`).

usage: tools/make_actions_doc.py [--check] BINARY     --check: says whether the page is that"""
import json
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/reference/actions.md"
HEAD = """# Actions

What the actions of an execution are and take; `clawperator help exec` prints the same. An execution is what `exec`,
`POST /execute` and the tool `execute` carry out:

```json
{"commandId":"c1","taskId":"t1","source":"me","expectedFormat":"android-ui-automator","timeoutMs":30000,
 "actions":[{"id":"open","type":"open_app","params":{"applicationId":"com.android.settings"}},
            {"id":"look","type":"snapshot_ui"}]}
```

The steps run in their order on the device, in one go. A node that is not found ends the plan; a wait for an app that
was in vain does not. At most 50 actions, 120000 ms and 64000 bytes.

"""


def page_of(manual):
    text = HEAD + "A matcher has one or more of: " + ", ".join(f"`{name}`" for name in manual["matcherFields"]) + ".\n"
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


def main(words):
    checks = words[:1] == ["--check"]
    binary, = words[checks:]
    told = subprocess.run([binary, "help", "exec", "--json"], check=True, capture_output=True, text=True).stdout
    page = page_of(json.loads(told))
    if not checks:
        PAGE.write_text(page)
    elif PAGE.read_text() != page:
        sys.exit("docs/reference/actions.md is not what the program says: run tools/make_actions_doc.py BINARY")


if __name__ == "__main__":
    main(sys.argv[1:])
