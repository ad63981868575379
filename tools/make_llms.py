#!/usr/bin/env python3
"""Writes llms.txt, the list of the documents with what each is for, and llms-full.txt, the text of all that users
read: README.md and the shelves start, guides and reference. Names and purposes come from docs/README.md.

usage: tools/make_llms.py [--check]        --check: fails if a file is older than the documents"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHELVES = ("start", "guides", "reference", "internals")
OF_USERS = SHELVES[:3]
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def index_rows(text):
    """path below docs -> (name, purpose), in the order of the index"""
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) > 1:
            rows |= {path: (name, cells[-1]) for cell in cells[:-1] for name, path in LINK.findall(cell)}
    return rows


def title_of(text):
    return text.split("\n", 1)[0].lstrip("# ")


def pages_of(root):
    """shelf -> [(path below docs, name, purpose)]; a page without a row in the index has its title alone"""
    docs = root / "docs"
    rows = index_rows((docs / "README.md").read_text(encoding="utf-8"))
    order = list(rows)
    for shelf in SHELVES:
        found = [path.relative_to(docs).as_posix() for path in sorted((docs / shelf).glob("*.md"))]
        found.sort(key=lambda path: order.index(path) if path in rows else len(order))
        yield shelf, [(path, *rows.get(path, (title_of((docs / path).read_text(encoding="utf-8")), "")))
                      for path in found]


def short_text(root):
    title, sentence, *_ = (root / "README.md").read_text(encoding="utf-8").split("\n\n")
    text = f"{title}\n\n> {' '.join(sentence.split())}\n\nllms-full.txt has all pages of start, guides and reference.\n"
    for shelf, pages in pages_of(root):
        text += f"\n## {shelf.capitalize()}\n\n"
        text += "".join(f"- [{name}](docs/{path})" + (f": {purpose}" if purpose else "") + "\n"
                        for path, name, purpose in pages)
    return text


def with_links_from_root(text, folder):
    def moved(match):
        name, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        return f"[{name}]({os.path.normpath(folder / target)})"

    parts = FENCE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in parts)


def full_text(root):
    paths = ["README.md", *(f"docs/{path}" for shelf, pages in pages_of(root) if shelf in OF_USERS
                            for path, *_ in pages)]
    texts = (f"<!-- {path} -->\n\n"
             + with_links_from_root((root / path).read_text(encoding="utf-8"), pathlib.PurePosixPath(path).parent)
             for path in paths)
    return "\n".join(texts)


def prove_the_rules():
    assert index_rows("| start | [a](s/a.md), [b](s/b.md) | why |\n| | [c](c.md) | how |\n") == {
        "s/a.md": ("a", "why"), "s/b.md": ("b", "why"), "c.md": ("c", "how")}
    here = pathlib.PurePosixPath("docs/guides")
    assert with_links_from_root("[a](../start/a.md#b) [c](#d) [e](https://f)", here) == \
        "[a](docs/start/a.md#b) [c](#d) [e](https://f)"
    assert with_links_from_root("```\n[a](../b)\n```\n", here) == "```\n[a](../b)\n```\n"


def main(words):
    prove_the_rules()
    for name, text in (("llms.txt", short_text(ROOT)), ("llms-full.txt", full_text(ROOT))):
        file = ROOT / name
        if words != ["--check"]:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            sys.exit(f"{name} is older than the documents: run tools/make_llms.py")


if __name__ == "__main__":
    main(sys.argv[1:])
