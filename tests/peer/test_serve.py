"""`serve` with the real adbd (mksh, toybox): directly, and behind Debian's and trixie's adb servers. Executions,
snapshots, pictures and events, one-shot commands that go through it, and what becomes of all that when adbd or the
server restarts."""
import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import types
import unittest

import compare
import peer
import phone_files
from api_server import ApiServer
from limits import LIMIT_S

NAMESPACE = peer.ROOT / "tools/in_adbd_ns"
ADBD = compare.ADBD
UNAVAILABLE = 3
NO_SERVER = "5639"  # no adb server listens there
# By the id of the plan's step: the command's own is a fresh one for each dispatch.
RESULT = re.compile(rb'\[Clawperator-Result\] \{[^\n]*?"stepResults":\[\{"id":"(?:step-)?([^"]+)"')
# What may be said while a link or a server is away.
AWAY = {"LINK_LOST", "DEVICE_NOT_FOUND", "DEVICE_OFFLINE", "NO_DEVICES", "ADB_SERVER_FAILED", "RESULT_TRANSPORT_EXITED",
        "LOGCAT_UNAVAILABLE", "EXECUTION_CONFLICT_IN_FLIGHT"}


def demand(what, actual, wanted):
    if actual != wanted:
        raise AssertionError(f"{what}: expected {wanted!r}, got {str(actual)[:800]}")


def plan(command):
    return {"commandId": command, "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 20000, "actions": [{"id": f"step-{command}", "type": "click",
                                             "params": {"coordinate": {"x": 1, "y": 2}}}]}


class Server:
    """An adb server in the foreground that has the phone; none where `program` is empty."""

    def __init__(self, program):
        self.program, self.child = program, None
        self.port = os.environ["ANDROID_ADB_SERVER_PORT"] if program else NO_SERVER

    def start(self):
        if not self.program:
            return
        self.child = subprocess.Popen([*self.program, "-L", f"tcp:localhost:{self.port}", "nodaemon", "server"],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peer.wait_until(lambda: peer.accepts(int(self.port)), "the adb server did not start")

    def connect(self):
        """As a person does who sees that the phone is gone."""
        def connected():
            self.adb("connect", ADBD)
            return self.adb("-s", ADBD, "get-state").stdout.strip() == b"device"
        if self.program:
            self.adb("disconnect", ADBD)
            peer.wait_until(connected, "the adb server does not reach adbd", 30)

    def adb(self, *words):
        return subprocess.run([*self.program, "-P", self.port, *words], capture_output=True, check=False,
                              timeout=LIMIT_S)

    def stop(self):
        if self.child:
            self.child.kill()
            self.child.wait()


class Adbd:
    """The one that runs beside us, to be restarted."""

    @staticmethod
    def processes():
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (folder / "cmdline").read_bytes().endswith(b"/adbd\0"):
                    yield int(folder.name)

    @classmethod
    def kill(cls):
        for process in list(cls.processes()):
            os.kill(process, signal.SIGKILL)
        peer.wait_until(lambda: not peer.accepts(int(os.environ["ADBD_PORT"])), "adbd lives on")

    @staticmethod
    def start():
        subprocess.Popen([str(peer.ROOT / "tools/run_adbd"), os.environ["PHONE_STATE"]], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peer.wait_until(lambda: peer.accepts(int(os.environ["ADBD_PORT"])), "adbd did not start")


class Phone:
    """What `serve` says of the phone, beside the requests that the phone itself received."""

    def __init__(self, api):
        self.api, self.allowed, self.codes = api, {}, collections.Counter()

    def execute(self, command):
        status, answer = self.api.json("POST", "/execute", {"execution": plan(command), "deviceId": ADBD})
        if answer["ok"]:
            envelope = answer["envelope"]
            demand(command, (status, envelope["commandId"], envelope["status"],
                             [step["id"] for step in envelope["stepResults"]]),
                   (200, command, "success", [f"step-{command}"]))
            self.allowed[command] = "once"
        else:
            error = answer["error"]
            demand(f"{command}: {error}", error["code"] in AWAY, True)
            self.allowed[command] = "maybe" if error.get("details", {}).get("dispatchAttempted") else "never"
            self.codes[error["code"]] += 1
        return answer

    def check_log(self):
        """How often the phone carried out what."""
        log = (pathlib.Path(os.environ["PHONE_STATE"]) / "log").read_bytes()
        done = collections.Counter(command.decode() for command in RESULT.findall(log))
        for command, allowed in self.allowed.items():
            times = done[command]
            fits = times == 1 if allowed == "once" else times <= (allowed == "maybe")
            demand(f"{command}, {allowed}, was carried out {times} times", fits, True)


def check_answers(phone, files):
    """Each kind of answer, and the events that report it."""
    api, reader = phone.api, phone.api.events()
    demand("heartbeat", reader.next()[0], "heartbeat")
    for command in ("first", "second"):
        answer = phone.execute(command)
        demand(f"{command}: {answer}", answer["ok"], True)
        name, event, _ = reader.next()
        demand("result", (name, event["envelope"]), ("clawperator:result", answer["envelope"]))
        name, event, _ = reader.next()
        demand("execution", (name, event["input"]["commandId"], event["result"]),
               ("clawperator:execution", command, answer))
    reader.close()
    status, answer = api.json("POST", "/snapshot", {"deviceId": ADBD})
    demand("snapshot", (status, answer["envelope"]["stepResults"][0]["data"]["text"]),
           (200, (files / "hierarchy.xml").read_text()))
    status, _, picture = api.ask("GET", f"/devices/{ADBD}/screenshot.png")
    demand("png", (status, picture == (files / "screen.png").read_bytes()), (200, True))
    status, _, picture = api.ask("GET", f"/devices/{ADBD}/screenshot.jpg")
    demand("jpg", (status, picture[:3]), (200, b"\xff\xd8\xff"))


def check_page(phone):
    """What the inspector's page reads: the phone's own facts, its picture scaled and known, a node's selectors, what
    changed."""
    api = phone.api
    status, facts = api.json("GET", f"/devices/{ADBD}")
    demand("facts", (status, facts["deviceId"], facts["device"]["state"], facts["busy"]), (200, ADBD, "device", None))
    demand("the phone", (facts["android"], facts["operator"]["package"], facts["battery"]["percent"]),
           ({"release": "14", "sdk": 34}, "com.clawperator.operator", 50))
    path = f"/devices/{ADBD}/screenshot.jpg?maxSide=400&events=false"
    status, headers, picture = api.ask("GET", path)
    demand("a picture", (status, picture[:3]), (200, b"\xff\xd8\xff"))
    status, _, again = api.ask("GET", path, headers={"If-None-Match": headers["ETag"]})
    demand("the same", (status, again), (304, b""))
    status, headers, body = api.ask("GET", f"/devices/{ADBD}/snapshot?format=nodes&giveWay=true")
    shown = headers["X-Tree-Hash"]
    node = next(node for node in json.loads(body)["nodes"] if node.get("text") == "Row 7")
    status, answer = api.json("GET", f"/snapshots/{shown}/selectors?ref={node['ref']}")
    found = [each["matcher"] for each in answer["candidates"]]
    demand(f"selectors: {found}", (status, {"textEquals": "Row 7"} in found), (200, True))
    status, answer = api.json("GET", f"/snapshots/{shown}/changes?since={shown}")
    demand("changes", (status, answer["unchanged"]), (200, True))


def check_command(phone, place):
    """A one-shot command goes through the server."""
    done = subprocess.run([place.binary, "--timings", "exec", json.dumps(plan("command")), "--device", ADBD],
                          env=place.env,
                          cwd=place.sandbox, capture_output=True, timeout=LIMIT_S, check=False)
    document = json.loads(done.stdout)
    demand(f"command: {document}",
           (done.returncode, document["timings"].get("daemon"), document["envelope"]["commandId"]),
           (0, True, "command"))
    phone.allowed["command"] = "once"


def check_tools(phone, place, files):
    """The tools for agents, over HTTP and on stdin: the phone's own tree, and each tap carried out once."""
    message = lambda name, **given: {"jsonrpc": "2.0", "id": name, "method": "tools/call",
                                     "params": {"name": name, "arguments": {"device": ADBD, **given}}}
    log = pathlib.Path(os.environ["PHONE_STATE"]) / "log"
    tapped = lambda: len(RESULT.findall(log.read_bytes()))

    def text_of(answer):
        demand(f"a tool: {answer}", answer["result"].get("isError", False), False)
        return answer["result"]["content"][0]["text"]

    def by_http(*messages):
        return [phone.api.json("POST", "/mcp", each)[1] for each in messages]

    def by_stdin(*messages):
        done = subprocess.run([place.binary, "mcp"], env=place.env, cwd=place.sandbox, capture_output=True,
                              timeout=LIMIT_S, check=False,
                              input="".join(json.dumps(each) + "\n" for each in messages).encode())
        demand(f"the end of mcp: {done}", (done.returncode, done.stderr), (0, b""))
        answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
        return [answers[each["id"]] for each in messages]

    for ask in (by_http, by_stdin):
        before = tapped()
        tap, = ask(message("tap", x=1, y=2, observe="none"))
        demand("tap", json.loads(text_of(tap)), {"ok": True, "device": ADBD})
        demand("how often", tapped() - before, 1)
        tree, = ask(message("snapshot", mode="full"))
        demand("tree", text_of(tree).split("\n", 1)[1], (files / "hierarchy.xml").read_text())
        missing, = ask(message("tap", x=1, y=2, device="absent"))
        demand("absent", json.loads(missing["result"]["content"][0]["text"])["code"], "DEVICE_NOT_FOUND")
        shot, = ask(message("screenshot", format="png"))
        demand("picture", [block["type"] for block in shot["result"]["content"]], ["text", "image"])


def check_ref(phone):
    """A node of a screen that was shown is tapped, and the screen read in the same request; a ref of no such screen
    reaches no phone."""
    api, log = phone.api, pathlib.Path(os.environ["PHONE_STATE"]) / "log"
    tree = api.ask("GET", f"/devices/{ADBD}/snapshot?format=compact")[2].decode()
    found = re.search(r" hash ([0-9a-f]{12})", tree)[1]
    number = next(re.search(r"@\d+", line)[0] for line in tree.split("\n") if '"Row 7"' in line)
    given = plan("ref")
    given["actions"][0]["params"] = {}
    ask = lambda ref: api.json("POST", "/execute",
                               {"execution": given, "deviceId": ADBD, "ref": ref, "observe": "compact", "settleMs": 0})
    before = log.read_bytes().count(b"[Clawperator-Result]")
    status, answer = ask("0123456789ab@1")
    demand("a ref of no screen", (status, answer["error"]["code"]), (409, "STALE_REF"))
    demand("nothing was done", log.read_bytes().count(b"[Clawperator-Result]"), before)
    status, answer = ask(found + number)
    demand(f"a ref: {answer}", (status, answer["ok"], answer["envelope"]["status"]), (200, True, "success"))
    look = answer["envelope"]["stepResults"][-1]
    demand("the screen afterwards", (look["id"], found in look["data"]["text"], look["data"]["tree_hash"]),
           ("look", True, found))


def meanwhile(phone, prefix, do):
    """Executions without a pause, before, while and after `do` is done; at the end they succeed again."""
    begun, over, failures = threading.Event(), threading.Event(), []

    def go_on():
        try:
            for number in range(200):
                ended = over.is_set()
                answer = phone.execute(f"{prefix}-{number}")
                if number == 5:
                    begun.set()
                if ended and answer["ok"]:
                    return
                time.sleep(0 if answer["ok"] else 0.1)
            failures.append(f"{prefix}: no success afterwards: {answer}")
        except Exception as problem:  # the main thread reports it
            failures.append(repr(problem))

    worker = threading.Thread(target=go_on)
    worker.start()
    begun.wait(LIMIT_S)
    try:
        do()
    finally:
        over.set()
        worker.join()
    demand(prefix, failures, [])


def inside(way):
    """Runs in the namespace of a fresh adbd."""
    programs = {"direct": [], "server29": compare.ADB29, "server34": compare.adb34() if way == "server34" else []}
    state, server = pathlib.Path(os.environ["PHONE_STATE"]), Server(programs[way])
    sandbox = state / "sandbox"
    sandbox.mkdir(mode=0o700)
    place = types.SimpleNamespace(binary=str(peer.BINARY), sandbox=sandbox, Mismatch=AssertionError, env=os.environ | {
        "HOME": str(sandbox), "TMPDIR": str(sandbox), "XDG_RUNTIME_DIR": str(sandbox), "CLAWPERATOR_USB": "0",
        "ANDROID_ADB_SERVER_PORT": server.port})
    files = pathlib.Path(sys.argv[3])

    def restart_adbd():
        Adbd.kill()
        Adbd.start()
        server.connect()

    def restart_server():
        server.stop()
        server.start()
        server.connect()

    server.start()
    server.connect()
    if not server.program:
        subprocess.run([place.binary, "connect", ADBD], env=place.env, capture_output=True, check=True)
    try:
        with ApiServer(place) as api:
            phone = Phone(api)
            check_answers(phone, files)
            check_command(phone, place)
            check_tools(phone, place, files)
            meanwhile(phone, "adbd", restart_adbd)
            if server.program:
                meanwhile(phone, "server", restart_server)
            phone.check_log()
            check_ref(phone)  # last, both: their trees push what was done before out of the phone's log
            check_page(phone)
            demand("exit code", api.stop(), 0)
    finally:
        server.stop()
    print(f"serve is fine, {collections.Counter(phone.allowed.values())}, {dict(phone.codes)}")


class Serve(peer.PeerTest):
    def assert_serves(self, way):
        files = phone_files.write_phone_files(self.home.path / "files")
        done = subprocess.run([str(NAMESPACE), "--files", str(files), "--", sys.executable,
                               str(pathlib.Path(__file__).resolve()), "--inside", way, str(files)],
                              capture_output=True, timeout=3 * LIMIT_S, check=False)
        if done.returncode == UNAVAILABLE:
            self.skipTest(done.stderr.decode().strip().splitlines()[-1])
        self.assertTrue(done.stdout.startswith(b"serve is fine"), str(peer.Run([way], done)))
        print(way, done.stdout.decode().strip(), flush=True)

    def test_with_the_real_adbd_directly(self):
        self.assert_serves("direct")

    def test_behind_the_adb_server_of_bookworm(self):
        self.assertTrue(os.path.exists(compare.ADB29[0]), "no adb (package adb)")
        self.assert_serves("server29")

    def test_behind_the_adb_server_of_trixie(self):
        compare.fetch_adb34()
        self.assert_serves("server34")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2])
    else:
        unittest.main()
