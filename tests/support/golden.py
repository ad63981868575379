"""Golden files: what the program did when they were last written. They say that nothing has changed, not that it is
right.

    UPDATE_GOLDEN=1 tests/contract/run.py BINARY --only bytes      writes them anew: read the difference before you
    commit it
"""
import difflib
import os
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "golden"
MOST_SHOWN = 60  # lines of a difference
updates = bool(os.environ.get("UPDATE_GOLDEN"))


def read(name):
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def check(place, name, text):
    """The text is that of the file, or becomes it."""
    if updates:
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
        return
    lines = list(difflib.unified_diff(read(name).splitlines(), text.splitlines(), f"golden/{name}", "now", lineterm="",
                                      n=2))
    if lines:
        more = f"\n... and {len(lines) - MOST_SHOWN} lines" if len(lines) > MOST_SHOWN else ""
        raise place.Mismatch("it has changed; UPDATE_GOLDEN=1 writes it anew\n" + "\n".join(lines[:MOST_SHOWN]) + more)
