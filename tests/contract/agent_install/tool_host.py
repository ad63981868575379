"""A user's computer of our own making: a state folder with skills, and a PATH of which we know what is on it."""
import json
import pathlib
import shutil
import time

from limits import LIMIT_S

# What it was called with, a word a line and an empty line behind; where Go is to put programs.
STUB = """#!/bin/sh
{ echo "${0##*/}"; for word in "$@"; do printf '%s\\n' "$word"; done; echo; } >>"$HOME/calls"
[ -z "$GOBIN" ] || echo "$GOBIN" >"$HOME/gobin"
"""


class Host:
    """The sandbox is the user's home."""

    def __init__(self, place, config=None):
        self.place, self.home = place, place.sandbox
        self.state, self.bin = self.home / ".openclaw", self.home / "bin"
        self.state.mkdir()
        self.bin.mkdir()
        if config is not None:
            (self.state / "openclaw.json").write_text(json.dumps(config))
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin"}

    def skill(self, name, *install, root=None, **metadata):
        """Managed unless `root` says another folder of skills."""
        folder = (root or self.state / "skills") / name
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"openclaw": {"install": install, **metadata}})
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: a fixture\nmetadata: {text}\n---\nDo it.\n")
        return folder

    def stub(self, name, then="", folder=None):
        """A program that notes its words, then does what a line of shell says."""
        program = (folder or self.bin) / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(STUB + then + "\n")
        program.chmod(0o755)
        return program

    def run(self, *words, env=None, **options):
        return self.place.run("agent-skills", *words, env={**self.env, **(env or {})}, **options)

    def install(self, *words, **options):
        done = self.run("install", *words, "--yes", **options)
        if done.stdout.count(b"\n") != 1:
            raise self.place.Mismatch(f"{words}: {done.returncode} {done.stdout[:600]!r} {done.stderr[:600]!r}")
        return done.returncode, json.loads(done.stdout)

    def installed(self, *words, **options):
        status, answer = self.install(*words, **options)
        self.expect(f"{words}: {answer}", (status, answer.get("ok"), answer.get("code")), (0, True, 0))
        self.expect("members", list(answer), ["ok", "message", "stdout", "stderr", "code"])
        return answer

    def refused(self, *words, code="AGENT_INSTALL_FAILED", **options):
        status, answer = self.install(*words, **options)
        self.expect(f"{words}: {answer}", (status, answer.get("code")), (1, code))
        return answer

    def calls(self):
        """Word by word, of all stubs so far."""
        file = self.home / "calls"
        if not file.exists():
            return []
        return [call.split("\n") for call in file.read_text().split("\n\n") if call]

    def expect(self, what, found, wanted):
        if found != wanted:
            raise self.place.Mismatch(f"{what}: expected {wanted!r}, got {found!r}")

    def tools(self, name):
        return self.state / "tools" / name


def tree(folder):
    """What is there: texts of files, True for folders; links by where they lead."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = f"-> {path.readlink()}" if path.is_symlink() else path.is_dir() or path.read_bytes()
    return found


def wait_until(place, what, holds):
    deadline = time.monotonic() + LIMIT_S
    while not (found := holds()):
        if time.monotonic() > deadline:
            raise place.Mismatch(f"not in {LIMIT_S} s: {what}")
        time.sleep(0.02)
    return found


def usual_brew():
    """Homebrew in one of the places where it is found without a PATH."""
    places = ["/home/linuxbrew/.linuxbrew/bin/brew", "/opt/homebrew/bin/brew", "/usr/local/bin/brew"]
    return next((each for each in places if pathlib.Path(each).exists()), shutil.which("brew", path="/usr/bin:/bin"))
