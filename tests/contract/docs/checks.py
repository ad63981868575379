"""The commands that README and docs show: every line of a ```sh run block is run against the
simulated device, in one folder a document, and ends with exit code 0."""
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLAN = """{"commandId": "docs", "taskId": "docs", "source": "docs", "expectedFormat": "android-ui-automator",
"timeoutMs": 30000, "actions": [{"id": "look", "type": "snapshot_ui"}]}"""


def documents():
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"),
                   *(ROOT / "src").rglob("README.md")])


def runnable_lines(path):
    for block in re.findall(r"^```sh run\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL):
        yield from (line for line in block.splitlines() if line.strip() and not line.startswith("#"))


def run_document(path):
    def check(place):
        folder = place.sandbox / "bin"
        folder.mkdir()
        (folder / "clawperator").symlink_to(place.binary)
        (place.sandbox / "plan.json").write_text(PLAN)
        env = {**place.env, "PATH": f"{folder}:{place.env['PATH']}"}
        for line in runnable_lines(path):
            done = subprocess.run(["bash", "-c", line], env=env, cwd=place.sandbox, capture_output=True,
                                  stdin=subprocess.DEVNULL, text=True, timeout=60)
            if done.returncode != 0:
                raise place.Mismatch(f"{line}: exit {done.returncode}\n{done.stdout[:800]}{done.stderr[:800]}")
    return check


def readme_has_commands(place):
    if not list(runnable_lines(ROOT / "README.md")):
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


CHECKS = [("every variable that is read is listed", False, every_variable_is_listed),
          ("README.md shows commands that can be run", False, readme_has_commands)]
CHECKS += [(str(path.relative_to(ROOT)), True, run_document(path)) for path in documents() if list(runnable_lines(path))]
