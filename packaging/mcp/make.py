#!/usr/bin/env python3
"""What MCP clients and registries are given, made of an installed program: packaging/mcp/README.md.

usage: packaging/mcp/make.py TREE FOLDER [--name NAMESPACE/NAME] [--bundle-url URL] [--asked PROGRAM]"""
import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "packaging"))
import release

PROGRAM = "bin/clawperator"
DESCRIPTION = "See and act on an Android device: read the screen, tap, type, scroll, open apps, wait."
AUTHOR = {"name": "The clawperator project"}
LICENSE = "Apache-2.0"
LIMIT_S = 120
PACKED = ("bin/clawperator", "bin/simdroid", "lib/clawperator/*.so*", "share/clawperator/**/*",
          "share/doc/clawperator/**/*", "share/doc/simdroid/**/*", "share/man/man1/clawperator.1*",
          "share/man/man1/simdroid.1*", "share/bash-completion/completions/clawperator",
          "share/zsh/site-functions/_clawperator", "share/fish/vendor_completions.d/clawperator.fish")


def asked(program, *words, given=""):
    done = subprocess.run([program, *words], input=given, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program} {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def tools_of(program):
    """Name and first sentence of each."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "make.py", "version": "1"}}}
    wanted = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    answers = asked(program, "mcp", "--no-daemon", given=json.dumps(hello) + "\n" + json.dumps(wanted) + "\n")
    listed = next(answer for answer in map(json.loads, answers.splitlines()) if answer.get("id") == 2)
    return [{"name": tool["name"], "description": re.split(r"(?<=\.)\s|\n", tool["description"])[0]}
            for tool in listed["result"]["tools"]]


def manifest(program, version):
    return {
        "manifest_version": "0.3",
        "name": "clawperator",
        "display_name": "Clawperator",
        "version": version,
        "description": DESCRIPTION,
        "author": AUTHOR,
        "server": {
            "type": "binary",
            "entry_point": f"server/{PROGRAM}",
            "mcp_config": {"command": f"${{__dirname}}/server/{PROGRAM}", "args": ["mcp"]},
        },
        "tools": tools_of(program),
        "compatibility": {"platforms": ["linux"]},
        "license": LICENSE,
    }


def text_of(value):
    return json.dumps(value, indent=2) + "\n"


def write_bundle(path, tree, manifest_text):
    """The same files give the same bytes. What else lies in the tree may be another program's, and is left out."""
    with zipfile.ZipFile(path, "w") as archive:
        release.add_to_zip(archive, "manifest.json", 0o644, manifest_text)
        release.add_to_zip(archive, "LICENSE", 0o644, (ROOT / "LICENSE").read_bytes())
        for file in sorted({file for pattern in PACKED for file in tree.glob(pattern)}):
            if file.is_file():
                mode = 0o755 if file.stat().st_mode & 0o100 else 0o644
                release.add_to_zip(archive, f"server/{file.relative_to(tree).as_posix()}", mode, file.read_bytes())


def registry_entry(name, version, bundle, url):
    entry = {"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
             "name": name, "title": "Clawperator", "description": DESCRIPTION, "version": version}
    if url:
        checksum = hashlib.sha256(bundle.read_bytes()).hexdigest()
        entry["packages"] = [{"registryType": "mcpb", "identifier": url, "version": version, "fileSha256": checksum,
                              "transport": {"type": "stdio"}}]
    return entry


def client_entries(program):
    """{client: its entry, as text}, with the program's name instead of its path."""
    options = json.loads(asked(program, "help", "mcp", "--json"))["options"]
    names = next(option["choices"] for option in options if option["name"] == "--print-config")
    path = re.compile(r'"/[^"]*/clawperator"')  # that in PATH, or another lasting one
    return {name: path.sub('"clawperator"', asked(program, "mcp", "--print-config", name)) for name in names}


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def write_plugin(folder, program, version, entry):
    write(folder / ".claude-plugin/plugin.json",
          text_of({"name": "clawperator", "version": version, "description": DESCRIPTION, "author": AUTHOR,
                   "license": LICENSE}))
    write(folder / ".mcp.json", entry)
    write(folder / "skills/clawperator/SKILL.md", asked(program, "guide", "--skill"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--name", default="local/clawperator", help="of the server in a registry")
    parser.add_argument("--bundle-url", default="", help="where the bundle can be had")
    parser.add_argument("--asked", help="a clawperator of this version that runs here, where TREE's does not")
    given = parser.parse_args()
    binary = given.tree / PROGRAM
    if not binary.is_file():
        raise SystemExit(f"{given.tree} has no {PROGRAM}")
    if not re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", given.name):
        raise SystemExit(f"--name is no NAMESPACE/NAME: {given.name}")
    arch = release.arch_of(binary)
    program = given.asked or str(binary)
    version = asked(program, "--version").strip()
    given.folder.mkdir(parents=True, exist_ok=True)
    bundle = given.folder / f"clawperator-{version}-linux-{arch}.mcpb"
    write_bundle(bundle, given.tree, text_of(manifest(program, version)))
    write(given.folder / "server.json", text_of(registry_entry(given.name, version, bundle, given.bundle_url)))
    entries = client_entries(program)
    for name, text in entries.items():
        write(given.folder / f"clients/{name}.{'json' if text.startswith('{') else 'toml'}", text)
    write_plugin(given.folder / "claude-code-plugin", program, version, entries["claude-code"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
