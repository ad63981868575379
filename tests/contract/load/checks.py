"""`serve` with many who ask: the stories of tests/soak/serve_load.py, short; readers of events that are slow or vanish;
clients that race for a device."""
import os
import pathlib
import re
import socket
import struct
import sys
import threading
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "soak"))
import serve_load
from api_server import ApiServer
from limits import LIMIT_S

REFUSED = {"execution": {"actions": "x" * 90000}}  # the events report it, and no device is used


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:600]}")


def short(story):
    def check(place):
        options = types.SimpleNamespace(phones=8, agents=1, seconds=2.5, drops=25, seed=1)
        try:
            print(serve_load.run(place, story, options), flush=True)
        except serve_load.Problem as problem:
            raise place.Mismatch(str(problem)) from None
    return check


def wait_until(place, what, holds, state=lambda: ""):
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise place.Mismatch(f"{what} {state()}")
        time.sleep(0.05)


def link_of(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def open_descriptors(server):
    """But for inotify: the watchers of folders may start at any time after the server listens."""
    links = [link_of(each) for each in pathlib.Path(f"/proc/{server.child.pid}/fd").iterdir()]
    return sorted(each for each in links if each and "inotify" not in each)


def event_streams(server):
    text = server.ask("GET", "/metrics")[2].decode()
    return int(re.search(r"^clawperator_event_streams (\d+)$", text, re.MULTILINE).group(1))


def slow_reader(place):
    """A client that does not read delays no other. What it missed is a gap in the ids, and the rest comes in order;
    after ten seconds the server lets it go, and it gets as much when it comes back."""
    most = 256
    with ApiServer(place) as server:
        slow, quick = server.events(), server.events()
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 18)
        expect(place, "heartbeats", (slow.next()[0], quick.next()[0]), ("heartbeat", "heartbeat"))
        ids = []
        for _ in range(most + 150):
            expect(place, "an attempt", server.json("POST", "/execute", REFUSED)[0], 400)
            ids.append(int(quick.next()[2]))
        expect(place, "ids of who reads", ids, list(range(ids[0], ids[0] + len(ids))))
        late = [int(slow.next()[2])]
        while late[-1] != ids[-1]:
            event = slow.next()
            if not event:
                slow.close()
                slow = server.events(last_event_id=late[-1])
                slow.next()
            late += [int(event[2])] if event and event[2] else []
        gaps = [at for at in range(1, len(late)) if late[at] != late[at - 1] + 1]
        expect(place, "gaps", (len(gaps), late == sorted(set(late)), late[0]), (1, True, ids[0]))
        expect(place, "what came after the gap", len(late) - gaps[0] <= most, True)
        again = server.events(last_event_id=late[gaps[0] - 1])
        expect(place, "heartbeat", again.next()[0], "heartbeat")
        expect(place, "what was missed", again.next()[1]["missed"], ids[-1] - most - late[gaps[0] - 1])
        expect(place, "who comes back gets what is held", int(again.next()[2]), ids[-1] - most + 1)
        for reader in (slow, quick, again):
            reader.close()


def vanishing_readers(place):
    """Who is gone without a word, in the middle of an event as well, leaves nothing behind."""
    with ApiServer(place) as server:
        server.json("POST", "/execute", REFUSED)
        before = open_descriptors(server)
        for _ in range(3):
            readers = [server.events(last_event_id=0) for _ in range(40)]
            server.json("POST", "/execute", REFUSED)
            for reader in readers:
                reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                reader.close()
            server.json("POST", "/execute", REFUSED)
        wait_until(place, "readers that vanished still count", lambda: event_streams(server) == 0)
        wait_until(place, "descriptors are left", lambda: len(open_descriptors(server)) <= len(before),
                   lambda: f"{open_descriptors(server)}, {before} before")


def race(place):
    """Two at the same moment: one has the device, the other hears that at once; nothing is sent twice."""
    with ApiServer(place) as server:
        for number in range(2):
            answers, ready = {}, threading.Barrier(2)
            before = place.device.counters().get("broadcast", 0)

            def ask(name):
                plan = {"commandId": name, "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
                        "timeoutMs": 30000, "actions": [{"id": name, "type": "sleep", "params": {"durationMs": 1500}}]}
                ready.wait()
                answers[name] = server.json("POST", "/execute", {"execution": plan})

            racers = [threading.Thread(target=ask, args=(f"{who}-{number}",)) for who in ("one", "other")]
            for racer in racers:
                racer.start()
            for racer in racers:
                racer.join()
            expect(place, "statuses", sorted(status for status, _ in answers.values()), [200, 423])
            for name, (status, answer) in answers.items():
                if status == 423:
                    expect(place, name, answer["error"]["code"], "EXECUTION_CONFLICT_IN_FLIGHT")
                else:
                    steps = [step["id"] for step in answer["envelope"]["stepResults"]]
                    expect(place, name, (answer["envelope"]["commandId"], steps), (name, [name]))
            expect(place, "broadcasts", place.device.counters()["broadcast"] - before, 1)


CHECKS = [
    *[(f"load: {story}", False, short(story)) for story in ("steady", "vanish", "drops")],
    ("load: slow reader", False, slow_reader),
    ("load: vanishing readers", False, vanishing_readers),
    ("load: race", True, race),
]
