"""`clawperator daemon`, and the commands that go through it."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import leaks
from api_server import ApiServer
from limits import LIMIT_S



def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:600]}")


def answer(place, *words, exit_code=0, **options):
    done = place.run(*words, **options)
    expect(place, f"exit code of {words}: {done.stdout!r} {done.stderr!r}", done.returncode, exit_code)
    return json.loads(done.stdout)


def socket_path(place, env=None):
    return pathlib.Path((env or place.env).get("XDG_RUNTIME_DIR")) / "clawperator-daemon.sock"


@contextlib.contextmanager
def running(place, *words, env=None):
    """`daemon run`; ended the hard way, whatever it is at."""
    child = subprocess.Popen([place.binary, "daemon", "run", *words],
                             env={**place.env, **leaks.SEARCHED, **(env or {})},
                             cwd=place.sandbox, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    try:
        line = child.stderr.readline()
        expect(place, "daemon run", line, f"Clawperator daemon listening on {socket_path(place, env)}\n")
        yield child
    finally:
        child.kill()
        child.communicate()


def went_by_daemon(place, *words, **options):
    return answer(place, *words, "--timings", **options)["timings"].get("daemon", False)


def broadcasts(place):
    return place.device.counters().get("broadcast", 0)


def wait_for_dispatch(place):
    deadline = time.monotonic() + LIMIT_S
    while not broadcasts(place):
        if time.monotonic() > deadline:
            raise place.Mismatch("nothing was dispatched")
        time.sleep(0.02)


def starts_and_stops(place):
    expect(place, "status", answer(place, "daemon", "status"), {"ok": True, "running": False})
    expect(place, "stop", answer(place, "daemon", "stop"), {"ok": True, "stopped": False})
    first = answer(place, "daemon", "start", "--idle", "5")
    expect(place, "start", (first["ok"], first["started"], first["daemon"]["running"]), (True, True, True))
    try:
        pid = first["daemon"]["pid"]
        again = answer(place, "daemon", "start")
        expect(place, "start again", (again["started"], again["daemon"]["pid"]), (False, pid))
        expect(place, "mode", os.stat(socket_path(place)).st_mode & 0o777, 0o600)
        other = answer(place, "daemon", "restart")
        expect(place, "restart", other["started"] and other["daemon"]["pid"] != pid, True)
        second = place.run("daemon", "run")
        expect(place, "a second one", (second.returncode, json.loads(second.stdout)["code"]), (1, "SERVE_FAILED"))
    finally:
        expect(place, "stop", answer(place, "daemon", "stop"), {"ok": True, "stopped": True})
    expect(place, "status", answer(place, "daemon", "status"), {"ok": True, "running": False})
    expect(place, "socket", socket_path(place).exists(), False)


def bad_words(place):
    for words in (["start", "--idle", "0"], ["run", "--idle", "soon"], ["restart", "--idle", "1.5"], ["fly"], [],
                  ["run", "--backend", "shell"],
                  ["start", "--backend", "shell"], ["restart", "--backend", "app"]):
        done = place.run("daemon", *words)
        expect(place, str(words), (done.returncode, json.loads(done.stdout)["code"]), (1, "USAGE"))
    long = place.sandbox / ("x" * 100)
    long.mkdir(mode=0o700)
    done = place.run("daemon", "start", env={"XDG_RUNTIME_DIR": str(long)})
    expect(place, "a long path", (done.returncode, json.loads(done.stdout)["code"]), (1, "INVALID_ARGUMENT"))


def carries_out(place):
    """The same answers, from a process whose devices are connected already; files are the command's."""
    with running(place):
        for _ in range(2):
            expect(place, "click", went_by_daemon(place, "click", "--coordinate", "1", "2"), True)
        document = answer(place, "daemon", "status")
        expect(place, "executions", (document["executions"], document["inFlight"]), (2, 0))
        expect(place, "devices", [row["state"] for row in document["devices"] if row["serial"] == place.device.serial],
               ["device"])
        folder = place.sandbox / "elsewhere"
        folder.mkdir()
        for words in (["screenshot", "--path", "a.png"], ["screenshot", "--path", "b.png", "--marks"]):
            done = subprocess.run([place.binary, *words, "--timings"], env=place.env, cwd=folder, capture_output=True,
                                  timeout=LIMIT_S, check=False)
            expect(place, str(words), (done.returncode, json.loads(done.stdout)["timings"].get("daemon")), (0, True))
            expect(place, words[2], (folder / words[2]).read_bytes()[:4], b"\x89PNG")
        done = place.run("screenshot", "--path", "-")
        expect(place, "stdout", (done.returncode, done.stdout[:4]), (0, b"\x89PNG"))
        missing = answer(place, "screenshot", "--path", "none/x.png", exit_code=1)
        alone = answer(place, "screenshot", "--path", "none/x.png", "--no-daemon", exit_code=1)
        expect(place, "a folder that is not there", [step["data"] for step in missing["envelope"]["stepResults"]],
               [step["data"] for step in alone["envelope"]["stepResults"]])


def stays_out(place):
    """Who asks for it, and who would find or write something else there, runs by itself."""
    click = ["click", "--coordinate", "1", "2"]
    with running(place):
        expect(place, "by default", went_by_daemon(place, *click), True)
        expect(place, "--no-daemon", went_by_daemon(place, *click, "--no-daemon"), False)
        for env, through in (({"CLAWPERATOR_NO_DAEMON": "1"}, False), ({"CLAWPERATOR_NO_DAEMON": "0"}, True),
                             ({"CLAWPERATOR_OPERATOR_PACKAGE": "com.clawperator.operator"}, False),
                             ({"CLAWPERATOR_LOG_DIR": str(place.sandbox / "logs")}, False),
                             ({"CLAWPERATOR_LOG_LEVEL": "debug"}, False),
                             ({"ANDROID_SERIAL": place.device.serial}, True)):
            expect(place, str(env), went_by_daemon(place, *click, env=env), through)
        port = place.env["ANDROID_ADB_SERVER_PORT"]
        expect(place, "--adb-server", went_by_daemon(place, *click, "--adb-server", f"tcp:127.0.0.1:{port}"), False)
        plan = {"commandId": "other", "taskId": "task", "source": "test", "expectedFormat": "android-ui-automator",
                "timeoutMs": 30000, "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 10}}]}
        before = broadcasts(place)
        request = {"surface": {"version": "0.0.1", "settings": {}}, "execution": plan}
        reply = talk(place, frame("r", json.dumps(request).encode()))
        expect(place, "another version", reply, frame("d", b"its settings differ"))
        expect(place, "nothing was dispatched", broadcasts(place), before)
        refusal = answer(place, *click, env={"ANDROID_SERIAL": "absent"}, exit_code=1)
        expect(place, "ANDROID_SERIAL", (refusal["code"], "absent" in refusal["message"]), ("DEVICE_NOT_FOUND", True))


def serves_too(place):
    """`serve` is a daemon as well, and its events report what commands do; `daemon stop` ends it."""
    with ApiServer(place) as server:
        reader = server.events()
        expect(place, "heartbeat", reader.next()[0], "heartbeat")
        expect(place, "click", went_by_daemon(place, "click", "--coordinate", "1", "2"), True)
        name, document, _ = reader.next()
        expect(place, "result", (name, document["deviceId"], document["envelope"]["status"]),
               ("clawperator:result", place.device.serial, "success"))
        name, document, _ = reader.next()
        expect(place, "execution", (name, document["input"]["actions"][0]["type"], document["result"]["ok"]),
               ("clawperator:execution", "click", True))
        reader.close()
        expect(place, "stop", answer(place, "daemon", "stop"), {"ok": True, "stopped": True})
        expect(place, "exit code", server.ended(), 0)


def interrupted(place):
    """Ctrl-C cancels what runs there, and reports what may have happened, as without a daemon."""
    plan = {"commandId": "c", "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000,
            "actions": [{"id": "a", "type": "click", "params": {"coordinate": {"x": 1, "y": 2}}},
                        {"id": "b", "type": "sleep", "params": {"durationMs": 20000}}]}
    with running(place):
        child = subprocess.Popen([place.binary, "exec", "--payload", json.dumps(plan)], env=place.env,
                                 cwd=place.sandbox,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_dispatch(place)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=LIMIT_S)
        document = json.loads(out)
        expect(place, "Ctrl-C", (child.returncode, document["code"], document["details"]["dispatchAttempted"]),
               (130, "CANCELLED", True))
        busy = answer(place, "click", "--coordinate", "1", "2", exit_code=1)
        expect(place, "the phone may be busy", busy["code"], "EXECUTION_CONFLICT_IN_FLIGHT")


def killed_at_work(place):
    """The outcome is unknown, so nothing is sent a second time."""
    with running(place) as daemon:
        child = subprocess.Popen([place.binary, "sleep", "20000"], env=place.env, cwd=place.sandbox,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_dispatch(place)
        daemon.kill()
        out, _ = child.communicate(timeout=LIMIT_S)
        document = json.loads(out)
        expect(place, "killed", (child.returncode, document["code"], document["details"]["dispatchAttempted"]),
               (1, "RESULT_TRANSPORT_EXITED", True))
        expect(place, "broadcasts", broadcasts(place), 1)


def log_refused(place):
    """A warm session may learn before the dispatch that the log cannot be read: then nothing is sent, and the
    answer does not say that anything was."""
    with running(place):
        place.device.simctl("fault", "logcat-refused")
        for _ in range(3):
            before = broadcasts(place)
            document = answer(place, "--backend", "app", "back", "--timeout", "1000", "--wait", "20000", exit_code=1)
            if document["code"] not in ("RESULT_TRANSPORT_EXITED", "LOGCAT_UNAVAILABLE"):
                raise place.Mismatch(f"the log is refused: {document}")
            said = document.get("broadcastDispatchStatus") == "sent"
            expect(place, f"sent: {document}", said, broadcasts(place) == before + 1)


def killed_before(place):
    """A socket without a listener costs nothing; the next daemon takes its place."""
    with running(place):
        pass
    expect(place, "left behind", socket_path(place).exists(), True)
    expect(place, "status", answer(place, "daemon", "status"), {"ok": True, "running": False})
    expect(place, "click", went_by_daemon(place, "click", "--coordinate", "1", "2"), False)
    with running(place):
        expect(place, "click", went_by_daemon(place, "click", "--coordinate", "1", "2"), True)


def talk(place, data):
    """What it answers until it closes."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(LIMIT_S)
        client.connect(str(socket_path(place)))
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while part := client.recv(65536):
                received += part
        return received


def frame(kind, payload):
    return kind.encode() + struct.pack("<I", len(payload)) + payload


def nonsense(place):
    """Whatever comes through the socket, it goes on, and nothing is dispatched."""
    with running(place) as daemon:
        for data in (b"", b"GET / HTTP/1.1\r\n\r\n", b"r\xff\xff\xff\xff", b"r\x05\0\0\0{}", frame("x", b""),
                     frame("w", b"x"), frame("y", b"")):
            expect(place, repr(data), talk(place, data), b"")
        for request in (b"", b"{}", b"[", b'{"execution":7}', b'{"execution":{"actions":[]}}', b"\xff" * 100,
                        b"[" * 100000):
            expect(place, repr(request[:40]), talk(place, frame("r", request))[:1], b"d")
        silent = [socket.socket(socket.AF_UNIX) for _ in range(300)]
        for client in silent:
            client.connect(str(socket_path(place)))
        for client in silent:
            client.close()
        expect(place, "alive", daemon.poll(), None)
        expect(place, "click", went_by_daemon(place, "click", "--coordinate", "1", "2"), True)
        expect(place, "broadcasts", broadcasts(place), 1)


def somebody_else(place):
    """Another user's connection is closed unanswered, even where the folder lets him in."""
    if os.getuid() != 0:
        print("daemon: another user is not tried: needs root")
        return
    with tempfile.TemporaryDirectory() as folder, running(place, env={"XDG_RUNTIME_DIR": folder}):
        path = socket_path(place, {"XDG_RUNTIME_DIR": folder})
        os.chmod(folder, 0o777)
        os.chmod(path, 0o777)
        code = ("import socket,sys; s=socket.socket(socket.AF_UNIX); s.settimeout(60); s.connect(sys.argv[1])\n"
                "try:\n s.sendall(b'i\\0\\0\\0\\0')\n print(s.recv(10))\n"
                "except (BrokenPipeError, ConnectionResetError): print(b'')")
        python = next(path for path in ("/usr/bin/python3", sys.executable) if os.path.exists(path))  # not in a home
        for user, printed in ((65534, "b''"), (0, "b'o")):
            done = subprocess.run([python, "-c", code, str(path)], capture_output=True, text=True,
                                  timeout=LIMIT_S, user=user, check=False)
            if not done.stdout.startswith(printed):
                raise place.Mismatch(f"user {user}: {done.stdout!r} {done.stderr!r}")


def ends_well(place):
    """SIGTERM lets what runs end; its command hears of it."""
    with running(place) as daemon:
        child = subprocess.Popen([place.binary, "sleep", "1500"], env=place.env, cwd=place.sandbox,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_dispatch(place)
        daemon.send_signal(signal.SIGTERM)
        out, _ = child.communicate(timeout=LIMIT_S)
        expect(place, "the command", (child.returncode, json.loads(out)["envelope"]["status"]), (0, "success"))
        expect(place, "the daemon", daemon.wait(LIMIT_S), 0)


def streams(place):
    """`exec --stream` prints the same, whichever way it goes."""
    plan = json.dumps({"commandId": "plan", "taskId": "task", "source": "test",
                       "expectedFormat": "android-ui-automator", "timeoutMs": 30000,
                       "actions": [{"id": "n", "type": "sleep", "params": {"durationMs": 10}}]})
    with running(place):
        through = place.run("exec", plan, "--stream", "--timings")
        alone = place.run("exec", plan, "--stream", "--no-daemon")
        lines = [[line.get("event") for line in map(json.loads, done.stdout.splitlines())] for done in (through, alone)]
        expect(place, "events", lines[0], lines[1])
        expect(place, "the result", json.loads(through.stdout.splitlines()[-1])["timings"]["daemon"], True)
        expect(place, "warnings", through.stderr, alone.stderr)


def start(place, *words):
    return subprocess.Popen([place.binary, *words], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def outcome(child):
    out, _ = child.communicate(timeout=LIMIT_S)
    return child.returncode, json.loads(out)


def wait_for_line(place):
    """Until somebody waits in line behind what runs."""
    deadline = time.monotonic() + LIMIT_S
    while answer(place, "click", "--coordinate", "1", "2", "--wait", "1", exit_code=1)["details"]["position"] < 2:
        if time.monotonic() > deadline:
            raise place.Mismatch("no command waits in line")


def in_line(place):
    """--queue waits its turn, by the daemon; when that ends the command goes on by itself."""
    click = ["click", "--coordinate", "1", "2", "--queue", "--timings"]
    with running(place) as daemon:
        long = start(place, "sleep", "1500")
        wait_for_dispatch(place)
        waiting = start(place, *click)
        wait_for_line(place)
        code, document = outcome(waiting)
        expect(place, "in line", (code, document["timings"].get("daemon"), document["timings"]["queue"] > 0),
               (0, True, True))
        expect(place, "what ran", outcome(long)[0], 0)
        long = start(place, "sleep", "1500")
        while broadcasts(place) < 3:
            time.sleep(0.02)
        waiting = start(place, *click)
        wait_for_line(place)
        daemon.send_signal(signal.SIGTERM)
        expect(place, "what ran", outcome(long)[0], 0)
        code, document = outcome(waiting)
        expect(place, "by itself", (code, document["timings"].get("daemon", False)), (0, False))
        expect(place, "the daemon", daemon.wait(LIMIT_S), 0)
        expect(place, "broadcasts", broadcasts(place), 4)


def stopped(place):
    """One that was stopped delays no command, and does nothing later that a command did without it."""
    click = ["click", "--coordinate", "1", "2"]
    with running(place) as daemon:
        expect(place, "by the daemon", went_by_daemon(place, *click), True)
        daemon.send_signal(signal.SIGSTOP)
        expect(place, "by itself", went_by_daemon(place, *click), False)
        document = answer(place, "daemon", "status", exit_code=1)
        expect(place, "status", (document["code"], document["details"]["pid"]), ("COMMAND_TIMEOUT", daemon.pid))
        document = answer(place, "daemon", "stop", exit_code=1)
        expect(place, "stop", (document["code"], document["details"]["pid"]), ("COMMAND_TIMEOUT", daemon.pid))
        daemon.send_signal(signal.SIGCONT)
        expect(place, "by the daemon", went_by_daemon(place, *click), True)
        expect(place, "status", answer(place, "daemon", "status")["running"], True)
        expect(place, "broadcasts", broadcasts(place), 3)


def stopped_at_work(place):
    """After it has begun the outcome is unknown; before, a command that left is not carried out."""
    with running(place) as daemon:
        long = start(place, "sleep", "1500")
        wait_for_dispatch(place)
        waiting = start(place, "click", "--coordinate", "1", "2", "--queue")
        wait_for_line(place)
        daemon.send_signal(signal.SIGSTOP)
        for child in (waiting, long):
            child.send_signal(signal.SIGINT)
        code, document = outcome(waiting)
        expect(place, "before", (code, document["code"], "details" in document), (130, "CANCELLED", False))
        code, document = outcome(long)
        expect(place, "after", (code, document["code"], document["details"]["dispatchAttempted"]),
               (130, "CANCELLED", True))
        daemon.send_signal(signal.SIGCONT)
        answer(place, "click", "--coordinate", "1", "2", "--wait", "20000")
        expect(place, "broadcasts", broadcasts(place), 2)


# Becomes the daemon with what it was given as descriptor 3, as a service manager starts one.
HAND_OVER = ("import os,sys\nos.dup2(int(sys.argv[1]), 3)\n"
             "os.environ.update(LISTEN_PID=str(os.getpid() + int(sys.argv[2])), LISTEN_FDS=sys.argv[3])\n"
             "os.execv(sys.argv[4], sys.argv[4:])")


def hand_over(place, handle, *, other=0, count="1"):
    words = [sys.executable, "-c", HAND_OVER, str(handle.fileno()), str(other), count, str(place.binary)]
    return subprocess.Popen([*words, "daemon", "run"], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            pass_fds=[handle.fileno()])


def handed_over(place):
    """A socket that a service manager listens at: taken, left to it, and taken again."""
    path = socket_path(place)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(8)
        for _ in range(2):
            child = hand_over(place, listener)
            try:
                line = child.stderr.readline()
                expect(place, "daemon run", line, f"Clawperator daemon listening on {path}\n")
                expect(place, "click", went_by_daemon(place, "click", "--coordinate", "1", "2"), True)
                expect(place, "socket", answer(place, "daemon", "status")["socket"], str(path))
                child.send_signal(signal.SIGTERM)
                expect(place, "exit code", child.wait(LIMIT_S), 0)
            finally:
                child.kill()
                child.communicate()
            expect(place, "the socket stays", path.is_socket(), True)
        done = place.run("daemon", "run")
        expect(place, "beside it", (done.returncode, json.loads(done.stdout)["code"]), (1, "SERVE_FAILED"))
        with ApiServer(place) as server:
            expect(place, "serve does without", server.json("GET", "/healthz")[0], 200)
            expect(place, "and ends well", server.stop(), 0)
        expect(place, "the socket stays", path.is_socket(), True)
        expect(place, "no daemon accepts", went_by_daemon(place, "click", "--coordinate", "1", "2"), False)


def handed_wrongly(place):
    """What is no listening unix stream socket is refused; what is another process's is not looked at."""
    folder = tempfile.TemporaryFile()
    quiet, tcp, datagrams, listener = (socket.socket(socket.AF_UNIX), socket.socket(),
                                       socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), socket.socket(socket.AF_UNIX))
    with folder, quiet, tcp, datagrams, listener:
        tcp.listen()
        datagrams.bind(str(place.sandbox / "datagrams"))
        listener.bind(str(place.sandbox / "other.sock"))
        listener.listen()
        for handle, count in ((folder, "1"), (quiet, "1"), (tcp, "1"), (datagrams, "1"), (listener, "2"),
                              (listener, "x"), (listener, "-1")):
            code, document = outcome(hand_over(place, handle, count=count))
            expect(place, f"{handle} {count}", (code, document["code"]), (1, "SERVE_FAILED"))
            if "LISTEN_FDS" not in document["message"]:
                raise place.Mismatch(f"LISTEN_FDS is not named: {document}")
        for other, count in ((1, "1"), (0, "0")):
            child = hand_over(place, listener, other=other, count=count)
            try:
                expect(place, "one of its own", child.stderr.readline(),
                       f"Clawperator daemon listening on {socket_path(place)}\n")
            finally:
                child.kill()
                child.communicate()


CHECKS = [
    ("daemon: starts and stops", False, starts_and_stops),
    ("daemon: bad words", False, bad_words),
    ("daemon: carries out", True, carries_out),
    ("daemon: stays out", True, stays_out),
    ("daemon: serve is one", True, serves_too),
    ("daemon: interrupted", True, interrupted),
    ("daemon: killed at work", True, killed_at_work),
    ("daemon: log refused", True, log_refused),
    ("daemon: killed before", True, killed_before),
    ("daemon: nonsense", True, nonsense),
    ("daemon: somebody else", False, somebody_else),
    ("daemon: ends well", True, ends_well),
    ("daemon: streams", True, streams),
    ("daemon: in line", True, in_line),
    ("daemon: stopped", True, stopped),
    ("daemon: stopped at work", True, stopped_at_work),
    ("daemon: handed over", True, handed_over),
    ("daemon: handed wrongly", False, handed_wrongly),
]
