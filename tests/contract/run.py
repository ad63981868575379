#!/usr/bin/env python3
"""Black-box tests of the built binary: argv, environment and stdin in; bytes and exit code out.

    tests/contract/run.py build/release/clawperator [--only TEXT] [--no-device] [--list] [--jobs N] [--daemon]

Reads cli_*.json beside this file (README.md explains their members), cases/*.json (payloads for
`exec --validate-only`) and */checks.py (what data cannot say). Cases that need a device talk to the binary's own
simulated device through a real, private adb server; both are started here and only these are ended here.
"""
import argparse
import concurrent.futures
import faulthandler
import importlib.util
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import apk
import durations
import leaks
import limits
import own_phone
import peers
import signals
import strict_json
from limits import LIMIT_S
from ports import free_port

CLOSED = f"127.0.0.1:{free_port()}"  # no program listens there


class Mismatch(Exception):
    pass


# --- expectations -----------------------------------------------------------------------------

def is_matcher(expected):
    return isinstance(expected, dict) and len(expected) == 1 and next(iter(expected)).startswith("$")


def check_matcher(kind, wanted, actual, where):
    ok = {
        "$starts": lambda: isinstance(actual, str) and actual.startswith(wanted),
        "$contains": lambda: isinstance(actual, str) and all(
            part in actual for part in ([wanted] if isinstance(wanted, str) else wanted)),
        "$regex": lambda: isinstance(actual, str) and re.fullmatch(wanted, actual, re.S) is not None,
        "$type": lambda: type(actual).__name__ == wanted,
        "$keys": lambda: list(actual) == wanted,
        "$length": lambda: len(actual) == wanted,
        "$at_least": lambda: actual >= wanted,
    }[kind]()
    if not ok:
        raise Mismatch(f"{where}: {kind} {wanted!r} does not hold for {shorten(actual)}")


def shorten(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 400 else text[:400] + "..."


def check_subset(expected, actual, where="$"):
    """Objects: every expected member is there and fits; {"$absent": [names]} forbids members.
    Arrays: same length, element by element. Everything else: equal, with the same type."""
    if is_matcher(expected):
        (kind, wanted), = expected.items()
        return check_matcher(kind, wanted, actual, where)
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            raise Mismatch(f"{where}: expected an object, got {shorten(actual)}")
        for name in expected.get("$absent", []):
            if name in actual:
                raise Mismatch(f"{where}.{name}: must be absent")
        for name, value in expected.items():
            if name == "$absent":
                continue
            if name not in actual:
                raise Mismatch(f"{where}.{name}: missing in {shorten(actual)}")
            check_subset(value, actual[name], f"{where}.{name}")
    elif isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            raise Mismatch(f"{where}: expected {len(expected)} elements, got {shorten(actual)}")
        for i, value in enumerate(expected):
            check_subset(value, actual[i], f"{where}[{i}]")
    elif type(expected) is not type(actual) or expected != actual:
        raise Mismatch(f"{where}: expected {expected!r}, got {shorten(actual)}")


def one_document(text, stream):
    """Exactly one JSON document on one line."""
    if not text.endswith(b"\n") or text.count(b"\n") != 1:
        raise Mismatch(f"{stream} is not one line: {text[:400]!r}")
    try:
        return json.loads(text)
    except ValueError as error:
        raise Mismatch(f"{stream} is not JSON ({error}): {text[:400]!r}") from None


def check_texts(case, stream, data):
    text = data.decode("utf-8", "replace")
    for part in case.get(f"{stream}_contains", []):
        if part not in text:
            raise Mismatch(f"{stream} lacks {part!r}: {text[:600]!r}")
    for part in case.get(f"{stream}_lacks", []):
        if part in text:
            raise Mismatch(f"{stream} has {part!r}")
    if stream in case and text != case[stream]:
        raise Mismatch(f"{stream}: expected {case[stream]!r}, got {text[:600]!r}")
    if f"{stream}_regex" in case and not re.fullmatch(case[f"{stream}_regex"], text, re.S):
        raise Mismatch(f"{stream} does not match {case[f'{stream}_regex']!r}: {text[:600]!r}")


def check_result(case, code, out, err, sandbox):
    exit_code = case.get("exit", 0)
    if code != exit_code:
        raise Mismatch(f"exit code: expected {exit_code}, got {code}; "
                       f"stdout {out[:300]!r} stderr {err[:300]!r}")
    document = None
    if "json" in case or "exact" in case:
        document = one_document(out, "stdout")
        check_subset(case.get("json", {}), document)
        if "exact" in case and json.dumps(document) != json.dumps(case["exact"]):
            raise Mismatch(f"expected exactly {shorten(case['exact'])}, got {shorten(document)}")
    if "document" in case:  # of many lines
        document = strict_json.read(out)
        check_subset(case["document"], document)
    if "expect" in case:
        check_payload(case["expect"], document)
    if "stderr_json" in case:
        check_subset(case["stderr_json"], one_document(err, "stderr"))
    if "ndjson" in case:
        check_subset(case["ndjson"], [strict_json.read(line) for line in out.splitlines()])
    if "stdout_magic" in case and not out.startswith(bytes.fromhex(case["stdout_magic"])):
        raise Mismatch(f"stdout begins with {out[:16].hex()}")
    for name, magic in case.get("file_magic", {}).items():
        check_file(sandbox / name, magic)
    for pattern in case.get("exists", []):
        if not list(sandbox.glob(pattern)):
            raise Mismatch(f"{pattern} was not written")
    check_texts(case, "stdout", out)
    check_texts(case, "stderr", err)
    return document


def check_file(path, magic):
    if not path.is_file():
        raise Mismatch(f"{path.name} was not written")
    start = path.read_bytes()[:64]
    if not start.startswith(bytes.fromhex(magic)):
        raise Mismatch(f"{path.name} begins with {start[:16].hex()}")


# --- the simulated device ---------------------------------------------------------------------

# The Operator app that the simulated phones of the suite have.
SIM = ["sim", "--operator", "0.5.3"]


class Device:
    """`clawperator sim` behind an adb server of our own."""

    def __init__(self, binary, folder, sim=SIM):
        self.folder = folder
        self.adb = shutil.which("adb")
        if not self.adb:
            raise RuntimeError("no adb in PATH (Debian package adb)")
        self.children = []
        self.server_port = free_port()
        self.env = clean_env(folder, self.server_port)
        self.sim = self.spawn([binary, *sim, "--port", "0", "--control", "0"], stdout=subprocess.PIPE)
        self.serial, self.control = self.read_addresses()
        self.spawn([self.adb, "-L", f"tcp:localhost:{self.server_port}", "nodaemon", "server"],
                   stdout=subprocess.DEVNULL)
        self.wait_until_connected()

    def spawn(self, argv, stdout):
        child = subprocess.Popen(argv, env=self.env, stdin=subprocess.DEVNULL, stdout=stdout,
                                 stderr=subprocess.DEVNULL, cwd=self.folder)
        self.children.append(child)
        return child

    def read_addresses(self):
        line = self.sim.stdout.readline()
        if not line:
            raise RuntimeError("`clawperator sim` printed nothing")
        report = json.loads(line)
        return report["address"], report["control"]

    def run_adb(self, *words, timeout=LIMIT_S):
        return subprocess.run([self.adb, "-P", str(self.server_port), *words], env=self.env,
                              capture_output=True, timeout=timeout)

    def wait_until_connected(self):
        deadline = time.monotonic() + LIMIT_S
        while time.monotonic() < deadline:
            self.run_adb("connect", self.serial)
            if self.run_adb("-s", self.serial, "get-state").stdout.strip() == b"device":
                return
            time.sleep(0.1)
        raise RuntimeError("adb did not connect to the simulated device")

    def simctl(self, *words):
        """It works whatever has become of the adb links."""
        try:
            return own_phone.simctl(self.control, *words)
        except own_phone.Refused as problem:
            raise Mismatch(str(problem)) from None

    def counters(self):
        """What the device did since its last reset, but for this very question."""
        numbers = json.loads(self.simctl("stats"))
        numbers.pop("command.simctl", None)
        return numbers

    def restore(self, link_suspect):
        """No faults, the first screen, and a link that lives."""
        self.simctl("reset")
        if link_suspect and not self.link_lives():
            self.run_adb("disconnect", self.serial)
            self.wait_until_connected()

    def link_lives(self):
        try:
            return self.run_adb("-s", self.serial, "shell", "true", timeout=limits.scaled(3)).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def close(self):
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
        for child in self.children:
            try:
                child.wait(limits.scaled(5))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def clean_env(folder, server_port):
    env = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    env.update(leaks.NOT_SEARCHED)
    env["CLAWPERATOR_USB"] = "0"  # no phone on a cable
    # What scripts and stubs of the checks read. The checks that look at a child's environment say otherwise.
    env["CLAWPERATOR_PASS_ENV"] = (
        "ASAN_OPTIONS SAID SAID_ON_STDERR CODE PIDFILE CLAWPERATOR FAKE_SDK FAKE_FAIL FAKE_HANG FAKE_EMULATOR")
    env["CLAWPERATOR_SKILLS_REPO"] = f"http://{CLOSED}/skills"
    env["CLAWHUB_SITE"] = f"http://{CLOSED}"
    env["CLAWPERATOR_APK_METADATA_URL"] = f"http://{CLOSED}/operator/latest.json"  # nor the real server
    env.update(HOME=str(folder), TMPDIR=str(folder), XDG_CACHE_HOME=str(folder / "cache"),
               XDG_RUNTIME_DIR=str(folder), CLAWPERATOR_LOCK_DIR=str(folder), ANDROID_ADB_SERVER_PORT=str(server_port))
    return env


# --- running ----------------------------------------------------------------------------------

def send_signal(child, name, after_s):
    """After so many seconds, counted from when the child is ready for the signal."""
    number = getattr(signal, name)
    status = pathlib.Path(f"/proc/{child.pid}/status")
    deadline = time.monotonic() + LIMIT_S
    while child.poll() is None and time.monotonic() < deadline:
        caught = re.search(r"^SigCgt:\s*(\w+)", status.read_text(), re.MULTILINE)
        if caught and int(caught.group(1), 16) >> (number - 1) & 1:
            break
        time.sleep(0.01)
    time.sleep(after_s)
    if child.poll() is None:
        child.send_signal(number)


class Daemon:
    """`clawperator daemon run` in the environment of a case, whose commands go through it."""

    def __init__(self, binary, env, folder):
        self.binary, self.env = binary, env
        self.child = subprocess.Popen([binary, "daemon", "run"], env=env, cwd=folder, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        printed = self.child.stderr.readline()
        if "listening" not in printed:
            raise Mismatch(f"the daemon did not start: {printed}")

    def end(self):
        """How many executions it had."""
        done = subprocess.run([self.binary, "daemon", "status"], env=self.env, capture_output=True, timeout=LIMIT_S,
                              check=False)
        self.child.send_signal(signal.SIGKILL)
        self.child.communicate()
        return json.loads(done.stdout).get("executions", 0)


class Place:
    """What a check of */checks.py works with: a sandbox, an environment, perhaps a device."""
    Mismatch = Mismatch
    closed = CLOSED
    SIM = SIM

    def __init__(self, binary, sandbox, env, device):
        self.binary, self.sandbox, self.env, self.device = binary, sandbox, env, device

    def run(self, *argv, env=None, timeout=LIMIT_S, **options):
        return subprocess.run([self.binary, *argv], env={**self.env, **(env or {})},
                              cwd=self.sandbox, capture_output=True, timeout=timeout,
                              stdin=subprocess.DEVNULL, check=False, **options)


HANGS_S = limits.scaled(600)  # no case takes so long: those that start the program hundreds of times take three minutes


MOST_AGAIN = 12  # more failures than that do not come from a busy machine


class Watchdog:
    """Ends the processes of a case that hangs, so that it fails and the run goes on. Where that does not help, the run
    ends."""

    def __init__(self, name):
        self.name, self.folder = name, None
        self.timers = [threading.Timer(HANGS_S, self.end_processes), threading.Timer(HANGS_S + LIMIT_S, self.end_run)]
        for timer in self.timers:
            timer.daemon = True

    def __enter__(self):
        for timer in self.timers:
            timer.start()
        return self

    def __exit__(self, *_):
        for timer in self.timers:
            timer.cancel()

    def end_processes(self):
        print(f"{self.name} has not ended after {HANGS_S:.0f} s; where the run stands:", flush=True)
        faulthandler.dump_traceback(sys.stdout, all_threads=True)
        for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if self.folder and str(self.folder).encode() in environment.read_bytes():
                    os.kill(int(environment.parent.name), signal.SIGKILL)
            except OSError:
                pass  # it ended meanwhile

    def end_run(self):
        print(f"FAIL: {self.name}: does not end\n0 passed, 1 failed", flush=True)
        os._exit(1)


class Suite:
    """The cases that no other suite has taken before, with a device of its own."""
    def __init__(self, options, folder, takers, ended):
        self.options = options
        self.folder = folder
        self.takers = takers  # shared by all suites: case -> the suite that runs it
        self.ended = ended  # shared, too: counts the cases
        self.met, self.stopped = 0, False
        self.took = []  # (seconds, name)
        self.binary = str(pathlib.Path(options.binary).resolve())
        self.often = str(pathlib.Path(options.often or options.binary).resolve())
        self.closed_port = free_port()
        self.device = None
        self.link_suspect = False
        self.device_problem = "--no-device" if options.no_device else None
        self.passed = self.failed = self.skipped = self.by_daemon = 0
        self.tables = {}  # table -> {row: "not run", "passed" or "failed"}; one bad case fails it
        self.failures = []  # (table, rows, name, case)
        self.is_last = False  # no other suite runs these cases again

    def connected_device(self):
        if self.device is None and self.device_problem is None:
            try:
                folder = self.folder / "device"
                folder.mkdir()
                self.device = Device(self.binary, folder)
            except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                self.device_problem = str(error)
        return self.device

    def run_binary(self, step, argv, env, cwd):
        command = ["bash", "-c", argv[0]] if "shell" in step else [self.binary, *argv]
        env = {**env, "CLAWPERATOR": self.binary} if "shell" in step else env
        child = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        if "signal" in step:
            threading.Thread(target=send_signal, args=(child, *step["signal"])).start()
        try:
            out, err = child.communicate(step.get("stdin", "").encode(), timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise
        return child.returncode, out, err

    def run_case(self, case, watchdog):
        sandbox = watchdog.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name, text in case.get("files", {}).items():
            (sandbox / name).parent.mkdir(parents=True, exist_ok=True)
            (sandbox / name).write_text(text.replace("${closed}", CLOSED))
        for name, members in case.get("apks", {}).items():
            apk.write_apk(sandbox / name, **members)
        device = self.device if case.get("device") else None
        env = clean_env(sandbox, device.server_port if device else self.closed_port)
        if device:
            device.restore(link_suspect=self.link_suspect)
            self.link_suspect = "faults" in case
        variables = {"serial": device.serial if device else "", "sandbox": str(sandbox), "here": str(HERE),
                     "closed": CLOSED}
        daemon = Daemon(self.binary, env, sandbox) if self.options.daemon and device else None
        try:
            for step in [case, *case.get("then", [])]:
                self.run_step(step, env, device, variables, sandbox)
        finally:
            if daemon:
                self.by_daemon += daemon.end()
        shutil.rmtree(sandbox, ignore_errors=True)

    def run_step(self, step, env, device, variables, sandbox):
        def fill(text):
            return re.sub(r"\$\{(\w+)\}", lambda m: variables.get(m.group(1), m.group(0)), text)

        for fault in step.get("faults", []):
            device.simctl("fault", *fault)
        argv = [fill(word) for word in (step["argv"] if "argv" in step else [step["shell"]])]
        step_env = {**env, **{name: fill(value) for name, value in step.get("env", {}).items()}}
        start = time.monotonic()
        code, out, err = self.run_binary(step, argv, step_env, sandbox)
        took = time.monotonic() - start
        if took > (limits.scaled(step["within_s"]) if "within_s" in step else LIMIT_S):
            raise Mismatch(f"took {took:.1f} s")
        if "save_stdout" in step:
            (sandbox / step["save_stdout"]).write_bytes(out)
        document = check_result(fill_all(step, fill), code, out, err, sandbox)
        if step.get("capture") and document is None:
            document = one_document(out, "stdout")
        for name, path in step.get("capture", {}).items():
            variables[name] = str(lookup(document, path))

    def report(self, table, rows, name, case):
        seen = self.tables.setdefault(table, {})
        for row in rows:
            seen.setdefault(row, "not run")
        if self.options.only and self.options.only not in f"{table} {name}":
            return
        if self.options.daemon and ("check" in case or "alone" in case or not case.get("device")):
            return
        self.met += 1
        if self.stopped or self.takers.setdefault(self.met, self) is not self:
            return
        if self.options.list:
            print(f"{table}  {name}")
            return
        if case.get("device") and not self.connected_device():
            self.skipped += 1
            return
        self.judge(table, rows, name, case)

    def judge(self, table, rows, name, case):
        seen = self.tables.setdefault(table, {})
        began, full_name = time.monotonic(), f"contract.{name.replace(': ', '.').replace(' ', '_')}"
        try:
            with Watchdog(full_name) as watchdog:
                self.run_check(case, watchdog) if "check" in case else self.run_case(case, watchdog)
        except peers.Unavailable as reason:
            print(f"SKIP: {full_name}: {reason}", flush=True)
            return
        except Exception as problem:  # whatever a check meets, the others go on
            self.failed += 1
            self.failures.append((table, rows, name, case))
            seen.update(dict.fromkeys(rows, "failed"))
            why = f"{type(problem).__name__}: {problem}"
            print(
                f"{'FAIL' if self.is_last else 'FAILED AT FIRST'}: {full_name}: {why}\n    argv "
                f"{case.get('argv') or case.get('shell')}", flush=True)
            return
        finally:
            self.took.append((time.monotonic() - began, f"{table} {name}"))
            print(f"[{next(self.ended)} done] {full_name}", flush=True)
        self.passed += 1
        for row in rows:
            seen[row] = "failed" if seen.get(row) == "failed" else "passed"

    def run_check(self, case, watchdog):
        """A case that is a function: it gets the Place and raises Mismatch."""
        sandbox = watchdog.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        device = self.device if case.get("device") else None
        if device:
            device.restore(link_suspect=True)
        port = device.server_port if device else self.closed_port
        place = Place(self.often if case["starts_often"] else self.binary, sandbox, clean_env(sandbox, port), device)
        try:
            case["check"](place)
        finally:
            if (sandbox / "clawperator-daemon.sock").exists():
                place.run("daemon", "stop")  # one that an example has started
        shutil.rmtree(sandbox, ignore_errors=True)

    def run_module(self, path):
        """CHECKS: (row, needs a device, function). STARTS_OFTEN: hundreds of processes each."""
        spec = importlib.util.spec_from_file_location(f"checks_{path.parent.name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for row, needs_device, check in module.CHECKS:
            self.report(path.parent.name, [row], row,
                        {"device": needs_device, "check": check, "argv": path.name,
                         "starts_often": getattr(module, "STARTS_OFTEN", False)})

    def run_file(self, path):
        content = json.loads(path.read_text())
        seen = self.tables.setdefault(content["table"], {})
        for row in content["rows"]:
            seen.setdefault(row, "not run")
        for case in content["cases"]:
            rows = case["row"] if isinstance(case["row"], list) else [case["row"]]
            unknown = [row for row in rows if row not in content["rows"]]
            if unknown:
                raise SystemExit(f"{path.name}: rows {unknown} are not in its table")
            self.report(content["table"], rows, case.get("name", rows[0]), case)

    def run_again(self, failures):
        """Cases that failed beside others run once more, one at a time, with a new device: on a busy machine a test's
        own limit of time may have passed. One that passes then is printed as unsteady."""
        self.folder.mkdir()
        self.is_last = True
        try:
            for table, rows, name, case in failures:
                before = self.passed
                if not case.get("device") or self.connected_device():
                    self.judge(table, rows, name, case)
                if self.passed > before:
                    print(f"UNSTEADY: {table} {name}: failed beside others, passed alone", flush=True)
        finally:
            if self.device:
                self.device.close()

    def run_all(self):
        self.folder.mkdir()
        try:
            for path in sorted(HERE.glob("cli_*.json")):
                self.run_file(path)
            for path in sorted((HERE / "cases").glob("*.json")):
                self.run_payloads(path)
            for path in sorted(HERE.glob("*/checks.py")):
                self.run_module(path)
        finally:
            if self.device:
                self.device.close()

    def run_payloads(self, path):
        """cases/*.json of the contract: what `exec --validate-only` says to each payload."""
        content = json.loads(path.read_text())
        for row in content["rows"]:
            if "envelope" in row["expect"] or "base" not in content:
                return
            self.report(f"exec {content['table']}", [row["id"]], row["id"],
                        payload_case(content["base"], row))


def fill_all(value, fill):
    if isinstance(value, str):
        return fill(value)
    if isinstance(value, dict):
        return {name: fill_all(member, fill) for name, member in value.items()}
    return [fill_all(member, fill) for member in value] if isinstance(value, list) else value


def lookup(document, path):
    for part in path.strip("/").split("/"):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def expand(value):
    if isinstance(value, dict) and "@repeat" in value:
        unit, count = value["@repeat"]
        return unit * count if isinstance(unit, str) else [expand(unit) for _ in range(count)]
    if isinstance(value, dict):
        return {name: expand(member) for name, member in value.items()}
    if isinstance(value, list):
        return [expand(member) for member in value]
    return value


def payload_of(base, row):
    given = expand(row["input"])
    if isinstance(given, str):
        return given
    members = {name: value for name, value in base.items() if name not in row.get("without", [])}
    members.update(given)
    return json.dumps(expand(members), ensure_ascii=False)


def payload_case(base, row):
    case = {"argv": ["exec", "--validate-only", "--payload", "-"], "stdin": payload_of(base, row)}
    expect = expand(row["expect"])
    if "code" not in expect:
        return {**case, "json": {"ok": True, "validated": True}, "expect": expect}
    error = {"code": expect["code"]}
    if "message" in expect:
        error["message"] = expect["message"]
    return {**case, "exit": 1, "json": error, "expect": expect}


def check_payload(expect, document):
    """What check_subset is too lenient for: the order of keys, the whole of `details`."""
    for name, value in expect.get("execution", {}).items():
        if json.dumps(document["execution"].get(name)) != json.dumps(value):
            raise Mismatch(f"execution.{name}: expected {shorten(value)}, "
                           f"got {shorten(document['execution'].get(name))}")
    details = dict(document.get("details", {}))
    reason = details.pop("reason", "[]")
    if "details" in expect and details != expect["details"]:
        raise Mismatch(f"details: expected {expect['details']}, got {details}")
    if "issues" in expect and [issue["message"] for issue in json.loads(reason)] != expect["issues"]:
        raise Mismatch(f"issues: expected {expect['issues']}, got {reason}")


def merged(all_tables):
    """A row that failed in one suite failed; one that only another suite ran is as that one says."""
    order = ["failed", "passed", "not run"]
    tables = {}
    for each in all_tables:
        for table, rows in each.items():
            seen = tables.setdefault(table, {})
            for row, state in rows.items():
                seen[row] = min(state, seen.get(row, state), key=order.index)
    return tables


def print_coverage(tables):
    for table, rows in tables.items():
        if not any(state != "not run" for state in rows.values()):
            continue
        missing = [row for row, state in rows.items() if state != "passed"]
        print(f"{table}: {len(rows) - len(missing)}/{len(rows)} rows covered")
        if missing:
            print(f"    not covered: {', '.join(missing[:12])}{' ...' if len(missing) > 12 else ''}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument(
        "--often", help="the binary for checks that start it hundreds of times: without a sanitizer that is soon done")
    parser.add_argument("--only", default="", help="cases whose table or name contains this text")
    parser.add_argument("--no-device", action="store_true", help="leave out what needs a device")
    parser.add_argument("--list", action="store_true", help="print the cases, run nothing")
    parser.add_argument("--daemon", action="store_true",
                        help="only cases with a device, their commands through a daemon")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time, each with a device of its own")
    options = parser.parse_args()
    signals.reset()
    with tempfile.TemporaryDirectory(prefix="clawperator-contract-", ignore_cleanup_errors=True) as folder:
        takers, ended = {}, itertools.count(1)
        suites = [Suite(options, pathlib.Path(folder) / str(number), takers, ended) for number in range(options.jobs)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            try:
                for done in [pool.submit(suite.run_all) for suite in suites]:
                    done.result()
            finally:  # Ctrl-C, or a suite that cannot go on, ends the others with their next case
                for suite in suites:
                    suite.stopped = True
        failures = [failure for suite in suites for failure in suite.failures]
        again = Suite(options, pathlib.Path(folder) / "again", {}, ended)
        again.run_again(failures[:MOST_AGAIN])
    if options.list:
        return 0
    tables = merged(suite.tables for suite in suites)
    for table, rows in again.tables.items():
        tables[table].update(rows)
    print_coverage(tables)
    durations.print_slowest([each for suite in suites for each in suite.took])
    skipped = [suite for suite in suites if suite.skipped]
    if skipped:
        print(f"{sum(suite.skipped for suite in skipped)} skipped: {skipped[0].device_problem}")
    if options.daemon:
        print(f"{sum(suite.by_daemon for suite in suites)} executions by a daemon")
    failed = len(failures) - again.passed
    print(f"{sum(suite.passed for suite in [*suites, again])} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
