"""Programs of others that a test asks what they make of ours; each is fetched when it is first wanted."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
UNAVAILABLE = 3
LIMIT_S = 60


class Unavailable(Exception):
    """Cannot be had here; says why."""


def fetched(tool):
    done = subprocess.run([ROOT / "tools" / tool], capture_output=True, text=True, check=False)
    if done.returncode == UNAVAILABLE:
        raise Unavailable(done.stderr.strip().splitlines()[-1])
    if done.returncode != 0:
        raise RuntimeError(f"{tool}: {done.stderr}")


def run_module(text, *words, given=""):
    """A JavaScript module beside the packages of tests/peer/npm; `words` are its arguments, `given` its input."""
    fetched("fetch_npm")
    return subprocess.run(["node", "--input-type=module", "--eval", text, "--", *words], cwd=ROOT / "build/peers/npm",
                          input=given, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def promtool(*words, given):
    fetched("fetch_promtool")
    return subprocess.run([ROOT / "build/peers/promtool/promtool", *words], input=given, capture_output=True,
                          timeout=LIMIT_S, check=False)
