#!/usr/bin/env python3
"""Checks what the compiler does not: who may include whom, what pure layers must not touch, sizes, names, and
what the other files here check. The layers are those of docs/internals/architecture.md.

usage: tools/lints/lint_layers.py [ROOT]"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import concerned
import lint_device_commands
import lint_links
import lint_python
import lint_reasons
import lint_tests
import lint_words

PROTOCOL = ["base", "adbproto/wire", "adbproto/crypto", "adbproto/session", "adbproto/link",
            "adbproto/client"]
CONTRACT = PROTOCOL[:2] + ["runtime/contract"]
DEVICE = PROTOCOL + ["runtime/android", "runtime/device"]
ENGINE = PROTOCOL + ["runtime/contract", "runtime/ui", "runtime/image", "runtime/log", "runtime/android",
                     "runtime/device",
                     "runtime/trace", "runtime/engine"]

# Folder under src (the simulated phone: under tools) -> the folders that it may include, its own aside. The longest
# folder that matches counts. A folder stands for those below it, but not where one of these asks.
LAYERS = {
    "base": [],
    "base/async": ["base"],
    "base/system": ["base", "base/async"],
    "adbproto/wire": ["base"],
    "adbproto/crypto": PROTOCOL[:2],
    "adbproto/session": PROTOCOL[:3],
    "adbproto/link": PROTOCOL[:4],
    "adbproto/client": PROTOCOL[:5],
    "runtime/contract": PROTOCOL[:2],
    "runtime/ui": CONTRACT,
    "runtime/image": PROTOCOL[:2],
    "runtime/log": ["base"],
    "runtime/android": PROTOCOL[:2],
    "runtime/fetch": PROTOCOL[:3],
    "runtime/trace": PROTOCOL + ["runtime/android"],
    "runtime/device": PROTOCOL + ["runtime/android"],
    "runtime/device/choice": PROTOCOL[:2] + ["runtime/device"],
    "runtime/device/discovery": DEVICE,
    "runtime/device/resolver": DEVICE + ["runtime/device/choice", "runtime/device/discovery"],
    "runtime/device/supervisor": DEVICE
    + ["runtime/device/choice", "runtime/device/discovery", "runtime/device/resolver"],
    "runtime/engine": PROTOCOL + ["runtime/contract", "runtime/ui", "runtime/image", "runtime/log",
                                  "runtime/android", "runtime/device", "runtime/trace"],
    "runtime/engine/operator_backend": ENGINE,
    "runtime/engine/shell_backend": ENGINE,
    "runtime/act": ENGINE + ["runtime/host"],
    "runtime/host": ENGINE + ["runtime/fetch"],
    "runtime/host/operator": ENGINE + ["runtime/fetch", "runtime/host"],
    "runtime/host/emulator": ENGINE + ["runtime/host"],
    "runtime/host/phone_report": ENGINE + ["runtime/host"],
    "runtime/host/recording": ENGINE + ["runtime/host", "runtime/host/operator"],
    "runtime/host/verbs": ENGINE + ["runtime/host", "runtime/host/operator"],
    "runtime/host/doctor": ENGINE + ["runtime/host", "runtime/host/operator", "runtime/host/emulator"],
    "runtime/http": PROTOCOL[:5],
    "runtime/daemon": ENGINE,
    "runtime/mcp": ENGINE + ["runtime/act", "runtime/host"],
    "runtime/serve": ENGINE + ["runtime/act", "runtime/host", "runtime/http", "runtime/daemon", "runtime/mcp"],
    "simdroid": PROTOCOL + ["runtime/image"],
    "skills/yaml": ["base"],
    "skills/phone/rules": PROTOCOL[:3] + ["runtime/contract"],
    "skills/report": ["base"],
    "skills/privacy": ["base", "skills/report"],
    "skills/phone/recipe": PROTOCOL[:3] + ["runtime/contract", "skills/phone/rules", "skills/yaml", "skills/report",
                                           "skills/privacy"],
    "skills/phone/play": ENGINE + ["runtime/act", "runtime/host", "skills/phone/recipe", "skills/yaml",
                                   "skills/report"],
    "skills/phone": ENGINE + ["runtime/fetch", "runtime/host", "skills/phone/rules", "skills/phone/recipe",
                              "skills/yaml", "skills/report", "skills/privacy"],
    "skills/agent/rules": ["base", "skills/yaml"],
    "skills/agent": PROTOCOL[:3] + ["runtime/fetch", "skills/agent/rules"],
    "skills/hub": PROTOCOL[:5] + ["runtime/fetch", "runtime/http", "skills/agent"],
    "skills/serve": ENGINE + ["runtime/act", "runtime/host", "runtime/http", "runtime/mcp", "runtime/serve",
                              "skills/phone", "skills/agent"],
    "cli/grammar": ENGINE + ["runtime/act"],
    "cli/pretty": ENGINE + ["runtime/host", "cli/grammar"],
    "cli/clients": ["base", "skills/agent/rules", "cli/grammar"],
    "cli": ENGINE + ["runtime/act", "runtime/host", "runtime/daemon", "skills", "cli/grammar", "cli/clients",
                     "cli/pretty"],
    "cli/adb": DEVICE + ["runtime/device", "runtime/host", "cli/grammar", "cli/pretty", "cli"],
    "cli/manual": ENGINE + ["runtime/host", "runtime/serve", "runtime/daemon", "skills", "cli/grammar", "cli/clients",
                   "cli", "cli/adb"],
    "cli/commands": ENGINE + ["runtime/act", "runtime/host", "runtime/daemon", "runtime/mcp", "runtime/serve", "skills",
                              "cli/grammar", "cli/clients", "cli/pretty", "cli", "cli/adb", "cli/manual"],
}
IN_TOOLS = ("simdroid",)
LINTS = (lint_device_commands, lint_links, lint_python, lint_reasons, lint_tests, lint_words)

PURE = ["base", "adbproto/wire", "adbproto/crypto", "adbproto/session", "runtime/contract", "runtime/android",
        "runtime/device/choice", "runtime/ui", "runtime/image", "skills/yaml", "skills/report",
        "skills/privacy", "skills/phone/rules", "skills/phone/recipe", "skills/agent/rules"]
# Of base, the clock that everybody else gets handed and the files are what touches the machine.
MACHINE = ["base/clock.hpp", "base/file_handle.hpp", "base/loaded_library.hpp", "base/files.hpp", "base/files.cpp",
           "base/own_program.cpp"]
IMPURE = ["\"base/async/", "\"base/system/", "<asio", "<libusb", "<fstream>", "<thread>", "<unistd.h>", "::now("]
HEAVY_IN_HEADERS = ["<nlohmann/json.hpp>", "<CLI/", "<spdlog/", "<asio.hpp>", "<boost/", "<catch2/"]

MAX_LINES = 500
MAX_HEADER_LINES = 150
WEAK_NAME = re.compile(r"(^|_)(utils?|helpers?|managers?|common|misc)(_|\.|$)", re.IGNORECASE)
WEAK_TYPE = re.compile(r"\b(?:class|struct)\s+(\w*(?:Manager|Helper|Util|Utils|Impl))\b")
# "TODO: describe" is what a new skill says of itself.
OPEN_TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\s*\(?#\d+|: describe )")
# GCC 14 begins both sides of such an expression.
CHOSEN_AWAIT = re.compile(r"\?.*\bco_await\b|^\s*[?:].*\bco_await\b")
NAMED_PATH = re.compile(r"`((?:docs|fuzz|src|tests|tools)/[\w./*-]+)`")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])')


def layer_of(path):
    return max((folder for folder in LAYERS if path.startswith(folder + "/")), key=len, default=None)


def may_include(layer, room):
    below = [room for room in LAYERS[layer] if not layer.startswith(room + "/")]
    return room is not None and (room == layer or room in LAYERS[layer]
                                 or room.startswith(tuple(name + "/" for name in below)))


def check_includes(path, number, line, layer):
    found = INCLUDE.match(line)
    if not found:
        return
    include = found.group(1)
    if include.startswith("<"):
        if path.endswith(".hpp") and include.startswith(tuple(HEAVY_IN_HEADERS)):
            yield number, f"{include} is too heavy for a header"
        return
    target = include.strip('"')
    if layer is not None and not may_include(layer, layer_of(target)):
        yield number, f"{layer} must not include {include}"


def check_purity(path, number, line, layer):
    for token in IMPURE if layer in PURE and path not in MACHINE else []:
        if token in line:
            yield number, f"{layer} is pure and must not contain {token}"


def check_names(number, line):
    for name in WEAK_TYPE.findall(line):
        yield number, f"the name {name} does not say what it is"
    if CHOSEN_AWAIT.search(line.split("//")[0]):
        yield number, "co_await inside a ?: is more than GCC can do"
    if OPEN_TODO.search(line):
        yield number, "an open point needs an issue number: TODO(#12)"


def check_size(path, lines):
    if not path.endswith(("_table.cpp", "_table.hpp")) and len(lines) > MAX_LINES:
        yield len(lines), f"longer than {MAX_LINES} lines"
    if path.endswith(".hpp") and "#pragma once" not in lines[:1]:
        yield 1, "a header begins with #pragma once"


def top_of(root, layer):
    return root / ("tools" if layer in IN_TOOLS else "src")


def check_own_header_first(top, path, lines):
    own = path.removesuffix(".cpp") + ".hpp"
    if not path.endswith(".cpp") or not (top / own).exists():
        return
    first = next((match.group(1) for match in map(INCLUDE.match, lines) if match), None)
    if first != f'"{own}"':
        yield 1, f'the first include is not "{own}"'


def check_source(top, file):
    path = file.relative_to(top).as_posix()
    layer = layer_of(path)
    lines = file.read_text(encoding="utf-8").splitlines()
    if layer is None and path != "main.cpp":
        yield 1, "this folder has no row in the table of layers"
    for number, line in enumerate(lines, 1):
        yield from check_includes(path, number, line, layer)
        yield from check_purity(path, number, line, layer)
    yield from check_own_header_first(top, path, lines)
    if path.endswith(".hpp") and not path.endswith("_table.hpp") and len(lines) > MAX_HEADER_LINES:
        yield len(lines), f"a header longer than {MAX_HEADER_LINES} lines"


def check_text(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        yield from check_names(number, line)
    yield from check_size(file.as_posix(), lines)
    if WEAK_NAME.search(file.name):
        yield 1, "the file's name does not say what it is about"


def check_readmes(root):
    for readme in [*(root / "src").rglob("README.md"), *(root / "tools").glob("*/README.md")]:
        text = readme.read_text(encoding="utf-8")
        if len(text.splitlines()) > 40:
            yield readme, 41, "a module's README has at most 40 lines"
        for name in NAMED_PATH.findall(text):
            if not any(root.glob(name.rstrip('*/') + "*")):
                yield readme, 1, f"there is no {name}"
    for folder in LAYERS:
        here = top_of(root, folder) / folder
        if list(here.glob("*.cpp")) and not (here / "README.md").exists():
            yield here / "README.md", 1, "missing"


def findings(root):
    for top in ("src", "tests", "fuzz", "tools"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".cpp", ".hpp"):
                continue
            if top == "src" or top == "tools" and layer_of(file.relative_to(root / top).as_posix()) in IN_TOOLS:
                yield from ((file, *finding) for finding in check_source(root / top, file))
            yield from ((file, *finding) for finding in check_text(file))
    yield from check_readmes(root)
    for lint in LINTS:
        yield from lint.findings(root)


def main():
    for lint in LINTS:
        lint.prove_the_rules()
    concerned.prove_the_rules()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]).resolve()
    found = list(findings(root))
    for file, number, message in found:
        print(f"{file.relative_to(root)}:{number}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
