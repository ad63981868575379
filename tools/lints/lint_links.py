"""Every link of a document to a file of the repository has its file, and its heading. lint_layers.py calls
`findings`."""
import re

import lint_words

LINK = re.compile(r"\]\(([^)\s]+)\)|\b(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]*`")


def anchors(text):
    """As GitHub makes them."""
    titles = HEADING.findall(lint_words.prose(text))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken(file, text):
    for target in (one or other for one, other in LINK.findall(CODE.sub("", lint_words.prose(text)))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, heading = target.partition("#")
        there = file.parent / path if path else file
        if not there.exists():
            yield f"there is no {target}"
        elif heading and there.suffix == ".md" and heading not in anchors(there.read_text(encoding="utf-8")):
            yield f"{path or 'this page'} has no heading #{heading}"


def findings(root):
    """(file, line, message)"""
    for file in lint_words.documents(root):
        for message in broken(file, file.read_text(encoding="utf-8")):
            yield file, 1, message


def prove_the_rules():
    assert anchors("# What to do, by `maker`\n") == {"what-to-do-by-maker"}
