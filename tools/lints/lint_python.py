"""No line of Python is longer than 120 characters. lint_layers.py calls `findings`."""

MOST = 120  # two files beside each other on a wide screen, a review on a narrow one


def is_python(name, text):
    return name.endswith(".py") or text.startswith("#!") and "python" in text.splitlines()[0]


def long_lines(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > MOST]


def findings(root):
    """(file, line, message)"""
    for top in ("tests", "fuzz", "tools", "packaging"):
        for file in sorted((root / top).rglob("*")):
            if not file.is_file() or file.suffix not in ("", ".py"):
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
            for number in long_lines(text) if is_python(file.name, text) else []:
                yield file, number, f"longer than {MOST} characters"


def prove_the_rules():
    assert long_lines(f"{'x' * MOST}\n{'x' * (MOST + 1)}\n") == [2]
    assert is_python("a.py", "") and is_python("tool", "#!/usr/bin/env python3\n")
    assert not is_python("tool", "#!/bin/sh\n")
