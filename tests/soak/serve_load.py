#!/usr/bin/env python3
"""`serve` under load: many simulated phones at once, clients that race, cables that are pulled, phones that restart.

    tests/soak/serve_load.py BINARY [--story steady|vanish|drops] [--phones N] [--seconds S] [--agents N] [--drops N]
    [--seed N]

Every execution opens an address that holds a token of its own and reads it back from the screen, so a result that is
mixed up with another one's is seen. When all is quiet each phone's own log shows how often each execution was begun:

    once          each that was answered with its result
    at most once  each whose error says that it was dispatched, its outcome unknown
    never         each other one

steady  nothing goes wrong: there are no errors but the conflicts of those who race for one phone
vanish  phones go away for a while and come back, some of them restarted
drops   so many links are cut, at any byte, while executions run

Times are printed, none is judged.
"""
import argparse
import collections
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from api_server import ApiServer
from limits import LIMIT_S
from ports import free_port

URL_BAR = {"resourceId": "com.android.chrome:id/url_bar"}
STARTED = re.compile(r"\[Clawperator-Command\] start commandId=\S+ taskId=(\S+)")
STARTED_TAGS = ("AgentCommandExecutorDefault:V", "o:V")  # with readable names, and obfuscated
BUSY = "EXECUTION_CONFLICT_IN_FLIGHT"
# What may be said of a phone whose link is cut; docs/reference/errors.md has their meanings.
OF_THE_LINK = {"LINK_LOST", "DEVICE_NOT_FOUND", "DEVICE_OFFLINE", "RESULT_TRANSPORT_EXITED", "LOGCAT_UNAVAILABLE", BUSY}


class Problem(Exception):
    pass


def demand(holds, what):
    if not holds:
        raise Problem(what)


class Phone:
    """A simulated phone, in a process of its own; started again it is the same phone after a boot."""

    def __init__(self, place, name):
        self.place, self.name, self.port = place, name, 0
        self.begun = collections.Counter()  # executions, in the boots before this one
        self.fresh = False  # a result came since its link was cut
        self.start()

    def start(self):
        self.child = subprocess.Popen([self.place.binary, "sim", "--port", str(self.port), "--serial", self.name,
                                       "--control", "0"], env=self.place.env, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        report = json.loads(self.child.stdout.readline())
        self.port = int(report["address"].rsplit(":", 1)[1])
        self.control = int(report["control"].rsplit(":", 1)[1])
        self.logcat("-G", "256M")  # the log must hold all that this boot begins

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def ask(self, words):
        with socket.create_connection(("127.0.0.1", self.control), LIMIT_S) as control:
            control.sendall(f"{words}\n".encode())
            return "".join(iter(control.makefile("r").readline, "exit 0\n"))

    def read_log(self):
        """Which executions were begun in this boot, and how often."""
        demand(json.loads(self.ask("stats"))["log_entries_lost"] == 0, f"{self.name}: its log was too small")
        return collections.Counter(STARTED.findall(self.logcat("-d", "-v", "raw", "-s", *STARTED_TAGS)))

    def logcat(self, *options):
        done = subprocess.run([self.place.binary, "adb", "-s", self.address, "shell", "logcat", *options],
                              env=self.place.env, capture_output=True, timeout=LIMIT_S, check=False)
        demand(done.returncode == 0, f"{self.name}: no log: {done.stdout[-300:]!r} {done.stderr!r}")
        return done.stdout.decode()

    def restart(self):
        self.begun += self.read_log()
        self.stop()
        self.start()

    def stop(self):
        self.child.kill()
        self.child.communicate()


class Cable:
    """A TCP proxy that can be cut, at once or after so many bytes, and unplugged for a while."""

    def __init__(self, phone):
        self.phone, self.port, self.pairs, self.left, self.cuts = phone, 0, set(), None, 0
        self.lock = threading.Lock()
        self.plug()

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def plug(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def unplug(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                near = listener.accept()[0]
                try:
                    far = socket.create_connection(("127.0.0.1", self.phone.port))
                except OSError:
                    near.close()
                    continue
                for end in (near, far):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self.lock:
                    self.pairs.add((near, far))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self.carry, args=(one, other, (near, far)), daemon=True).start()

    def carry(self, one, other, pair):
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                part = self.take(len(data))
                other.sendall(data[:part])
                if part < len(data):
                    self.cut()
        self.hang_up(pair)

    def take(self, size):
        """How many of these bytes come through."""
        with self.lock:
            if self.left is None:
                return size
            part = min(size, self.left)
            self.left -= part
            return part

    def hang_up(self, pair):
        with self.lock:
            alive = pair in self.pairs
            self.pairs.discard(pair)
        for end in pair if alive else ():
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def cut(self):
        with self.lock:
            self.left = None
            pairs, self.cuts = list(self.pairs), self.cuts + bool(self.pairs)
        for pair in pairs:
            for end in pair:  # a reset, not an orderly end
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.hang_up(pair)

    def cut_after(self, size):
        with self.lock:
            self.left = size


class Ledger:
    """What was answered to each execution, and what that allows."""

    def __init__(self, server):
        self.server, self.lock = server, threading.Lock()
        self.phones, self.allowed, self.answers = {}, {}, {}  # by command id
        self.commands = set()  # of the command line, whose answers have another form
        self.codes, self.taken, self.problems = collections.Counter(), [], []
        self.reported = collections.Counter()
        self.past_server = 0
        self.over = threading.Event()

    def note(self, command, phone, allowed, code, taken, answer=None):
        with self.lock:
            self.phones[command], self.allowed[command] = phone, allowed
            self.codes[code] += 1
            if answer is not None:
                self.answers[command] = hash(json.dumps(answer, sort_keys=True))
            if allowed == "once":
                self.taken.append(taken)

    def fail(self, problem):
        with self.lock:
            self.problems.append(str(problem))
        self.over.set()

    @contextlib.contextmanager
    def guarded(self):
        """What goes wrong in a thread ends the story."""
        try:
            yield
        except Exception as problem:  # whatever it is, the main thread reports it
            self.fail(f"{type(problem).__name__}: {problem}")


def plan(command, token, looks):
    read = {"id": "r", "type": "snapshot_ui"} if looks else {"id": "r", "type": "read_text",
                                                             "params": {"matcher": URL_BAR}}
    return {"commandId": command, "taskId": command, "source": "load", "expectedFormat": "android-ui-automator",
            "timeoutMs": 20000, "actions": [
                {"id": "o", "type": "open_uri", "params": {"uri": f"https://load.example/{token}"}}, read]}


def check_result(command, token, address, answer, cut):
    """The result is this execution's own; a snapshot whose rest was cut off with the link says so."""
    envelope = answer["envelope"]
    demand(envelope["commandId"] == command, f"{command} was answered with {envelope['commandId']}")
    demand(answer.get("deviceId", address) == address, f"{command}: {answer.get('deviceId')} instead of {address}")
    step = envelope["stepResults"][-1]
    lost = cut and step["actionType"] == "snapshot_ui" and step["data"].get("error") == "SNAPSHOT_EXTRACTION_FAILED"
    demand(lost or envelope["status"] == "success", f"{command}: {envelope}")
    text = step["data"].get("text", "")
    demand(lost or token in text, f"{command}: no {token} in {text[:300]}")
    others = set(re.findall(r"token\d+-\d+-\d+", text)) - {token}
    demand(not others, f"{command}: another's token: {others}")


def check_error(command, error, allowed):
    """once, maybe or never: how often the phone may have begun it."""
    demand(error["code"] in allowed, f"{command}: {error}")
    details = error.get("details", {})
    dispatched = details.get("dispatchAttempted", False)
    demand(details.get("executionPosition", "unknown") == "unknown", f"{command}: {error}")
    if error["code"] == BUSY:
        demand(not dispatched, f"{command}: {error}")
    return "maybe" if dispatched else "never"


class Client:
    """Executions on one phone, one after the other."""

    def __init__(self, ledger, story, phone, cable, number, allowed):
        self.ledger, self.story, self.phone, self.number, self.allowed = ledger, story, phone, number, allowed
        self.address = (cable or phone).address
        self.cut = cable is not None

    def run(self):
        with self.ledger.guarded():
            count = 0
            while not self.ledger.over.is_set():
                count += 1
                token = f"token{self.phone.port}-{self.number}-{count}"
                self.pause(self.judge(f"c-{token}", token, count % 3 == 0))

    def judge(self, command, token, looks):
        began = time.monotonic()
        answer = self.ask(plan(command, token, looks))
        taken = time.monotonic() - began
        if answer["ok"]:
            check_result(command, token, self.address, answer, self.cut)
            self.note(command, "once", "ok", taken, answer)
            self.phone.fresh = True
            return None
        error = answer["error"]
        self.note(command, check_error(command, error, self.allowed), error["code"], taken, answer)
        return error

    def note(self, command, allowed, code, taken, answer):
        self.ledger.note(command, self.phone, allowed, code, taken, answer)

    def pause(self, error):
        if error:
            self.ledger.over.wait(min(error.get("details", {}).get("retryAfterMs", 10), 2000) / 1000)


class HttpClient(Client):
    """Over a connection that stays."""
    connection = None

    def ask(self, execution):
        self.connection = self.connection or self.ledger.server.connect()
        self.connection.request("POST", "/execute", json.dumps({"execution": execution, "deviceId": self.address}),
                                {"Content-Type": "application/json", **self.ledger.server.bearing})
        answer = self.connection.getresponse()
        document = json.loads(answer.read())
        demand((answer.status == 200) == document["ok"], f"{answer.status}: {document}")
        return document


class CommandClient(Client):
    """Commands that go through the server, as through a daemon."""

    def ask(self, execution):
        place = self.ledger.server.place
        done = subprocess.run([place.binary, "--timings", "exec", json.dumps(execution), "--device", self.address],
                              env=place.env, cwd=place.sandbox, capture_output=True, timeout=LIMIT_S, check=False)
        document = json.loads(done.stdout)
        if "envelope" not in document:
            return {"ok": False, "error": document}
        if not document["timings"].get("daemon"):  # the server was too busy to accept it in time
            self.ledger.past_server += 1
        return {"ok": True, "envelope": document["envelope"]}

    def note(self, command, allowed, code, taken, answer):
        self.ledger.commands.add(command)
        self.ledger.note(command, self.phone, allowed, code, taken)


def listen(ledger, events):
    """Each execution is reported once, with the answer that its client gets."""
    with ledger.guarded():
        while frame := events.next():
            name, document, _ = frame
            if name != "clawperator:execution":
                continue
            command = document["input"]["commandId"]
            with ledger.lock:
                ledger.reported[command] += 1
                is_first = ledger.reported[command] == 1
            demand(is_first, f"the events report {command} twice")
            ledger.answers.setdefault(f"seen {command}", hash(json.dumps(document["result"], sort_keys=True)))


def vanish(ledger, cables, chance, restart):
    with ledger.guarded():
        while not ledger.over.wait(chance.uniform(0.05, 0.3)):
            cable = chance.choice(cables)
            cable.unplug()
            ledger.over.wait(chance.uniform(0.1, 1.5))
            if restart and chance.random() < 0.3:
                cable.phone.restart()
            cable.plug()


def drop(ledger, cables, chance, wanted):
    """Of links over which a result came since the last time; ends the story with the last of them."""
    with ledger.guarded():
        while sum(cable.cuts for cable in cables) < wanted and not ledger.over.wait(chance.uniform(0, 0.02)):
            lively = [cable for cable in cables if cable.phone.fresh]
            if not lively:
                continue
            cable = chance.choice(lively)
            cable.phone.fresh = False
            if chance.random() < 0.2:
                cable.cut()
            else:
                cable.cut_after(chance.randrange(6000))
        ledger.over.set()


def check_phones(ledger, phones):
    """Nothing was begun more often than its answer allows, and nothing without a request."""
    for phone in phones:
        begun = phone.begun + phone.read_log()
        for command, times in begun.items():
            demand(ledger.phones.get(command) is phone, f"{phone.name} began {command}, which was not asked of it")
            most = 0 if ledger.allowed[command] == "never" else 1
            demand(times <= most, f"{phone.name} began {command} {times} times: {ledger.allowed[command]}")
        for command, where in ledger.phones.items():
            if where is phone and ledger.allowed[command] == "once":
                demand(begun[command] == 1, f"{phone.name} began {command} {begun[command]} times, its result came")


def check_events(ledger):
    for command, answer in list(ledger.answers.items()):
        if command.startswith("seen ") and command[5:] not in ledger.commands:
            demand(ledger.answers.get(command[5:]) == answer, f"the events have another answer to {command[5:]}")


def check_metrics(ledger):
    text = ledger.server.ask("GET", "/metrics")[2].decode()
    counted = sum(map(int, re.findall(r"^clawperator_executions_total\{.*\} (\d+)$", text, re.MULTILINE)))
    there_were = len(ledger.allowed)
    demand(there_were - ledger.past_server <= counted <= there_were,
           f"/metrics counts {counted} executions, there were {there_were}, {ledger.past_server} past the server")
    demand(not ledger.commands or ledger.past_server < len(ledger.commands), "no command went by the server")


def descriptors(server):
    return len(os.listdir(f"/proc/{server.child.pid}/fd"))


def summary(story, ledger, phones, cables, began):
    seconds, taken = time.monotonic() - began, sorted(ledger.taken)
    middle, late = statistics.median(taken) * 1000, taken[len(taken) * 99 // 100] * 1000
    status = pathlib.Path(f"/proc/{ledger.server.child.pid}/status").read_text()
    memory = int(re.search(r"^VmRSS:\s*(\d+)", status, re.MULTILINE).group(1)) / 1024
    return (f"{story}: {len(phones)} phones, {sum(cable.cuts for cable in cables)} links cut, {seconds:.1f} s, "
            f"{len(taken) / seconds:.0f} results/s, p50 {middle:.1f} ms, p99 {late:.1f} ms, {memory:.1f} MiB, "
            f"{descriptors(ledger.server)} descriptors, {dict(ledger.codes)}; "
            f"carried out {dict(collections.Counter(ledger.allowed.values()))}")


def clients_of(ledger, story, phones, cables, agents):
    """So many a phone; the first phone has two more, of which one is a command each time."""
    for number, phone in enumerate(phones):
        cable = cables[number] if cables else None
        codes = OF_THE_LINK if cables else {BUSY} if number == 0 or agents > 1 else set()
        for agent in range(agents):
            yield HttpClient(ledger, story, phone, cable, agent, codes)
        if number == 0:
            yield HttpClient(ledger, story, phone, cable, agents, codes)
            yield CommandClient(ledger, story, phone, cable, agents + 1, codes)


def play(place, server, story, phones, cables, options):
    server.place = place
    ledger, chance, events = Ledger(server), random.Random(options.seed), server.events()
    chores = [threading.Thread(target=client.run)
              for client in clients_of(ledger, story, phones, cables, options.agents)]
    if story == "vanish":
        chores.append(threading.Thread(target=vanish, args=(ledger, cables, chance, True)))
    if story == "drops":
        chores.append(threading.Thread(target=drop, args=(ledger, cables, chance, options.drops)))
    listener = threading.Thread(target=listen, args=(ledger, events), daemon=True)
    began = time.monotonic()
    for chore in [listener, *chores]:
        chore.start()
    ledger.over.wait(None if story == "drops" else options.seconds)
    ledger.over.set()
    for chore in chores:
        chore.join()
    demand(not ledger.problems, "\n".join(ledger.problems[:5]))
    line = summary(story, ledger, phones, cables, began)
    check_phones(ledger, phones)
    check_metrics(ledger)
    check_events(ledger)
    demand(not ledger.problems, "\n".join(ledger.problems[:5]))
    demand(server.child.poll() is None, "serve has ended")
    demand(server.stop() == 0, "serve did not end well")
    return line


def run(place, story, options):
    """The line that reports what happened; Problem when anything was wrong."""
    phones = [Phone(place, f"LOAD{number:04}") for number in range(options.phones)]
    try:
        cables = [Cable(phone) for phone in phones] if story != "steady" else []
        for end in cables or phones:
            done = subprocess.run([place.binary, "connect", end.address], env=place.env, capture_output=True,
                                  check=False)
            demand(done.returncode == 0, f"connect: {done.stdout!r}")
        with ApiServer(place) as server:
            return play(place, server, story, phones, cables, options)
    finally:
        for phone in phones:
            phone.stop()


class Place:
    """What ApiServer asks of its surroundings."""
    Mismatch = Problem

    def __init__(self, binary, folder):
        self.binary, self.sandbox = str(pathlib.Path(binary).resolve()), folder
        keep = {name: os.environ[name] for name in ("PATH", "LANG", "ASAN_OPTIONS") if name in os.environ}
        self.env = {**keep, "CLAWPERATOR_USB": "0", "HOME": str(folder), "TMPDIR": str(folder),
                    "XDG_RUNTIME_DIR": str(folder), "ANDROID_ADB_SERVER_PORT": str(free_port())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--story", choices=["steady", "vanish", "drops"], help="all of them unless given")
    parser.add_argument("--phones", type=int, default=32)
    parser.add_argument("--agents", type=int, default=1, help="HTTP clients of each phone")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--drops", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    stories = [options.story] if options.story else ["steady", "vanish", "drops"]
    return 1 if any([fails(story, options) for story in stories]) else 0


def fails(story, options):
    with tempfile.TemporaryDirectory(prefix="load-", ignore_cleanup_errors=True) as folder:
        try:
            print(run(Place(options.binary, pathlib.Path(folder)), story, options), flush=True)
        except Problem as problem:
            print(f"{story}: {problem}", flush=True)
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
