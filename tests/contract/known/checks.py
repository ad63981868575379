"""Phones at addresses that are dialled directly: the first is remembered, another one gets no work until its user says
so.

Each phone is a `clawperator sim` of its own; what it counts is what has reached it."""
import contextlib
import json
import socket
import subprocess
import time

from limits import LIMIT_S
from own_phone import own_phone

TITLE = "android:id/title"
CHANGED = "DEVICE_IDENTITY_CHANGED"


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:600]}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def file_of(place):
    return place.sandbox / ".clawperator/known_phones.json"


def known(place):
    done = place.run("known", "list")
    expect(place, f"known list {done}", done.returncode, 0)
    return json.loads(done.stdout)["phones"]


def deeds(phone):
    """What has acted on the phone."""
    counters = json.loads(phone.simctl("stats"))
    return {name: count for name, count in counters.items()
            if name.startswith(("input.", "install")) or name in ("broadcast", "force_stop", "uiautomator_dump")}


def refused(place, phone, *words):
    """With both phones named; nothing that acts has reached the phone."""
    before = deeds(phone)
    status, answer, stderr = phone.ask(*words)
    error = answer if status else {}
    expect(place, f"{words}: {answer} {stderr}", (status, error.get("code")), (1, CHANGED))
    for part, member in ((phone.serial, "message"), ("SN-1", "message"), ("--accept-new", "hint"),
                         (f"clawperator known forget {phone.serial}", "hint")):
        if part not in error[member]:
            raise place.Mismatch(f"{words}: {part!r} is not in {error[member]!r}")
    expect(place, f"{words}: what was done", deeds(phone), before)
    return error


def works(place, phone, *words):
    status, answer, stderr = phone.ask(*words)
    expect(place, f"{words}: {answer} {stderr}", status, 0)
    return answer


def works_soon(place, phone, *words):
    """A phone's TLS key takes a moment to make: on a busy machine longer than a handshake may take."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        status, answer, stderr = phone.ask(*words)
        if status == 0:
            return
        if answer.get("code") != "DEVICE_OFFLINE" or time.monotonic() > deadline:
            raise place.Mismatch(f"{words}: {answer} {stderr}")


def another_phone(place):
    """[S7]"""
    port = free_port()
    with own_phone(place, "--serial", "SN-1", port=port) as phone:
        works(place, phone, "snapshot")
        expect(place, "known", [(one["address"], one["serialno"], one["tls"]) for one in known(place)],
               [(phone.serial, "SN-1", False)])
        written = file_of(place).read_text()
        works(place, phone, "open", "com.android.settings")
        works(place, phone, "click", "--id", TITLE)
        expect(place, "nothing new", file_of(place).read_text(), written)
        expect(place, "whose file it is", file_of(place).stat().st_mode & 0o777, 0o600)
    with own_phone(place, "--serial", "SN-1", port=port) as phone:  # restarted: another boot id
        works(place, phone, "open", "com.android.settings")
        works(place, phone, "click", "--id", TITLE)
    with own_phone(place, "--serial", "SN-2", port=port) as phone:
        for words in (("type", "hunter2", "--id", TITLE), ("snapshot",), ("screenshot", "--path", "p.png"), ("back",),
                      ("click", "--id", TITLE, "--backend", "shell"), ("open", "com.android.settings"), ("battery",),
                      ("apps", "list"), ("connect", phone.serial)):
            error = refused(place, phone, *words)
            expect(place, f"{words}: details",
                   {name: error["details"].get(name) for name in ("deviceId", "expected", "found")},
                   {"deviceId": phone.serial, "expected": "SN-1", "found": "SN-2"})
        if (place.sandbox / "p.png").exists():
            raise place.Mismatch("a picture of another phone was written")
        done = place.run("--transport", "tcp", "adb", "-s", phone.serial, "shell", "id")
        if done.returncode == 0 or b"SN-1" not in done.stderr:
            raise place.Mismatch(f"adb shell: {done}")
        expect(place, "still the first", file_of(place).read_text(), written)
        works(place, phone, "back", "--accept-new")
        expect(place, "the new one", [one["serialno"] for one in known(place)], ["SN-2"])
        works(place, phone, "snapshot")


def forgotten(place):
    """[S7]"""
    port = free_port()
    with own_phone(place, "--serial", "SN-1", port=port) as phone:
        works(place, phone, "snapshot")
        shown = place.run("known", "list", "--output", "pretty").stdout.decode()
        if f"{phone.serial}  SN-1" not in shown or "plain" not in shown:
            raise place.Mismatch(f"known list: {shown!r}")
    with own_phone(place, "--serial", "SN-2", port=port) as phone:
        refused(place, phone, "snapshot")
        done = place.run("known", "forget", phone.serial)
        expect(place, f"forget {done}", json.loads(done.stdout), {"ok": True, "forgotten": [phone.serial]})
        done = place.run("known", "forget", phone.serial)
        expect(place, f"forget {done}", done.returncode, 1)
        works(place, phone, "snapshot")
        done = place.run("known", "forget", "--all")
        expect(place, f"forget {done}", json.loads(done.stdout)["forgotten"], [phone.serial])
        expect(place, "known", known(place), [])


def tls_that_is_gone(place):
    """[S7]"""
    port, hosts = free_port(), place.sandbox / "hosts"
    made = place.run("adb", "keygen", str(place.sandbox / "key"))
    expect(place, f"keygen {made}", made.returncode, 0)
    hosts.write_text((place.sandbox / "key.pub").read_text().rstrip("\0\n") + "\n")
    place.env["ADB_VENDOR_KEYS"] = str(place.sandbox / "key")
    trusting = ("--serial", "SN-1", "--authorised", str(hosts))
    for _ in range(2):  # each start has another certificate
        with own_phone(place, *trusting, "--auth", "tls", port=port) as phone:
            works_soon(place, phone, "snapshot")
    expect(place, "known", [one["tls"] for one in known(place)], [True])
    for auth in ("none", "key"):
        with own_phone(place, *trusting, "--auth", auth, port=port) as phone:
            error = refused(place, phone, "type", "hunter2", "--id", TITLE)
            expect(place, "details", error["details"].get("asksForTls"), False)
            counters = json.loads(phone.simctl("stats"))
            expect(place, "what reached it", [name for name in counters if name.startswith(("open.", "auth."))], [])
    with own_phone(place, *trusting, "--auth", "none", port=port) as phone:
        works(place, phone, "connect", phone.serial, "--accept-new")
        works(place, phone, "snapshot")
        expect(place, "known", [one["tls"] for one in known(place)], [False])


def damaged(place):
    """[S7]"""
    file = file_of(place)
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"phones":[{"address":"192.0.2.1:5555","serialno":"SN-9"')
    with own_phone(place, "--serial", "SN-1") as phone:
        status, answer, stderr = phone.ask("snapshot")
        expect(place, f"snapshot {answer}", status, 0)
        aside = [path.name for path in file.parent.glob("known_phones.json.damaged-*")]
        if len(aside) != 1 or aside[0] not in stderr:
            raise place.Mismatch(f"{aside}: {stderr}")
        expect(place, "known", [one["serialno"] for one in known(place)], ["SN-1"])
    file.unlink()
    file.mkdir()
    with own_phone(place, "--serial", "SN-1") as phone:
        status, answer, _ = phone.ask("snapshot")
        expect(place, f"a file that cannot be read: {answer}", status, 1)
        if str(file) not in answer["message"]:
            raise place.Mismatch(f"the file is not named: {answer}")


@contextlib.contextmanager
def running(place):
    child = subprocess.Popen([place.binary, "daemon", "run"], env=place.env, cwd=place.sandbox,
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        child.stderr.readline()  # it listens
        yield
    finally:
        child.kill()
        child.communicate()


def by_a_process_that_stays(place):
    """[S7] What is forgotten, or accepted by a command, holds for a daemon that has the first phone's link, too."""
    port = free_port()
    for words in (("serve", "--port", "0"), ("daemon", "run"), ("mcp",), ("devices", "--watch")):
        done = place.run("--accept-new", *words)
        expect(place, f"{words}: {done}", json.loads(done.stderr or done.stdout)["code"], "USAGE")
    with running(place):
        with own_phone(place, "--serial", "SN-1", port=port) as phone:
            expect(place, "by the daemon", works(place, phone, "snapshot", "--timings")["timings"].get("daemon"), True)
        with own_phone(place, "--serial", "SN-2", port=port) as phone:
            refused(place, phone, "snapshot")
            works(place, phone, "snapshot", "--accept-new")
            wait_for(place, phone)
        with own_phone(place, "--serial", "SN-3", port=port) as phone:
            place.run("known", "forget", phone.serial)
            wait_for(place, phone)


def wait_for(place, phone):
    """The daemon looks at what was changed, within a second."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        status, answer, _ = phone.ask("snapshot", "--timings")
        if status == 0 and answer["timings"].get("daemon"):
            return
        if time.monotonic() > deadline:
            raise place.Mismatch(f"the daemon keeps the first phone: {answer}")
        time.sleep(0.1)


CHECKS = [("known: another phone at an address is refused until it is accepted", False, another_phone),
          ("known: phones are listed and forgotten", False, forgotten),
          ("known: TLS that is gone is another phone", False, tls_that_is_gone),
          ("known: a damaged file is kept aside, one that cannot be read lets no phone in", False, damaged),
          ("known: a process that stays follows what was accepted", False, by_a_process_that_stays)]
