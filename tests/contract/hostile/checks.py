"""Peers that lie: an adb server whose list is garbage; names that are none."""
import json
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mcp"))
from conversation import Conversation
from listening import Listening
from terminal import on_a_terminal


class Server(Listening):
    """An adb server that answers each request with OKAY and one text."""

    def __init__(self, text):
        self.text = text
        super().__init__()

    def serve(self, client):
        with client:
            head = client.recv(4, socket.MSG_WAITALL)
            request = client.recv(int(head, 16), socket.MSG_WAITALL) if len(head) == 4 else b""
            answer = b"0029" if request == b"host:version" else self.text
            client.sendall(b"OKAY" + f"{len(answer):04x}".encode() + answer)


def lists_of_garbage(place):
    """[S10] A list with a line that names no device is an error, not an empty list."""
    for text in (b"garbage\n", b"\x00\x01\x02\xff", b"a               device transport_id:1\n<html>\n"):
        with Server(text) as server:
            done = place.run("devices", "--adb-server", f"127.0.0.1:{server.port}")
            reply = json.loads(done.stdout or done.stderr)
            if done.returncode == 0 or reply.get("code") != "ADB_SERVER_FAILED" or b"\x1b" in done.stdout + done.stderr:
                raise place.Mismatch(f"{text!r}: {done.returncode} {done.stdout!r} {done.stderr!r}")
    with Server(b"") as server:
        done = place.run("devices", "--adb-server", f"127.0.0.1:{server.port}")
        if done.returncode != 0:
            raise place.Mismatch(f"an empty list is no error: {done.stdout!r} {done.stderr!r}")


def names_that_are_none(place):
    """[S10] What is no package's name is refused on every surface before anything is sent."""
    before = place.device.counters()
    for name in ("com.x;reboot", "com.x reboot", "com.x -f", "$(reboot)", "com.x\nreboot"):
        plan = {"commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
                "timeoutMs": 5000,
                "actions": [{"id": "a", "type": "close_app", "params": {"applicationId": name}}]}
        for words in (["close", "--app", name], ["exec", "--payload", json.dumps(plan)]):
            done = place.run(*words, "--device", place.device.serial)
            document = json.loads(done.stdout or done.stderr)
            if done.returncode != 1 or document["code"] != "EXECUTION_VALIDATION_FAILED":
                raise place.Mismatch(f"{words}: {done.returncode} {done.stdout!r} {done.stderr!r}")
        with Conversation(place, "--device", place.device.serial) as conversation:
            conversation.greet()
            if not conversation.call("close_app", package=name).get("isError"):
                raise place.Mismatch(f"close_app takes {name!r}")
    stops = {name: count for name, count in place.device.counters().items() if "force-stop" in name or "am" in name}
    if stops != {name: count for name, count in before.items() if "force-stop" in name or "am" in name}:
        raise place.Mismatch(f"something was sent: {stops}")


def controls_are_shown(place):
    """[S6] A terminal obeys nothing that a device says: neither C1 controls nor bidi controls, in any form of
    output."""
    for bad in ("\u009b2J", "\u202e", "\u2066", "\u200f"):
        row = f"a                      device product:p model:x{bad}y device:d transport_id:1\n".encode()
        with Server(row) as server:
            address = f"127.0.0.1:{server.port}"
            for words in (["devices", "-l"], ["devices", "-l", "--output", "pretty"],
                          ["devices", "-l", "--output", "brief"]):
                printed = on_a_terminal(place, *words, "--adb-server", address)
                if bad.encode() in printed or b"a" not in printed:
                    raise place.Mismatch(f"{words} {bad!r}: {printed!r}")
            printed = on_a_terminal(place, "adb", "-P", str(server.port), "devices", "-l")
            if bad.encode() in printed or b"model:x" not in printed:
                raise place.Mismatch(f"adb devices -l {bad!r}: {printed!r}")
            # JSON for programs has the same value, as an escape.
            done = place.run("devices", "-l", "--adb-server", address)
            if bad.encode() in done.stdout or f"x{bad}y" not in json.dumps(json.loads(done.stdout), ensure_ascii=False):
                raise place.Mismatch(f"JSON {bad!r}: {done.stdout!r}")
        done = place.run("click", "--text", f"x{bad}", "--nth", "0", "--output", "json")
        if bad.encode() in done.stdout + done.stderr:
            raise place.Mismatch(f"an error has {bad!r}: {done.stdout!r} {done.stderr!r}")


CHECKS = [("hostile: controls are shown", False, controls_are_shown),
          ("hostile: lists of garbage", False, lists_of_garbage),
          ("hostile: names that are none", True, names_that_are_none)]
