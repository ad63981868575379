"""What becomes of the process: signals during every command, readers that went away."""
import array
import concurrent.futures
import fcntl
import json
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import tempfile
import termios
import time

import apk
from limits import LIMIT_S

PLAN = {"commandId": "p", "taskId": "p", "source": "p", "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000, "actions": [{"id": "s", "type": "snapshot_ui"}]}
# adb's own command line dies of the signal as adb does; the others end well when they are stopped.
NOT_HERE = {"adb", "sim", "serve", "mcp", "daemon", "logs", "agent-skills watch", "hub login"}


class SilentServer:
    """An adb server that takes connections and never says a word."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(LIMIT_S)
        self.port = self.socket.getsockname()[1]
        self.taken = []

    def wait_for_client(self, child):
        self.socket.settimeout(0.1)
        deadline = time.monotonic() + LIMIT_S
        while child.poll() is None and time.monotonic() < deadline:
            try:
                self.taken.append(self.socket.accept()[0])
                return True
            except TimeoutError:
                pass
        return False

    def close(self):
        for taken in self.taken:
            taken.close()
        self.socket.close()


def example_words(line):
    words = []
    for word in shlex.split(line):
        if word in (">", "<", "|"):
            break
        words.append(word)
    return words


def examples(place):
    """The first example of every command and subcommand."""
    def walk(commands):
        for command in commands:
            if "subcommands" in command:
                yield from walk(command["subcommands"])
            elif command["examples"] and not NOT_HERE & {command["name"], command["name"].split()[0]}:
                yield example_words(command["examples"][0])
    return list(walk(json.loads(place.run("help", "--json").stdout)["commands"]))


def interrupt(place, words, number):
    """(did it wait for the server, what is wrong)"""
    server = SilentServer()
    return interrupt_beside(place, words, number, server, {"ANDROID_ADB_SERVER_PORT": str(server.port)})


def interrupt_beside(place, words, number, server, variables):
    """The same, with the silent peer that it is to wait for."""
    env = {**place.env, "CLAWPERATOR_USB": "0", "ADB_MDNS": "0", **variables}
    # not pipes: who prints much would wait for us
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen([place.binary, *words], env=env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                                 stdout=out,
                                 stderr=err)
        try:
            waited = server.wait_for_client(child)
            if waited:
                child.send_signal(number)
            child.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            return True, "did not end"
        finally:
            server.close()
        if not waited:
            return False, None
        out.seek(0)
        err.seek(0)
        return True, fault_of(words, child.returncode, out.read(), err.read(), number)


def fault_of(words, code, out, err, number):
    if "--watch" in words or words[:2] == ["log", "tail"] and "--no-follow" not in words:
        return None if code == 0 else f"exit {code}"
    document = err if "-" in words and words[0] == "screenshot" else out
    if code != 128 + number:
        return f"exit {code}: {out[:200]!r} {err[:200]!r}"
    if "pretty" in words:  # people read it on stderr
        return None if err.startswith(b"CANCELLED: ") and not out else f"{out[:200]!r} {err[:200]!r}"
    try:
        error = json.loads(document)
    except ValueError:
        return f"no JSON: {document[:200]!r}"
    return None if error.get("code") == "CANCELLED" else f"{document[:200]!r}"


def every_command_can_be_interrupted(number):
    def check(place):
        (place.sandbox / "plan.json").write_text(json.dumps(PLAN))
        lines = examples(place)
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            ends = list(pool.map(lambda words: interrupt(place, words, number), lines))
        faults = [f"{' '.join(words)}: {fault}" for words, (_, fault) in zip(lines, ends) if fault]
        waited = sum(waited for waited, _ in ends)
        if faults or waited < 15:
            raise place.Mismatch(f"{waited} waited; " + "\n      ".join(faults))
    return check


def watching_is_interrupted_at_its_first_look(number):
    """One phone that was connected once takes the link and says nothing; what looks at it goes, too."""
    def check(place):
        phone = SilentServer()
        home = place.sandbox / "home"
        (home / ".clawperator").mkdir(parents=True)
        (home / ".clawperator/targets.json").write_text(json.dumps({"targets": [f"127.0.0.1:{phone.port}"]}))
        waited, fault = interrupt_beside(place, ["devices", "--watch"], number, phone, {"HOME": str(home)})
        if fault or not waited:
            raise place.Mismatch(f"waited: {waited}; {fault}")
    return check


def talks_to(child, port):
    """How many connections it holds to this port."""
    held = set()
    for entry in pathlib.Path(f"/proc/{child.pid}/fd").iterdir():
        try:
            held.add(os.readlink(entry))
        except OSError:
            pass
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[2].endswith(f":{port:04X}") and row[3] == "01" and f"socket:[{row[9]}]" in held for row in rows)


def wait_for(place, child, words, begun):
    deadline = time.monotonic() + LIMIT_S
    while not begun():
        if child.poll() is not None or time.monotonic() > deadline:
            raise place.Mismatch(
                f"{' '.join(words)} did not get that far: {child.poll()}, "
                f"{child.stdout.read(2000) if child.poll() is not None else b''}")
        time.sleep(0.02)


def interrupt_at_work(place, words, begun, number):
    child = subprocess.Popen([place.binary, *words], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    try:
        wait_for(place, child, words, lambda: begun(child))
        child.send_signal(number)
        out, err = child.communicate(timeout=LIMIT_S)
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()
    fault = fault_of(words, child.returncode, out, err, number)
    if fault:
        raise place.Mismatch(f"{' '.join(words)}: {fault}")
    return out


def interrupted_at_work_on_a_device(number):
    """doctor waits for an answer that never comes, the grants for a link that fell silent."""
    def check(place):
        device = place.device
        services = device.run_adb("-s", device.serial, "shell",
                                  "settings get secure enabled_accessibility_services").stdout
        device.simctl("fault", "envelope-none")
        before = device.counters().get("broadcast", 0)
        interrupt_at_work(place, ["doctor"], lambda child: device.counters().get("broadcast", 0) > before, number)
        device.simctl("clear", "envelope-none")
        kept = device.run_adb("-s", device.serial, "shell", "settings get secure enabled_accessibility_services").stdout
        if b"com.clawperator.operator/" not in kept or kept != services:
            raise place.Mismatch(f"the service was {services!r}, is {kept!r}")
        device.simctl("fault", "link-stall", "0")
        interrupt_at_work(place, ["grant-device-permissions"], lambda child: talks_to(child, device.server_port),
                          number)
    return check


def interrupted_as_by_timeout(place):
    """timeout(1) signals its child, and then the group that both are in: the recorder's file is taken away all the
    same."""
    words = ["record-video", "--seconds", "50", "--path", "v.mp4"]
    for _ in range(5):
        before = place.device.counters().get("command.screenrecord", 0)
        child = subprocess.Popen([place.binary, *words], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(place, child, words, lambda: place.device.counters().get("command.screenrecord", 0) > before)
        for _ in range(2):
            child.send_signal(signal.SIGTERM)
            time.sleep(0.001)
        out, err = child.communicate(timeout=LIMIT_S)
        files = place.device.run_adb("-s", place.device.serial, "shell", "ls /data/local/tmp").stdout
        if child.returncode < 0 or b"clawperator-" in files:
            raise place.Mismatch(f"exit {child.returncode}: {out!r} {err!r}; on the phone: {files!r}")


def a_wait_ends_whenever_it_is_interrupted(number):
    """It looks again and again, each time on a loop of its own: at 40 moments, in a look, between two, and at their
    edges."""
    def check(place):
        words = ["wait", "--text", "Settings", "--gone", "--timeout", "3000000", "--backend", "app"]
        for moment in range(40):
            before = place.device.counters().get("broadcast", 0)

            def begun(_):
                if place.device.counters().get("broadcast", 0) == before:
                    return False
                time.sleep(moment * 0.017)
                return True
            interrupt_at_work(place, words, begun, number)
    return check


def setup_is_interrupted(number):
    """In the middle of its questions, which wait side by side for a phone that fell silent: one message. [F69]"""
    def check(place):
        apk.write_apk(place.sandbox / "operator.apk", padding=100_000)
        words = ["operator", "setup", "--apk", "operator.apk"]
        place.device.simctl("fault", "link-stall", "0")
        out = interrupt_at_work(place, words, lambda child: talks_to(child, place.device.server_port) > 1, number)
        if json.loads(out)["message"] != "stopped by a signal":
            raise place.Mismatch(f"{out[:400]!r}")
    return check


def interrupted_while_it_reads_stdin(number):
    def check(place):
        reader, writer = os.pipe()
        child = subprocess.Popen([place.binary, "exec", "-"], env=place.env, cwd=place.sandbox, stdin=reader,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(reader)
        wait_until_it_reads(child)
        child.send_signal(number)
        out, err = child.communicate(timeout=LIMIT_S)
        os.close(writer)
        fault = fault_of(["exec"], child.returncode, out, err, number)
        if fault:
            raise place.Mismatch(fault)
    return check


def wait_until_it_reads(child):
    """Asleep in read(2) of descriptor 0."""
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        words = pathlib.Path(f"/proc/{child.pid}/syscall").read_text().split()
        if words[:2] == ["0", "0x0"]:
            return
        time.sleep(0.02)


def a_reader_that_left_is_no_crash(place):
    """stdout is a pipe without a reader: exit 1, and no words about it."""
    for words in (["version"], ["help", "--json"], ["man"], ["click", "--no-such-flag"], ["devices"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([place.binary, *words], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                              stdout=writer, stderr=subprocess.PIPE, timeout=LIMIT_S)
        os.close(writer)
        if (done.returncode, done.stderr) != (1, b""):
            raise place.Mismatch(f"{words}: {done}")


def asleep_before_a_full_pipe(child, reader):
    """Nothing more has gone into the pipe for a second."""
    before, since = -1, time.monotonic()
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        room = array.array("i", [0])
        fcntl.ioctl(reader, termios.FIONREAD, room)
        if room[0] != before:
            before, since = room[0], time.monotonic()
        if room[0] > 2048 and time.monotonic() > since + 1:
            return room[0]
        if child.poll() is not None:
            break
        time.sleep(0.05)
    return 0


def interrupted_before_a_full_pipe(number):
    """A command that prints meanwhile ends at a signal, also where the output is not read: the reader is the one that
    hangs."""
    def check(place):
        steps = [{"id": f"s{each}", "type": "sleep", "params": {"durationMs": 100}} for each in range(50)]
        execution = json.dumps({"commandId": "c", "taskId": "t", "source": "test",
                                "expectedFormat": "android-ui-automator", "timeoutMs": 60000,
                                "actions": steps})
        for words, codes in ((["--backend", "shell", "exec", "--stream", execution], (128 + number,)),
                             (["log", "tail", "--package", "com.clawperator.operator"], (0, 128 + number))):
            reader, writer = os.pipe()
            fcntl.fcntl(writer, F_SETPIPE_SZ, 8192)  # two pages: of one, poll says that it is full at the first byte
            child = subprocess.Popen([place.binary, *words], env=place.env, cwd=place.sandbox, stdin=subprocess.DEVNULL,
                                     stdout=writer,
                                     stderr=subprocess.PIPE)
            os.close(writer)
            try:
                if asleep_before_a_full_pipe(child, reader) == 0:
                    raise place.Mismatch(f"{words[:3]}: the pipe did not become full: {child.poll()}")
                child.send_signal(number)
                try:
                    err = child.communicate(timeout=LIMIT_S)[1]
                except subprocess.TimeoutExpired:
                    raise place.Mismatch(f"{words[:3]} goes on before a full pipe") from None
                if child.returncode not in codes or b"Sanitizer" in err:
                    raise place.Mismatch(f"{words[:3]}: {child.returncode} {err[-600:]!r}")
            finally:
                child.kill()
                child.communicate()
                os.close(reader)
            place.device.simctl("reset")
            # the app's lines for the second
            place.run("exec", execution.replace('"durationMs": 100', '"durationMs": 1'))
    return check


F_SETPIPE_SZ = 1031

CHECKS = [
    ("SIGINT before a full pipe", True, interrupted_before_a_full_pipe(signal.SIGINT)),
    ("SIGTERM before a full pipe", True, interrupted_before_a_full_pipe(signal.SIGTERM)),
    ("SIGINT during every command", False, every_command_can_be_interrupted(signal.SIGINT)),
    ("SIGTERM during every command", False, every_command_can_be_interrupted(signal.SIGTERM)),
    ("SIGINT at the first look of devices --watch", False, watching_is_interrupted_at_its_first_look(signal.SIGINT)),
    ("SIGTERM at the first look of devices --watch", False, watching_is_interrupted_at_its_first_look(signal.SIGTERM)),
    ("SIGINT while stdin is read", False, interrupted_while_it_reads_stdin(signal.SIGINT)),
    ("SIGTERM while stdin is read", False, interrupted_while_it_reads_stdin(signal.SIGTERM)),
    ("SIGHUP while stdin is read", False, interrupted_while_it_reads_stdin(signal.SIGHUP)),
    ("SIGINT at work on a device", True, interrupted_at_work_on_a_device(signal.SIGINT)),
    ("SIGHUP at work on a device", True, interrupted_at_work_on_a_device(signal.SIGHUP)),
    ("SIGTERM at work on a device", True, interrupted_at_work_on_a_device(signal.SIGTERM)),
    ("as by timeout", True, interrupted_as_by_timeout),
    ("SIGINT during a wait", True, a_wait_ends_whenever_it_is_interrupted(signal.SIGINT)),
    ("SIGTERM during a wait", True, a_wait_ends_whenever_it_is_interrupted(signal.SIGTERM)),
    ("SIGINT during operator setup", True, setup_is_interrupted(signal.SIGINT)),
    ("SIGTERM during operator setup", True, setup_is_interrupted(signal.SIGTERM)),
    ("a reader that left is no crash", False, a_reader_that_left_is_no_crash),
]
