"""The commands that README and docs show: every line of a ```sh run block is run in one folder a document and ends
with exit code 0, against the suite's simulated device or, where the document has a ```sh serve block, against what that
starts. The repository's docs and skills are there, as for a reader who stands in his clone. A block with the name of a
file behind its language (```python agent.py) is that file in the folder."""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

from limits import LIMIT_S

ROOT = pathlib.Path(__file__).resolve().parents[3]
# A network of one's own, where the documents' ports are free.
ALONE = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


def documents():
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"),
                   *(ROOT / "src").rglob("README.md")])


def lines_of(path, kind):
    for block in re.findall(rf"^```sh {kind}\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL):
        yield from (line for line in block.splitlines() if line.strip() and not line.startswith("#"))


def programs_of(path):
    """Name and text of each file that the document shows."""
    return re.findall(r"^```\w+ ([\w/-]+\.\w+)\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL)


def script_of(path, place):
    """What serves is ready once it has printed its first line."""
    for line in lines_of(path, "serve"):
        yield f"{line} > served 2>&1 &"
        yield "for _ in $(seq 100); do [ -s served ] && break; sleep 0.1; done"
    for line in lines_of(path, "run"):
        yield f"{line}\nstatus=$?; [ $status = 0 ] || {{ echo {shlex.quote(line)}: $status >&2; exit 1; }}"


def run_document(path):
    def check(place):
        folder = place.sandbox / "bin"
        folder.mkdir()
        (folder / "clawperator").symlink_to(place.binary)
        (place.sandbox / "docs").symlink_to(ROOT / "docs")
        shutil.copytree(ROOT / "skills", place.sandbox / "skills")
        for name, text in programs_of(path):
            (place.sandbox / name).parent.mkdir(exist_ok=True)
            (place.sandbox / name).write_text(text)
        env = {**place.env, "PATH": f"{folder}:{place.env['PATH']}"}
        alone = ALONE if is_served(path) and subprocess.run([*ALONE, "true"], capture_output=True,
                                                            check=False).returncode == 0 else []
        child = subprocess.Popen([*alone, "bash", "-c", "\n".join(script_of(path, place))], env=env, cwd=place.sandbox,
                                 text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True)
        try:
            out, err = child.communicate(timeout=3 * LIMIT_S)
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing was left
                os.killpg(child.pid, signal.SIGKILL)
        if child.returncode != 0:
            raise place.Mismatch(f"exit {child.returncode}\n{out[-800:]}{err[-800:]}")
    return check


def is_served(path):
    return any(lines_of(path, "serve"))


def readme_has_commands(place):
    if not any(lines_of(ROOT / "README.md", "run")):
        raise place.Mismatch("no runnable block in README.md")


# Every program reads these; CLAWPERATOR_MDNS is the tests' own.
COMMON = {"PATH", "TERM", "LOGNAME", "USER", "HOSTNAME", "CLAWPERATOR_MDNS"}
READ = re.compile(r"""(?:getenv|environment|variable|value_of)\w*\((?:environment, )?"([A-Z][A-Z0-9_]{2,})\"""")


def every_variable_is_listed(place):
    """What the sources read from the environment stands in help, in the man page and in help --json."""
    listed = {name for row in json.loads(place.run("help", "--json").stdout)["environment"]
              for name in row["name"].split(", ")}
    read = {name for path in (ROOT / "src").rglob("*.cpp") if "simdroid" not in path.relative_to(ROOT).parts
            for name in READ.findall(path.read_text())}
    if len(read) < 15 or read - listed - COMMON:
        raise place.Mismatch(f"read but not listed: {sorted(read - listed - COMMON)} of {sorted(read)}")


def simulated_phone_is_described(place):
    """docs/reference/simdroid.md names every fault and every maker's phone."""
    text = (ROOT / "docs/reference/simdroid.md").read_text()
    names = [line.split("\t")[0] for words in (["faults"], ["phone"])
             for line in place.device.simctl(*words).splitlines()]
    if len(names) < 60:
        raise place.Mismatch(f"simctl names {names}")
    missing = [name for name in names if not re.fullmatch(r"android-\d+", name) and f"`{name}`" not in text]
    if missing:
        raise place.Mismatch(f"not in docs/reference/simdroid.md: {missing}")


def reference_is_generated(place):
    """docs/reference/actions.md and configuration.md have the program's own tables."""
    done = subprocess.run([sys.executable, ROOT / "tools/make_reference.py", "--check", place.binary],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise place.Mismatch(done.stderr[-400:])


STARTS_OFTEN = True
CHECKS = [("docs/reference has the tables of the program", False, reference_is_generated),
          ("every variable that is read is listed", False, every_variable_is_listed),
          ("README.md shows commands that can be run", False, readme_has_commands),
          ("the simulated phone's page names its faults and phones", True, simulated_phone_is_described)]
CHECKS += [(str(path.relative_to(ROOT)), not is_served(path), run_document(path))
           for path in documents() if any(lines_of(path, "run"))]
