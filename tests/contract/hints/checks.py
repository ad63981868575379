"""Every command that an answer shows to a person or an agent runs as it is printed. [F15]

Each scene puts the simulated phone into a state, runs a command there, collects the `clawperator`
commands from all texts of the answer, and gives each to a shell, as it stands: none may be refused
as misspelt (USAGE, UNKNOWN_COMMAND, a validation error). Whether it then mends anything is the
phone's affair."""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE)]
import apk
import readers
from limits import LIMIT_S

MISSPELT = {"USAGE", "UNKNOWN_COMMAND", "EXECUTION_VALIDATION_FAILED", "NOT_IMPLEMENTED"}
SNAPSHOT = ["snapshot"]

# What is wrong, and the command whose answer contains the remedy.
SCENES = {
    "no device": ([], ["doctor", "--device", "absent"]),
    "healthy": ([], ["doctor"]),
    "app missing": ([["package-missing"]], ["doctor"]),
    "app missing, exec": ([["package-missing"]], SNAPSHOT),
    "app missing, compat": ([["package-missing"]], ["version", "--check-compat"]),
    "app missing, grants": ([["package-missing"]], ["grant-device-permissions"]),
    "other variant": ([["package-variant"]], ["doctor"]),
    "other variant, compat": ([["package-variant"]], ["version", "--check-compat"]),
    "other variant, exec": ([["package-variant"]], [*SNAPSHOT, "--timeout", "1000"]),
    "accessibility off": ([["accessibility-off"]], ["doctor"]),
    "accessibility off, exec": ([["accessibility-off"]], SNAPSHOT),
    "silent app": ([["envelope-none"]], ["doctor"]),
    "silent app, exec": ([["broadcast-dropped"]], [*SNAPSHOT, "--timeout", "1000"]),
    "broadcast refused": ([["broadcast-refused"]], ["doctor"]),
    "settings off": ([["setting-ignored", "adb_enabled"]], ["doctor"]),
    "shell refused": ([["service-refused", "shell"], ["service-refused", "abb"]], ["doctor"]),
    "shell refused, exec": ([["service-refused", "shell"], ["service-refused", "abb"]], SNAPSHOT),
    "shell refused, compat": ([["service-refused", "shell"], ["service-refused", "abb"]],
                              ["version", "--check-compat"]),
    "dumpsys refused": ([["service-refused", "shell,v2,raw:dumpsys"]], ["version", "--check-compat"]),
    "install refused": ([["install-refused"]], ["operator", "setup", "--apk", "operator.apk"]),
    "another signature": ([["install-refused", "INSTALL_FAILED_UPDATE_INCOMPATIBLE: x"]],
                          ["operator", "setup", "--apk", "operator.apk"]),
    "newer app": ([["install-refused", "INSTALL_FAILED_VERSION_DOWNGRADE: x"]],
                  ["operator", "setup", "--apk", "operator.apk"]),
    "grant refused": ([["grant-refused", "SecurityException: GRANT_RUNTIME_PERMISSIONS"]],
                      ["grant-device-permissions"]),
    "crash log": ([], ["crash-log"]),
    "setup": ([], ["operator", "setup", "--apk", "operator.apk"]),
    "no file for setup": ([], ["setup"]),
    "logcat refused": ([["logcat-refused"]], ["doctor"]),
}


def texts(value):
    """Every text of a document."""
    if isinstance(value, str):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(member)


def commands_in(text):
    """In prose a command stands between backticks, or ends its line."""
    for line in text.splitlines():
        quoted = re.findall(r"`(clawperator [^`]*)`", line)
        yield from quoted
        rest = re.sub(r"`[^`]*`", "", line)
        found = re.search(r"(?:^|[ :])(clawperator (?:--?[a-z]|[a-z]).*)$", rest)
        if found and is_command(found.group(1)):
            yield found.group(1)


def is_command(text):
    """Not the program's name in the middle of a sentence."""
    return bool(re.match(r"clawperator (adb|connect|crash-log|devices|disconnect|doctor|emulator|exec|"
                         r"grant-device-permissions|operator|packages|snapshot|version)\b", text))


def run_line(place, line):
    tools = place.sandbox / "bin"
    tools.mkdir(exist_ok=True)
    if not (tools / "clawperator").exists():
        (tools / "clawperator").symlink_to(place.binary)
    env = {**place.env, "PATH": f"{tools}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", line], env=env, cwd=place.sandbox, capture_output=True,
                          timeout=LIMIT_S, stdin=subprocess.DEVNULL, check=False)


def refuse_misspelt(place, line, done):
    """As our own commands say it, and as those under `adb` do."""
    try:
        code = json.loads(done.stdout).get("code")
    except ValueError:
        code = None
    printed = (done.stdout + done.stderr).decode(errors="replace")
    if code in MISSPELT or done.returncode in (126, 127) or "unknown command" in printed.lower():
        raise place.Mismatch(f"`{line}` does not run: {code} {printed[:300]}")


def answer_of(place, argv):
    done = place.run(*argv)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        raise place.Mismatch(f"{argv}: no document: {done.stdout[:200]!r}") from None
    return [*texts(document), done.stderr.decode(errors="replace")]


def check_scene(place, name):
    faults, argv = SCENES[name]
    downloads = place.sandbox / ".clawperator/downloads"
    downloads.mkdir(parents=True)
    apk.write_apk(place.sandbox / "operator.apk")
    apk.write_apk(downloads / "operator.apk")
    apk.write_apk(downloads / "operator-debug.apk", package="com.clawperator.operator.dev")
    for fault in faults:
        place.device.simctl("fault", *fault)
    answer = answer_of(place, argv)
    lines = list(dict.fromkeys(line for text in answer for line in commands_in(text)))
    for line in lines:
        refuse_misspelt(place, line, run_line(place, line))
    return lines


def all_scenes(place):
    seen = {}
    for name in SCENES:
        place.device.restore(link_suspect=False)
        for child in place.sandbox.iterdir():
            subprocess.run(["rm", "-rf", str(child)], check=True)
        for line in check_scene(place, name):
            seen.setdefault(line.split(" --")[0], name)
    # The collecting itself works: these are printed today, and are what people copy.
    for wanted in ("clawperator doctor", "clawperator operator setup", "clawperator snapshot",
                   "clawperator grant-device-permissions", "clawperator operator download"):
        if wanted not in seen:
            raise place.Mismatch(f"no scene prints `{wanted}`: {sorted(seen)}")


def prose_is_not_a_command(place):
    cases = {
        "Run `clawperator doctor --fix`, or reinstall it with `clawperator operator setup --apk x`.":
            ["clawperator doctor --fix", "clawperator operator setup --apk x"],
        "Next: clawperator doctor": ["clawperator doctor"],
        "the clawperator process that reports this": [],
        "clawperator adb -s X shell true": ["clawperator adb -s X shell true"],
    }
    for text, wanted in cases.items():
        if list(commands_in(text)) != wanted:
            raise place.Mismatch(f"{text!r}: {list(commands_in(text))}")


STARTS_OFTEN = True
CHECKS = [
    ("commands are found in texts", False, prose_is_not_a_command),
    ("every command that is printed runs", True, all_scenes),
    ("every hint is followed over HTTP and MCP", False, readers.every_row),
]
