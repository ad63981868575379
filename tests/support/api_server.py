"""`clawperator serve` as a child, and what asks it.

    with ApiServer(place, "--token", "t") as server:
        status, document = server.json("POST", "/execute", {"execution": ...})
"""
import http.client
import json
import re
import signal
import socket
import subprocess
import threading
import time

import leaks
import strict_json
from limits import LIMIT_S


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


class ApiServer:
    def __init__(self, place, *words, env=None):
        self.child = subprocess.Popen([place.binary, "serve", "--port", "0", *words],
                                      env={**place.env, **leaks.SEARCHED, **(env or {})},
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
        """The exit code of one that has been told to end."""
        self.child.communicate(timeout=LIMIT_S)
        return self.child.returncode

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)

    def ask(self, method, path, body=None, headers=None):
        """(status, headers, bytes); a body that is no text goes out as JSON."""
        connection = self.connect()
        headers = dict(headers or {})
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
        return Events(self.port, last_event_id, query)


class Events:
    """A reader of GET /events; next() is (name, document, id)."""

    def __init__(self, port, last_event_id, query=""):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
        again = f"Last-Event-ID: {last_event_id}\r\n" if last_event_id is not None else ""
        self.socket.sendall(f"GET /events{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{again}\r\n".encode())
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
            if not line and "data" in frame:
                return frame.get("event"), strict_json.read(frame["data"]), frame.get("id")
            if line and not line.startswith(":"):
                name, value = line.split(": ", 1)
                frame[name] = value

    def close(self):
        self.lines.close()
        self.socket.close()
