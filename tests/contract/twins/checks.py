"""Two phones of one serial behind the adb server, which only their places distinguish (android-reality: cheap phones
share `0123456789ABCDEF`): a command that names a place stays on it, also for what follows a look.

The twins are two simulated phones behind a real adb server. Between it and us a relay shows both with one serial and a
place each, and refuses to choose by the serial, as the server does."""
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mcp"))
from api_server import ApiServer, expect, expect_error, wait_for_count
from conversation import Conversation
from listening import Listening

SERIAL = "0123456789ABCDEF"
PLACES = ("usb:1-1", "usb:1-2")
TITLE = "android:id/title"
CLICK = {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
         "timeoutMs": 20000,
         "actions": [{"id": "a", "type": "click", "params": {"matcher": {"resourceId": TITLE}}}]}


class Relay(Listening):
    """Shows the devices of the adb server at `port` as `phones` says: {serial there: (serial here, "1-1")}."""

    def __init__(self, port, phones):
        self.server_port, self.phones = port, phones
        self.watchers = []  # [client, the rows that the server sent last]
        super().__init__()

    def serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.server_port)) as server:
            request = read_counted(client)
            if request is None:
                return
            if any(serial in request for serial, _ in self.phones.values()):
                client.sendall(b"FAIL" + counted("more than one device"))
                return
            server.sendall(counted(request))
            if request in ("host:devices", "host:devices-l", "host:track-devices", "host:track-devices-l"):
                self.relay_lists(server, client)
            else:
                back = threading.Thread(target=pump, args=(client, server), daemon=True)
                back.start()
                pump(server, client)
                back.join()

    def relay_lists(self, server, client):
        client.sendall(server.recv(4, socket.MSG_WAITALL))
        watcher = [client, ""]
        self.watchers.append(watcher)
        while (rows := read_counted(server)) is not None:
            watcher[1] = rows
            if not self.send_rows(watcher):
                return

    def send_rows(self, watcher):
        rows = watcher[1]
        for real, (serial, place) in self.phones.items():
            rows = re.sub(rf"^{re.escape(real)}(\s+)(\w+)", rf"{serial}\g<1>\g<2> usb:{place}", rows, flags=re.M)
        try:
            watcher[0].sendall(counted(rows))
            return True
        except OSError:
            return False

    def show(self, phones):
        """Cables have moved."""
        self.phones = phones
        for watcher in self.watchers:
            self.send_rows(watcher)


def counted(text):
    return f"{len(text):04x}{text}".encode()


def read_counted(stream):
    head = stream.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        return None
    return stream.recv(int(head, 16), socket.MSG_WAITALL).decode()


def pump(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Twin:
    """A second simulated phone on the adb server of `place`."""

    def __init__(self, place):
        self.place = place
        self.sim = subprocess.Popen([place.binary, *place.SIM, "--port", "0"], env=place.env, cwd=place.sandbox,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.serial = json.loads(self.sim.stdout.readline())["address"]
        place.device.run_adb("connect", self.serial)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.device.run_adb("disconnect", self.serial)
        self.sim.kill()
        self.sim.communicate()


def broadcasts(place, twin):
    """Of the first phone and of the second."""
    stats = place.device.run_adb("-s", twin.serial, "shell", "simctl", "stats").stdout
    return [place.device.counters().get("broadcast", 0), json.loads(stats).get("broadcast", 0)]


def expect_on(place, twin, which, act, what):
    """A look and a click on that phone, and nothing on the other one."""
    for phone in (place.device.serial, twin.serial):
        place.device.run_adb("-s", phone, "shell", "am start -a android.settings.SETTINGS")
    before = broadcasts(place, twin)
    act()
    added = [now - then for now, then in zip(broadcasts(place, twin), before)]
    # One look for the number, one before the act (the app cannot be strict), and the act.
    expect(place, f"{what}: broadcasts", added, [3, 0] if which == 0 else [0, 3])


def with_twins(check):
    def run(place):
        with Twin(place) as twin, \
             Relay(place.device.server_port,
                   {place.device.serial: (SERIAL, "1-1"), twin.serial: (SERIAL, "1-2")}) as relay:
            place.env["ANDROID_ADB_SERVER_PORT"] = str(relay.port)
            check(place, twin, relay)
    return run


def with_cables(check):
    """The phone of the place at "1-1"; the check moves cables."""
    def run(place):
        with Relay(place.device.server_port, {place.device.serial: ("S1", "1-1")}) as relay:
            place.env["ANDROID_ADB_SERVER_PORT"] = str(relay.port)
            check(place, relay)
    return run


def done(place, *argv):
    ended = place.run(*argv)
    expect(place, f"{argv}: {ended.stdout[-800:]}", ended.returncode, 0)
    return ended.stdout.decode()


def another_phone_in_its_socket(place, relay):
    """A ref of a phone is of that phone, wherever it is plugged in."""
    place.device.run_adb("shell", "am start -a android.settings.SETTINGS")
    done(place, "snapshot", "--format", "compact", "--device", "usb:1-1")
    before = place.device.counters()["broadcast"]
    relay.show({place.device.serial: ("S2", "1-1")})
    ended = place.run("click", "--ref", "@3")
    expect(place, ended.stdout, json.loads(ended.stdout)["code"], "DEVICE_NOT_FOUND")
    expect(place, "broadcasts", place.device.counters()["broadcast"], before)


def one_phone_by_two_names(place, _):
    """What was shown last was so, whichever name the command used."""
    place.device.run_adb("shell", "am start -a android.settings.SETTINGS")
    done(place, "snapshot", "--format", "compact", "--device", "usb:1-1")
    done(place, "open", "com.clawperator.conformance")
    shown = done(place, "snapshot", "--format", "compact")
    unchanged = done(place, "key", "volume_up", "--snapshot=diff", "--device", "usb:1-1")
    expect(place, unchanged, "as last shown" in unchanged, True)
    ref = re.search(r'(@\d+)[^@]*Form', shown)[1]
    done(place, "click", "--ref", ref, "--device", "usb:1-1")
    with Conversation(place) as talk:
        talk.tool("snapshot", device="usb:1-1")
        talk.tool("open_app", package="com.android.settings")
        talk.tool("tap", ref="@3", device="usb:1-1")


def a_cable_moves_meanwhile(place, relay):
    """The phone comes back in another socket, and its answer is still awaited there."""
    plan = {**CLICK, "actions": [{"id": "a", "type": "sleep", "params": {"durationMs": 2500}}]}
    with ApiServer(place) as server:
        answer = server.in_background("POST", "/execute", {"execution": plan, "deviceId": "usb:1-1"})
        wait_for_count(place)
        relay.show({place.device.serial: ("S1", "2-1")})
        answer.join()
        status, document = answer.answer
        expect(place, str(document), status, 200)
        status, document = server.json("GET", "/devices/usb:2-1/stats")
        expect(place, str(document), (status, document.get("deviceId")), (200, "S1"))


def by_command_line(place, twin, _):
    ended = place.run("click", "--id", TITLE, "--nth", "2", "--device", SERIAL)
    expect(place, "the serial alone", json.loads(ended.stdout)["code"], "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED")
    for which, name in enumerate(PLACES):
        def act():
            ended = place.run("click", "--id", TITLE, "--nth", "2", "--device", name)
            expect(place, ended.stdout[-800:], ended.returncode, 0)
        expect_on(place, twin, which, act, name)
        for argv in (["snapshot", "--format", "compact"], ["click", "--ref", "@3"]):
            ended = place.run(*argv, "--device", name)
            expect(place, f"{argv}: {ended.stdout[-800:]}", ended.returncode, 0)


def by_http(place, twin, _):
    with ApiServer(place) as server:
        expect_error(place, server.json("POST", "/execute", {"execution": CLICK, "nth": 2, "deviceId": SERIAL}), 400,
                     "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED")
        for which, name in enumerate(PLACES):
            def act():
                answer = server.json("POST", "/execute", {"execution": CLICK, "nth": 2, "deviceId": name})
                expect(place, str(answer), answer[0], 200)
            expect_on(place, twin, which, act, name)


def by_http_as_the_server_says(place, twin, _):
    """The request names none: it is the server's own."""
    for which, name in enumerate(PLACES):
        with ApiServer(place, "--device", name) as server:
            def act():
                answer = server.json("POST", "/execute", {"execution": CLICK, "nth": 2})
                expect(place, str(answer), answer[0], 200)
            expect_on(place, twin, which, act, name)


def by_mcp(place, twin, _):
    for which, name in enumerate(PLACES):
        with Conversation(place, "--device", name) as talk:
            expect_on(place, twin, which, lambda: talk.tool("tap", selector={"id": TITLE}, nth=2, observe="none"), name)
            talk.tool("snapshot")
            talk.tool("tap", ref="@3")
    with Conversation(place) as talk:
        talk.tool("snapshot", device=PLACES[0])
        talk.refused("STALE_REF", "tap", ref="@3", device=PLACES[1])
        talk.tool("tap", ref="@3", device=PLACES[0])


def by_daemon(place, twin, _):
    daemon = subprocess.Popen([place.binary, "daemon", "run"], env=place.env, cwd=place.sandbox,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        expect(place, "the daemon", b"listening" in daemon.stderr.readline(), True)
        by_command_line(place, twin, _)
        status = json.loads(place.run("daemon", "status").stdout)
        expect(place, "executions of the daemon", status["executions"] >= 4, True)
    finally:
        daemon.kill()
        daemon.communicate()


def a_twin_is_gone_for_a_while(place, twin, relay):
    """Its answer is awaited at its place; the other one's log is not taken for it."""
    plan = {**CLICK, "actions": [{"id": "a", "type": "sleep", "params": {"durationMs": 4500}}]}
    both = dict(relay.phones)
    with ApiServer(place) as server:
        answer = server.in_background("POST", "/execute", {"execution": plan, "deviceId": PLACES[0]})
        wait_for_count(place)
        relay.show({place.device.serial: ("GONE", "9-9"), twin.serial: both[twin.serial]})
        time.sleep(2.5)
        relay.show(both)
        answer.join()
        expect(place, str(answer.answer[1]), answer.answer[0], 200)


CHECKS = [
    ("twins: command line", True, with_twins(by_command_line)),
    ("twins: command line, by the daemon", True, with_twins(by_daemon)),
    ("twins: HTTP, the request names one", True, with_twins(by_http)),
    ("twins: HTTP, the server has one", True, with_twins(by_http_as_the_server_says)),
    ("twins: MCP", True, with_twins(by_mcp)),
    ("twins: one is gone for a while", True, with_twins(a_twin_is_gone_for_a_while)),
    ("twins: another phone in its socket", True, with_cables(another_phone_in_its_socket)),
    ("twins: one phone by two names", True, with_cables(one_phone_by_two_names)),
    ("twins: a cable moves meanwhile", True, with_cables(a_cable_moves_meanwhile)),
]
