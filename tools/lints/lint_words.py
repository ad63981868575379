#!/usr/bin/env python3
"""Plain words, as a ratchet: plain_words.txt has what each file may still have of words that hide who does what, of
sentences above 35 words and, in documents, of lines above 140 columns. Tests and tools are read for the words alone. A
file that is not listed may have none, and one that got better must be listed so. lint_layers.py calls `findings`.

usage: tools/lints/lint_words.py [--write]      --write: the list follows what got better; nothing gets worse by it"""
import pathlib
import re
import sys

LIST = pathlib.Path(__file__).with_name("plain_words.txt")
HEADING = ("# What each file may still have: words that hide who does what, sentences above 35 words, lines above 140\n"
           "# columns. tools/lints/lint_words.py checks it, and writes it with --write.\n")
KINDS = ("words", "long sentences", "long lines")
# Programs do not tell or ask: they print, report, contain, send, query.
WORDS = re.compile(r"(?<![a-z])(tells?|told|whoever|nobody|(?:is|are|be|was|were|being)[\s_]asked)(?![a-z])",
                   re.IGNORECASE)
MOST_WORDS, MOST_COLUMNS = 35, 140
FENCE = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)
HISTORY = ("CHANGELOG.md",)
# Programs beside the product; a file without a suffix is one where it begins with #!.
TOPS = ("tests", "tools", "fuzz", "packaging", "cmake", "skills", "web")
SUFFIXES = (".py", ".cpp", ".hpp", ".sh", ".mjs", ".js", ".ts", ".tsx", ".cmake")
# Goldens, seeds and this file contain the words as data.
DATA = ("tests/golden/", "fuzz/corpus/", "tools/lints/lint_words.py", "web/dist/", "web/src/api.gen.ts")
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\. ))|\|")


def prose(text):
    """A document without its code."""
    return FENCE.sub("", text)


def comments(text):
    """Those of a source, one text for each unbroken group."""
    groups = re.findall(r"(?:^[ \t]*//.*\n)+", text, re.MULTILINE)
    return "\n\n".join(re.sub(r"^[ \t]*// ?", "", group, flags=re.MULTILINE) for group in groups)


def long_sentences(text):
    return [" ".join(each.split()) for each in SENTENCE_END.split(text) if len(each.split()) > MOST_WORDS]


def long_lines(text):
    """Not those of tables, which have no other form."""
    return [line for line in text.splitlines() if len(line) > MOST_COLUMNS and not line.startswith("|")]


def found_in(name, text):
    """(words, long sentences, long lines), each a list."""
    if name.endswith(".md"):
        text = prose(text)
        return WORDS.findall(text), long_sentences(text), long_lines(text)
    return WORDS.findall(text), long_sentences(comments(text)), []


def documents(root):
    below = [path for top in ("docs", "src", "packaging") for path in (root / top).rglob("*.md")]
    return sorted(path for path in [*root.glob("*.md"), *below] if path.name not in HISTORY)


def is_program(path):
    if path.suffix or not path.is_file():
        return path.suffix in SUFFIXES or path.name == "CMakeLists.txt"
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def programs(root):
    below = sorted(path for top in TOPS for path in (root / top).rglob("*"))
    return [path for path in below if not path.relative_to(root).as_posix().startswith(DATA) and is_program(path)]


def files(root):
    return [*(path for path in sorted((root / "src").rglob("*")) if path.suffix in (".cpp", ".hpp")), *documents(root)]


def allowed():
    rows = (line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#"))
    return {name: tuple(map(int, counts)) for name, *counts in rows}


def counted(root):
    lists = {path: found_in(path.name, path.read_text(encoding="utf-8")) for path in files(root)}
    lists |= {path: (WORDS.findall(path.read_text(encoding="utf-8")), [], []) for path in programs(root)}
    return {path.relative_to(root).as_posix(): found for path, found in lists.items()}


def findings(root):
    """(file, line, message)"""
    limits = allowed()
    for name, lists in counted(root).items():
        for kind, found, most in zip(KINDS, lists, limits.get(name, (0, 0, 0))):
            if len(found) > most:
                last = "; ".join(map(str, found[-3:]))[:300]
                yield root / name, 1, f"{len(found)} {kind}, {most} are allowed: {last}"
            elif len(found) < most:
                yield root / name, 1, f"{len(found)} {kind}, {most} are allowed: tools/lints/lint_words.py --write"


def write(root):
    limits = allowed() if LIST.exists() else None
    text = HEADING
    for name, lists in counted(root).items():
        counts = [len(found) for found in lists]
        if limits is not None:
            counts = [min(pair) for pair in zip(counts, limits.get(name, (0, 0, 0)))]
        text += f"{name} {' '.join(map(str, counts))}\n" if any(counts) else ""
    LIST.write_text(text)


def prove_the_rules():
    words, _, _ = found_in("a.cpp", "// It is asked who told it.\nint told_of_it;\nint untold;\n")
    assert words == ["is asked", "told", "told"]
    long = " ".join(["word"] * (MOST_WORDS + 1))
    assert len(found_in("a.cpp", f"// {long}.\nint a;\n")[1]) == 1
    assert not found_in("a.cpp", f"// {long[5:]}.\nint a;\n")[1]
    assert found_in("a.md", f"```sh\n{long}\n```\nA. B.\n") == ([], [], [])
    assert len(found_in("a.md", "x" * (MOST_COLUMNS + 1))[2]) == 1 and not found_in("a.md", "|" + "x" * 200)[2]


if __name__ == "__main__":
    prove_the_rules()
    here = pathlib.Path(__file__).resolve().parents[2]
    if sys.argv[1:] == ["--write"]:
        write(here)
    totals = [sum(len(lists[kind]) for lists in counted(here).values()) for kind in range(3)]
    print(", ".join(f"{total} {kind}" for total, kind in zip(totals, KINDS)))
