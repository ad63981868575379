"""`clawperator serve` as a child, and what asks it.

    with ApiServer(place, "--token", "t") as server:
        status, document = server.json("POST", "/execute", {"execution": ...})

Requests bear the token: the one that was given, or the one in the file that the server makes. `server.token = None`
ends that.
"""
import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import leaks
import strict_json
from limits import LIMIT_S

TOKEN = "a-token-of-these-tests"  # for who writes requests by hand


def expect(place, what, actual, wanted):
    if actual != wanted:
        raise place.Mismatch(f"{what}: expected {wanted!r}, got {str(actual)[:600]}")


def expect_error(place, answer, status, code, message=None):
    expect(place, code, (answer[0], answer[1].get("ok"), answer[1]["error"]["code"]), (status, False, code))
    if message is not None:
        expect(place, code, answer[1]["error"]["message"], message)


def wait_for_count(place, counter="broadcast", count=1):
    """Until the device has counted so many since its reset: the commands that were dispatched, if nothing else."""
    deadline = time.monotonic() + LIMIT_S
    while place.device.counters().get(counter, 0) < count:
        if time.monotonic() > deadline:
            raise place.Mismatch(f"the device has not counted {count} of {counter}")
        time.sleep(0.02)


def token_file(env, port, host="127.0.0.1"):
    """Where a server keeps the token that it makes."""
    return pathlib.Path(env["XDG_RUNTIME_DIR"]) / f"clawperator-serve-{host}-{port}.token"


def given_token(place, words, env):
    if "--token" in words:
        return words[words.index("--token") + 1]
    if "--token-file" in words:
        return (pathlib.Path(place.sandbox) / words[words.index("--token-file") + 1]).read_text().strip()
    return env.get("CLAWPERATOR_TOKEN")


class ApiServer:
    def __init__(self, place, *words, env=None):
        env = {**place.env, **leaks.SEARCHED, **(env or {})}
        port = [] if "--port" in words else ["--port", "0"]
        self.child = subprocess.Popen([*self.beneath(place), place.binary, "serve", *port, *words], env=env,
                                      cwd=place.sandbox, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
        self.said, self.port = [], None
        while self.port is None:
            line = self.child.stderr.readline()
            if not line:
                raise place.Mismatch(f"serve did not listen: {''.join(self.said)} {self.child.stdout.read()}")
            self.said.append(line)
            found = re.search(r"listening on http://\S+:(\d+)$", line.strip())
            self.port = int(found.group(1)) if found else None
        self.token_file = token_file(env, self.port,
                                     words[words.index("--host") + 1] if "--host" in words else "127.0.0.1")
        self.token = given_token(place, words, env) or self.token_file.read_text().strip()

    def beneath(self, place):
        """The words before the program's."""
        return []

    @property
    def bearing(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)

    def stop(self, number=signal.SIGTERM):
        """The exit code."""
        if self.child.poll() is None:
            self.child.send_signal(number)
        return self.ended()

    def ended(self):
        """The exit code of a server that was stopped."""
        self.child.communicate(timeout=LIMIT_S)
        return self.child.returncode

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)

    def ask(self, method, path, body=None, headers=None):
        """(status, headers, bytes); a body that is no text goes out as JSON."""
        connection = self.connect()
        headers = {**self.bearing, **(headers or {})}
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, headers=None):
        status, _, text = self.ask(method, path, body, headers)
        return status, strict_json.read(text)

    def in_background(self, *request):
        """A thread; its `answer` is that of json() once it has ended."""
        thread = threading.Thread(target=lambda: setattr(thread, "answer", self.json(*request)))
        thread.start()
        return thread

    def events(self, last_event_id=None, query=""):
        return Events(self.port, last_event_id, query, self.bearing)


class Events:
    """A reader of GET /events; next() is (name, document, id). The list of devices, which may change at any moment,
    is passed over unless it is wanted."""
    skips_devices = True

    def __init__(self, port, last_event_id, query="", headers=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
        headers = {"Host": f"127.0.0.1:{port}", **(headers or {})}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(f"GET /events{query} HTTP/1.1\r\n{lines}\r\n".encode())
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.status = self.lines.readline().strip()
        self.headers = {}
        while line := self.lines.readline().strip():
            name, value = line.split(":", 1)
            self.headers[name.lower()] = value.strip()

    def next(self):
        frame = {}
        while True:
            line = self.lines.readline()
            if not line:
                return None  # the server has ended the stream
            line = line.rstrip("\n")
            if not line and self.skips_devices and frame.get("event") == "clawperator:devices":
                frame = {}
            elif not line and "data" in frame:
                return frame.get("event"), strict_json.read(frame["data"]), frame.get("id")
            if line and not line.startswith(":"):
                name, value = line.split(": ", 1)
                frame[name] = value

    def close(self):
        self.lines.close()
        self.socket.close()
