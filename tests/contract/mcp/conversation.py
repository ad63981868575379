"""`clawperator mcp` as a child, and a client that talks to it.

    with Conversation(place) as talk:
        talk.greet()
        verdict = talk.tool("tap", ref="@3")       # what one line of its answer reports, and the tree behind it
"""
import base64
import itertools
import json
import queue
import re
import struct
import subprocess
import threading
import time
import typing

import leaks
import strict_json
from limits import LIMIT_S

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
META = "io.modelcontextprotocol/"
CLIENT = {"name": "contract", "version": "1"}
MOST_OF_LIST = 10240  # bytes that all tools may weigh in a model's context
TOOLS = ["devices", "doctor", "snapshot", "screenshot", "tap", "long_press", "swipe", "type_text", "press_key",
         "open_app",
         "open_url", "close_app", "wait_for", "execute"]
ENDED = object()


def metadata(version=MODERN, **more):
    """What a request of the newer era contains about its client; a member that is None is left out."""
    reply = {"protocolVersion": version, "clientCapabilities": {}, "clientInfo": CLIENT, **more}
    return {META + name: value for name, value in reply.items() if value is not None}


class ToolAnswer(typing.NamedTuple):
    """What a tool answered: the JSON of its first line, the lines behind it, and the whole result."""
    verdict: dict
    lines: list
    result: dict

    @property
    def hash(self):
        return next((found[1] for line in self.lines if (found := re.search(r" hash ([0-9a-f]{12})\b", line))), None)

    def ref(self, *parts):
        """The ref of the one line that has all of these."""
        found = [re.match(r" *([+~] )?(@\d+) ", line) for line in self.lines if all(part in line for part in parts)]
        if len(found) != 1 or not found[0]:
            raise ValueError(f"not one node with {parts}: {self.lines}")
        return found[0][2]


def answered_by(result):
    blocks = result["content"]
    first, *lines = blocks[0]["text"].split("\n")
    try:
        verdict = strict_json.read(first)
    except ValueError:
        return ToolAnswer({}, [first, *lines], result)
    return ToolAnswer(verdict, lines, result)


def picture_of(result):
    """(MIME type, width, height) as the picture's own header has them."""
    image, = [block for block in result["content"] if block["type"] == "image"]
    data = base64.b64decode(image["data"], validate=True)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return image["mimeType"], *struct.unpack(">II", data[16:24])
    at = 2
    while data[:2] == b"\xff\xd8" and at < len(data):
        marker, length = struct.unpack(">xBH", data[at:at + 4])
        if 0xc0 <= marker <= 0xc3:  # the start of a frame
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return image["mimeType"], width, height
        at += 2 + length
    raise ValueError(f"neither PNG nor JPEG: {data[:16].hex()}")


class Conversation:
    def __init__(self, place, *words, env=None, reads=True):
        self.place, self.numbers, self.notes, self.early = place, itertools.count(1), [], {}
        self.child = subprocess.Popen([place.binary, "mcp", *words],
                                      env={**place.env, **leaks.SEARCHED, **(env or {})}, cwd=place.sandbox,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.SimpleQueue()
        if reads:
            threading.Thread(target=self.read_all, daemon=True).start()

    def read_all(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(ENDED)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()
        for stream in (self.child.stdin, self.child.stderr):
            try:
                stream.close()
            except OSError:  # what was not written yet
                pass

    def write(self, data):
        try:
            self.child.stdin.write(data)
            self.child.stdin.flush()
        except OSError as error:
            raise self.place.Mismatch(f"it takes no input any more: {error}") from None

    def send(self, *messages):
        """At once: in one write."""
        self.write(b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in messages))

    def raw_line(self):
        """The bytes of the next line, None after the last; it must be one for every reader."""
        try:
            line = self.lines.get(timeout=LIMIT_S)
        except queue.Empty:
            raise self.place.Mismatch(f"it said nothing for {LIMIT_S} s") from None
        if line is ENDED:
            return None
        if len(line.decode().splitlines()) != 1:
            raise self.place.Mismatch(f"stdout has what is no line to some: {line[:300]!r}")
        return line

    def line(self):
        """The same, which must be one object of JSON-RPC."""
        line = self.raw_line()
        if line is None:
            return None
        try:
            message = strict_json.read(line)
        except ValueError:
            raise self.place.Mismatch(f"stdout has what is no JSON: {line[:300]!r}") from None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not line.endswith(b"}\n"):
            raise self.place.Mismatch(f"stdout has what is no message: {line[:300]!r}")
        return line

    def message(self):
        line = self.line()
        return None if line is None else strict_json.read(line)

    def answer(self, number):
        """That of this request; what else comes meanwhile is kept."""
        while number not in self.early:
            message = self.message()
            if message is None:
                raise self.place.Mismatch(f"it ended without an answer to {number!r}")
            if "method" in message:
                self.notes.append(message)
            else:
                self.early[message["id"]] = message
        return self.early.pop(number)

    def request(self, method, params=None):
        number = next(self.numbers)
        self.send({"id": number, "method": method, **({} if params is None else {"params": params})})
        return self.answer(number)

    def result(self, method, params=None):
        answer = self.request(method, params)
        if "result" not in answer:
            raise self.place.Mismatch(f"{method}: {answer}")
        return answer["result"]

    def modern(self, method, meta=None, **params):
        return self.request(method, {**params, "_meta": metadata() if meta is None else meta})

    def greet(self, version=LEGACY[0]):
        reply = self.result("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT})
        self.send({"method": "notifications/initialized"})
        return reply

    def call(self, tool, /, **arguments):
        """The result of a tool, whatever it is."""
        return self.result("tools/call", {"name": tool, "arguments": arguments})

    def tool(self, tool, /, **arguments):
        """The answer of a tool that succeeds."""
        reply = answered_by(self.call(tool, **arguments))
        if reply.result.get("isError") or reply.verdict.get("ok", True) is not True:
            raise self.place.Mismatch(f"{tool} {arguments}: {reply.result}")
        return reply

    def refused(self, code, tool, /, **arguments):
        """The error of a tool that fails with this code; it stands once on the wire."""
        result = self.call(tool, **arguments)
        reply = answered_by(result)
        if result.get("isError") is not True or (reply.verdict.get("ok"), reply.verdict.get("code")) != (False, code):
            raise self.place.Mismatch(f"{tool} {arguments}: not {code} but {str(result)[:600]}")
        if "structuredContent" in result or len(result["content"]) != 1:
            raise self.place.Mismatch(f"{tool} {arguments}: it stands there twice: {result}")
        return reply.verdict

    def end(self):
        """(the messages that were still said, exit code, stderr) once its input has ended."""
        self.child.stdin.close()
        return self.ended()

    def ended(self):
        messages = list(self.early.values())
        while (message := self.message()) is not None:
            messages.append(message)
        return messages, self.child.wait(LIMIT_S), self.child.stderr.read()


def wait_until(place, what, holds):
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise place.Mismatch(what)
        time.sleep(0.02)
