"""The first include of ours in a C++ test names its unit: a header of the room that the test's folder mirrors, and the
header of the test's own name where the room has one. lint_layers.py calls `findings`."""
import pathlib
import re

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# tests/unit/wire is src/adbproto/wire, tests/loopback/async is src/base/async. The parts of tests/support have tests,
# too.
ABOVE = ("src", "src/base", "src/adbproto", "src/runtime", "tools", "tests")


def room_of(test, folders):
    """The folder that the test's folder mirrors, or the one above it that has a mirror: tests/unit/ui/bundled is in
    runtime/ui."""
    words = pathlib.PurePosixPath(test).parts[1:-1]
    words = words[1:] if words[0] in ("unit", "loopback") else words
    below = ("/".join(words[:length]) for length in range(len(words), 0, -1))
    return next((f"{top}/{name}" for name in below for top in ABOVE if f"{top}/{name}" in folders), None)


def problem(test, source, headers):
    """What is wrong with a test (its path from the root, its text); `headers` are all headers by their paths."""
    folders = {parent.as_posix() for header in headers for parent in pathlib.PurePosixPath(header).parents}
    room = room_of(test, folders)
    if room is None:
        return "this folder mirrors no room"
    found = INCLUDE.search(source)
    first = next((f"{top}/{found[1]}" for top in ("src", "tools", "tests") if found and f"{top}/{found[1]}" in headers),
                 "")
    if not first.startswith(room + "/"):
        return f"the first include of ours is no header of {room}"
    stem = pathlib.PurePosixPath(test).name.removesuffix("_test.cpp")
    own = sorted(each for each in headers if each.startswith(room + "/") and each.endswith(f"/{stem}.hpp"))
    return f"the first include of ours is not {own[0]}" if own and first not in own else None


def findings(root):
    """(file, line, message)"""
    headers = {path.relative_to(root).as_posix() for top in ("src", "tools", "tests")
               for path in (root / top).rglob("*.hpp")}
    for level in ("unit", "loopback", "session"):
        for file in sorted((root / "tests" / level).rglob("*_test.cpp")):
            found = problem(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"), headers)
            if found:
                yield file, 1, found


HEADERS = {"src/base/system/lock.hpp", "src/adbproto/wire/packet.hpp", "src/runtime/ui/find.hpp",
           "src/runtime/ui/refs.hpp",
           "tools/simdroid/ui/font.hpp", "tests/support/pipe.hpp"}
BAD = [
    ("tests/unit/wire/packet_test.cpp", '#include <catch2/catch.hpp>\n'),
    ("tests/unit/nowhere/x_test.cpp", '#include "adbproto/wire/packet.hpp"\n'),
    ("tests/unit/wire/packet_test.cpp", '#include "support/pipe.hpp"\n#include "adbproto/wire/packet.hpp"\n'),
    ("tests/loopback/ui/find_test.cpp", '#include "runtime/ui/refs.hpp"\n'),
    ("tests/unit/ui/x_test.cpp", '#include "runtime/ui/gone.hpp"\n'),
]
GOOD = [
    ("tests/unit/wire/packet_test.cpp", '// Why.\n#include "adbproto/wire/packet.hpp"\n#include "support/pipe.hpp"\n'),
    ("tests/loopback/system/held_test.cpp", '#include "base/system/lock.hpp"\n'),
    ("tests/unit/simdroid/ui_test.cpp", '#include "simdroid/ui/font.hpp"\n'),
    ("tests/unit/ui/bundled/screens_test.cpp", '#include "runtime/ui/find.hpp"\n'),
    ("tests/unit/support/pipe_test.cpp", '#include "support/pipe.hpp"\n'),
]


def prove_the_rules():
    for test, source in BAD:
        assert problem(test, source, HEADERS), f"passed: {test}: {source}"
    for test, source in GOOD:
        assert not problem(test, source, HEADERS), f"refused: {test}: {problem(test, source, HEADERS)}"
