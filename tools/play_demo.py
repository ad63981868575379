#!/usr/bin/env python3
"""The loop of tools/demo: every command as one would type it, its answer, its milliseconds."""
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
LONGEST_TREE = 42


class Demo:
    def __init__(self, environment):
        self.environment = environment
        self.milliseconds = []

    def play(self, title, *words):
        """Runs one command as one would type it and shows its answer in the form for people."""
        print(f"\n{heading(title)}\n$ clawperator {shlex.join(words)}", flush=True)
        began = time.monotonic()
        done = subprocess.run([str(BINARY), "--output", "pretty", *words], env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.milliseconds.append((time.monotonic() - began) * 1000)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        print(shortened(done.stdout))
        print(f"  -- {self.milliseconds[-1]:.1f} ms")
        return done.stdout


def heading(text):
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text


def shortened(text):
    lines = text.rstrip().splitlines()
    more = [f"... {len(lines) - LONGEST_TREE} more"] if len(lines) > LONGEST_TREE else []
    return "\n".join("  " + line for line in lines[:LONGEST_TREE] + more)


def must_show(screen, there, gone=()):
    """The demo ends where the phone does not do what it shows."""
    wrong = [text for text in there if text not in screen] + [text for text in gone if text in screen]
    if wrong:
        sys.exit(f"the screen is not as it should be: {', '.join(wrong)}")


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


def attached_phones(home):
    """What the user's own adb server lists, if one runs; only looked at, and what is written goes to `home`."""
    done = subprocess.run([str(BINARY), "devices"], env=os.environ | {"HOME": home}, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    try:
        return [row["serial"] for row in json.loads(done.stdout).get("devices", []) if row["state"] == "device"]
    except ValueError:
        return []


def play_loop(demo, address):
    demo.play("Add the phone by its address, without an adb server", "connect", address)
    demo.play("The devices there are", "devices")
    demo.play("Open an app", "open", "com.android.settings")
    demo.play("Look: the screen as a compact tree", "snapshot", "--format", "compact")
    demo.play("Act: click by text", "click", "--text", "Search settings")
    demo.play("Act: type into the field that opened", "type", "wifi", "--role", "textfield")
    found = demo.play("Look again: what was typed has filtered the list", "snapshot", "--format", "compact")
    must_show(found, ["Wi-Fi calling"], gone=["Bluetooth"])
    demo.play("Act: click the row that was found", "click", "--text", "Wi-Fi")
    opened = demo.play("Look: its page is open", "snapshot", "--format", "compact")
    must_show(opened, ["AndroidWifi"], gone=["Wi-Fi calling"])
    demo.play("The same screen as a picture, each ref of the tree marked", "screenshot", "--marks", "--path",
              str(PICTURE.relative_to(ROOT)))


def summarise(demo, phones):
    print(
        f"\n{heading('Done')}: {len(demo.milliseconds)} commands in {sum(demo.milliseconds):.0f} ms, each a process of "
        "its own: "
        f"the search of the settings found Wi-Fi, and its page is open.\n"
        f"Look at {PICTURE.relative_to(ROOT)}: the numbers drawn there are the refs of the tree above.")
    print(f"""
{heading('Next')}: the same by hand.
$ export PATH=$PWD/build/release:$PATH
$ clawperator sim --listen 127.0.0.1:5600 &    # the simulated phone; a real one begins with `clawperator doctor`
$ clawperator connect 127.0.0.1:5600
$ clawperator snapshot --format compact
README.md goes on from there.""")
    for serial in phones:
        print(f"\nAn Android device is attached. To use it: clawperator --device {shlex.quote(serial)} snapshot")


def main():
    os.chdir(ROOT)
    home = tempfile.TemporaryDirectory(prefix="demo-")
    # Its own home and no adb server: the demo can neither see nor change anything of the user's.
    environment = os.environ | {"HOME": home.name, "XDG_RUNTIME_DIR": home.name, "XDG_CACHE_HOME": home.name,
                                "ADB_SERVER_SOCKET": f"localfilesystem:{home.name}/none"}
    environment.pop("ANDROID_SERIAL", None)
    process, address = start_device(environment)
    print(
        f"A simulated phone listens on {address} (clawperator sim). The commands are typed as you would; their answers "
        "are "
        "JSON for programs and, with --output pretty as here, text for people.")
    demo = Demo(environment)
    try:
        play_loop(demo, address)
        phones = attached_phones(f"{home.name}/theirs")
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        home.cleanup()
    summarise(demo, phones)


if __name__ == "__main__":
    main()
