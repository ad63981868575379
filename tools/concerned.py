"""Which tests concern the files that changed: the programs of their rooms, and the contract groups that the README of
the room names. tools/check runs these; tools/lints/lint_layers.py has the rules proved."""
import json
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/lints"))
import lint_tests

PROGRAM = re.compile(r"^clawperator_tests\((\w+) (\S+)", re.MULTILINE)
CONTRACT = re.compile(r"`tests/contract(?:/([\w.]+))?[^`]*`")


class Concerned(NamedTuple):
    programs: set  # names of test programs
    groups: set  # what of tests/contract; "" is all of it
    everything: bool  # how all of it is built


class Tree(NamedTuple):
    programs: dict  # name -> (its folder below tests, the room that this mirrors)
    groups: dict  # folder of a README -> what it names of tests/contract; "" is all of it
    readers: dict  # header of tests -> folders of tests that include it


def read_tree(root=ROOT):
    folders = lint_tests.folders_of(lint_tests.headers_of(root))
    found = PROGRAM.findall((root / "tests/CMakeLists.txt").read_text(encoding="utf-8"))
    programs = {name: (f"tests/{below}", lint_tests.room_of(f"tests/{below}/x", folders)) for name, below in found}
    readmes = [*(root / "src").rglob("README.md"), *(root / "tools/simdroid").rglob("README.md")]
    groups = {path.parent.relative_to(root).as_posix(): set(CONTRACT.findall(path.read_text(encoding="utf-8")))
              for path in readmes}
    texts = lint_tests.texts_of(root)
    readers = {f"tests/{name}": {f"tests/{pathlib.PurePosixPath(each).parent}" for each in texts
                                 if lint_tests.reaches(each, name, texts)} for name in texts if name.endswith(".hpp")}
    return Tree(programs, groups, readers)


def concerned(files, tree):
    programs, groups, everything = set(), set(), False
    for file in map(pathlib.PurePosixPath, files):
        folder, top, is_cpp = file.parent.as_posix(), file.parts[0], file.suffix in (".cpp", ".hpp")
        if top in ("src", "tools") and is_cpp:
            programs |= {name for name, (_, room) in tree.programs.items() if f"{folder}/".startswith(f"{room}/")}
            near = next((str(each) for each in file.parents if str(each) in tree.groups), None)
            groups |= tree.groups.get(near, set())
        elif top == "tests" and is_cpp:
            here = {folder} | tree.readers.get(str(file), set())
            programs |= {name for name, (below, _) in tree.programs.items() if below in here}
        elif folder in ("tests/support", "tests/contract") and file.suffix == ".py":
            groups.add("")
        elif file.parts[:2] == ("tests", "contract"):
            groups.add(file.parts[2] if len(file.parts) > 3 else file.name)
        elif top in ("src", "cmake", "third_party") and file.suffix != ".md" or file.name.startswith("CMake"):
            everything = True
    return Concerned(programs, groups, everything)


def changed_files(base):
    """Since the commit that HEAD and `base` have in common, committed or not."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n")

    common = git("merge-base", "HEAD", base)[0] or "HEAD"
    listed = git("diff", "--name-only", common) + git("ls-files", "--others", "--exclude-standard")
    return sorted({name for name in listed if name})


def word_for(group):
    """What tests/contract/run.py --only takes: the table that a file, or the first of a folder's files, names."""
    here = ROOT / "tests/contract" / group
    files = [here] if group.endswith(".json") else sorted(here.glob("*.json")) if group == "cases" else []
    return json.loads(files[0].read_text(encoding="utf-8"))["table"] if files else group


def prove_the_rules():
    tree = Tree({"unit_ui": ("tests/unit/ui", "src/runtime/ui"), "screens": ("tests/unit/ui/bundled", "src/runtime/ui"),
                 "unit_engine": ("tests/unit/engine", "src/runtime/engine"),
                 "unit_base": ("tests/unit/base", "src/base")},
                {"src/runtime/engine": {"answers"}, "src/runtime/engine/shell_backend": {"backend"}, "src/base": {""}},
                {"tests/support/pipe.hpp": {"tests/unit/base", "tests/unit/ui"}})
    for files, wanted in (
            (["src/runtime/ui/find.cpp"], ({"unit_ui", "screens"}, set(), False)),
            (["src/runtime/engine/turn.cpp"], ({"unit_engine"}, {"answers"}, False)),
            (["src/runtime/engine/shell_backend/steps.hpp"], ({"unit_engine"}, {"backend"}, False)),
            (["src/base/text.cpp", "docs/internals/testing.md"], ({"unit_base"}, {""}, False)),
            (["tests/unit/ui/bundled/a_test.cpp"], ({"screens"}, set(), False)),
            (["tests/support/pipe.hpp"], ({"unit_base", "unit_ui"}, set(), False)),
            (["tests/contract/refs/checks.py"], (set(), {"refs"}, False)),
            (["tests/contract/cli_adb.json", "tests/support/limits.py"], (set(), {"cli_adb.json", ""}, False)),
            (["tests/CMakeLists.txt"], (set(), set(), True)), (["src/serve/openapi.json"], (set(), set(), True)),
            (["README.md", "tests/peer/test_sync.py", "CHANGELOG.md"], (set(), set(), False))):
        assert concerned(files, tree) == wanted, (files, concerned(files, tree))
