"""Simulated phones of a check's own, reached directly, and the socket that sets the faults of any of them.

    with own_phone(place, "--operator", "0.12.5") as phone:
        phone.simctl("fault", "piece-lost", "last")
        status, answer, stderr = phone.ask("snapshot")
"""
import contextlib
import json
import socket
import subprocess

from limits import LIMIT_S


class Refused(Exception):
    """What simctl says of words that it does not take."""


def simctl(control, *words):
    """By the control socket: it works whatever has become of the phone's links."""
    host, port = control.rsplit(":", 1)
    with socket.create_connection((host, int(port)), LIMIT_S) as link:
        link.sendall((" ".join(words) + "\n").encode())
        output = []
        for line in link.makefile("r"):
            if line.startswith("exit "):
                break
            output.append(line)
        if line.strip() != "exit 0":
            raise Refused(f"simctl {' '.join(words)}: {''.join(output)}")
        return "".join(output)


def run_json(place, *argv, **options):
    """Exit status, document, stderr of a command."""
    done = place.run(*argv, **options)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr.decode()
    except ValueError:
        raise place.Mismatch(f"{argv}: no JSON: {done.stdout[:300]!r} {done.stderr[:300]!r}") from None


class OwnPhone:
    def __init__(self, place, report):
        self.place, self.serial, self.control = place, report["address"], report["control"]
        self.Mismatch = place.Mismatch

    def run(self, *argv, **options):
        return self.place.run(*argv, "--device", self.serial, "--transport", "tcp", **options)

    def ask(self, *argv, **options):
        return run_json(self, *argv, **options)

    def simctl(self, *words):
        return simctl(self.control, *words)

    def counter(self, name):
        return json.loads(self.simctl("stats")).get(name, 0)


@contextlib.contextmanager
def own_phone(place, *options, port=0):
    child = subprocess.Popen([place.binary, "sim", "--port", str(port), "--control", "0", *options], env=place.env,
                             cwd=place.sandbox, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        line = child.stdout.readline()
        if not line:
            raise place.Mismatch(f"sim {options} printed nothing")
        yield OwnPhone(place, json.loads(line))
    finally:
        child.terminate()
        child.wait(LIMIT_S)


@contextlib.contextmanager
def turning_phone(place):
    """One with an app that follows the display to landscape, in front of it."""
    folder = place.sandbox / "screens"
    folder.mkdir()
    button = {"class": "Button", "text": "Across"}
    main = {"activity": ".Main", "turns": True, "root": {"class": "FrameLayout", "h": "fill", "children": [button]}}
    (folder / "wide.json").write_text(json.dumps(
        {"package": "com.example.wide", "label": "Wide", "launch": "main", "screens": {"main": main}}))
    with own_phone(place, "--operator", "0.12.5", "--screens", str(folder)) as phone:
        status, _, stderr = phone.ask("open", "com.example.wide")
        if status:
            raise place.Mismatch(f"no app that turns: {stderr!r}")
        yield phone
