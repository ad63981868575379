#!/usr/bin/env python3
"""The loop of tools/demo: every command as one would type it, its answer in short, its milliseconds."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = pathlib.Path(os.environ.get("CLAWPERATOR_BUILD", ROOT / "build/release")) / "clawperator"
PICTURE = ROOT / "build/demo-screen.png"
LONGEST_TREE = 30
PHASES = ("resolve", "attach", "preflight", "dispatch", "device", "transfer", "parse")


class Demo:
    def __init__(self, environment):
        self.environment = environment

    def play(self, title, *words, show=None):
        print(f"\n{heading(title)}\n$ clawperator {shlex.join(words)}", flush=True)
        began = time.monotonic()
        done = subprocess.run([str(BINARY), "--timings", *words], env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        whole = (time.monotonic() - began) * 1000
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        if done.returncode != 0:
            sys.exit(done.stdout.decode() + done.stderr.decode())
        print(show(answer) if show else short(answer))
        print(f"  -- {whole:.1f} ms for the whole process{phases(answer.get('timings'))}")


def heading(text):
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text


def short(answer):
    """The answer on one line, long texts cut."""
    def cut(value):
        if isinstance(value, dict):
            return {name: cut(each) for name, each in value.items() if name != "timings"}
        if isinstance(value, list):
            return [cut(each) for each in value]
        return value[:60] + "..." if isinstance(value, str) and len(value) > 60 else value
    return json.dumps(cut(answer))


def tree(answer):
    lines = answer["envelope"]["stepResults"][0]["data"]["text"].splitlines()
    more = [f"... {len(lines) - LONGEST_TREE} more"] if len(lines) > LONGEST_TREE else []
    return "\n".join("  " + line for line in lines[:LONGEST_TREE] + more)


def phases(timings):
    spent = [f"{phase} {timings[phase] / 1000:.1f}" for phase in PHASES if timings and timings.get(phase)]
    return ": " + ", ".join(spent) if spent else ""


def start_device(environment):
    """A simulated device on a free port, its process and its address."""
    process = subprocess.Popen([str(BINARY), "sim", "--listen", "127.0.0.1:0"], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    line = process.stdout.readline().decode()
    found = re.search(r"127\.0\.0\.1:\d+", line)
    if not found:
        process.kill()
        sys.exit(f"the simulated device did not start: {line!r}")
    return process, found.group()


def attached_phones():
    """What the user's own adb server lists, if one runs; only looked at."""
    done = subprocess.run([str(BINARY), "devices"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    try:
        return [row["serial"] for row in json.loads(done.stdout).get("devices", []) if row["state"] == "device"]
    except ValueError:
        return []


def play_loop(demo, address):
    demo.play("Add the device by its address, without an adb server", "connect", address)
    demo.play("The devices there are", "devices")
    demo.play("Open an app", "open", "com.android.settings")
    demo.play("Look: the screen as a compact tree", "snapshot", "--format", "compact", show=tree)
    demo.play("Act: click by text", "click", "--text", "Search settings")
    demo.play("Act: type into the field that opened", "type", "wifi", "--id", "com.android.settings:id/search_src_text")
    demo.play("Look again", "snapshot", "--format", "compact", show=tree)
    demo.play("The same screen as a picture", "screenshot", "--path", str(PICTURE.relative_to(ROOT)))
    print(f"\nThe picture is {PICTURE.relative_to(ROOT)} ({PICTURE.stat().st_size} bytes).")


def main():
    os.chdir(ROOT)
    home = tempfile.TemporaryDirectory(prefix="demo-")
    # Its own home and no adb server: the demo can neither see nor change anything of the user's.
    environment = os.environ | {"HOME": home.name, "XDG_RUNTIME_DIR": home.name, "XDG_CACHE_HOME": home.name,
                                "ADB_SERVER_SOCKET": f"localfilesystem:{home.name}/none"}
    environment.pop("ANDROID_SERIAL", None)
    process, address = start_device(environment)
    print(f"A simulated device listens on {address} (clawperator sim). Every command runs with --timings, too.")
    try:
        play_loop(Demo(environment), address)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        home.cleanup()
    for serial in attached_phones():
        print(f"\nAn Android device is attached. To use it: clawperator --device {shlex.quote(serial)} snapshot")


if __name__ == "__main__":
    main()
