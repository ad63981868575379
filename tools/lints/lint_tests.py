"""What holds of C++ tests. Their first include of ours names their unit: a header of the room that the test's folder
mirrors, and the header of the test's own name where the room has one. They do not sleep: time is moved by hand
(support/manual_time.hpp), or a comment beside the call says why not. lint_layers.py calls `findings`."""
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


def folders_of(headers):
    return {parent.as_posix() for header in headers for parent in pathlib.PurePosixPath(header).parents}


def headers_of(root):
    return {path.relative_to(root).as_posix() for top in ("src", "tools", "tests")
            for path in (root / top).rglob("*.hpp")}


def texts_of(root):
    """All C++ of tests, by its path below tests."""
    return {path.relative_to(root / "tests").as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((root / "tests").rglob("*.[ch]pp"))}


def problem(test, source, headers):
    """What is wrong with a test (its path from the root, its text); `headers` are all headers by their paths."""
    room = room_of(test, folders_of(headers))
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


SLEEP = re.compile(r"\b(sleep_for|sleep_until|u?sleep|nanosleep)\(")
# A turn of the loop, or a stream of commands that a shell reads.
NO_TIME = re.compile(r"sleep_for\((?:0ms|[\w:]+::zero\(\))\)|\"[^\"]*sleep[^\"]*\"")
REASON = re.compile(r"// .*\b(?:Real|Manual) time:")


def sleeps(source, has_manual_time):
    """Numbers of the lines that sleep without a reason. A thread's sleep needs one in any case."""
    lines = source.splitlines()
    for at, line in enumerate(lines):
        code = NO_TIME.sub("", line.split("//")[0])
        is_of_loop = "co_await" in code
        if SLEEP.search(code) and not (is_of_loop and has_manual_time):
            if not any(REASON.search(each) for each in lines[max(at - 2, 0):at + 1]):
                yield at + 1


def reaches(name, wanted, texts):
    """Whether the header is among what the file includes, and what that includes."""
    seen, waiting = set(), [name]
    while waiting:
        for each in INCLUDE.findall(texts.get(waiting.pop(), "")):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return wanted in seen


def findings(root):
    """(file, line, message)"""
    headers = headers_of(root)
    for level in ("unit", "loopback", "session"):
        for file in sorted((root / "tests" / level).rglob("*_test.cpp")):
            found = problem(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"), headers)
            if found:
                yield file, 1, found
    texts = texts_of(root)
    for name, source in texts.items():
        for number in sleeps(source, reaches(name, "support/manual_time.hpp", texts)):
            yield root / "tests" / name, number, "a test that sleeps: move the time by hand, or say `Real time: why`"


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
    for source, lines in (("co_await sleep_for(1s);", [1]), ("std::this_thread::sleep_for(1ms);  // why", [1]),
                          ("co_await sleep_for(0ms);", []), ("::usleep(5);\n// Real time: a child.\nsleep(1);", [1])):
        assert list(sleeps(source, False)) == lines, source
    assert not list(sleeps("co_await sleep_for(1s);", True)) and list(sleeps("std::this_thread::sleep_for(1s);", True))
    assert reaches("a", "c", {"a": '#include "b"\n', "b": '#include "c"\n'}) and not reaches("a", "c", {"a": "c"})
