#!/usr/bin/env python3
"""Prints how large and how tangled this tree is: code lines, circles between folders, what an edit rebuilds, numbers
without a reason, and with a binary what of ours one command runs.

    tools/house/measure.py [build/release/clawperator]
    tools/house/measure.py --reasons     the numbers without a reason

Two trees are compared by their tables. Inlined functions run unseen, so the numbers of files and functions are for
trends; of a warm request time decides a few of them, as whether a raw frame is tried beside the phone's own picture.
Frames to the first byte are not here: of a coroutine that was resumed, the stack has the last few only."""
import collections
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / each) for each in ("tools/lints", "tools", "tests/support", "tests/contract/mcp")]
import lint_reasons
SRC = ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
# Headers that much stands on; of those that are not there (any more) nothing is printed.
WATCHED = ("base/async/task.hpp", "base/errc.hpp", "runtime/contract/errc.hpp", "base/json_text.hpp",
           "runtime/contract/execution.hpp", "runtime/contract/action_table.hpp", "runtime/engine/engine.hpp",
           "cli/settings.hpp")
WARM_UP = 2  # requests before the one that is measured


def sources(folder, *suffixes):
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path.is_file())


@functools.cache
def text_of(path):
    if not path.is_file():
        return ""  # debug information from a compiler cache may name a file by its path before a move
    return path.read_text(encoding="utf-8", errors="replace")


def code_lines(path):
    """No blanks, no comments, no preprocessor."""
    if path.suffix == ".py":
        return sum(1 for line in text_of(path).splitlines() if line.strip() and not line.lstrip().startswith("#"))
    bare = COMMENTS.sub(lambda found: found[0] if found[0][0] == '"' else "\n" * found[0].count("\n"), text_of(path))
    return sum(1 for line in bare.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def lines(folder, *suffixes):
    return sum(map(code_lines, sources(folder, *suffixes)))


# --- includes ----------------------------------------------------------------------------------

@functools.cache
def included(path):
    """Files of src that it includes itself."""
    return [SRC / name for name in INCLUDE.findall(text_of(path)) if (SRC / name).is_file()]


@functools.cache
def reached(path):
    seen, waiting = set(), [path]
    while waiting:
        for each in included(waiting.pop()):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return seen


def folder_edges():
    """Folder -> the folders that its files include: each folder that has sources, also below a row of the lint."""
    edges = collections.defaultdict(set)
    for path in sources("src", ".cpp", ".hpp"):
        here = path.parent.relative_to(SRC).as_posix()
        edges[here].update(each.parent.relative_to(SRC).as_posix() for each in included(path))
        edges[here].discard(here)
    return edges


def components(edges):
    """Those of more than one folder, that reach each other (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            group = sorted(stack[at:])
            del stack[at:]
            if len(group) > 1:
                found.append(group)

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return sorted(found)


def rebuilt(header):
    """Sources of src that are compiled again after an edit, and how many there are."""
    cpp = sources("src", ".cpp")
    return sum(header in reached(path) for path in cpp), len(cpp)


# --- numbers without a reason ---------------------------------------------------------------------

def reasons():
    """(all times, those without a reason, all bounds, those without a reason)"""
    found = [each for path in sources("src", ".cpp", ".hpp") for each in lint_reasons.constants(text_of(path))]
    times, bounds = ([said for *_, is_time, said in found if is_time == kind] for kind in (True, False))
    return len(times), times.count(False), len(bounds), bounds.count(False)


# --- what runs --------------------------------------------------------------------------------------

class Symbols:
    """The file in which a function of the binary is defined: by its name, in the sources of the object that has it."""

    def __init__(self, build):
        self.groups = collections.defaultdict(set)  # mangled -> unity files of its objects
        for item in (build / "src").rglob("*.o"):
            unity = item.with_suffix("") if item.name.endswith(".cxx.o") else None
            for row in self.output("nm", "--defined-only", str(item)).splitlines():
                words = row.split()
                if len(words) == 3 and words[1] in "tTwW":
                    self.groups[words[2]].add(unity)
        self.members = {}
        self.files = sources("src", ".cpp", ".hpp")

    @staticmethod
    def output(*words, given=None):
        return subprocess.run(words, input=given, capture_output=True, text=True, check=False).stdout

    def sources_of(self, mangled):
        found = []
        for unity in sorted(self.groups.get(mangled, ()), key=str):
            if unity not in self.members:
                text = unity.read_text() if unity and unity.is_file() else ""
                self.members[unity] = [pathlib.Path(name) for name in INCLUDE.findall(text)]
            found += self.members[unity]
        return [ROOT / path.relative_to("/work/main") if str(path).startswith("/work/main/") else path
                for path in found]

    def names(self, mangled):
        """Mangled -> its namespaces, its class and its name; those that are ours."""
        plain = self.output("c++filt", given="\n".join(mangled)).splitlines()
        for given, name in zip(mangled, plain):
            name = re.sub(r" ?\[clone [^]]*\]|\(\.\w+\)$", "", name)
            # a lambda is of its function
            name = re.sub(r"::\{lambda.*|::'lambda.*|::\$_\d.*", "", name).replace("[abi:cxx11]", "")
            name = name.replace("(anonymous namespace)", "")
            while (bare := re.sub(r"<[^<>]*>|\([^()]*\)", "", name)) != name:
                name = bare
            parts = [part.split()[-1] for part in name.removesuffix("const").strip().split("::") if part.strip()]
            if parts and re.search(r"\b(?:clawperator|adbproto|base)::|^main$",
                                   name) and "std" not in parts and parts[-1] != "operator=":
                yield given, parts

    @functools.lru_cache(maxsize=None)
    def matches(self, path, parts):
        text, last = text_of(path), re.escape(parts[-1])
        owner = parts[-2] if len(parts) > 1 else ""
        if owner and re.search(rf"^\S[^;\n]*\b{re.escape(owner)}::{last}\(|^{re.escape(owner)}::{last}\(", text,
                               re.MULTILINE):
            return True
        if owner and re.search(rf"\b(?:class|struct)\s+{re.escape(owner)}\b(?!;)",
                               text) and re.search(rf"(?<!\w){last}\(", text):
            return True
        return bool(re.search(rf"^\S[^\n;=]*(?<![\w:]){last}\([^;{{}}]*\{{", text, re.MULTILINE))

    def file_of(self, mangled, parts):
        here = self.sources_of(mangled)
        headers = sorted(set().union(*map(reached, here)))
        for path in [*here, *headers, *([] if here else self.files)]:
            if path.is_file() and self.matches(path, tuple(parts)):
                return path
        return None


def functions_of(profile, binary):
    """Mangled names of those of the binary that have a cost of their own."""
    names, ran, current, is_ours, ours = {}, set(), None, False, None
    for line in profile.read_text(errors="replace").splitlines():
        found = re.match(r"(c?fn|ob|cob)=\((\d+)\)(?: (.*))?$", line)
        if found:
            kind, number, name = found.groups()
            key = ("ob" if "ob" in kind else "fn", number)
            if name:
                names[key] = name
            if kind == "ob":
                is_ours = names[key].endswith(f"/{binary.name}")
            elif kind == "fn":
                current = names[key] if is_ours else None
        elif line.startswith("calls="):
            ours = current
            current = None  # the next line's cost is the callee's
        elif re.match(r"[+\-*\d]", line):
            if current:
                ran.add(re.sub(r"'\d+$", "", current))
            if ours:
                current, ours = ours, None
    return ran


class Runs:
    """Commands under callgrind, on a simulated phone of their own."""

    def __init__(self, binary, folder):
        from own_phone import own_phone
        self.binary, self.sandbox, self.number = binary, folder, 0
        self.Mismatch = RuntimeError
        self.env = {**{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
                    "CLAWPERATOR_USB": "0",
                    "CLAWPERATOR_NO_DAEMON": "1",
                    **dict.fromkeys(("HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "CLAWPERATOR_LOCK_DIR"),
                                    str(folder))}
        self.symbols = Symbols(binary.parent)
        self.phone_of = own_phone

    def profile(self):
        self.number += 1
        return self.sandbox / f"callgrind.{self.number}"

    def callgrind(self, profile, *options):
        return ["valgrind", "-q", "--tool=callgrind", "--demangle=no", "--compress-strings=yes",
                f"--callgrind-out-file={profile}", *options]

    def table(self, profile):
        ran = functions_of(profile, self.binary)
        where = {"::".join(parts): self.symbols.file_of(mangled, parts)
                 for mangled, parts in self.symbols.names(sorted(ran))}
        functions = [name for name, path in where.items() if path]  # the others are made by the compiler
        files = {path for path in where.values() if path}
        return len(files), len(functions), len({path.parent for path in files})

    def cold(self, *argv, status=0):
        profile = self.profile()
        done = subprocess.run([*self.callgrind(profile), str(self.binary), *argv], env=self.env, cwd=self.sandbox,
                              capture_output=True,
                              timeout=300, check=False)
        if not profile.is_file() or done.returncode != status:
            return f"ended with {done.returncode}: {(done.stdout + done.stderr)[-200:]!r}"
        return self.table(profile)

    def control(self, running, word):
        """valgrind keeps its pipe in the temporary folder of the process."""
        subprocess.run(["callgrind_control", word, str(running.child.pid)],
                       env={**os.environ, "TMPDIR": str(self.sandbox)},
                       capture_output=True, timeout=120, check=True)

    def warm(self, start, ask):
        """One request of a process that stays: those before it are not counted."""
        profile = self.profile()
        wrapped = self.sandbox / "measured"
        wrapped.write_text("#!/bin/sh\nexec "
                           + " ".join(self.callgrind(profile, "--instr-atstart=no")) + f' "{self.binary}" "$@"\n')
        wrapped.chmod(0o755)
        plain, self.binary = self.binary, wrapped
        try:
            with start(self) as running:
                for _ in range(WARM_UP):
                    ask(running)
                self.control(running, "--instr=on")
                ask(running)
                self.control(running, "--instr=off")
                self.control(running, "--dump")
        finally:
            self.binary = plain
        dumps = [path for path in sorted(self.sandbox.glob(profile.name + "*")) if path.stat().st_size]
        return self.table(dumps[0]) if dumps else "callgrind wrote nothing"


def measured(binary):
    """(what, files, functions, folders) of each, or why not."""
    missing = [name for name in ("valgrind", "callgrind_control", "nm", "c++filt") if not shutil.which(name)]
    if missing:
        yield "skipped", f"there is no {', '.join(missing)}"
        return
    from api_server import ApiServer
    from conversation import Conversation
    with tempfile.TemporaryDirectory(prefix="numbers-") as name:
        runs = Runs(binary, pathlib.Path(name))
        with runs.phone_of(runs) as phone:
            at = ("--device", phone.serial, "--transport", "tcp")
            (runs.sandbox / "f").write_text("x")
            yield "--version", runs.cold("--version")
            yield "devices, no adb server", runs.cold("devices", status=1)
            phone.simctl("show", "com.clawperator.conformance", "home")
            yield "click --text, cold, direct", runs.cold("click", "--text", "Form", *at)
            yield "back", runs.cold("back", *at)
            yield "adb push", runs.cold(*at, "adb", "push", "f", "/sdcard/f")
            yield "GET screenshot.png, warm", runs.warm(lambda place: ApiServer(place, *at),
                                                        lambda server: server.ask(
                                                            "GET", f"/devices/{phone.serial}/screenshot.png"))
            yield "MCP tap, warm, a miss", runs.warm(lambda place: Conversation(place, *at),
                                                     lambda talk: talk.call("tap",
                                                                            selector={"text": "Nothing like this"}))


def rows(binary):
    yield "code lines", "src", lines("src", ".cpp", ".hpp")
    for name, folder, suffixes in (("tests, C++", "tests", (".cpp", ".hpp")), ("tests, Python", "tests", (".py",)),
                                   ("tools/simdroid", "tools/simdroid", (".cpp", ".hpp")),
                                   ("fuzz", "fuzz", (".cpp", ".hpp"))):
        yield "code lines", name, lines(folder, *suffixes)
    edges = folder_edges()
    pairs = sorted((one, other) for one in edges for other in edges[one] if one < other and one in edges[other])
    yield "circles", "folders", len(edges)
    yield "circles", "pairs of folders that include each other", len(pairs)
    for one, other in pairs:
        yield "circles", f"  {one} <-> {other}", ""
    for group in components(edges):
        yield "circles", "  reach each other: " + " ".join(group), len(group)
    for header in WATCHED:
        if (SRC / header).is_file():
            count, of = rebuilt(SRC / header)
            yield "rebuilt after an edit", header, f"{count} of {of}"
    times, bare_times, bounds, bare_bounds = reasons()
    yield "without a reason", "time limits", f"{bare_times} of {times}"
    yield "without a reason", "other bounds", f"{bare_bounds} of {bounds}"
    if binary is None:
        yield "what runs", "skipped: no binary was named", ""
        return
    for what, result in measured(binary):
        if isinstance(result, tuple):
            result = "{} files, {} functions, {} folders".format(*result)
        yield "what runs", what, result


def main():
    if sys.argv[1:] == ["--reasons"]:
        for file, number, name in lint_reasons.without_reason(ROOT):
            print(f"{file.relative_to(ROOT)}:{number}: {name}")
        return 0
    binary = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    for part, what, value in rows(binary):
        print(f"{part:22} {what:48} {value}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
